// labels: asan
// RKF45: the step follows the tolerance, and the results agree with the other integrators.
#include "world_helpers.h"

// Two spheres head on without loss; returns the relative error of the speed after.
static double bounce(double tolerance, uint64_t *steps)
{
    erg_world_def def = space_def(ERG_DOUBLE);
    def.integrator = ERG_RKF45;
    def.tolerance = tolerance;
    def.speed = 1;
    erg_world *world = new_world(&def);
    erg_id     kind = new_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 1, 0));
    erg_vec3   none = {0, 0, 0};
    erg_gid    id = new_grain(world, kind, (erg_vec3){0, 0, 1.01e-3}, (erg_vec3){0, 0, -0.5}, none);
    new_grain(world, kind, (erg_vec3){0, 0, -1.01e-3}, (erg_vec3){0, 0, 0.5}, none);
    run_until(world, 2e-3);
    *steps = erg_world_steps(world);
    double e = read3(world, ERG_FIELD_VELOCITY, id).z / 0.5;
    erg_world_destroy(world);
    return fabs(e - 1);
}

TEST(error_follows_the_tolerance)
{
    uint64_t coarse_steps, fine_steps;
    double   coarse = bounce(1e-4, &coarse_steps), fine = bounce(1e-9, &fine_steps);
    CHECK(coarse < 0.01);
    CHECK(fine < 1e-5);
    CHECK(fine < coarse);
    CHECK(fine_steps > coarse_steps);
}

// A tolerance that is never met: worlds refuse it, and the steps stay at their least length.
TEST(steps_have_a_least_length)
{
    erg_world_def def = space_def(ERG_FLOAT);
    erg_error     err;
    def.integrator = ERG_RKF45;
    def.tolerance = 1e-300;
    erg_world *world = NULL;
    CHECK(erg_world_create(&def, &world, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "tolerance must be from 1e-14 to 1, got 1e-300");
    def.tolerance = 1e-14;
    def.speed = 1;
    world = new_world(&def);
    erg_id   kind = new_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 1, 0));
    erg_vec3 none = {0, 0, 0};
    new_grain(world, kind, (erg_vec3){0, 0, 0.9999e-3}, (erg_vec3){0, 0, -0.5}, none);
    new_grain(world, kind, (erg_vec3){0, 0, -0.9999e-3}, (erg_vec3){0, 0, 0.5}, none);
    step(world, 1);
    world->def.tolerance = 1e-300;
    for (int k = 0; k < 100; k++) {
        step(world, 1);
        CHECK(erg_world_dt(world) > 1e-10);
    }
    erg_world_destroy(world);
}

// Free fall is a polynomial of second degree: exact, in the longest steps allowed.
TEST(free_fall_is_exact)
{
    erg_world_def def = erg_world_def_default();
    def.integrator = ERG_RKF45;
    def.precision = ERG_DOUBLE;
    def.threads = 1;
    erg_world *world = new_world(&def);
    erg_gid    id = new_grain(world, new_kind(world, ERG_SHAPE_CUBE, new_sand(world, 0.5, 0.5)),
                              (erg_vec3){0, 0, 0}, (erg_vec3){0.5, 0, 1}, (erg_vec3){0, 0, 20});
    run_until(world, 0.1);
    double t = erg_world_time(world);
    CHECK_NEAR(read3(world, ERG_FIELD_POSITION, id).z, t - 0.5 * 9.81 * t * t, 1e-12);
    CHECK_NEAR(read3(world, ERG_FIELD_SPIN, id).z, 20, 1e-12);
    erg_world_destroy(world);
}

// The same cloud as with velocity Verlet at a small step: same places, lossy or not.
TEST(agrees_with_verlet)
{
    erg_vec3 x[2][27];
    for (int k = 0; k < 2; k++) {
        erg_world_def def = space_def(ERG_DOUBLE);
        def.integrator = k ? ERG_RKF45 : ERG_VERLET;
        def.tolerance = 1e-8;
        def.dt_factor = k ? 0.05 : 0.002;
        def.speed = 1.5;
        erg_world *world = new_world(&def);
        add_cloud(world, new_kind(world, ERG_SHAPE_DIMER, new_sand(world, 0.65, 0.3)), 3, 5.6e-3, 1,
                  100);
        run_until(world, 4e-3);
        // to the same moment
        double    over = erg_world_time(world) - 4e-3;
        erg_error err;
        must(erg_world_read(world, ERG_FIELD_POSITION, NULL, 27, x[k], &err), &err);
        erg_vec3 v[27];
        must(erg_world_read(world, ERG_FIELD_VELOCITY, NULL, 27, v, &err), &err);
        for (int i = 0; i < 27; i++) x[k][i] = ergi_madd(x[k][i], -over, v[i]);
        CHECK(stats_of(world).max_overlap_ratio > 0.01);
        erg_world_destroy(world);
    }
    double furthest = 0;
    for (int i = 0; i < 27; i++) furthest = fmax(furthest, ergi_distance(x[0][i], x[1][i]));
    CHECK_NEAR(furthest, 0, 2e-5); // a hundredth of a diameter after several impacts
}

// Energy of a frictional cloud in a box falls, and what fell is counted.
TEST(energy_falls_and_is_counted)
{
    erg_world_def def = space_def(ERG_FLOAT);
    def.integrator = ERG_RKF45;
    def.tolerance = 1e-5;
    def.speed = 1.5;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.65, 0.5);
    erg_wall_def box =
        box_def(sand, (erg_vec3){-6e-3, -6e-3, -6e-3}, (erg_vec3){6e-3, 6e-3, 6e-3}, 0);
    new_wall(world, &box);
    add_cloud(world, new_kind(world, ERG_SHAPE_SPHERE, sand), 4, 2.4e-3, 1, 200);
    prepare(world);
    double before = energy_of(world), least = before, worst = 0, open = 0;
    for (int k = 0; k < 40; k++) {
        run_until(world, 5e-4 * k);
        double now = energy_of(world);
        worst = fmax(worst, now - least);
        least = fmin(least, now);
        open = fmax(open, fabs(before - now - stats_of(world).dissipated));
    }
    CHECK(worst < 0.005 * before);
    CHECK(least < 0.5 * before);
    CHECK_NEAR(open, 0, 0.02 * before);
    erg_world_destroy(world);
}

// Angular momentum of a lone spinning clump, in the world's frame.
TEST(free_rotation_keeps_angular_momentum)
{
    erg_world_def def = space_def(ERG_DOUBLE);
    def.integrator = ERG_RKF45;
    def.tolerance = 1e-8;
    erg_world *world = new_world(&def);
    new_grain(world, new_kind(world, ERG_SHAPE_DIMER, new_sand(world, 0.5, 0.5)),
              (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 0}, (erg_vec3){100, 50, 20});
    totals before = totals_of(world);
    double energy = energy_of(world);
    run_until(world, 0.2); // three turns
    CHECK_NEAR(ergi_distance(totals_of(world).l, before.l), 0, 1e-5 * ergi_norm(before.l));
    CHECK_NEAR(energy_of(world), energy, 1e-5 * energy);
    erg_world_destroy(world);
}

// Walls that are driven step by step keep the time of the world even when steps are tried and
// rejected.
TEST(driven_wall_keeps_the_time)
{
    erg_world_def def = erg_world_def_default();
    def.integrator = ERG_RKF45;
    def.tolerance = 1e-8;
    def.threads = 1;
    def.speed = 1;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.5, 0.5);
    erg_wall_def plate = floor_def(sand);
    plate.motion[0] = erg_motion_def_default(ERG_MOTION_USER);
    plate.motion_count = 1;
    erg_id wall = new_wall(world, &plate), kind = new_kind(world, ERG_SHAPE_SPHERE, sand);
    for (int k = 0; k < 12; k++)
        new_grain(world, kind, (erg_vec3){3e-3 * k, 0, 1.05e-3 + 1e-4 * k}, (erg_vec3){0, 0, -0.3},
                  (erg_vec3){0, 0, 0});
    command(world,
            (erg_command){.kind = ERG_COMMAND_WALL_VELOCITY, .id = wall, .vector = {0.1, 0, 0}});
    run_until(world, 5e-3);
    erg_wall_state state;
    erg_error      err;
    must(erg_world_wall_state(world, wall, &state, &err), &err);
    CHECK_NEAR(state.position.x, 0.1 * erg_world_time(world), 1e-9);
    erg_world_destroy(world);
}

TEST_MAIN(error_follows_the_tolerance, steps_have_a_least_length, free_fall_is_exact,
          agrees_with_verlet, energy_falls_and_is_counted, free_rotation_keeps_angular_momentum,
          driven_wall_keeps_the_time)
