#include "geom/field.h"

#include "base/error.h"
#include "base/memory.h"

enum { SIDE = ERGI_FIELD_SIDE, ACROSS = SIDE + 1 };

static const double MAX_BLOCKS = 1 << 26;

typedef struct work {
    const ergi_solid    *solid;
    ergi_distance_field *field;
    uint32_t            *list; // stored blocks, in order
} work;

static void block_coords(const ergi_distance_field *f, size_t block, int at[3])
{
    at[0] = (int)(block % (size_t)f->blocks[0]);
    at[1] = (int)(block / (size_t)f->blocks[0] % (size_t)f->blocks[1]);
    at[2] = (int)(block / (size_t)f->blocks[0] / (size_t)f->blocks[1]);
}

static erg_vec3 lattice_point(const ergi_distance_field *f, int i, int j, int k)
{
    double h = f->spacing;
    return ergi_vec3(f->origin.x + h * i, f->origin.y + h * j, f->origin.z + h * k);
}

// Marks blocks as stored (0), or as lying wholly on one side of the level.
static void classify_blocks(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const work          *job = ctx;
    ergi_distance_field *f = job->field;
    double               reach = f->band + 0.5 * sqrt(3.0) * SIDE * f->spacing;
    (void)chunk;
    for (erg_index block = begin; block < end; block++) {
        int at[3];
        block_coords(f, (size_t)block, at);
        erg_vec3 middle = ergi_madd(lattice_point(f, at[0] * SIDE, at[1] * SIDE, at[2] * SIDE),
                                    0.5 * SIDE * f->spacing, ergi_vec3(1.0, 1.0, 1.0));
        double   d = ergi_solid_distance(job->solid, middle) - f->level;
        f->block[block] = d > reach ? ERGI_FIELD_OUTSIDE : d < -reach ? ERGI_FIELD_INSIDE : 0;
    }
}

// The distance changes by at most `spacing` from one lattice point to the next. Searching only
// within that reach skips most of the tree.
static double distance_near(const ergi_solid *solid, erg_vec3 p, double before, double spacing)
{
    double       reach = (fabs(before) + spacing) * (1.0 + 1e-6);
    ergi_nearest near = ergi_solid_nearest(solid, p, reach);
    return near.triangle == UINT32_MAX ? ergi_solid_distance(solid, p) : near.distance;
}

static void fill_blocks(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const work          *job = ctx;
    ergi_distance_field *f = job->field;
    (void)chunk;
    for (erg_index n = begin; n < end; n++) {
        int at[3];
        block_coords(f, job->list[n], at);
        float *d = f->distance + (size_t)n * ERGI_FIELD_POINTS;
        for (int k = 0; k < ACROSS; k++)
            for (int j = 0; j < ACROSS; j++) {
                double before = HUGE_VAL;
                for (int i = 0; i < ACROSS; i++) {
                    erg_vec3 p =
                        lattice_point(f, at[0] * SIDE + i, at[1] * SIDE + j, at[2] * SIDE + k);
                    before = distance_near(job->solid, p, before, f->spacing);
                    *d++ = (float)before;
                }
            }
    }
}

static erg_status lay_out(const ergi_solid *solid, ergi_distance_field *f, erg_error *err)
{
    double h = f->spacing, margin = f->band + h + fmax(f->level, 0.0);
    f->origin = ergi_sub(solid->low, ergi_vec3(margin, margin, margin));
    erg_vec3 size = ergi_sub(ergi_add(solid->high, ergi_vec3(margin, margin, margin)), f->origin);
    const double wide[3] = {size.x, size.y, size.z};
    double       total = 1.0;
    for (int k = 0; k < 3; k++) {
        double n = ceil(wide[k] / (SIDE * h));
        total *= n;
        if (n * SIDE >= (double)(1 << 20)) total = HUGE_VAL;
        f->blocks[k] = n < 1e9 ? (int)n : 0;
    }
    if (!(total <= MAX_BLOCKS))
        return ergi_fail_at(err, "spacing", ERG_ERROR_TOO_MANY,
                            "a field of spacing %g m around a mesh of %g x %g x %g m is too large; "
                            "choose a larger spacing",
                            h, wide[0], wide[1], wide[2]);
    size_t count = (size_t)total;
    f->block = ergi_memory_new(count, sizeof *f->block, "a distance field", err);
    return f->block ? ERG_OK : ERG_NO_MEMORY;
}

erg_status ergi_distance_field_build(const ergi_solid *solid, double spacing, double level,
                                     double band, const ergi_threads *threads,
                                     ergi_distance_field *field, erg_error *err)
{
    *field = (ergi_distance_field){.spacing = spacing, .level = level, .band = band};
    if (!(spacing > 0.0) || !(band >= 0.0) || !isfinite(spacing) || !isfinite(band) ||
        !isfinite(level))
        return ergi_fail_at(err, "spacing", ergi_code_of(spacing),
                            "a distance field needs a spacing above 0 m and a band, got %g and %g",
                            spacing, band);
    erg_status status = lay_out(solid, field, err);
    if (status != ERG_OK) return status;
    work   job = {.solid = solid, .field = field};
    size_t count = (size_t)field->blocks[0] * (size_t)field->blocks[1] * (size_t)field->blocks[2];
    ergi_parallel_for(threads, (erg_index)count, 64, classify_blocks, &job);
    for (size_t i = 0; i < count; i++) field->kept += field->block[i] == 0;
    job.list = ergi_memory_new(field->kept, sizeof *job.list, "a distance field", err);
    field->distance = ergi_memory_new(field->kept * ERGI_FIELD_POINTS, sizeof *field->distance,
                                      "a distance field", err);
    if (!job.list || !field->distance) {
        ergi_memory_free(job.list);
        ergi_distance_field_free(field);
        return ERG_NO_MEMORY;
    }
    int32_t next = 0;
    for (size_t i = 0; i < count; i++)
        if (field->block[i] == 0) {
            job.list[next] = (uint32_t)i;
            field->block[i] = next++;
        }
    ergi_parallel_for(threads, next, 8, fill_blocks, &job);
    ergi_memory_free(job.list);
    return ERG_OK;
}

void ergi_distance_field_free(ergi_distance_field *field)
{
    ergi_memory_free(field->block);
    ergi_memory_free(field->distance);
    *field = (ergi_distance_field){0};
}

erg_status ergi_distance_field_surface(const ergi_distance_field *f, ergi_mesh *mesh,
                                       erg_error *err)
{
    ergi_march march = {.origin = f->origin, .spacing = f->spacing, .level = f->level};
    size_t     count = (size_t)f->blocks[0] * (size_t)f->blocks[1] * (size_t)f->blocks[2];
    erg_status status = ERG_OK;
    *mesh = (ergi_mesh){0};
    for (size_t b = 0; b < count; b++) {
        if (f->block[b] < 0) continue;
        const float *d = f->distance + (size_t)f->block[b] * ERGI_FIELD_POINTS;
        int          at[3];
        block_coords(f, b, at);
        for (int cell = 0; cell < SIDE * SIDE * SIDE && status == ERG_OK; cell++) {
            int    i = cell % SIDE, j = cell / SIDE % SIDE, k = cell / SIDE / SIDE;
            double value[8];
            for (int c = 0; c < 8; c++)
                value[c] =
                    (double)d[((k + (c >> 2)) * ACROSS + j + (c >> 1 & 1)) * ACROSS + i + (c & 1)];
            status = ergi_march_cube(&march, at[0] * SIDE + i, at[1] * SIDE + j, at[2] * SIDE + k,
                                     value, err);
        }
    }
    if (status == ERG_OK) {
        *mesh = march.mesh;
        march.mesh = (ergi_mesh){0};
    }
    ergi_march_free(&march);
    return status;
}
