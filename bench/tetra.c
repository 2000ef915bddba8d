// The bench `tetra`: a bed at rest of rigid grains of four touching spheres. A particle is a
// sphere.
#include "bed.h"
#include "scene.h"

enum { SPHERES = 4 }; // per grain

static const bed_kind TETRA = {
    .tile = {.name = "tetra",
             .shape = ERG_SHAPE_TETRAHEDRON,
             .grains = 1250,
             .layers = 9,
             .spacing = 3.55e-3,
             .twist = 0.05,
             .friction = 0.3,
             .drag = 8000,
             .rest = 60000,
             .alone = 8000}, // a grain that tips over doubles its speed in 1500 steps
    .margin = 2.25e-3,       // slightly more than the radius of a grain [m]
    .friction = 0.3,
    .rest = 300000,
    .walled = 12500,
};

static size_t count_grains(size_t spheres)
{
    return bed_grains(&TETRA, spheres < 2 * SPHERES ? 1 : spheres / SPHERES);
}

static erg_status define(size_t grains, int threads, erg_world **world, erg_error *err)
{
    return bed_define(&TETRA, grains, threads, world, err);
}

static erg_status make(size_t grains, const char *cache, erg_world *world, erg_error *err)
{
    return bed_make(&TETRA, grains, cache, world, err);
}

static void walls(size_t grains, peer_state *state)
{
    bed_walls(&TETRA, grains, state);
}

const bench_scene SCENE_TETRA = {
    .name = "tetra",
    .peer = PEER_TETRA,
    .at_rest = true,
    .grains = count_grains,
    .define = define,
    .make = make,
    .walls = walls,
};

erg_status bench_tetra(const bench_options *options, bench_rows *rows, erg_error *err)
{
    return scene_measure(&SCENE_TETRA, options, rows, err);
}
