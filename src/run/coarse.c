#include "run/coarse.h"

#include "api/probe_grid.h"
#include "base/error.h"
#include "base/memory.h"
#include "geom/vec3.h"
#include "io/vti.h"

#include <math.h>
#include <string.h>

enum { DENSITY = 0, MOMENTUM = 1, MOTION = 4, CONTACT = 10 }; // offsets in the sums of a cell

static const double CUT = ERGI_PROBE_CUT; // of a Gaussian, in widths
// Parts of a branch per cell edge, for smooth kernels and for ERG_KERNEL_CELL; most parts.
enum { BRANCH_PARTS = 4, SHARP_BRANCH_PARTS = 32, MAX_BRANCH_PARTS = 64 };

// ---- Making ------------------------------------------------------------------------------------
erg_status ergi_coarse_check(const erg_probe_def *def, erg_error *err)
{
    double low[3], high[3], total = 1;
    ergi_probe_corners(def, low, high);
    bool by_cells = def->cells[0] || def->cells[1] || def->cells[2];
    if (!by_cells && !(def->spacing > 0 && isfinite(def->spacing)))
        return ergi_fail_at(err, "spacing", ergi_code_of(def->spacing),
                            "probe '%s' needs cells, or a spacing above 0 m", def->name);
    for (int k = 0; k < 3; k++) {
        if (!isfinite(low[k]) || !isfinite(high[k]) || !(low[k] < high[k]))
            return ergi_fail_at(err, "bounds", ergi_code_of(low[k] + high[k]),
                                "probe '%s': bounds are %g and %g along %c, expected the smaller "
                                "first and both finite",
                                def->name, low[k], high[k], "xyz"[k]);
        double n = ergi_probe_cells(def, k);
        if (n < 1)
            return ergi_fail_at(err, "cells", ERG_ERROR_OUT_OF_RANGE,
                                "probe '%s' has %g cells along %c, expected at least 1", def->name,
                                n, "xyz"[k]);
        total *= n;
    }
    if (!(total <= ERGI_COARSE_MOST))
        return ergi_fail_at(err, by_cells ? "cells" : "spacing", ERG_ERROR_TOO_MANY,
                            "probe '%s' has %g cells, expected at most %d: use larger ones",
                            def->name, total, ERGI_COARSE_MOST);
    if ((unsigned)def->kernel > ERG_KERNEL_CELL || !(def->width >= 0 && isfinite(def->width)))
        return ergi_fail_at(err, (unsigned)def->kernel > ERG_KERNEL_CELL ? "kernel" : "width",
                            ergi_code_of(def->width),
                            "probe '%s' needs a kernel, and a width of 0 m or above, got %g",
                            def->name, def->width);
    erg_error why;
    if (ergi_probe_check_kernel(def, &why) != ERG_OK)
        return ergi_fail_as(err, &why, "probe '%s': %s", def->name, why.text);
    if (!(def->every > 0 && isfinite(def->every)) || def->samples < 1)
        return ergi_fail_at(
            err, def->samples < 1 ? "samples" : "every", ergi_code_of(def->every),
            "probe '%s' needs a period above 0 s and at least one sample, got %g and "
            "%u",
            def->name, def->every, def->samples);
    return ERG_OK;
}

erg_status ergi_coarse_make(const erg_probe_def *def, const erg_world *world, ergi_coarse *c,
                            erg_error *err)
{
    double high[3];
    *c = (ergi_coarse){.kernel = def->kernel, .count = 1};
    ergi_probe_corners(def, c->lower, high);
    size_t reach = 1;
    c->width = ergi_probe_width(def);
    c->range = ergi_probe_range(def);
    if (!(c->width > 0)) c->kernel = ERG_KERNEL_CELL; // the grid is a single cell
    for (int k = 0; k < 3; k++) {
        c->cells[k] = (int)ergi_probe_cells(def, k);
        c->edge[k] = (high[k] - c->lower[k]) / c->cells[k];
        c->count *= (size_t)c->cells[k];
        if (c->kernel != ERG_KERNEL_CELL && c->cells[k] > 1)
            reach *= (size_t)(2 * c->range / c->edge[k]) + 3;
    }
    erg_world_def w = erg_world_get_def(world);
    c->period[0] = w.periodic_x ? w.upper.x - w.lower.x : 0;
    c->period[1] = w.periodic_y ? w.upper.y - w.lower.y : 0;
    c->sum = ergi_memory_new(c->count * ERGI_COARSE_SUMS, sizeof *c->sum, "a field", err);
    c->weight = ergi_memory_new(reach, sizeof *c->weight, "a field", err);
    if (c->sum && c->weight) return ERG_OK;
    ergi_coarse_free(c);
    return ERG_NO_MEMORY;
}

void ergi_coarse_free(ergi_coarse *c)
{
    ergi_memory_free(c->sum);
    ergi_memory_free(c->weight);
    *c = (ergi_coarse){0};
}

void ergi_coarse_clear(ergi_coarse *c)
{
    memset(c->sum, 0, c->count * ERGI_COARSE_SUMS * sizeof *c->sum);
    c->samples = 0;
}

// ---- Spreading ---------------------------------------------------------------------------------
// Not normalised: callers divide weights by their sum.
static double kernel_at(const ergi_coarse *c, double distance2)
{
    double q = sqrt(distance2) / c->width;
    if (c->kernel == ERG_KERNEL_GAUSS) return q < CUT ? exp(-0.5 * q * q) : 0;
    return q < 1 ? (1 + 3 * q) * (1 - q) * (1 - q) * (1 - q) : 0;
}

// Cells whose centres the kernel around a point may reach, including cells outside the grid.
typedef struct window {
    int first[3], size[3];
} window;

static bool window_of(const ergi_coarse *c, const double at[3], window *w)
{
    for (int k = 0; k < 3; k++) {
        double x = (at[k] - c->lower[k]) / c->edge[k];
        double reach = c->kernel == ERG_KERNEL_CELL || c->cells[k] == 1 ? 0 : c->range / c->edge[k];
        double low = reach > 0 ? ceil(x - reach - 0.5) : floor(x);
        double high = reach > 0 ? floor(x + reach - 0.5) : low;
        // A kernel narrower than a cell may contain no cell centre: use the cell of the point.
        if (high < low) low = high = floor(x);
        if (!(high >= 0 && low < c->cells[k])) return false; // also for NaN
        w->first[k] = (int)low;
        w->size[k] = (int)(high - low) + 1;
    }
    return true;
}

static double squared_offset(const ergi_coarse *c, const double at[3], int axis, int cell)
{
    if (c->cells[axis] == 1) return 0;
    double d = c->lower[axis] + (cell + 0.5) * c->edge[axis] - at[axis];
    return d * d;
}

// Fills the weights of a window's cells and returns their sum.
static double weigh(const ergi_coarse *c, const double at[3], const window *w)
{
    double  sum = 0;
    double *to = c->weight;
    for (int z = 0; z < w->size[2]; z++)
        for (int y = 0; y < w->size[1]; y++)
            for (int x = 0; x < w->size[0]; x++) {
                double d2 = squared_offset(c, at, 0, w->first[0] + x) +
                            squared_offset(c, at, 1, w->first[1] + y) +
                            squared_offset(c, at, 2, w->first[2] + z);
                sum += *to++ = kernel_at(c, d2);
            }
    return sum;
}

static void add_share(ergi_coarse *c, const int cell[3], double share, int first, int count,
                      const double *value)
{
    for (int k = 0; k < 3; k++)
        if (cell[k] < 0 || cell[k] >= c->cells[k]) return;
    size_t row = ((size_t)cell[2] * (size_t)c->cells[1] + (size_t)cell[1]) * (size_t)c->cells[0] +
                 (size_t)cell[0];
    double *to = c->sum + row * ERGI_COARSE_SUMS + first;
    for (int i = 0; i < count; i++) to[i] += share * value[i];
}

static void spread_image(ergi_coarse *c, const double at[3], int first, int count,
                         const double *value)
{
    window w;
    if (!window_of(c, at, &w)) return;
    double volume = c->edge[0] * c->edge[1] * c->edge[2];
    double sum = c->kernel == ERG_KERNEL_CELL ? 0 : weigh(c, at, &w);
    if (!(sum > 0)) { // only the cell that contains the point
        int cell[3];
        for (int k = 0; k < 3; k++) cell[k] = (int)floor((at[k] - c->lower[k]) / c->edge[k]);
        add_share(c, cell, 1 / volume, first, count, value);
        return;
    }
    const double *weight = c->weight;
    for (int z = 0; z < w.size[2]; z++)
        for (int y = 0; y < w.size[1]; y++)
            for (int x = 0; x < w.size[0]; x++, weight++)
                if (*weight > 0)
                    add_share(c, (int[]){w.first[0] + x, w.first[1] + y, w.first[2] + z},
                              *weight / (sum * volume), first, count, value);
}

// Spreads `count` numbers around a point and, in a periodic world, around its images.
static void spread(ergi_coarse *c, erg_vec3 p, int first, int count, const double *value)
{
    int nx = c->period[0] > 0, ny = c->period[1] > 0;
    for (int i = -nx; i <= nx; i++)
        for (int k = -ny; k <= ny; k++) {
            const double at[3] = {p.x + i * c->period[0], p.y + k * c->period[1], p.z};
            spread_image(c, at, first, count, value);
        }
}

// ---- Adding ------------------------------------------------------------------------------------
typedef struct grains {
    size_t       count, contacts;
    erg_gid     *id; // ascending
    double      *mass, *position, *velocity;
    erg_contact *contact;
} grains;

static erg_status read_grains(grains *g, const erg_world *world, erg_error *err)
{
    static const char what[] = "a field";

    size_t n = g->count = erg_world_grain_count(world);
    size_t room = erg_world_contact_count(world);
    g->id = ergi_memory_new(n, sizeof *g->id, what, err);
    g->mass = ergi_memory_new(n, sizeof *g->mass, what, err);
    g->position = ergi_memory_new(3 * n, sizeof *g->position, what, err);
    g->velocity = ergi_memory_new(3 * n, sizeof *g->velocity, what, err);
    g->contact = ergi_memory_new(room, sizeof *g->contact, what, err);
    if (!g->id || !g->mass || !g->position || !g->velocity || !g->contact) return ERG_NO_MEMORY;
    erg_status status = erg_world_read(world, ERG_FIELD_ID, NULL, n, g->id, err);
    if (status == ERG_OK) status = erg_world_read(world, ERG_FIELD_MASS, NULL, n, g->mass, err);
    if (status == ERG_OK)
        status = erg_world_read(world, ERG_FIELD_POSITION, NULL, n, g->position, err);
    if (status == ERG_OK)
        status = erg_world_read(world, ERG_FIELD_VELOCITY, NULL, n, g->velocity, err);
    if (status == ERG_OK) status = erg_world_contacts(world, g->contact, room, &g->contacts, err);
    return status;
}

static void free_grains(grains *g)
{
    ergi_memory_free(g->id);
    ergi_memory_free(g->mass);
    ergi_memory_free(g->position);
    ergi_memory_free(g->velocity);
    ergi_memory_free(g->contact);
}

static size_t find(const grains *g, erg_gid id)
{
    size_t low = 0, high = g->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (g->id[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->count && g->id[low] == id ? low : SIZE_MAX;
}

static void add_grain(ergi_coarse *c, const grains *g, size_t i)
{
    const double *x = g->position + 3 * i, *v = g->velocity + 3 * i, m = g->mass[i];
    const double  value[10] = {m,
                               m * v[0],
                               m * v[1],
                               m * v[2],
                               m * v[0] * v[0],
                               m * v[1] * v[1],
                               m * v[2] * v[2],
                               m * v[0] * v[1],
                               m * v[1] * v[2],
                               m * v[0] * v[2]};
    spread(c, ergi_vec3(x[0], x[1], x[2]), DENSITY, 10, value);
}

static double nearest(double d, double period)
{
    return period > 0 ? d - period * nearbyint(d / period) : d;
}

// Integrates along the branch from the centre of grain i to the contact, in parts that are short
// compared with a cell.
static void add_branch(ergi_coarse *c, const grains *g, size_t i, erg_vec3 point, erg_vec3 f)
{
    const double *x = g->position + 3 * i;
    erg_vec3      b = {nearest(point.x - x[0], c->period[0]), nearest(point.y - x[1], c->period[1]),
                       point.z - x[2]};
    double        edge = (double)INFINITY, length = ergi_norm(b);
    for (int k = 0; k < 3; k++)
        if (c->cells[k] > 1) edge = fmin(edge, c->edge[k]);
    int    fine = c->kernel == ERG_KERNEL_CELL ? SHARP_BRANCH_PARTS : BRANCH_PARTS;
    int    parts = (int)fmin(MAX_BRANCH_PARTS, 1 + fine * length / edge);
    double share = 1.0 / parts;

    const double stress[6] = {share * f.x * b.x,
                              share * f.y * b.y,
                              share * f.z * b.z,
                              share * 0.5 * (f.x * b.y + f.y * b.x),
                              share * 0.5 * (f.y * b.z + f.z * b.y),
                              share * 0.5 * (f.x * b.z + f.z * b.x)};
    for (int p = 0; p < parts; p++)
        spread(c, ergi_madd(ergi_vec3(x[0], x[1], x[2]), (p + 0.5) * share, b), CONTACT, 6, stress);
}

erg_status ergi_coarse_add(ergi_coarse *c, const erg_world *world, erg_error *err)
{
    grains     g = {0};
    erg_status status = read_grains(&g, world, err);
    if (status == ERG_OK) {
        for (size_t i = 0; i < g.count; i++) add_grain(c, &g, i);
        for (size_t i = 0; i < g.contacts; i++) {
            const erg_contact *t = &g.contact[i];
            size_t             a = find(&g, t->grain_a);
            size_t             b = t->grain_b ? find(&g, t->grain_b) : SIZE_MAX;
            if (a != SIZE_MAX) add_branch(c, &g, a, t->point, t->force);
            if (b != SIZE_MAX) add_branch(c, &g, b, t->point, ergi_scale(t->force, -1));
        }
        c->samples++;
    }
    free_grains(&g);
    return status;
}

// ---- Writing -----------------------------------------------------------------------------------
enum { COLUMNS = 17 }; // density, velocity 3, contact stress 6, kinetic stress 6, pressure

static void finish_cell(const double *sum, double samples, double *to)
{
    double mean[ERGI_COARSE_SUMS], *v = to + 1, *contact = to + 4, *kinetic = to + 10;
    for (int i = 0; i < ERGI_COARSE_SUMS; i++) mean[i] = samples > 0 ? sum[i] / samples : 0;
    double rho = to[0] = mean[DENSITY];
    for (int k = 0; k < 3; k++) v[k] = rho > 0 ? mean[MOMENTUM + k] / rho : 0;
    memcpy(contact, mean + CONTACT, 6 * sizeof *contact);
    for (int k = 0; k < 6; k++) {
        int a = k < 3 ? k : k == 4 ? 1 : 0, b = k < 3 ? k : k == 3 ? 1 : 2;
        kinetic[k] = rho * v[a] * v[b] - mean[MOTION + k];
    }
    to[16] = -(contact[0] + contact[1] + contact[2] + kinetic[0] + kinetic[1] + kinetic[2]) / 3;
}

erg_status ergi_coarse_write(const ergi_coarse *c, double time, const char *path, erg_error *err)
{
    double *cell = ergi_memory_new(c->count * COLUMNS, sizeof *cell, "a field", err);
    if (!cell) return ERG_NO_MEMORY;
    for (size_t i = 0; i < c->count; i++)
        finish_cell(c->sum + i * ERGI_COARSE_SUMS, (double)c->samples, cell + i * COLUMNS);
    const size_t               stride = COLUMNS * sizeof *cell;
    const ergi_particles_field fields[] = {
        {"density", ERGI_CONTAINER_F64, 1, cell, stride},
        {"velocity", ERGI_CONTAINER_F64, 3, cell + 1, stride},
        {"contact_stress", ERGI_CONTAINER_F64, 6, cell + 4, stride},
        {"kinetic_stress", ERGI_CONTAINER_F64, 6, cell + 10, stride},
        {"pressure", ERGI_CONTAINER_F64, 1, cell + 16, stride},
    };
    ergi_vti grid = {.time = time, .field = fields, .fields = sizeof fields / sizeof *fields};
    memcpy(grid.origin, c->lower, sizeof grid.origin);
    memcpy(grid.edge, c->edge, sizeof grid.edge);
    memcpy(grid.cells, c->cells, sizeof grid.cells);
    erg_status status = ergi_vti_write(path, &grid, err);
    ergi_memory_free(cell);
    return status;
}

erg_status erg_probe_write_field(const erg_probe_def *def, const erg_world *world, const char *path,
                                 erg_error *err)
{
    if (!def || !world || !path)
        return ergi_fail_code(err, ERG_ERROR_MISSING,
                              "a field needs a definition, a world and a file name");
    size_t length = strlen(path);
    if (length < 5 || strcmp(path + length - 4, ".vti") != 0)
        return ergi_fail_code(err, ERG_ERROR_UNKNOWN,
                              "a field is written as .vti, got the name '%s'", path);
    erg_probe_def own = *def;
    if (!own.name) own.name = "field";
    own.every = own.samples = 1; // a single sample
    ergi_coarse c = {0};
    erg_status  status = ergi_coarse_check(&own, err);
    if (status == ERG_OK) status = ergi_coarse_make(&own, world, &c, err);
    if (status == ERG_OK) status = ergi_coarse_add(&c, world, err);
    if (status == ERG_OK) status = ergi_coarse_write(&c, erg_world_time(world), path, err);
    ergi_coarse_free(&c);
    return status;
}
