// Clumps and free bodies in the real-time solver.
// labels: asan clang
#include "body_helpers.h"

#define G 9.81
#define R 5e-3

static const erg_vec3 none = {0, 0, 0};

static erg_world_def pbd_def(erg_vec3 gravity)
{
    erg_world_def def = erg_world_def_default();
    def.solver = ERG_SOLVER_PBD;
    def.threads = 1;
    def.gravity = gravity;
    return def;
}

static erg_body_def free_box(erg_mesh *mesh, erg_id material, double density, erg_vec3 at)
{
    erg_body_def def = erg_body_def_default();
    def.mesh = mesh;
    def.material = material;
    def.density = density;
    def.position = at;
    def.free = true;
    return def;
}

// ---- Clumps ------------------------------------------------------------------------------------
// Speed after 0.5 s of a clump of eight spheres on a plane tilted by `angle`. [m/s]
static double slide(double angle, double friction)
{
    erg_world_def def = pbd_def((erg_vec3){G * sin(angle), 0, -G * cos(angle)});
    erg_world    *world = new_world(&def);
    erg_id        sand = new_sand(world, 0.05, friction);
    erg_id        kind = new_mixed_kind(world, ERG_SHAPE_CUBE, sand, R, R);
    erg_wall_def  floor = floor_def(sand);
    new_wall(world, &floor);
    erg_gid cube = new_grain(world, kind, (erg_vec3){0, 0, 2 * R}, none, none);
    run_until(world, 0.5);
    double speed = read3(world, ERG_FIELD_VELOCITY, cube).x;
    erg_world_destroy(world);
    return speed;
}

TEST(blocks_stick_below_the_friction_angle_and_slide_above)
{
    double mu = 0.4, limit = atan(mu);
    CHECK_NEAR(slide(0.95 * limit, mu), 0, 1e-3);
    double angle = 1.3 * limit, speed = 0.5 * G * (sin(angle) - mu * cos(angle));
    CHECK_NEAR(slide(angle, mu), speed, 0.03 * speed);
}

// Clumps that collide in free space. Of these two shapes one has equal moments of inertia.
TEST(clumps_keep_momentum)
{
    static const erg_shape shape[] = {ERG_SHAPE_DIMER, ERG_SHAPE_TETRAHEDRON};
    for (int k = 0; k < 2; k++) {
        erg_world_def def = pbd_def(none);
        erg_world    *world = new_world(&def);
        erg_id        sand = new_sand(world, 0.6, 0.5);
        erg_id        kind = new_mixed_kind(world, shape[k], sand, R, R);
        add_cloud(world, kind, 4, 5 * R, 1, 20);
        totals before = totals_of(world);
        run_until(world, 0.2);
        totals after = totals_of(world);
        CHECK_NEAR(ergi_distance(after.p, before.p), 0, 1e-6 * before.p_size);
        CHECK_NEAR(ergi_distance(after.l, before.l), 0, 1e-4 * before.l_size);
        erg_world_destroy(world);
    }
}

// 48 rotations of a dimer about an axis that is none of its own.
TEST(a_tumbling_clump_keeps_angular_momentum)
{
    erg_world_def def = pbd_def(none);
    erg_world    *world = new_world(&def);
    erg_id        sand = new_sand(world, 0.6, 0.5);
    erg_id        kind = new_mixed_kind(world, ERG_SHAPE_DIMER, sand, R, R);
    (void)new_grain(world, kind, none, none, (erg_vec3){20, 20, 10});
    totals before = totals_of(world);
    run_until(world, 10);
    totals after = totals_of(world);
    CHECK_NEAR(ergi_distance(after.l, before.l), 0, 1e-4 * before.l_size);
    erg_world_destroy(world);
}

// ---- Bodies ------------------------------------------------------------------------------------
#define BRICKS 27
#define BRICK 0.36 // mass [kg]

static totals bricks_totals(const erg_world *world, const erg_id *id)
{
    totals t = {{0, 0, 0}, {0, 0, 0}, 0, 0};
    for (int k = 0; k < BRICKS; k++) {
        erg_body_state s = state_of(world, id[k]);
        erg_vec3       own = world->wall_state[id[k] - 1].motion.angular_momentum;
        t.p = ergi_madd(t.p, BRICK, s.velocity);
        t.l = ergi_add(ergi_madd(t.l, BRICK, ergi_cross(s.centre, s.velocity)), own);
        t.p_size += BRICK * ergi_norm(s.velocity);
        t.l_size += BRICK * ergi_norm(s.centre) * ergi_norm(s.velocity) + ergi_norm(own);
    }
    return t;
}

// Tumbling bricks fly towards each other in free space.
TEST(bodies_keep_momentum)
{
    erg_world_def def = pbd_def(none);
    erg_world    *world = new_world(&def);
    erg_id        wood = new_wood(world, 0.6, 0.5), id[BRICKS];
    erg_mesh     *mesh = new_box(0.1, 0.1, 0.06);
    for (int k = 0; k < BRICKS; k++) {
        ergi_random  r = {.seed = 7, .id = (uint64_t)k};
        erg_vec3     at = {0.18 * (k % 3 - 1), 0.18 * (k / 3 % 3 - 1), 0.18 * (k / 9 - 1)};
        erg_body_def body = free_box(mesh, wood, 600, at);
        body.rotation = ergi_random_rotation(&r);
        body.velocity = ergi_madd(ergi_scale(at, -2), 0.5, ergi_random_in_ball(&r));
        body.spin = ergi_scale(ergi_random_in_ball(&r), 5);
        id[k] = new_body(world, &body);
    }
    erg_mesh_destroy(mesh);
    totals before = bricks_totals(world, id);
    run_to(world, 0.5);
    totals after = bricks_totals(world, id);
    CHECK(after.p_size < 0.7 * before.p_size); // they have collided
    CHECK_NEAR(ergi_distance(after.p, before.p), 0, 1e-6 * before.p_size);
    CHECK_NEAR(ergi_distance(after.l, before.l), 0, 1e-4 * before.l_size);
    erg_world_destroy(world);
}

TEST(a_box_falls_rests_and_weighs)
{
    erg_world_def def = pbd_def((erg_vec3){0, 0, -G});
    erg_world    *world = new_world(&def);
    erg_id        wood = new_wood(world, 0.3, 0.5);
    erg_wall_def  floor = floor_def(wood);
    erg_id        plane = new_wall(world, &floor);
    erg_mesh     *mesh = new_box(0.1, 0.1, 0.1);
    erg_body_def  body = free_box(mesh, wood, 600, (erg_vec3){0, 0, 0.25});
    erg_id        box = new_body(world, &body);
    erg_mesh_destroy(mesh);
    run_to(world, 0.1);
    CHECK_NEAR(state_of(world, box).velocity.z, -G * 0.1, 0.03);
    run_to(world, 2);
    erg_body_state s = state_of(world, box);
    CHECK_NEAR(s.centre.z, 0.05, 2e-3);
    CHECK(ergi_norm(s.velocity) < 1e-4 && ergi_norm(s.spin) < 1e-3);
    erg_wall_state w;
    erg_error      err;
    must(erg_world_wall_state(world, plane, &w, &err), &err);
    CHECK_NEAR(-w.force.z / (0.6 * G), 1, 0.01);
    erg_world_destroy(world);
}

// On a plane, at 0.5 m/s for 4 s. (A cylinder does not: docs/bodies.md.)
TEST(a_capsule_rolls_with_both_solvers)
{
    for (int solver = ERG_SOLVER_DEM; solver <= ERG_SOLVER_PBD; solver++) {
        erg_world_def def = pbd_def((erg_vec3){0, 0, -G});
        def.solver = (erg_solver)solver;
        erg_world    *world = new_world(&def);
        erg_id        wood = new_wood(world, 0.3, 0.5);
        erg_wall_def  floor = floor_def(wood);
        erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_CAPSULE);
        shape.radius = 0.05;
        shape.height = 0.1;
        new_wall(world, &floor);
        erg_mesh    *mesh = new_shape(shape);
        erg_body_def body = free_box(mesh, wood, 600, (erg_vec3){0, 0, 0.05});
        body.rotation = ergi_quat_from_axis_angle(ergi_vec3(1, 0, 0), acos(0.0));
        body.velocity.x = 0.5;
        body.spin.y = 10;
        erg_id roller = new_body(world, &body);
        erg_mesh_destroy(mesh);
        run_to(world, 4);
        erg_body_state s = state_of(world, roller);
        CHECK_NEAR(s.velocity.x, 0.5, 2.5e-3);
        CHECK_NEAR(s.centre.z, 0.05, 5e-4);
        erg_world_destroy(world);
    }
}

TEST(boxes_stack)
{
    erg_world_def def = pbd_def((erg_vec3){0, 0, -G});
    erg_world    *world = new_world(&def);
    erg_id        wood = new_wood(world, 0.3, 0.5), box[3];
    erg_wall_def  floor = floor_def(wood);
    erg_mesh     *mesh = new_box(0.1, 0.1, 0.1);
    new_wall(world, &floor);
    for (int k = 0; k < 3; k++) {
        erg_body_def body = free_box(mesh, wood, 600, (erg_vec3){3e-3 * k, 0, 0.051 + 0.102 * k});
        box[k] = new_body(world, &body);
    }
    erg_mesh_destroy(mesh);
    run_to(world, 2);
    for (int k = 0; k < 3; k++) {
        erg_body_state s = state_of(world, box[k]);
        CHECK_NEAR(s.centre.z, 0.05 + 0.1 * k, 1e-3);
        CHECK(ergi_norm(s.velocity) < 1e-3 && ergi_norm(s.spin) < 0.01);
    }
    erg_world_destroy(world);
}

// A ball of 1000 times the grains' mass falls on them: speeds stay bounded, the ball is not pushed
// through the floor and comes to rest.
TEST(heavy_bodies_do_not_explode)
{
    erg_world_def def = pbd_def((erg_vec3){0, 0, -G});
    erg_world    *world = new_world(&def);
    erg_id        sand = new_sand(world, 0.3, 0.5);
    erg_id        kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, R, R);
    erg_wall_def  box = box_def(sand, none, (erg_vec3){0.12, 0.12, 0.5}, ERG_FACE_Z_MAX);
    new_wall(world, &box);
    erg_mesh    *mesh = new_ball(0.02);
    erg_body_def body = free_box(mesh, sand, 2500.0 * 1000 / 64, (erg_vec3){0.06, 0.06, 0.2});
    erg_id       ball = new_body(world, &body);
    erg_mesh_destroy(mesh);
    fill_box(world, kind, 400, none, (erg_vec3){0.12, 0.12, 0.08});
    run_to(world, 1.5);
    erg_stats s = stats_of(world);
    CHECK(s.max_speed < 3);
    CHECK(state_of(world, ball).centre.z > 0.017);
    CHECK(ergi_norm(state_of(world, ball).velocity) < 0.1);
    erg_world_destroy(world);
}

// Volume fraction of a bed that carries a plate of ten times its mass.
static double fraction_below_plate(int iterations)
{
    const double  side = 0.1, thick = 0.02;
    const int     count = 700;
    erg_world_def def = pbd_def((erg_vec3){0, 0, -G});
    def.pbd.iterations = iterations;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.2, 0.5); // 2500 kg/m^3
    erg_id       kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, 0.9 * R, 1.1 * R);
    erg_wall_def box = box_def(sand, none, (erg_vec3){side, side, 0.5}, ERG_FACE_Z_MAX);
    new_wall(world, &box);
    fill_box(world, kind, (uint64_t)count, none, (erg_vec3){side, side, 0.12});
    erg_mesh    *mesh = new_box(0.98 * side, 0.98 * side, thick);
    double       sum = stats_of(world).mass, density = 10 * sum / (0.96 * side * side * thick);
    erg_body_def body = free_box(mesh, sand, density, (erg_vec3){side / 2, side / 2, 0.14});
    erg_id       plate = new_body(world, &body);
    erg_mesh_destroy(mesh);
    run_to(world, 1.5);
    erg_body_state s = state_of(world, plate);
    double         height = s.centre.z - thick / 2;
    CHECK(ergi_norm(s.velocity) < 0.01);
    erg_world_destroy(world);
    return sum / 2500 / (side * side * height);
}

// No random packing is denser than 0.64, and beside walls it is looser.
TEST(beds_are_not_crushed_by_loads)
{
    double chosen = fraction_below_plate(0), one = fraction_below_plate(1);
    printf("    volume fraction below a plate: %.3f; with one iteration %.3f\n", chosen, one);
    CHECK(chosen > 0.5 && chosen < 0.64);
    CHECK(one > chosen + 0.03); // which shows that the plate is heavy enough for this test
}

// Height of a ball's centre after 4 s in shaken grains. [m]
static double depth_after(double density)
{
    erg_world_def def = pbd_def((erg_vec3){0, 0, -G});
    erg_world    *world = new_world(&def);
    erg_id        sand = new_sand(world, 0.3, 0.1);
    erg_id        kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, 0.9 * R, 1.1 * R);
    erg_wall_def  box = box_def(sand, none, (erg_vec3){0.12, 0.12, 0.5}, ERG_FACE_Z_MAX);
    box.motion_count = 1;
    box.motion[0] = erg_motion_def_default(ERG_MOTION_OSCILLATION);
    box.motion[0].amplitude = (erg_vec3){3e-3, 0, 0};
    box.motion[0].frequency = 15;
    new_wall(world, &box);
    erg_mesh    *mesh = new_ball(0.02);
    erg_body_def body = free_box(mesh, sand, density, (erg_vec3){0.06, 0.06, 0.05});
    erg_id       ball = new_body(world, &body);
    erg_mesh_destroy(mesh);
    fill_box(world, kind, 900, none, (erg_vec3){0.12, 0.12, 0.16});
    run_to(world, 4);
    double z = state_of(world, ball).centre.z;
    erg_world_destroy(world);
    return z;
}

TEST(light_bodies_float_and_heavy_ones_sink)
{
    double light = depth_after(300), heavy = depth_after(8000);
    CHECK(light > heavy + 0.015);
    CHECK(heavy < 0.03);
    printf("    light at %.1f mm, heavy at %.1f mm\n", 1e3 * light, 1e3 * heavy);
}

TEST_MAIN(blocks_stick_below_the_friction_angle_and_slide_above, clumps_keep_momentum,
          a_tumbling_clump_keeps_angular_momentum, bodies_keep_momentum,
          a_box_falls_rests_and_weighs, a_capsule_rolls_with_both_solvers, boxes_stack,
          heavy_bodies_do_not_explode, beds_are_not_crushed_by_loads,
          light_bodies_float_and_heavy_ones_sink)
