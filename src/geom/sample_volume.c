// Random points in a solid, no two nearer than a given distance (Poisson disc sampling): dart
// throwing by cells.
//
// Space is divided into cubes whose diagonal is that distance, so each cube holds at most one
// point, and only the 5 x 5 x 5 cubes around a point can hold one that is too near (Sommer,
// Schwanecke and Schoemer 2022, section 4). First, points are thrown at random open cubes, twelve
// per cube. Then the remaining open cubes are subdivided until they are covered or take a point. In
// the end no further point fits, except in gaps smaller than a hundredth of the distance.
#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "geom/sample.h"

enum { STREAM = 0x70a1, THROWS = 12, NONE = -1, OUTSIDE = -2 };

typedef struct sampler {
    const ergi_level     *level;
    const erg_sample_def *def;
    double                distance; // minimum between two points [m]
    double                side;     // of a cube [m]
    erg_vec3              low;
    int                   cubes[3];
    int32_t              *taken;  // point of each cube, NONE, or OUTSIDE
    bool                 *inside; // per cube: wholly inside
    ergi_cloud            cloud;
} sampler;

double ergi_volume_spacing(const erg_sample_def *def)
{
    return 2.0 / cbrt(def->density);
}

static size_t cube_at(const sampler *s, int x, int y, int z)
{
    return ((size_t)z * (size_t)s->cubes[1] + (size_t)y) * (size_t)s->cubes[0] + (size_t)x;
}

static void cube_coords(const sampler *s, size_t cube, int *x, int *y, int *z)
{
    *x = (int)(cube % (size_t)s->cubes[0]);
    *y = (int)(cube / (size_t)s->cubes[0] % (size_t)s->cubes[1]);
    *z = (int)(cube / (size_t)s->cubes[0] / (size_t)s->cubes[1]);
}

static erg_vec3 corner_of(const sampler *s, int x, int y, int z)
{
    return ergi_madd(s->low, s->side, ergi_vec3(x, y, z));
}

// ---- Classifying cubes -------------------------------------------------------------------------
static void classify_cubes(void *ctx, erg_index begin, erg_index end, int chunk)
{
    sampler *s = ctx;
    (void)chunk;
    for (erg_index row = begin; row < end; row++)
        for (int x = 0; x < s->cubes[0]; x++) {
            int      y = row % s->cubes[1], z = row / s->cubes[1];
            size_t   cube = cube_at(s, x, y, z);
            erg_vec3 middle = ergi_madd(corner_of(s, x, y, z), 0.5 * s->side, ergi_vec3(1, 1, 1));
            double   d = ergi_solid_distance(s->level->solid, middle) - s->level->offset;
            s->taken[cube] = d > 0.5 * s->distance ? OUTSIDE : NONE;
            s->inside[cube] = d < -0.5 * s->distance;
        }
}

// ---- Points ------------------------------------------------------------------------------------
// True when a point is nearer to p, in the cube x y z, than `reach`, which is at most the distance.
static bool has_near(const sampler *s, erg_vec3 p, double reach, int x, int y, int z)
{
    for (int k = z - 2; k <= z + 2; k++)
        for (int j = y - 2; j <= y + 2; j++)
            for (int i = x - 2; i <= x + 2; i++) {
                if (i < 0 || j < 0 || k < 0 || i >= s->cubes[0] || j >= s->cubes[1] ||
                    k >= s->cubes[2])
                    continue;
                int32_t other = s->taken[cube_at(s, i, j, k)];
                if (other >= 0 && ergi_distance(s->cloud.point[other], p) < reach) return true;
            }
    return false;
}

static bool is_inside(const sampler *s, size_t cube, erg_vec3 p)
{
    return s->inside[cube] || ergi_solid_distance(s->level->solid, p) <= s->level->offset;
}

static erg_status add_point(sampler *s, size_t cube, erg_vec3 p, erg_error *err)
{
    s->taken[cube] = (int32_t)s->cloud.count;
    return ergi_cloud_add(&s->cloud, p, err);
}

// Throws at randomly drawn open cubes. Visiting cubes in order would bias every point away from
// neighbours placed before it, and the lattice would show.
static erg_status throw_darts(sampler *s, uint32_t *open, size_t count, erg_error *err)
{
    uint64_t throws = (uint64_t)THROWS * count;
    for (uint64_t n = 0; n < throws && count > 0; n++) {
        ergi_random random = {.seed = s->def->seed, .stream = STREAM, .id = n};
        size_t      at = (size_t)(ergi_random_uniform(&random) * (double)count), cube = open[at];
        int         x, y, z;
        cube_coords(s, cube, &x, &y, &z);
        double   u = ergi_random_uniform(&random), v = ergi_random_uniform(&random);
        erg_vec3 p = ergi_madd(corner_of(s, x, y, z), s->side,
                               ergi_vec3(u, v, ergi_random_uniform(&random)));
        if (has_near(s, p, s->distance, x, y, z) || !is_inside(s, cube, p)) continue;
        open[at] = open[--count];
        erg_status status = add_point(s, cube, p, err);
        if (status != ERG_OK) return status;
    }
    return ERG_OK;
}

// ---- Filling the gaps --------------------------------------------------------------------------
// True when one point alone covers the whole small cube.
static bool is_covered(const sampler *s, erg_vec3 middle, double half, int x, int y, int z)
{
    double reach = s->distance - sqrt(3.0) * half;
    return reach > 0.0 && has_near(s, middle, reach, x, y, z);
}

enum { LEVELS = 7 }; // down to 2^-7 of a cube's side

typedef struct subcube {
    erg_vec3 middle;
    double   half;
    int      level;
} subcube;

// Subdivides one cube recursively and puts a point at the first free position.
static erg_status fill_cube(sampler *s, int x, int y, int z, erg_error *err)
{
    size_t      cube = cube_at(s, x, y, z);
    subcube     stack[8 * LEVELS + 8];
    int         top = 0;
    ergi_random random = {.seed = s->def->seed, .stream = STREAM, .id = cube, .step = 1};
    stack[top++] = (subcube){ergi_madd(corner_of(s, x, y, z), 0.5 * s->side, ergi_vec3(1, 1, 1)),
                             0.5 * s->side, 0};
    while (top > 0) {
        subcube now = stack[--top];
        if (is_covered(s, now.middle, now.half, x, y, z)) continue;
        if (!s->inside[cube] &&
            ergi_solid_distance(s->level->solid, now.middle) - s->level->offset >
                sqrt(3.0) * now.half)
            continue;
        double   u = ergi_random_range(&random, -1.0, 1.0);
        double   v = ergi_random_range(&random, -1.0, 1.0);
        double   w = ergi_random_range(&random, -1.0, 1.0);
        erg_vec3 p = ergi_madd(now.middle, now.half, ergi_vec3(u, v, w));
        if (!has_near(s, p, s->distance, x, y, z) && is_inside(s, cube, p))
            return add_point(s, cube, p, err);
        if (now.level == LEVELS) continue;
        double h = 0.5 * now.half;
        int    turn = (int)(8.0 * ergi_random_uniform(&random)); // random order of the octants
        for (int i = 0; i < 8; i++) {
            int k = i ^ turn;
            stack[top++] = (subcube){
                ergi_add(now.middle, ergi_vec3(k & 1 ? h : -h, k & 2 ? h : -h, k & 4 ? h : -h)), h,
                now.level + 1};
        }
    }
    return ERG_OK;
}

// Fills the open cubes in random order.
static erg_status fill_gaps(sampler *s, uint32_t *open, size_t count, erg_error *err)
{
    ergi_random random = {.seed = s->def->seed, .stream = STREAM, .step = 2};
    erg_status  status = ERG_OK;
    for (; count > 0 && status == ERG_OK; count--) {
        random.id = count;
        random.draw = 0;
        size_t at = (size_t)(ergi_random_uniform(&random) * (double)count);
        int    x, y, z;
        cube_coords(s, open[at], &x, &y, &z);
        open[at] = open[count - 1];
        status = fill_cube(s, x, y, z, err);
    }
    return status;
}

// Cubes without a point that may take one.
static size_t list_open(const sampler *s, size_t cubes, uint32_t *open)
{
    size_t count = 0;
    for (size_t cube = 0; cube < cubes; cube++)
        if (s->taken[cube] == NONE) open[count++] = (uint32_t)cube;
    return count;
}

// ---- Sampling ----------------------------------------------------------------------------------
static erg_status lay_out(sampler *s, erg_error *err)
{
    const ergi_solid *solid = s->level->solid;
    double            margin = fmax(s->level->offset, 0.0), total = 1.0;
    erg_vec3          size = ergi_sub(solid->high, solid->low);
    const double      wide[3] = {size.x, size.y, size.z};
    s->low = ergi_sub(solid->low, ergi_vec3(margin, margin, margin));
    for (int k = 0; k < 3; k++) {
        double n = fmax(1.0, ceil((wide[k] + 2.0 * margin) / s->side));
        total *= n;
        s->cubes[k] = n < 1e9 ? (int)n : 0;
    }
    if (total > 4e8)
        return ergi_fail_at(err, "radius", ERG_ERROR_TOO_MANY,
                            "a volume of %g x %g x %g m is too large for spheres of %g m: choose a "
                            "larger radius",
                            wide[0], wide[1], wide[2], s->def->radius);
    s->taken = ergi_memory_new((size_t)total, sizeof *s->taken, "samples", err);
    s->inside = ergi_memory_new((size_t)total, sizeof *s->inside, "samples", err);
    return s->taken && s->inside ? ERG_OK : ERG_NO_MEMORY;
}

erg_status ergi_sample_volume(const ergi_level *level, const erg_sample_def *def,
                              const ergi_threads *threads, ergi_cloud *cloud, erg_error *err)
{
    sampler s = {.level = level, .def = def, .distance = ergi_volume_spacing(def) * def->radius};
    // slightly smaller, so that two points of one cube are always too near
    s.side = s.distance / sqrt(3.0) * (1.0 - 1e-9);
    uint32_t  *open = NULL;
    erg_status status = lay_out(&s, err);
    size_t     cubes = (size_t)s.cubes[0] * (size_t)s.cubes[1] * (size_t)s.cubes[2];
    if (status == ERG_OK) {
        open = ergi_memory_new(cubes, sizeof *open, "samples", err);
        if (!open) status = ERG_NO_MEMORY;
    }
    if (status == ERG_OK) {
        ergi_parallel_for(threads, s.cubes[1] * s.cubes[2], 8, classify_cubes, &s);
        status = throw_darts(&s, open, list_open(&s, cubes, open), err);
    }
    if (status == ERG_OK) status = fill_gaps(&s, open, list_open(&s, cubes, open), err);
    if (status == ERG_OK && s.cloud.count == 0)
        status = ergi_fail_at(err, "radius", ERG_ERROR_NO_FIT,
                              "no sphere of radius %g m fits inside", def->radius);
    if (status == ERG_OK) {
        *cloud = s.cloud;
        s.cloud = (ergi_cloud){0};
    }
    ergi_cloud_free(&s.cloud);
    ergi_memory_free(s.taken);
    ergi_memory_free(s.inside);
    ergi_memory_free(open);
    return status;
}
