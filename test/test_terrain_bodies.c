// labels: asan clang hdf5
// Bodies and driven walls on columns: how deep they rest, that they rest, what force they feel, and
// where the sand goes.
#include "body_helpers.h"
#include "erg/terrain.h"
#include "law/rft.h"
#include "scratch.h"
#include "terrain/terrain.h"

#define LEVEL 0.5 // z of the sand [m]
#define BULK (0.6 * DENSITY)
#define DENSITY 2500.0 // [kg/m^3]

enum { DEM, PBD, SOLVERS };

static erg_world *new_desert(int solver, double size, double spacing, int threads)
{
    erg_world_def    def = erg_world_def_default();
    erg_material_def m = erg_material_def_default();
    erg_error        err;
    def.threads = threads;
    def.fixed_threads = true;
    def.solver = solver == PBD ? ERG_SOLVER_PBD : ERG_SOLVER_DEM;
    m.density = DENSITY;
    m.young = 1e6;
    erg_world      *world = new_world(&def);
    erg_terrain_def terrain = erg_terrain_def_default();
    terrain.material = new_material(world, &m);
    for (int k = 0; k < 2; k++) terrain.lower[k] = -size / 2, terrain.upper[k] = size / 2;
    terrain.spacing = spacing;
    terrain.height = LEVEL;
    must(erg_world_set_terrain(world, &terrain, &err), &err);
    return world;
}

static erg_body_def body_def(erg_mesh *mesh, double mass, double x, double z)
{
    erg_body_def def = erg_body_def_default();
    def.material = 1;
    def.mesh = mesh;
    def.mass = mass;
    def.position = (erg_vec3){x, 0.001, z};
    return def;
}

static erg_id drop(erg_world *world, erg_mesh *mesh, double mass, double x, double z)
{
    erg_body_def def = body_def(mesh, mass, x, z);
    erg_id       id = new_body(world, &def);
    erg_mesh_destroy(mesh);
    return id;
}

// Quanta, with those that were compressed away.
static ergi_u128 sand_of(const erg_world *world)
{
    const ergi_terrain *t = world->terrain;
    ergi_u128           sand = ergi_columns_sand(&t->columns, &world->threads);
    CHECK(ergi_u128_equal(sand, t->clock.sand));
    CHECK(t->clock.compressed.high == 0);
    return ergi_u128_add(sand, t->clock.compressed.low);
}

static erg_vec3 ground_on(const erg_world *world, erg_id id)
{
    return world->wall_state[id - 1].motion.ground_force;
}

// ---- Rest --------------------------------------------------------------------------------------
typedef struct rest_case {
    int    ball;
    double mass, height;
} rest_case;

TEST(bodies_come_to_rest)
{
    static const rest_case c[] = {{1, 1, 0.1},   {0, 1, 0.1},   {1, 0.5, 0}, {1, 30, 0.3},
                                  {0, 30, 0.02}, {0, 0.4, 0.5}, {1, 33, 0.5}};
    for (int solver = 0; solver < SOLVERS; solver++)
        for (size_t k = 0; k < sizeof c / sizeof *c; k++) {
            erg_world *world = new_desert(solver, 2, 0.02, 1);
            double     half = c[k].ball ? 0.1 : 0.05;
            erg_mesh  *mesh = c[k].ball ? new_ball(0.1) : new_box(0.2, 0.2, 0.1);
            erg_id     id = drop(world, mesh, c[k].mass, 0.003, LEVEL + half + c[k].height);
            ergi_u128  sand = sand_of(world);
            run_to(world, 2);
            erg_body_state a = state_of(world, id);
            run_to(world, 5);
            erg_body_state b = state_of(world, id);
            CHECK(a.centre.z < LEVEL + half && a.centre.z > LEVEL - 0.2);
            CHECK_NEAR(a.centre.z, b.centre.z, 4e-7);
            CHECK_NEAR(a.centre.x, b.centre.x, 4e-7);
            CHECK_NEAR(ergi_norm(b.velocity), 0, 1e-9);
            CHECK_NEAR(ergi_norm(b.spin), 0, 1e-9);
            CHECK_NEAR(ground_on(world, id).z, 9.81 * c[k].mass, 1e-6 * c[k].mass);
            CHECK(ergi_u128_equal(sand_of(world), sand));
            erg_world_destroy(world);
        }
}

// A plate that is set down gently rests where the stress carries it: alpha_z is 1 for a level plate
// that moves straight down. Released at the surface it goes twice as deep.
TEST(a_plate_rests_at_the_depth_of_the_theory)
{
    const double area = 0.04, mass = 80, depth = mass * 9.81 / (ERGI_RFT_UNIT * area);
    for (int solver = 0; solver < SOLVERS; solver++) {
        erg_world *world = new_desert(solver, 2, 0.02, 1);
        erg_id     id = drop(world, new_box(0.2, 0.2, 0.1), mass, 0, LEVEL + 0.05 - 0.97 * depth);
        run_to(world, 1.5);
        double z = LEVEL + 0.05 - state_of(world, id).centre.z;
        CHECK_NEAR(z, depth, 1.2e-3); // it sinks by as much while its bristles bend
        erg_world_destroy(world);
        world = new_desert(solver, 2, 0.02, 1);
        id = drop(world, new_box(0.2, 0.2, 0.1), mass, 0, LEVEL + 0.05);
        run_to(world, 1.5);
        z = LEVEL + 0.05 - state_of(world, id).centre.z;
        CHECK_NEAR(z, 2 * depth, 0.15 * depth);
        erg_world_destroy(world);
    }
}

static erg_world *new_shallow(int solver, double gravity, double floor)
{
    erg_world_def    def = erg_world_def_default();
    erg_material_def m = erg_material_def_default();
    erg_error        err;
    def.threads = 1;
    def.solver = solver == PBD ? ERG_SOLVER_PBD : ERG_SOLVER_DEM;
    def.gravity.z = -gravity;
    m.density = DENSITY;
    m.young = 1e8;
    erg_world      *world = new_world(&def);
    erg_terrain_def terrain = erg_terrain_def_default();
    terrain.material = new_material(world, &m);
    for (int k = 0; k < 2; k++) terrain.lower[k] = -0.5, terrain.upper[k] = 0.5;
    terrain.spacing = 0.02;
    terrain.height = LEVEL;
    terrain.floor = floor;
    must(erg_world_set_terrain(world, &terrain, &err), &err);
    return world;
}

TEST(the_floor_below_the_sand_is_hard)
{
    for (int solver = 0; solver < SOLVERS; solver++)
        for (int k = 0; k < 2; k++) { // 1 mm and 5 cm of sand
            double     floor = LEVEL - (k ? 0.05 : 0.001);
            erg_world *world = new_shallow(solver, 9.81, floor);
            erg_id     id = drop(world, new_ball(0.05), 20, 0, LEVEL + 0.25);
            run_to(world, 2);
            double z = state_of(world, id).centre.z;
            CHECK_NEAR(z, floor + 0.05, k ? 0.01 : 1e-3); // DEM is soft, and sand may carry it
            erg_world_destroy(world);
        }
}

// Sand that weighs a sixth resists a sixth, so that bodies sink as deep.
TEST(resistance_grows_with_gravity)
{
    for (int solver = 0; solver < SOLVERS; solver++) {
        double depth[2];
        for (int k = 0; k < 2; k++) {
            erg_world *world = new_shallow(solver, k ? 1.62 : 9.81, 0);
            erg_id     id = drop(world, new_box(0.2, 0.2, 0.1), 60, 0, LEVEL + 0.05);
            run_to(world, k ? 3 : 1.5);
            depth[k] = LEVEL + 0.05 - state_of(world, id).centre.z;
            erg_world_destroy(world);
        }
        CHECK(depth[0] > 0.015);
        CHECK_NEAR(depth[1], depth[0], 0.1 * depth[0]);
    }
}

// ---- Force on what is driven -------------------------------------------------------------------
static erg_id drive(erg_world *world, erg_wall_def wall, erg_vec3 velocity)
{
    wall.motion[0] = erg_motion_def_default(ERG_MOTION_VELOCITY);
    wall.motion[0].velocity = velocity;
    wall.side = ERG_SIDE_OUTSIDE;
    wall.motion_count = 1;
    return new_wall(world, &wall);
}

// alpha_x and alpha_z by the formula as it is printed.
static double alpha_x(double beta, double gamma)
{
    return -0.124 * cos(2 * beta + gamma) + 0.253 * cos(gamma) + 0.007 * cos(-2 * beta + gamma) +
           0.088 * sin(2 * beta);
}

static double alpha_z(double beta, double gamma)
{
    return 0.206 + 0.169 * cos(2 * beta) + 0.212 * sin(2 * beta + gamma) + 0.358 * sin(gamma) +
           0.055 * sin(-2 * beta + gamma);
}

TEST(the_law_is_as_printed)
{
    for (double beta = -1.5; beta < 1.6; beta += 0.25)
        for (double gamma = -1.5; gamma < 1.6; gamma += 0.25) {
            ergi_rft a = ergi_rft_alpha(cos(2 * beta), sin(2 * beta), cos(gamma), sin(gamma)),
                     b = ergi_rft_alpha(cos(2 * beta), -sin(2 * beta), -cos(gamma), sin(gamma));
            CHECK_NEAR(a.x, alpha_x(beta, gamma), 1e-12);
            CHECK_NEAR(a.z, alpha_z(beta, gamma), 1e-12);
            CHECK_NEAR(b.x, -a.x, 1e-12);
            CHECK_NEAR(b.z, a.z, 1e-12);
        }
}

// A plate in any position: the same force along any horizontal direction, and against the motion.
TEST(stress_follows_the_motion)
{
    const ergi_resist_params params = {.zeta = 2, .density = 1500};
    for (double turn = 0; turn < 6; turn += 0.7)
        for (double beta = -1.2; beta < 1.3; beta += 0.4)
            for (double gamma = 0.1; gamma < 1.5; gamma += 0.3) {
                erg_vec3 x = {cos(turn), sin(turn), 0}, z = {0, 0, 1};
                erg_vec3 n = ergi_madd(ergi_scale(x, sin(beta)), -cos(beta), z);
                erg_vec3 way = ergi_madd(ergi_scale(x, cos(gamma)), -sin(gamma), z);
                erg_vec3 v = ergi_scale(way, 0.1);
                erg_vec3 f = ergi_resist_stress(n, way, v, 0.3, &params);
                if (ergi_dot(n, way) < -0.03) CHECK_NEAR(ergi_norm(f), 0, 0);
                if (ergi_dot(n, way) < 0) continue;
                double fast = 1500 * ergi_dot(n, v) * ergi_dot(n, v);
                CHECK_NEAR(ergi_dot(f, x), -6e5 * alpha_x(beta, gamma) - fast * sin(beta), 1e-6);
                CHECK_NEAR(f.z, 6e5 * alpha_z(beta, gamma) + fast * cos(beta), 1e-6);
                CHECK_NEAR(ergi_dot(f, ergi_cross(x, z)), 0, 1e-9);
            }
}

// A plate upright in the sand that is dragged along its normal: the force grows with the depth
// squared.
TEST(an_upright_plate_is_dragged)
{
    const double wide = 0.4, thick = 0.01, speed = 0.1;
    for (int k = 1; k <= 3; k++) {
        double       depth = 0.04 * k;
        erg_world   *world = new_desert(DEM, 2, 0.02, 1);
        erg_wall_def plate = box_def(1, (erg_vec3){-0.2, -wide / 2, LEVEL - depth},
                                     (erg_vec3){-0.2 + thick, wide / 2, LEVEL + 0.2}, 0);
        erg_id       id = drive(world, plate, (erg_vec3){speed, 0, 0});
        ergi_u128    sand = sand_of(world);
        double       sum = 0;
        run_to(world, 0.1);
        for (int n = 0; n < 20; n++) {
            run_to(world, 0.1 + 0.01 * n);
            sum -= ground_on(world, id).x / 20;
        }
        double want =
            ERGI_RFT_UNIT * wide *
                (alpha_x(ERGI_PI / 2, 0) * depth * depth / 2 + alpha_x(0, 0) * thick * depth) +
            BULK * speed * speed * wide * depth;
        CHECK_NEAR(sum, want, 0.07 * want);
        CHECK(ergi_u128_equal(sand_of(world), sand));
        erg_world_destroy(world);
    }
}

// A ball that is pushed down, against a sum over its surface.
TEST(a_ball_is_pushed_down)
{
    const double r = 0.1, speed = 0.05;
    erg_world   *world = new_desert(DEM, 2, 0.02, 1);
    erg_wall_def ball = erg_wall_def_default(ERG_WALL_SPHERE);
    ball.material = 1;
    ball.sphere.centre = (erg_vec3){0, 0, LEVEL + r};
    ball.sphere.radius = r;
    erg_id id = drive(world, ball, (erg_vec3){0, 0, -speed});
    for (int k = 2; k <= 5; k++) {
        double depth = 0.01 * k, want = 0;
        run_to(world, depth / speed);
        for (int n = 0; n < 1000; n++) {
            double beta = (n + 0.5) / 1000 * ERGI_PI / 2, below = depth - r * (1 - cos(beta));
            double area = 2 * ERGI_PI * r * r * sin(beta) * ERGI_PI / 2000;
            if (below > 0) want += ERGI_RFT_UNIT * below * alpha_z(beta, ERGI_PI / 2) * area;
        }
        CHECK_NEAR(ground_on(world, id).z, want, 0.07 * want);
        CHECK_NEAR(ground_on(world, id).x, 0, 0.01 * want);
    }
    erg_world_destroy(world);
}

// ---- Sand that is moved ------------------------------------------------------------------------
static double highest(const erg_world *world, double x0, double x1, double y0, double y1)
{
    double most = -HUGE_VAL;
    for (double x = x0; x < x1; x += 0.01)
        for (double y = y0; y < y1; y += 0.01)
            most = fmax(most, erg_world_terrain_height(world, x, y));
    return most;
}

TEST(a_ball_leaves_a_crater_with_a_rim)
{
    erg_world *world = new_desert(DEM, 2, 0.02, 1);
    erg_id     id = drop(world, new_ball(0.1), 20, 0, LEVEL + 0.6);
    ergi_u128  sand = sand_of(world);
    run_to(world, 1);
    double bottom = state_of(world, id).centre.z - 0.1;
    CHECK(bottom < LEVEL - 0.04);
    CHECK_NEAR(erg_world_terrain_height(world, 0, 0), bottom, 0.01);
    CHECK(highest(world, 0.05, 0.4, -0.02, 0.02) > LEVEL + 0.01);
    CHECK(highest(world, -0.4, -0.05, -0.02, 0.02) > LEVEL + 0.01);
    CHECK(ergi_u128_equal(sand_of(world), sand));
    erg_world_destroy(world);
}

// Half of what a ball presses down is compressed away.
TEST(sand_may_be_compressed)
{
    erg_world *world = new_desert(DEM, 2, 0.02, 1);
    world->terrain->def.compression = 0.5;
    drop(world, new_ball(0.1), 20, 0, LEVEL + 0.3);
    ergi_u128 sand = sand_of(world);
    run_to(world, 0.5);
    CHECK(ergi_u128_equal(sand_of(world), sand));
    CHECK(world->terrain->clock.compressed.low > 0);
    erg_world_destroy(world);
}

TEST(a_blade_pushes_a_berm)
{
    erg_world   *world = new_desert(DEM, 3, 0.02, 1);
    erg_wall_def blade =
        box_def(1, (erg_vec3){-1, -0.3, LEVEL - 0.04}, (erg_vec3){-0.99, 0.3, LEVEL + 0.3}, 0);
    drive(world, blade, (erg_vec3){0.5, 0, 0});
    ergi_u128 sand = sand_of(world);
    run_to(world, 2); // now at x = 0
    CHECK(highest(world, 0.02, 0.3, -0.2, 0.2) > LEVEL + 0.05);
    CHECK(highest(world, -0.6, -0.1, -0.1, 0.1) < LEVEL - 0.03);
    CHECK(ergi_u128_equal(sand_of(world), sand));
    erg_world_destroy(world);
}

TEST(a_wheel_drives_and_leaves_a_track)
{
    for (int solver = 0; solver < SOLVERS; solver++) {
        erg_world    *world = new_desert(solver, 3, 0.02, 1);
        erg_primitive round = erg_primitive_default(ERG_PRIMITIVE_CYLINDER);
        round.radius = 0.15;
        round.height = 0.1;
        erg_mesh    *cylinder = new_shape(round);
        erg_body_def wheel = body_def(cylinder, 10, -0.8, LEVEL + 0.15);
        wheel.rotation = ergi_quat_from_axis_angle(ergi_vec3(1, 0, 0), 0.5 * ERGI_PI);
        wheel.free_axes = ERG_AXIS_X | ERG_AXIS_Z;
        wheel.motion[0] = erg_motion_def_default(ERG_MOTION_SPIN);
        wheel.motion[0].axis = (erg_vec3){0, 1, 0};
        wheel.motion[0].rate = 5;
        wheel.motion_count = 1;
        erg_id    id = new_body(world, &wheel);
        ergi_u128 sand = sand_of(world);
        run_to(world, 2);
        erg_body_state s = state_of(world, id);
        // Without slip it would be 1.5 m farther.
        CHECK(s.centre.x > -0.8 + 0.5 && s.centre.x < -0.8 + 1.5);
        CHECK(s.velocity.x > 0.2);
        CHECK(highest(world, -0.7, s.centre.x - 0.2, -0.01, 0.01) < LEVEL - 0.002);
        CHECK(ergi_u128_equal(sand_of(world), sand));
        erg_mesh_destroy(cylinder);
        erg_world_destroy(world);
    }
}

// ---- Any number of threads, resumed, rolled back -----------------------------------------------
// A ball that was thrown, a wheel that turns, and a blade.
static erg_world *new_site(int solver, int threads)
{
    erg_world    *world = new_desert(solver, 2, 0.02, threads);
    erg_mesh     *ball = new_ball(0.06);
    erg_body_def  thrown = body_def(ball, 2, -0.5, LEVEL + 0.2);
    erg_primitive round = erg_primitive_default(ERG_PRIMITIVE_CYLINDER);
    round.radius = 0.1;
    round.height = 0.08;
    erg_mesh    *cylinder = new_shape(round);
    erg_body_def wheel = body_def(cylinder, 4, 0, LEVEL + 0.1);
    thrown.velocity.x = 1;
    new_body(world, &thrown);
    wheel.position.y = -0.4;
    wheel.rotation = ergi_quat_from_axis_angle(ergi_vec3(1, 0, 0), 0.5 * ERGI_PI);
    wheel.free_axes = ERG_AXIS_X | ERG_AXIS_Z;
    wheel.motion[0] = erg_motion_def_default(ERG_MOTION_SPIN);
    wheel.motion[0].axis = (erg_vec3){0, 1, 0};
    wheel.motion[0].rate = 5;
    wheel.motion_count = 1;
    new_body(world, &wheel);
    erg_wall_def blade =
        box_def(1, (erg_vec3){-0.6, 0.3, LEVEL - 0.03}, (erg_vec3){-0.59, 0.6, LEVEL + 0.1}, 0);
    blade.motion[0] = erg_motion_def_default(ERG_MOTION_VELOCITY);
    blade.motion[0].velocity.x = 0.5;
    blade.side = ERG_SIDE_OUTSIDE;
    blade.motion_count = 1;
    new_wall(world, &blade);
    erg_mesh_destroy(ball);
    erg_mesh_destroy(cylinder);
    return world;
}

TEST(threads_leave_no_trace)
{
    for (int solver = 0; solver < SOLVERS; solver++) {
        erg_world *one = new_site(solver, 1), *two = new_site(solver, 2);
        for (int k = 1; k <= 10; k++) {
            run_to(one, 0.05 * k);
            run_to(two, 0.05 * k);
            CHECK(erg_world_hash(one) == erg_world_hash(two));
        }
        erg_world_destroy(one);
        erg_world_destroy(two);
    }
}

TEST(a_resumed_run_has_the_bits_of_the_unbroken_one)
{
    scratch   folder;
    erg_error err;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "site.h5");
    for (int solver = 0; solver < SOLVERS; solver++) {
        erg_world *one = new_site(solver, 1), *two = new_site(solver, 1);
        run_to(one, 0.303);
        must(erg_world_save(one, path, NULL, NULL, &err), &err);
        must(erg_world_load(two, path, &err), &err);
        CHECK(erg_world_hash(one) == erg_world_hash(two));
        run_to(one, 0.5);
        run_to(two, 0.5);
        CHECK(erg_world_hash(one) == erg_world_hash(two));
        erg_world_destroy(one);
        erg_world_destroy(two);
    }
    scratch_close(&folder);
}

// The first body is thrown away so hard that the step fails.
TEST(a_step_that_is_taken_back_leaves_no_trace)
{
    for (int solver = 0; solver < SOLVERS; solver++) {
        erg_world *world = new_site(solver, 1), *fresh = new_site(solver, 1);
        erg_error  err;
        run_to(fresh, 0.3);
        uint64_t    steps = erg_world_steps(fresh);
        erg_command blow = {
            .kind = ERG_COMMAND_BODY_FORCE, .id = 3, .step = steps, .vector = {1e15, 0, 0}};
        must(erg_world_command(world, &blow, &err), &err);
        CHECK(erg_world_run(world, 1, NULL, NULL, &err) == ERG_BAD_PHYSICS);
        CHECK(erg_world_steps(world) == steps || erg_world_steps(world) + 1 == steps);
        erg_world_destroy(fresh);
        fresh = new_site(solver, 1);
        step(fresh, erg_world_steps(world));
        CHECK(erg_world_hash(world) == erg_world_hash(fresh));
        erg_world_destroy(world);
        erg_world_destroy(fresh);
    }
}

TEST_MAIN(the_law_is_as_printed, stress_follows_the_motion, an_upright_plate_is_dragged,
          a_ball_is_pushed_down, a_ball_leaves_a_crater_with_a_rim, sand_may_be_compressed,
          a_blade_pushes_a_berm, a_wheel_drives_and_leaves_a_track, threads_leave_no_trace,
          a_resumed_run_has_the_bits_of_the_unbroken_one, a_step_that_is_taken_back_leaves_no_trace,
          bodies_come_to_rest, a_plate_rests_at_the_depth_of_the_theory,
          the_floor_below_the_sand_is_hard, resistance_grows_with_gravity)
