// A bed that is poured, settles and is tapped: many rebuilds, many sorts, two threads, a checkpoint
// in the middle, the same bits; and sand that has come to rest stays at rest.
#include "scratch.h"
#include "world_helpers.h"

static erg_world *build(int threads)
{
    erg_world_def def = erg_world_def_default();
    def.threads = threads;
    def.fixed_threads = true;
    def.speed = 1;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.5, 0.5);
    erg_wall_def box =
        box_def(sand, (erg_vec3){0, 0, 0}, (erg_vec3){25e-3, 25e-3, 0.5}, ERG_FACE_Z_MAX);
    box.motion[0] = erg_motion_def_default(ERG_MOTION_OSCILLATION);
    box.motion[0].amplitude.z = 0.5e-3;
    box.motion[0].frequency = 20;
    box.motion[0].start = 0.2;
    box.motion[0].stop = 0.25;
    box.motion_count = 1;
    new_wall(world, &box);
    fill_box(world, new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, 0.6e-3, 1e-3), 700,
             (erg_vec3){0, 0, 0}, (erg_vec3){25e-3, 25e-3, 0.2});
    erg_emitter_def pour = erg_emitter_def_default();
    erg_error       err;
    pour.grain = new_mixed_kind(world, ERG_SHAPE_TETRAHEDRON, sand, 0.5e-3, 0.7e-3);
    pour.rate = 2000;
    pour.limit = 150;
    pour.region = box_region((erg_vec3){0, 0, 0.1}, (erg_vec3){25e-3, 25e-3, 0.12});
    pour.velocity.z = -0.5;
    must(erg_world_add_emitter(world, &pour, NULL, &err), &err);
    return world;
}

TEST(poured_settled_tapped_and_settled)
{
    scratch   folder;
    erg_error err;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "middle.erg");
    erg_world  *one = build(1), *two = build(2), *resumed = build(3);
    run_until(one, 0.15);
    must(erg_world_save(one, path, NULL, NULL, &err), &err);
    run_until(one, 0.45);
    run_until(two, 0.45);
    must(erg_world_load(resumed, path, &err), &err);
    run_until(resumed, 0.45);
    CHECK(erg_world_hash(one) == erg_world_hash(two));
    CHECK(erg_world_hash(one) == erg_world_hash(resumed));
    erg_stats s = stats_of(one);
    CHECK(s.grains == 850 && s.emitted == 150 && s.lost == 0);
    CHECK(s.rebuilds > 100);
    CHECK(s.max_overlap_ratio < 0.2);
    CHECK(s.kinetic + s.rotational < 1e-6 * s.potential);
    double         weight = 9.81 * s.mass;
    erg_wall_state wall;
    must(erg_world_wall_state(one, 1, &wall, &err), &err);
    CHECK_NEAR(wall.force.z, -weight, 0.01 * weight);
    erg_world_destroy(one);
    erg_world_destroy(two);
    erg_world_destroy(resumed);
    scratch_close(&folder);
}

TEST_MAIN(poured_settled_tapped_and_settled)
