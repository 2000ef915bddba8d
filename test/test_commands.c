// labels: asan
// Commands to a running world: they take effect, are recorded, and the record replays the run.
#include "world_helpers.h"

typedef struct stage {
    erg_world *world;
    erg_id     sand, kind, plate, emitter;
} stage;

static stage build_on(int threads)
{
    stage         s;
    erg_world_def def = erg_world_def_default();
    def.threads = threads;
    def.fixed_threads = true;
    def.speed = 1;
    s.world = new_world(&def);
    s.sand = new_sand(s.world, 0.5, 0.5);
    s.kind = new_mixed_kind(s.world, ERG_SHAPE_SPHERE, s.sand, 0.8e-3, 1e-3);
    erg_wall_def box =
        box_def(s.sand, (erg_vec3){0, 0, 0}, (erg_vec3){12e-3, 12e-3, 0.5}, ERG_FACE_Z_MAX);
    new_wall(s.world, &box);
    erg_wall_def plate = floor_def(s.sand);
    plate.plane.point.z = -1e-3;
    plate.motion[0] = erg_motion_def_default(ERG_MOTION_USER);
    plate.motion_count = 1;
    s.plate = new_wall(s.world, &plate);
    fill_box(s.world, s.kind, 80, (erg_vec3){0, 0, 0}, (erg_vec3){12e-3, 12e-3, 0.1});
    erg_emitter_def pour = erg_emitter_def_default();
    pour.grain = s.kind;
    pour.rate = 200;
    pour.region = box_region((erg_vec3){0, 0, 0.1}, (erg_vec3){12e-3, 12e-3, 0.12});
    erg_error err;
    must(erg_world_add_emitter(s.world, &pour, &s.emitter, &err), &err);
    return s;
}

static stage build(void)
{
    return build_on(1);
}

static void disturb(stage s)
{
    step(s.world, 100);
    command(s.world, (erg_command){.kind = ERG_COMMAND_PUSH,
                                   .point = {6e-3, 6e-3, 5e-3},
                                   .value = 4e-3,
                                   .vector = {0, 0.2, 0.5}});
    command(s.world, (erg_command){.kind = ERG_COMMAND_FRICTION, .id = s.sand, .value = 0.1});
    step(s.world, 100);
    command(s.world,
            (erg_command){.kind = ERG_COMMAND_WALL_VELOCITY, .id = s.plate, .vector = {0, 0, 0.1}});
    command(s.world, (erg_command){.kind = ERG_COMMAND_GRAVITY, .step = 350, .vector = {3, 0, -9}});
    command(s.world, (erg_command){.kind = ERG_COMMAND_REMOVE_GRAIN, .step = 250, .grain = 17});
    command(s.world, (erg_command){.kind = ERG_COMMAND_ADD_GRAIN,
                                   .step = 300,
                                   .id = s.kind,
                                   .point = {6e-3, 6e-3, 0.08},
                                   .vector = {0, 0, -0.3}});
    step(s.world, 100);
    command(s.world, (erg_command){.kind = ERG_COMMAND_EMITTER_RATE, .id = s.emitter, .value = 0});
    command(s.world, (erg_command){.kind = ERG_COMMAND_WALL_VELOCITY, .id = s.plate});
    step(s.world, 300);
}

TEST(record_replays_the_run)
{
    stage a = build(), b = build(), c = build();
    disturb(a);
    erg_command log[16];
    size_t      count = erg_world_command_log(a.world, log, 16);
    CHECK(count == 8);
    static const uint64_t at[] = {100, 100, 200, 250, 300, 300, 300, 350};
    for (size_t k = 0; k < count && k < 8; k++) CHECK(log[k].step == at[k]);
    for (size_t k = 0; k < count; k++) command(b.world, log[k]);
    step(b.world, 600);
    step(c.world, 600);
    CHECK(erg_world_hash(a.world) == erg_world_hash(b.world));
    CHECK(erg_world_hash(a.world) != erg_world_hash(c.world));
    CHECK(erg_world_command_log(b.world, NULL, 0) == 8);
    erg_world_destroy(a.world);
    erg_world_destroy(b.world);
    erg_world_destroy(c.world);
}

// ---- The hand ----------------------------------------------------------------------------------
// All that a hand in a window can do: two balls of one size, one of another, blowing, pulling, and
// a plate that is held by a finger.
static void play(stage s)
{
    step(s.world, 150);
    for (int k = 0; k < 3; k++) {
        command(s.world, (erg_command){.kind = ERG_COMMAND_ADD_BALL,
                                       .id = s.sand,
                                       .value = k == 1 ? 2.2e-3 : 3e-3,
                                       .amount = k == 1 ? 0 : 8000,
                                       .point = {6e-3, 6e-3, 0.03 + 8e-3 * k},
                                       .vector = {0, 0, -0.4}});
        step(s.world, 60);
    }
    command(s.world, (erg_command){.kind = ERG_COMMAND_PULL,
                                   .point = {6e-3, 6e-3, 6e-3},
                                   .value = 6e-3,
                                   .amount = 0.2});
    command(s.world, (erg_command){.kind = ERG_COMMAND_WALL_VELOCITY,
                                   .id = s.plate,
                                   .vector = {0, 0, 0.05},
                                   .value = 0.02});
    step(s.world, 200);
    command(s.world, (erg_command){.kind = ERG_COMMAND_PULL,
                                   .point = {6e-3, 6e-3, 2e-3},
                                   .value = 8e-3,
                                   .amount = -0.3});
    step(s.world, 170);
}

// The record replays the run, on other threads too.
TEST(a_hand_is_replayed)
{
    stage a = build(), b = build_on(2);
    play(a);
    erg_command log[16];
    size_t      count = erg_world_command_log(a.world, log, 16);
    CHECK(count == 6);
    for (size_t k = 0; k < count; k++) command(b.world, log[k]);
    step(b.world, 700);
    CHECK(erg_world_hash(a.world) == erg_world_hash(b.world));
    CHECK(erg_world_steps(a.world) == 700);
    erg_world_destroy(a.world);
    erg_world_destroy(b.world);
}

// After bad physics the world is at its last good step, in the same state as a world that stopped
// there, even if a ball changed the size range in between.
TEST(going_back_over_a_ball)
{
    stage       a = build(), b = build();
    erg_error   err;
    erg_command ball = {.kind = ERG_COMMAND_ADD_BALL,
                        .id = a.sand,
                        .step = 120,
                        .value = 4e-3,
                        .point = {6e-3, 6e-3, 0.05}};
    command(a.world, ball);
    command(b.world, ball);
    ball.step = 200; // into the first: too deep
    ball.value = 3e-3;
    ball.point.z = 0.045;
    command(a.world, ball);
    CHECK(erg_world_step(a.world, 300, &err) == ERG_BAD_PHYSICS);
    CHECK(strstr(err.text, "step 201, t = ") && strstr(err.text, "overlap by"));
    CHECK(erg_world_steps(a.world) == 200);
    step(b.world, erg_world_steps(a.world));
    CHECK(erg_world_hash(a.world) == erg_world_hash(b.world));
    erg_world_destroy(a.world);
    erg_world_destroy(b.world);
}

TEST(a_ball_is_heavy)
{
    stage       s = build();
    double      r = 2e-3;
    erg_command c = {.kind = ERG_COMMAND_ADD_BALL,
                     .id = s.sand,
                     .value = r,
                     .amount = 5000,
                     .point = {6e-3, 6e-3, 0.3},
                     .vector = {0.1, 0, 0}};
    step(s.world, 10);
    command(s.world, (erg_command){.kind = ERG_COMMAND_EMITTER_RATE, .id = s.emitter});
    double before = stats_of(s.world).mass;
    size_t grains = erg_world_grain_count(s.world);
    command(s.world, c);
    step(s.world, 1);
    CHECK(erg_world_grain_count(s.world) == grains + 1);
    double mass = stats_of(s.world).mass - before;
    CHECK_NEAR(mass, 5000 * 4 / 3.0 * ERGI_PI * r * r * r, 1e-9 * mass);
    erg_world_destroy(s.world);
}

TEST(a_pull_gathers)
{
    erg_world_def def = space_def(ERG_FLOAT);
    erg_world    *world = new_world(&def);
    erg_id        kind = new_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 0.5, 0.5));
    erg_vec3      none = {0, 0, 0};
    erg_gid       left = new_grain(world, kind, (erg_vec3){-0.02, 0, 0}, none, none);
    erg_gid       far = new_grain(world, kind, (erg_vec3){0.06, 0, 0}, none, none);
    command(world, (erg_command){.kind = ERG_COMMAND_PULL, .value = 0.04, .amount = 0.3});
    step(world, 1);
    // Half way to the rim: 0.3 (1 - 1/2) (1/2)/(1/2 + 1/10), rounded to float.
    CHECK_NEAR(read3(world, ERG_FIELD_VELOCITY, left).x, 0.125, 1e-7);
    CHECK_NEAR(ergi_norm(read3(world, ERG_FIELD_VELOCITY, far)), 0, 0);
    erg_world_destroy(world);
}

// A plate pressed on a sphere with little force comes to rest on it; the force is the limit.
TEST(a_held_wall_gives_way)
{
    erg_world_def def = space_def(ERG_FLOAT);
    def.speed = 0.1;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.5, 0.5);
    erg_wall_def floor = floor_def(sand), lid = floor_def(sand);
    lid.plane.point.z = 2.1e-3;
    lid.plane.normal.z = -1;
    lid.motion[0] = erg_motion_def_default(ERG_MOTION_USER);
    lid.motion_count = 1;
    new_wall(world, &floor);
    erg_id   plate = new_wall(world, &lid);
    erg_vec3 none = {0, 0, 0};
    new_grain(world, new_kind(world, ERG_SHAPE_SPHERE, sand), (erg_vec3){0, 0, 1e-3}, none, none);
    command(world, (erg_command){.kind = ERG_COMMAND_WALL_VELOCITY,
                                 .id = plate,
                                 .vector = {0, 0, -0.02},
                                 .value = 0.05});
    run_until(world, 0.1);
    erg_wall_state state;
    erg_error      err;
    must(erg_world_wall_state(world, plate, &state, &err), &err);
    CHECK_NEAR(state.force.z, 0.05, 1e-3);
    CHECK_NEAR(state.velocity.z, 0, 1e-3);
    CHECK(state.position.z < -1e-4); // it went down to the sphere
    erg_world_destroy(world);
}

TEST(push_moves_whom_it_reaches)
{
    erg_world_def def = space_def(ERG_FLOAT);
    erg_world    *world = new_world(&def);
    erg_id        kind = new_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 0.5, 0.5));
    erg_vec3      none = {0, 0, 0};
    erg_gid       near = new_grain(world, kind, (erg_vec3){0, 0, 0}, none, none);
    erg_gid       far = new_grain(world, kind, (erg_vec3){0.1, 0, 0}, none, none);
    command(world, (erg_command){.kind = ERG_COMMAND_PUSH, .value = 0.05, .vector = {0, 0.25, 0}});
    CHECK_NEAR(read3(world, ERG_FIELD_VELOCITY, near).y, 0, 0); // waits for the next step
    step(world, 1);
    CHECK_NEAR(read3(world, ERG_FIELD_VELOCITY, near).y, 0.25, 0);
    CHECK_NEAR(ergi_norm(read3(world, ERG_FIELD_VELOCITY, far)), 0, 0);
    erg_world_destroy(world);
}

// A friction command acts on the step it is given for: the sphere slides freely afterwards.
TEST(friction_changes_while_running)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    def.speed = 0.5;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.5, 0.3);
    erg_wall_def plane = floor_def(sand);
    new_wall(world, &plane);
    erg_gid id =
        new_grain(world, new_kind(world, ERG_SHAPE_SPHERE, sand), (erg_vec3){0, 0, 1e-3 - 5e-7},
                  (erg_vec3){0.3, 0, 0}, (erg_vec3){0, 0, 0});
    run_until(world, 0.01);
    double v = read3(world, ERG_FIELD_VELOCITY, id).x;
    CHECK_NEAR(v, 0.3 - 0.3 * 9.81 * 0.01, 2e-3);
    command(world, (erg_command){.kind = ERG_COMMAND_FRICTION, .value = 0});
    run_until(world, 0.03);
    CHECK_NEAR(read3(world, ERG_FIELD_VELOCITY, id).x, v, 1e-4);
    command(world, (erg_command){.kind = ERG_COMMAND_FRICTION, .id = sand, .value = 0.6});
    run_until(world, 0.035);
    CHECK_NEAR(read3(world, ERG_FIELD_VELOCITY, id).x, v - 0.6 * 9.81 * 0.005, 2e-3);
    erg_world_destroy(world);
}

TEST(wall_in_the_users_hand)
{
    stage s = build();
    step(s.world, 10);
    command(
        s.world,
        (erg_command){.kind = ERG_COMMAND_WALL_VELOCITY, .id = s.plate, .vector = {0.1, 0, -0.2}});
    double t = erg_world_time(s.world);
    step(s.world, 200);
    erg_wall_state wall;
    erg_error      err;
    must(erg_world_wall_state(s.world, s.plate, &wall, &err), &err);
    double passed = erg_world_time(s.world) - t;
    CHECK_NEAR(wall.position.x, 0.1 * passed, 1e-9);
    CHECK_NEAR(wall.position.z, -0.2 * passed, 1e-9);
    CHECK_NEAR(wall.velocity.z, -0.2, 0);
    erg_world_destroy(s.world);
}

// Far from all grains, a driven wall is the only difference between two worlds.
TEST(a_wall_that_was_driven_shows_in_the_hash)
{
    uint64_t hash[3];
    for (int k = 0; k < 3; k++) {
        stage s = build();
        if (k)
            command(s.world, (erg_command){.kind = ERG_COMMAND_WALL_VELOCITY,
                                           .id = s.plate,
                                           .vector = {0, 0, k == 1 ? -0.1 : 0},
                                           .vector2 = {0, 0, k == 2 ? 0.1 : 0}});
        step(s.world, 10);
        hash[k] = erg_world_hash(s.world);
        erg_world_destroy(s.world);
    }
    CHECK(hash[0] != hash[1] && hash[0] != hash[2] && hash[1] != hash[2]);
}

// Grains added = grains inside + grains removed, for every kind of removal.
TEST(removal_by_command_is_counted)
{
    stage s = build();
    step(s.world, 10);
    uint64_t before = erg_world_grain_count(s.world);
    command(s.world, (erg_command){.kind = ERG_COMMAND_EMITTER_RATE, .id = s.emitter, .value = 0});
    command(s.world, (erg_command){.kind = ERG_COMMAND_REMOVE_GRAIN, .grain = 5});
    step(s.world, 1);
    CHECK(erg_world_grain_count(s.world) == before - 1);
    CHECK(stats_of(s.world).removed == 1);
    erg_world_destroy(s.world);
}

enum { BED = 400, FEWER = 100 };

static erg_world *new_bed(erg_solver solver, erg_id *kind)
{
    erg_world_def def = erg_world_def_default();
    def.solver = solver;
    def.speed = 1;
    erg_world *world = new_world(&def);
    erg_id     sand = new_sand(world, 0.5, 0.5);
    *kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, 0.8e-3, 1e-3);
    erg_wall_def box =
        box_def(sand, (erg_vec3){0, 0, 0}, (erg_vec3){16e-3, 16e-3, 0.5}, ERG_FACE_Z_MAX);
    new_wall(world, &box);
    fill_box(world, *kind, BED, (erg_vec3){0, 0, 0}, (erg_vec3){16e-3, 16e-3, 0.1});
    return world;
}

static void remove_by_command(erg_world *world, erg_gid id)
{
    command(world, (erg_command){.kind = ERG_COMMAND_REMOVE_GRAIN, .grain = id});
}

// The lists are built once. The state is that of removing the grains in one call, and before forces
// are summed in another order, that of removing one after the other.
TEST(grains_removed_at_one_boundary_leave_together)
{
    static const erg_solver solvers[] = {ERG_SOLVER_DEM, ERG_SOLVER_PBD};
    for (int k = 0; k < 2; k++) {
        enum { COMMANDS, CALL, CALLS, WORLDS };
        erg_world *world[WORLDS];
        erg_gid    gone[FEWER];
        erg_id     kind;
        erg_error  err;
        for (int w = 0; w < WORLDS; w++) {
            world[w] = new_bed(solvers[k], &kind);
            run_until(world[w], 0.1);
        }
        uint64_t builds = stats_of(world[COMMANDS]).rebuilds;
        for (erg_gid i = 0; i < FEWER; i++) {
            gone[i] = BED - 3 * i;
            remove_by_command(world[COMMANDS], gone[i]);
            if (i % 2) remove_by_command(world[COMMANDS], gone[i]); // twice is once
            must(erg_world_remove_grains(world[CALLS], &gone[i], 1, &err), &err);
        }
        must(erg_world_remove_grains(world[CALL], gone, FEWER, &err), &err);
        CHECK(erg_world_hash(world[CALL]) == erg_world_hash(world[CALLS]));
        step(world[COMMANDS], 1);
        step(world[CALL], 1);
        CHECK(stats_of(world[CALL]).rebuilds == stats_of(world[COMMANDS]).rebuilds);
        CHECK(stats_of(world[COMMANDS]).rebuilds == builds + 1);
        CHECK(stats_of(world[COMMANDS]).removed == FEWER);
        CHECK(erg_world_grain_count(world[COMMANDS]) == BED - FEWER);
        CHECK(erg_world_hash(world[COMMANDS]) == erg_world_hash(world[CALL]));
        step(world[COMMANDS], 50);
        step(world[CALL], 50);
        CHECK(erg_world_hash(world[COMMANDS]) == erg_world_hash(world[CALL]));
        for (int w = 0; w < WORLDS; w++) erg_world_destroy(world[w]);
    }
}

// A grain that is added and removed at one boundary is gone, one that replaces another stays.
TEST(removing_and_adding_at_one_boundary)
{
    erg_id      kind;
    erg_world  *world = new_bed(ERG_SOLVER_DEM, &kind);
    erg_command add = {.kind = ERG_COMMAND_ADD_GRAIN, .id = kind, .point = {8e-3, 8e-3, 0.2}};
    run_until(world, 0.05);
    uint64_t builds = stats_of(world).rebuilds;
    for (erg_gid id = 1; id <= 20; id++) {
        remove_by_command(world, id);
        add.point.z += 0.01;
        command(world, add);
    }
    step(world, 1);
    CHECK(stats_of(world).rebuilds <= builds + 2);
    CHECK(erg_world_grain_count(world) == BED && stats_of(world).removed == 20);
    for (erg_gid id = BED + 1; id <= BED + 20; id++)
        CHECK(read3(world, ERG_FIELD_POSITION, id).z > 0.15);
    erg_world_destroy(world);
}

TEST(bad_commands_are_refused)
{
    stage     s = build();
    erg_error err;
    step(s.world, 5);
    uint64_t    hash = erg_world_hash(s.world);
    erg_command c = {.kind = ERG_COMMAND_FRICTION, .id = 1, .value = -0.5};
    CHECK(erg_world_command(s.world, &c, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "friction must be 0 to 1e+06, got -0.5");
    c = (erg_command){.kind = ERG_COMMAND_FRICTION, .id = 9, .value = 0.5};
    CHECK(erg_world_command(s.world, &c, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "a command refers to material 9, but the world has 1");
    c = (erg_command){.kind = ERG_COMMAND_GRAVITY, .vector = {0, (double)NAN, 0}};
    CHECK(erg_world_command(s.world, &c, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "a command contains a number that is not finite");
    c = (erg_command){.kind = ERG_COMMAND_REMOVE_GRAIN, .grain = 12345};
    CHECK(erg_world_command(s.world, &c, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "there is no grain 12345");
    c = (erg_command){.kind = ERG_COMMAND_PUSH, .value = 0};
    CHECK(erg_world_command(s.world, &c, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "a push needs a radius above 0 m, got 0");
    c = (erg_command){.kind = (erg_command_kind)77};
    CHECK(erg_world_command(s.world, &c, NULL) == ERG_BAD_INPUT);
    // Wall 1 has no user motion: the command could never do anything.
    c = (erg_command){.kind = ERG_COMMAND_WALL_VELOCITY, .id = 1, .vector = {0, 0, 1}};
    CHECK(erg_world_command(s.world, &c, &err) == ERG_BAD_INPUT);
    // A grain of negative size is no grain.
    c = (erg_command){.kind = ERG_COMMAND_ADD_GRAIN, .id = 1, .value = -1e-3};
    CHECK(erg_world_command(s.world, &c, &err) == ERG_BAD_INPUT);
    // Balls for which dt and lists were not made.
    c = (erg_command){.kind = ERG_COMMAND_ADD_BALL, .id = 7, .value = 1e-3};
    CHECK(erg_world_command(s.world, &c, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "a ball must be of a material that grains are made of, got material 7");
    c = (erg_command){.kind = ERG_COMMAND_ADD_BALL, .id = 1, .value = 0.5e-3};
    CHECK(erg_world_command(s.world, &c, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text,
              "a ball's radius must be at least 0.0008 m, that of the smallest sphere, got 0.0005");
    c = (erg_command){.kind = ERG_COMMAND_ADD_BALL, .id = 1, .value = 1e-3, .amount = 1};
    CHECK(erg_world_command(s.world, &c, &err) == ERG_BAD_INPUT);
    c = (erg_command){.kind = ERG_COMMAND_WALL_VELOCITY, .id = s.plate, .value = -1};
    CHECK(erg_world_command(s.world, &c, &err) == ERG_BAD_INPUT);
    c = (erg_command){.kind = ERG_COMMAND_PULL, .value = 1, .amount = (double)INFINITY};
    CHECK(erg_world_command(s.world, &c, &err) == ERG_BAD_INPUT);
    CHECK(erg_world_command_log(s.world, NULL, 0) == 0);
    CHECK(erg_world_hash(s.world) == hash);
    erg_world_destroy(s.world);
}

TEST_MAIN(record_replays_the_run, a_hand_is_replayed, going_back_over_a_ball, a_ball_is_heavy,
          a_pull_gathers, a_held_wall_gives_way, push_moves_whom_it_reaches,
          friction_changes_while_running, wall_in_the_users_hand,
          a_wall_that_was_driven_shows_in_the_hash, removal_by_command_is_counted,
          grains_removed_at_one_boundary_leave_together, removing_and_adding_at_one_boundary,
          bad_commands_are_refused)
