// labels: asan hdf5
// Fine particles across checkpoints and rollbacks.
#include "erg/replay.h"
#include "erg/snapshot.h"
#include "erg/upsample.h"
#include "scratch.h"
#include "world_helpers.h"

static erg_world *build(void)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    def.speed = 2;
    def.lower = (erg_vec3){-1, -1, -0.01};
    def.upper = (erg_vec3){1, 1, 1};
    erg_world       *world = new_world(&def);
    erg_material_def m = erg_material_def_default();
    m.young = 5e6;
    erg_id sand = new_material(world, &m),
           kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, 0.7e-3, 1e-3);
    erg_wall_def box =
        box_def(sand, (erg_vec3){0, 0, 0}, (erg_vec3){0.02, 0.02, 0.1}, ERG_FACE_Z_MAX);
    box.motion[0] = erg_motion_def_default(ERG_MOTION_OSCILLATION);
    box.motion[0].amplitude.x = 1e-3;
    box.motion[0].frequency = 5;
    box.motion_count = 1;
    new_wall(world, &box);
    // Particles touch a plane, which is handled block by block, next to the box, which is not.
    erg_wall_def slope = erg_wall_def_default(ERG_WALL_PLANE);
    slope.material = sand;
    slope.plane.point = (erg_vec3){0.01, 0.01, 0.002};
    slope.plane.normal = (erg_vec3){0.2, 0, 1};
    new_wall(world, &slope);
    fill_box(world, kind, 300, (erg_vec3){0, 0, 0}, (erg_vec3){0.02, 0.02, 0.05});
    erg_emitter_def pour = erg_emitter_def_default();
    erg_error       err;
    pour.grain = new_mixed_kind(world, ERG_SHAPE_SPHERE, new_material(world, &m), 0.7e-3, 1e-3);
    pour.rate = 300;
    pour.region = box_region((erg_vec3){0.005, 0.005, 0.06}, (erg_vec3){0.015, 0.015, 0.07});
    must(erg_world_add_emitter(world, &pour, NULL, &err), &err);
    erg_upsample_def up = erg_upsample_def_default();
    up.ratio = 0.4;
    up.start = 0.05;
    must(erg_world_set_upsample(world, &up, &err), &err);
    return world;
}

// Number of particles of the second material, that of the emitter; -1 if two worlds differ.
static int poured(const erg_world *one, const erg_world *two)
{
    erg_fine_view v, w;
    erg_error     err;
    int           count = 0;
    must(erg_world_view_fine(one, &v, &err), &err);
    must(erg_world_view_fine(two, &w, &err), &err);
    if (v.count != w.count) return -1;
    for (size_t i = 0; i < v.count; i++) {
        if (v.id[i] != w.id[i] || v.material[i] != w.material[i]) return -1;
        count += v.material[i] == 2;
    }
    return count;
}

TEST(a_resumed_run_has_the_bits_of_the_unbroken_one)
{
    scratch folder;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "fine.h5");
    // before the start, between two frames that sort, and right after one
    static const double when[] = {0.03, 0.11, 0.1336};
    for (size_t k = 0; k < sizeof when / sizeof *when; k++) {
        erg_world *one = build(), *two = build();
        erg_error  err;
        run_until(one, when[k]);
        must(erg_world_save(one, path, NULL, NULL, &err), &err);
        must(erg_world_load(two, path, &err), &err);
        CHECK(erg_world_fine_count(one) == erg_world_fine_count(two));
        CHECK((erg_world_fine_count(one) > 4000) == (k > 0));
        CHECK(erg_world_hash(one) == erg_world_hash(two));
        run_until(one, 0.22);
        run_until(two, 0.22);
        CHECK(erg_world_fine_count(one) > 4000);
        CHECK(erg_world_hash(one) == erg_world_hash(two));
        CHECK(poured(one, two) > 500);
        erg_world_destroy(one);
        erg_world_destroy(two);
    }
    scratch_close(&folder);
}

// Grains of the real-time solver that hit the floor of a box in which a bar goes to and fro.
static erg_world *build_fast(int threads)
{
    erg_world_def def = erg_world_def_default();
    def.solver = ERG_SOLVER_PBD;
    def.threads = threads;
    def.lower = (erg_vec3){-1, -1, -0.1};
    def.upper = (erg_vec3){1, 1, 1};
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.1, 0.5);
    erg_wall_def box =
        box_def(sand, (erg_vec3){0, 0, 0}, (erg_vec3){0.03, 0.03, 0.2}, ERG_FACE_Z_MAX);
    erg_wall_def bar =
        box_def(sand, (erg_vec3){0.010, 0.0135, 0.004}, (erg_vec3){0.018, 0.0165, 0.03}, 0);
    bar.side = ERG_SIDE_OUTSIDE;
    bar.motion[0] = erg_motion_def_default(ERG_MOTION_OSCILLATION);
    bar.motion[0].amplitude.x = 3e-3;
    bar.motion[0].frequency = 3;
    bar.motion_count = 1;
    new_wall(world, &box);
    new_wall(world, &bar);
    erg_fill_def fill = erg_fill_def_default();
    erg_error    err;
    uint64_t     placed = 0;
    fill.grain = new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, 0.8e-3, 1.2e-3);
    fill.count = 200;
    fill.velocity.z = -1;
    fill.region = box_region((erg_vec3){0.001, 0.001, 0.04}, (erg_vec3){0.029, 0.029, 0.1});
    must(erg_world_fill(world, &fill, &placed, &err), &err);
    erg_upsample_def up = erg_upsample_def_default();
    up.ratio = 0.4;
    up.start = 0;
    must(erg_world_set_upsample(world, &up, &err), &err);
    return world;
}

TEST(the_real_time_solver_resumes_to_the_same_bits_on_any_threads)
{
    scratch folder;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "fine.h5");
    erg_world  *one = build_fast(1), *two = build_fast(2), *resumed = build_fast(2);
    erg_error   err;
    for (int k = 1; k <= 24; k++) { // ends between two frames, as does the checkpoint
        run_until(one, k / 64.0);
        run_until(two, k / 64.0);
        CHECK(erg_world_hash(one) == erg_world_hash(two));
        if (k == 9) {
            must(erg_world_save(one, path, NULL, NULL, &err), &err);
            must(erg_world_load(resumed, path, &err), &err);
        }
        if (k < 9) continue;
        run_until(resumed, k / 64.0);
        CHECK(erg_world_hash(resumed) == erg_world_hash(one));
    }
    CHECK(erg_world_fine_count(one) > 2800 && erg_world_fine_count(one) < 3300);
    erg_world_destroy(one);
    erg_world_destroy(two);
    erg_world_destroy(resumed);
    scratch_close(&folder);
}

TEST(the_hash_sees_them)
{
    erg_world *world = build();
    run_until(world, 0.06);
    uint64_t      before = erg_world_hash(world);
    erg_fine_view v;
    erg_error     err;
    must(erg_world_view_fine(world, &v, &err), &err);
    ((float *)(uintptr_t)v.velocity[1])[7] += 1e-3f;
    CHECK(erg_world_hash(world) != before);
    erg_world_destroy(world);
}

TEST(a_step_that_is_taken_back_takes_them_along)
{
    erg_world *one = build(), *two = build();
    erg_error  err;
    run_until(one, 0.1);
    run_until(two, 0.1);
    // So fast that grains soon overlap by more than is allowed, which stops the run with a
    // rollback.
    erg_command push = {.kind = ERG_COMMAND_PUSH,
                        .step = erg_world_steps(one) + 700,
                        .point = {0.01, 0.01, 0.005},
                        .value = 0.004,
                        .vector = {60, 0, 0}};
    command(one, push);
    command(two, push);
    erg_status status = erg_world_run(one, 0.3, NULL, NULL, &err);
    CHECK(status == ERG_BAD_PHYSICS);
    uint64_t steps = erg_world_steps(one);
    CHECK(steps >= push.step);
    step(two, steps - erg_world_steps(two));
    CHECK(erg_world_steps(two) == steps && erg_world_hash(one) == erg_world_hash(two));
    CHECK(poured(one, two) > 100);
    erg_world_destroy(one);
    erg_world_destroy(two);
}

// In play-back the particles have the materials that they had in the run.
TEST(results_play_back_with_their_materials)
{
    static const char *const ending[] = {"vtp", "ply", "hdf"};
    erg_world               *world = build();
    run_until(world, 0.15);
    int expected = poured(world, world);
    CHECK(expected > 100);
    for (size_t k = 0; k < (ERG_WITH_HDF5 ? 3 : 2); k++) {
        scratch     folder;
        erg_error   err;
        erg_replay *replay;
        erg_moment  moment;
        char        grains[32], fine[32];
        scratch_open(&folder);
        snprintf(grains, sizeof grains, "grains-000000.%s", ending[k]);
        snprintf(fine, sizeof fine, "fine-000000.%s", ending[k]);
        must(erg_snapshot_write(world, ERG_SNAPSHOT_SPHERES, scratch_path(&folder, grains), &err),
             &err);
        must(erg_snapshot_write(world, ERG_SNAPSHOT_FINE, scratch_path(&folder, fine), &err), &err);
        must(erg_replay_open(folder.folder, &replay, &err), &err);
        must(erg_replay_read(replay, 0, &moment, &err), &err);
        CHECK(moment.fine.count == erg_world_fine_count(world));
        int count = 0;
        for (size_t i = 0; i < moment.fine.count; i++) count += moment.fine.material[i] == 2;
        CHECK(count == expected);
        erg_replay_close(replay);
        scratch_close(&folder);
    }
    erg_world_destroy(world);
}

TEST_MAIN(a_resumed_run_has_the_bits_of_the_unbroken_one,
          the_real_time_solver_resumes_to_the_same_bits_on_any_threads, the_hash_sees_them,
          a_step_that_is_taken_back_takes_them_along, results_play_back_with_their_materials)
