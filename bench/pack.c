// The bench `pack`: particle-steps per second of a bed at rest with 4.6 to 4.7 contacts per sphere,
// where only contact forces cost time.
#include "bed.h"
#include "scene.h"

#include <math.h>
#include <stdlib.h>

static const double DIAMETER = 2 * MATTER_RADIUS;
static const double VOLUME =
    4.0 / 3 * 3.14159265358979 * MATTER_RADIUS * MATTER_RADIUS * MATTER_RADIUS;

static const bed_kind PACK = {
    .tile = {.name = "pack",
             .shape = ERG_SHAPE_SPHERE,
             .grains = 5000,
             .layers = 18,
             .spacing = 2.06e-3,
             .jitter = 0.025e-3,
             .friction = MATTER_FRICTION,
             .drag = 12000,
             .rest = 60000,
             .alone = 2000},
    .margin = MATTER_RADIUS,
    .friction = 0.35,
    .rest = 200000,
    .walled = 100000,
};

static size_t count_grains(size_t spheres)
{
    return bed_grains(&PACK, spheres);
}

static erg_status define(size_t grains, int threads, erg_world **world, erg_error *err)
{
    return bed_define(&PACK, grains, threads, world, err);
}

static erg_status make(size_t grains, const char *cache, erg_world *world, erg_error *err)
{
    return bed_make(&PACK, grains, cache, world, err);
}

static void walls(size_t grains, peer_state *state)
{
    bed_walls(&PACK, grains, state);
}

static double mean_height(const erg_vec3 *position, size_t count)
{
    double mean = 0;
    for (size_t i = 0; i < count; i++) mean += position[i].z / (double)count;
    return mean;
}

// Counts the centres in an inner box: three diameters away from walls and floor, which order the
// spheres, and below nine tenths of the mean surface. nan if there is no such box.
static double inner_fraction(erg_vec3 low, erg_vec3 high, const erg_vec3 *position, size_t count)
{
    double surface = 2 * mean_height(position, count);
    low = (erg_vec3){low.x + 3 * DIAMETER, low.y + 3 * DIAMETER, 3 * DIAMETER};
    high = (erg_vec3){high.x - 3 * DIAMETER, high.y - 3 * DIAMETER, 0.9 * surface};
    double x = high.x - low.x, y = high.y - low.y, z = high.z - low.z, inside = 0;
    if (x < DIAMETER || y < DIAMETER || z < DIAMETER) return (double)NAN;
    for (size_t i = 0; i < count; i++) {
        erg_vec3 p = position[i];
        inside += p.x > low.x && p.x < high.x && p.y > low.y && p.y < high.y && p.z > low.z &&
                  p.z < high.z;
    }
    return inside * VOLUME / (x * y * z);
}

// All spheres between the side walls, up to the mean surface.
static double whole_fraction(erg_vec3 low, erg_vec3 high, const erg_vec3 *position, size_t count)
{
    double area = (high.x - low.x) * (high.y - low.y);
    return (double)count * VOLUME / (area * 2 * mean_height(position, count));
}

static erg_status volume_fractions(size_t grains, const erg_world *world, double *inner,
                                   double *whole, erg_error *err)
{
    erg_vec3  low, high;
    size_t    count = erg_world_grain_count(world);
    erg_vec3 *position = malloc(count * sizeof *position);
    if (!position) return bench_fail(err, ERG_NO_MEMORY, "out of memory for %zu spheres", count);
    bed_space(&PACK, grains, &low, &high);
    erg_status status = erg_world_read(world, ERG_FIELD_POSITION, NULL, count, position, err);
    if (status == ERG_OK) *inner = inner_fraction(low, high, position, count);
    if (status == ERG_OK) *whole = whole_fraction(low, high, position, count);
    free(position);
    return status;
}

const bench_scene SCENE_PACK = {
    .name = "pack",
    .peer = PEER_PACK,
    .at_rest = true,
    .grains = count_grains,
    .define = define,
    .make = make,
    .walls = walls,
    .volume_fractions = volume_fractions,
};

erg_status bench_pack(const bench_options *options, bench_rows *rows, erg_error *err)
{
    return scene_measure(&SCENE_PACK, options, rows, err);
}
