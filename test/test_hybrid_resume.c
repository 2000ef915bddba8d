// labels: hdf5
// Terrains with a floor that is not at zero, with long steps and with commands: resumed or
// replayed, the same bits.
#include "body_helpers.h"
#include "hybrid_worlds.h"
#include "scratch.h"

// A ball hits a terrain of 37 x 41 columns: most rows of its blocks are not in the grid.
static erg_world *floored(double floor, bool wakes, bool grains, int substeps)
{
    erg_error        err;
    erg_world_def    def = erg_world_def_default();
    erg_material_def m = erg_material_def_default();
    erg_terrain_def  t = erg_terrain_def_default();
    erg_body_def     ball = erg_body_def_default();
    erg_mesh        *mesh = new_ball(0.03);
    def.solver = ERG_SOLVER_PBD;
    def.pbd.substeps = substeps;
    def.threads = 1;
    erg_world *world = new_world(&def);
    t.material = ball.material = new_material(world, &m);
    erg_id kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, t.material, 4e-3, 5e-3);
    t.grain = wakes ? kind : 0;
    t.spacing = 0.01;
    t.floor = floor;
    t.height = floor + 0.05;
    t.upper[0] = 0.37;
    t.upper[1] = 0.41;
    must(erg_world_set_terrain(world, &t, &err), &err);
    ball.mesh = mesh;
    ball.position = (erg_vec3){0.15, 0.15, t.height + 0.05};
    ball.velocity.z = -1;
    new_body(world, &ball);
    erg_mesh_destroy(mesh);
    if (grains)
        fill_box(world, kind, 50, (erg_vec3){0.25, 0.25, t.height},
                 (erg_vec3){0.35, 0.35, t.height + 0.1});
    return world;
}

static void resume_floored(double floor, bool wakes, bool grains, int substeps, double saved)
{
    scratch folder;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "floor.h5");
    erg_world  *one = floored(floor, wakes, grains, substeps),
              *two = floored(floor, wakes, grains, substeps);
    erg_error err;
    run_until(one, saved);
    CHECK(!wakes || terrain_of(one).woken > 100);
    must(erg_world_save(one, path, NULL, NULL, &err), &err);
    must(erg_world_load(two, path, &err), &err);
    CHECK(erg_world_hash(one) == erg_world_hash(two));
    run_until(one, 0.12);
    run_until(two, 0.12);
    CHECK(erg_world_hash(one) == erg_world_hash(two));
    erg_world_destroy(one);
    erg_world_destroy(two);
    scratch_close(&folder);
}

TEST(a_floor_that_is_not_at_zero_is_resumed)
{
    for (int k = 0; k < 2; k++) {
        double floor = k ? 0.05 : -0.05;
        resume_floored(floor, true, false, 0, 0.06);
        resume_floored(floor, false, true, 0, 0.06);
        resume_floored(floor, false, false, 0, 0.06);
    }
}

// Behind a batch, the other ticks of a long step wait for the next step.
TEST(long_steps_are_resumed)
{
    resume_floored(0, true, false, 2, 0.051); // its last step ends with a batch
}

// What a hand does on a terrain: pushes grains that are awake, draws them together, drags the ball.
TEST(recorded_commands_replay_the_run)
{
    erg_world *one = floored(0, true, false, 0), *two = floored(0, true, false, 0),
              *none = floored(0, true, false, 0);
    erg_body_state state;
    erg_id         ball = 1;
    while (erg_world_body_state(one, ball, &state, NULL) != ERG_OK) ball++;
    erg_command log[8];
    run_until(one, 0.06);
    command(one, (erg_command){.kind = ERG_COMMAND_BODY_FORCE, .id = ball, .vector = {3, 0, 1}});
    command(one, (erg_command){.kind = ERG_COMMAND_PUSH,
                               .point = {0.15, 0.15, 0.05},
                               .value = 0.05,
                               .vector = {0, 0.5, 0.5}});
    run_until(one, 0.1);
    command(one, (erg_command){.kind = ERG_COMMAND_PULL,
                               .point = {0.2, 0.15, 0.05},
                               .value = 0.05,
                               .amount = 0.3});
    command(one, (erg_command){.kind = ERG_COMMAND_BODY_FORCE, .id = ball});
    run_until(one, 0.15);
    CHECK(erg_world_command_log(one, log, 8) == 4);
    for (int k = 0; k < 4; k++) command(two, log[k]);
    run_until(two, 0.15);
    run_until(none, 0.15);
    CHECK(erg_world_hash(one) == erg_world_hash(two));
    CHECK(erg_world_hash(one) != erg_world_hash(none));
    erg_world_destroy(one);
    erg_world_destroy(two);
    erg_world_destroy(none);
}

TEST_MAIN(a_floor_that_is_not_at_zero_is_resumed, long_steps_are_resumed,
          recorded_commands_replay_the_run)
