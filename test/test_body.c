// Bodies without grains: falling, rotating, bouncing, resting, sliding; what is rejected.
// labels: asan clang
#include "body_helpers.h"

// ---- Free motion -------------------------------------------------------------------------------
TEST(a_body_falls_as_fast_as_it_should)
{
    erg_world_def def = erg_world_def_default();
    erg_world    *world = new_world(&def);
    erg_body_def  body = erg_body_def_default();
    erg_mesh     *box = new_box(0.1, 0.2, 0.3);
    body.material = new_wood(world, 0.5, 0.3);
    body.mesh = box;
    body.position = (erg_vec3){1, 2, 3};
    body.velocity = (erg_vec3){0.5, 0, 1};
    erg_id id = new_body(world, &body);
    run_to(world, 0.5);
    double         t = erg_world_time(world);
    erg_body_state s = state_of(world, id);
    CHECK_NEAR(s.mass, 600 * 0.1 * 0.2 * 0.3, 1e-12);
    CHECK_NEAR(s.centre.x, 1 + 0.5 * t, 1e-12);
    CHECK_NEAR(s.centre.z, 3 + t - 0.5 * 9.81 * t * t, 1e-12);
    CHECK_NEAR(s.velocity.z, 1 - 9.81 * t, 1e-12);
    erg_world_destroy(world);
    erg_mesh_destroy(box);
}

// A spin near the middle axis turns over and over: energy and angular momentum stay all the same.
TEST(a_spinning_brick_keeps_energy_and_angular_momentum)
{
    erg_world_def def = space_def(ERG_FLOAT);
    def.dt = 1e-4;
    erg_world   *world = new_world(&def);
    erg_body_def body = erg_body_def_default();
    erg_mesh    *box = new_box(0.1, 0.2, 0.3);
    body.material = new_wood(world, 0.5, 0.3);
    body.mesh = box;
    body.spin = (erg_vec3){0.05, 10, 0.05};
    erg_id    id = new_body(world, &body);
    erg_stats before, after;
    erg_error err;
    must(erg_world_prepare(world, &err), &err);
    must(erg_world_stats(world, &before, &err), &err);
    double least = 1;
    for (int k = 0; k < 100; k++) {
        must(erg_world_step(world, 500, &err), &err);
        erg_vec3 middle = ergi_quat_rotate(state_of(world, id).rotation, ergi_vec3(0, 1, 0));
        least = fmin(least, middle.y);
    }
    must(erg_world_stats(world, &after, &err), &err);
    CHECK(least < -0.9); // it did turn over
    CHECK_NEAR(after.rotational / before.rotational, 1, 1e-5);
    ergi_motion_state m = world->wall_state[0].motion;
    erg_vec3          l = ergi_body_momentum(&world->wall[0].body, ergi_quat_identity(), body.spin);
    CHECK_NEAR(ergi_distance(m.angular_momentum, l) / ergi_norm(l), 0, 1e-14);
    erg_world_destroy(world);
    erg_mesh_destroy(box);
}

// ---- Bounces -----------------------------------------------------------------------------------
static double bounce(erg_mesh *mesh, erg_quat rotation, double lowest, double rounding)
{
    erg_world_def def = space_def(ERG_FLOAT);
    def.dt_factor = 0.02;
    erg_world   *world = new_world(&def);
    erg_id       wood = new_wood(world, 0.65, 0);
    erg_wall_def floor = floor_def(wood);
    new_wall(world, &floor);
    erg_body_def body = erg_body_def_default();
    body.material = wood;
    body.mesh = mesh;
    body.rotation = rotation;
    body.rounding = rounding;
    body.position.z = lowest + 1e-3;
    body.velocity.z = -1;
    erg_id id = new_body(world, &body);
    run_to(world, 0.1);
    double v = state_of(world, id).velocity.z;
    erg_world_destroy(world);
    return v;
}

TEST(the_bounce_of_a_flat_face_does_not_depend_on_how_many_balls_touch)
{
    erg_mesh *box = new_box(0.1, 0.1, 0.1), *ball = new_ball(0.05);
    erg_quat  still = ergi_quat_identity();
    CHECK_NEAR(bounce(ball, still, 0.05, 0), 0.65, 0.01);
    CHECK_NEAR(bounce(box, still, 0.05, 0), 0.65, 0.01);
    CHECK_NEAR(bounce(box, still, 0.05, 0.001), bounce(box, still, 0.05, 0.01), 1e-3);
    erg_mesh_destroy(box);
    erg_mesh_destroy(ball);
}

TEST(an_edge_below_the_centre_bounces_as_the_whole_body)
{
    erg_mesh *box = new_box(0.1, 0.1, 0.1);
    // Standing on an edge, the centre right above it: no turning.
    erg_quat on_edge = ergi_quat_from_axis_angle(ergi_vec3(1, 0, 0), 0.25 * ERGI_PI);
    CHECK_NEAR(bounce(box, on_edge, 0.05 * sqrt(2.0), 0), 0.65, 0.01);
    erg_mesh_destroy(box);
}

// Off its centre a rod feels lighter: 1/m + r^2/I. It leaves with the restitution at that point.
TEST(the_bounce_at_the_end_of_a_rod_is_that_of_the_mass_felt_there)
{
    erg_world_def def = space_def(ERG_FLOAT);
    def.dt_factor = 0.02;
    erg_world   *world = new_world(&def);
    erg_id       wood = new_wood(world, 0.65, 0);
    erg_mesh    *rod = new_box(0.4, 0.05, 0.05), *post = new_ball(0.05);
    erg_body_def body = erg_body_def_default();
    body.material = wood;
    body.mesh = post;
    body.free = false;
    body.position = ergi_vec3(0.15, 0, -0.05);
    new_body(world, &body);
    body = erg_body_def_default();
    body.material = wood;
    body.mesh = rod;
    body.position = ergi_vec3(0, 0, 0.025 + 1e-3);
    body.velocity.z = -1;
    erg_id id = new_body(world, &body);
    run_to(world, 0.012);
    erg_body_state s = state_of(world, id);
    double         inertia = s.mass * (0.4 * 0.4 + 0.05 * 0.05) / 12;
    CHECK_NEAR(s.velocity.z - 0.15 * s.spin.y, 0.65, 0.03); // of the point above the post
    // One impulse at 0.15 m made both.
    CHECK_NEAR(s.spin.y * inertia / (-0.15 * s.mass * (s.velocity.z + 1)), 1, 0.03);
    erg_world_destroy(world);
    erg_mesh_destroy(rod);
    erg_mesh_destroy(post);
}

// ---- Energy ------------------------------------------------------------------------------------
TEST(energy_of_bodies_adds_up)
{
    erg_world_def def = erg_world_def_default();
    def.energy = true;
    erg_world   *world = new_world(&def);
    erg_id       wood = new_wood(world, 0.5, 0.4);
    erg_wall_def floor = floor_def(wood);
    erg_mesh    *box = new_box(0.1, 0.1, 0.1);
    erg_body_def body = erg_body_def_default();
    erg_stats    s;
    erg_error    err;
    new_wall(world, &floor);
    body.material = wood;
    body.mesh = box;
    for (int k = 0; k < 2; k++) {
        body.position = ergi_vec3(0.02 * k, 0, 0.15 + 0.15 * k);
        body.rotation =
            ergi_quat_from_axis_angle(ergi_normalize(ergi_vec3(1, 0.5, 0)), 0.4 + 0.3 * k);
        new_body(world, &body);
    }
    must(erg_world_prepare(world, &err), &err);
    must(erg_world_stats(world, &s, &err), &err);
    double before = s.kinetic + s.rotational + s.potential, fell = 0.6 * 9.81 * 0.1;
    for (double t = 0.05; t < 0.6; t += 0.05) {
        run_to(world, t);
        must(erg_world_stats(world, &s, &err), &err);
        double now = s.kinetic + s.rotational + s.potential + s.elastic + s.dissipated;
        CHECK_NEAR(now, before, 0.02 * fell);
        CHECK(s.dissipated > -0.02 * fell);
    }
    CHECK(s.dissipated > fell);
    erg_world_destroy(world);
    erg_mesh_destroy(box);
}

// ---- Friction ----------------------------------------------------------------------------------
// A box on a slope of angle a: how far it went along the slope until `time`, and from half of it
// on; and how fast it is then.
typedef struct ride {
    double way, rest; // [m]
    double speed;     // [m/s]
} ride;

static ride slide(double angle, double friction, double time, bool mesh_slope)
{
    erg_world_def def = erg_world_def_default();
    erg_world    *world = new_world(&def);
    erg_id        wood = new_wood(world, 0.3, friction);
    erg_mesh     *box = new_box(0.1, 0.1, 0.05), *plate = new_box(4, 1, 0.1);
    erg_vec3      up = {sin(angle), 0, cos(angle)};
    erg_body_def  body = erg_body_def_default();
    if (mesh_slope) {
        body.free = false;
        body.material = wood;
        body.mesh = plate;
        body.rotation = ergi_quat_from_axis_angle(ergi_vec3(0, 1, 0), angle);
        body.position = ergi_scale(up, -0.05);
        new_body(world, &body);
        body = erg_body_def_default();
    } else {
        erg_wall_def slope = floor_def(wood);
        slope.plane.normal = up;
        new_wall(world, &slope);
    }
    body.material = wood;
    body.mesh = box;
    body.rotation = ergi_quat_from_axis_angle(ergi_vec3(0, 1, 0), angle);
    body.position = ergi_scale(up, 0.025);
    erg_id   id = new_body(world, &body);
    erg_vec3 start = ergi_scale(up, 0.025);
    run_to(world, 0.5 * time);
    erg_vec3 half = state_of(world, id).centre, down = {cos(angle), 0, -sin(angle)};
    run_to(world, time);
    erg_body_state s = state_of(world, id);
    ride           r = {ergi_dot(ergi_sub(s.centre, start), down), ergi_distance(s.centre, half),
                        ergi_norm(s.velocity)};
    erg_world_destroy(world);
    erg_mesh_destroy(box);
    erg_mesh_destroy(plate);
    return r;
}

TEST(a_box_rests_below_its_friction_angle_and_slides_above)
{
    double mu = 0.5, limit = atan(mu), above = limit + 0.1, t = 0.5;
    double a = 9.81 * (sin(above) - mu * cos(above));
    for (int mesh = 0; mesh < 2; mesh++) {
        ride still = slide(limit - 0.02, mu, 2.0, mesh);
        CHECK(fabs(still.way) < 2e-4); // it gives way until its springs hold it, and no more
        CHECK(still.rest < 1e-9 && still.speed < 1e-9);
        CHECK_NEAR(slide(above, mu, t, mesh).way / (0.5 * a * t * t), 1, 0.02);
    }
}

// ---- Odd worlds --------------------------------------------------------------------------------
TEST(what_is_added_late_is_felt)
{
    erg_world_def def = erg_world_def_default();
    erg_world    *world = new_world(&def);
    erg_id        wood = new_wood(world, 0.3, 0.5);
    erg_mesh     *box = new_box(0.1, 0.1, 0.1);
    erg_body_def  body = erg_body_def_default();
    erg_wall_def  floor = floor_def(wood);
    erg_error     err;
    body.material = wood;
    body.mesh = box;
    body.position.z = 0.05;
    erg_id id = new_body(world, &body);
    must(erg_world_prepare(world, &err), &err);
    new_wall(world, &floor);
    body.position.z = 0.15;
    new_body(world, &body);
    run_to(world, 0.5);
    CHECK_NEAR(state_of(world, id).centre.z, 0.05, 2e-3);
    CHECK_NEAR(state_of(world, id + 2).centre.z, 0.15, 4e-3);
    erg_world_destroy(world);
    erg_mesh_destroy(box);
}

TEST(a_thin_pail_stands_on_the_floor)
{
    erg_world_def def = erg_world_def_default();
    erg_world    *world = new_world(&def);
    erg_id        wood = new_wood(world, 0.3, 0.5);
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_BUCKET);
    erg_wall_def  floor = floor_def(wood);
    erg_body_def  body = erg_body_def_default();
    shape.radius = 0.15;
    shape.height = 0.3;
    shape.thickness = 0.002;
    erg_mesh *pail = new_shape(shape);
    new_wall(world, &floor);
    body.material = wood;
    body.mesh = pail;
    body.position.z = 1e-3;
    erg_id id = new_body(world, &body);
    double start = state_of(world, id).centre.z;
    run_to(world, 0.3);
    CHECK_NEAR(state_of(world, id).centre.z, start, 3e-3);
    erg_world_destroy(world);
    erg_mesh_destroy(pail);
}

// Meshes from the wild have triangles without area; they are no part of the surface.
TEST(triangles_without_area_do_no_harm)
{
    erg_mesh       *box = new_box(0.1, 0.1, 0.1), *odd = NULL;
    size_t          vertices, triangles;
    const double   *xyz = erg_mesh_vertices(box, &vertices);
    const uint32_t *corners = erg_mesh_triangles(box, &triangles);
    uint32_t        more[3 * 64] = {0};
    erg_error       err;
    REQUIRE(triangles + 2 <= 64);
    memcpy(more, corners, 3 * triangles * sizeof *more);
    more[3 * triangles + 2] = 1; // 0, 0, 1; and the last is 0, 0, 0
    must(erg_mesh_create(xyz, vertices, more, triangles + 2, NULL, &odd, &err), &err);
    CHECK_NEAR(bounce(odd, ergi_quat_identity(), 0.05, 0), 0.65, 0.01);
    erg_mesh_destroy(odd);
    erg_mesh_destroy(box);
}

// ---- Guards ------------------------------------------------------------------------------------
TEST(bodies_inside_each_other_are_named)
{
    erg_world_def def = erg_world_def_default();
    erg_world    *world = new_world(&def);
    erg_mesh     *box = new_box(0.1, 0.1, 0.1);
    erg_body_def  body = erg_body_def_default();
    erg_error     err;
    body.material = new_wood(world, 0.5, 0.5);
    body.mesh = box;
    body.name = "left";
    new_body(world, &body);
    body.name = "right";
    body.position.x = 0.07;
    new_body(world, &body);
    CHECK(erg_world_step(world, 1, &err) == ERG_BAD_PHYSICS);
    CHECK(strstr(err.text, "body 'left' and body 'right' overlap") != NULL);
    erg_world_destroy(world);
    erg_mesh_destroy(box);
}

// The tip of a rod goes much faster than a ball of its volume that spins would.
TEST(a_rod_that_spins_too_fast_for_the_step_is_named)
{
    erg_world_def def = space_def(ERG_FLOAT);
    def.dt = 1e-3;
    erg_world   *world = new_world(&def);
    erg_mesh    *rod = new_box(1, 0.02, 0.02);
    erg_body_def body = erg_body_def_default();
    erg_error    err;
    body.material = new_wood(world, 0.5, 0.5);
    body.mesh = rod;
    body.name = "rod";
    body.spin.z = 100;
    new_body(world, &body);
    CHECK(erg_world_step(world, 1, &err) == ERG_BAD_PHYSICS);
    CHECK(strstr(err.text, "body 'rod' spins too fast, at (0, 0, 100) rad/s") != NULL);
    erg_world_destroy(world);
    erg_mesh_destroy(rod);
}

static double step_of_rod(erg_vec3 velocity, erg_vec3 spin)
{
    erg_world_def def = space_def(ERG_FLOAT);
    erg_world    *world = new_world(&def);
    erg_mesh     *rod = new_box(1, 0.02, 0.02);
    erg_body_def  body = erg_body_def_default();
    erg_wall_def  floor = floor_def(new_wood(world, 0.5, 0.5));
    new_wall(world, &floor);
    body.material = floor.material;
    body.mesh = rod;
    body.position.z = 1;
    body.velocity = velocity;
    body.spin = spin;
    new_body(world, &body);
    prepare(world);
    double dt = erg_world_dt(world);
    erg_world_destroy(world);
    erg_mesh_destroy(rod);
    return dt;
}

TEST(the_step_is_made_for_the_tip_of_a_spinning_rod)
{
    double reach = sqrt(0.5 * 0.5 + 2 * 0.01 * 0.01), spin = 4;
    CHECK_NEAR(step_of_rod(ergi_vec3(0, 0, 0), ergi_vec3(0, 0, spin)) /
                   step_of_rod(ergi_vec3(spin * reach, 0, 0), ergi_vec3(0, 0, 0)),
               1, 1e-12);
}

TEST(bad_bodies_are_told)
{
    erg_world_def def = erg_world_def_default();
    erg_world    *world = new_world(&def);
    erg_mesh     *box = new_box(0.1, 0.1, 0.1);
    erg_body_def  good = erg_body_def_default(), bad;
    erg_error     err;
    good.material = new_wood(world, 0.5, 0.5);
    good.mesh = box;
    good.name = "brick";
    const double triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    erg_mesh    *open = NULL;
    must(erg_mesh_create(triangle, 3, (const uint32_t[]){0, 1, 2}, 1, NULL, &open, &err), &err);
    bad = good, bad.mesh = NULL;
    CHECK(erg_world_add_body(world, &bad, NULL, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "body 'brick': a body needs a mesh");
    bad = good, bad.mesh = open;
    CHECK(erg_world_add_body(world, &bad, NULL, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "body 'brick': its mesh is not a solid: ") != NULL);
    bad = good, bad.mass = 1, bad.density = 1;
    CHECK(erg_world_add_body(world, &bad, NULL, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "body 'brick': give mass or density, not both");
    bad = good, bad.motion_count = 1;
    CHECK(erg_world_add_body(world, &bad, NULL, &err) == ERG_BAD_INPUT);
    bad = good, bad.contact = ERG_BODY_SPHERES, bad.sphere_radius = 0.2;
    CHECK(erg_world_add_body(world, &bad, NULL, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "no spheres of radius 0.2 m fit into it") != NULL);
    CHECK(erg_world_body_count(world) == 0);
    erg_world_destroy(world);
    erg_mesh_destroy(box);
    erg_mesh_destroy(open);
}

TEST_MAIN(bodies_inside_each_other_are_named, a_rod_that_spins_too_fast_for_the_step_is_named,
          the_step_is_made_for_the_tip_of_a_spinning_rod, bad_bodies_are_told,
          a_body_falls_as_fast_as_it_should, a_spinning_brick_keeps_energy_and_angular_momentum,
          the_bounce_of_a_flat_face_does_not_depend_on_how_many_balls_touch,
          an_edge_below_the_centre_bounces_as_the_whole_body,
          the_bounce_at_the_end_of_a_rod_is_that_of_the_mass_felt_there, energy_of_bodies_adds_up,
          what_is_added_late_is_felt, a_thin_pail_stands_on_the_floor,
          triangles_without_area_do_no_harm, a_box_rests_below_its_friction_angle_and_slides_above)
