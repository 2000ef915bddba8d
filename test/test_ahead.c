// labels: asan tsan clang
// Steps taken at a stretch, where bodies run ahead chunk by chunk, give the bits of steps taken one
// by one with somebody looking after each.
#include "world_helpers.h"

typedef erg_world *(*build_fn)(int threads);

// Several chunks, settling fast in a box whose floor shakes.
static erg_world *shaken(int threads)
{
    erg_world_def def = erg_world_def_default();
    def.threads = threads;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.5, 0.5);
    erg_wall_def box =
        box_def(sand, (erg_vec3){0, 0, 0}, (erg_vec3){24e-3, 24e-3, 1}, ERG_FACE_Z_MAX);
    erg_wall_def plate = floor_def(sand);
    plate.motion[0] = erg_motion_def_default(ERG_MOTION_OSCILLATION);
    plate.motion[0].amplitude = (erg_vec3){0, 0, 0.3e-3};
    plate.motion[0].frequency = 60;
    plate.motion_count = 1;
    new_wall(world, &box);
    new_wall(world, &plate);
    erg_id kind = new_kind(world, ERG_SHAPE_SPHERE, sand);
    fill_box(world, kind, 2200, (erg_vec3){0, 0, 1e-3}, (erg_vec3){24e-3, 24e-3, 0.08});
    return world;
}

// Sizes so different that small spheres of later chunks push large ones of earlier chunks.
static erg_world *mixed(int threads)
{
    erg_world_def def = erg_world_def_default();
    def.threads = threads;
    def.periodic_x = def.periodic_y = true;
    def.gravity = (erg_vec3){0, 0, -100}; // not to wait for long
    def.lower = (erg_vec3){0, 0, -1};
    def.upper = (erg_vec3){30e-3, 30e-3, 1};
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.5, 0.5);
    erg_wall_def plate = floor_def(sand);
    new_wall(world, &plate);
    erg_id kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, 0.4e-3, 1.6e-3);
    fill_box(world, kind, 1500, (erg_vec3){0, 0, 0}, (erg_vec3){30e-3, 30e-3, 0.1});
    return world;
}

static void check_ahead(build_fn build, uint64_t steps)
{
    erg_world *slow = build(1);
    for (uint64_t k = 0; k < steps; k++) {
        step(slow, 1);
        (void)stats_of(slow);
    }
    erg_stats wanted = stats_of(slow);
    CHECK(wanted.contacts > 100);
    CHECK(wanted.rebuilds > 2);
    for (int threads = 1; threads <= 3; threads++) {
        erg_world *fast = build(threads);
        step(fast, steps);
        erg_stats got = stats_of(fast);
        CHECK(erg_world_hash(fast) == erg_world_hash(slow));
        CHECK(got.rebuilds == wanted.rebuilds && got.contacts == wanted.contacts);
        CHECK(got.dissipated == wanted.dissipated && got.elastic == wanted.elastic);
        erg_world_destroy(fast);
    }
    erg_world_destroy(slow);
}

TEST(spheres_in_a_shaken_box)
{
    check_ahead(shaken, 2500);
}

TEST(mixed_sizes_in_a_periodic_box)
{
    check_ahead(mixed, 4000);
}

TEST_MAIN(spheres_in_a_shaken_box, mixed_sizes_in_a_periodic_box)
