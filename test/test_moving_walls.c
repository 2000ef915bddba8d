// labels: asan
// Walls moved by a motion, a servo or a motor, and their effect on grains.
#include "world_helpers.h"

// A plate comes up under a resting ball and throws it: with e = 1 it leaves at twice the plate's
// speed (less what gravity takes), whatever its mass.
TEST(moving_plate_throws_a_ball)
{
    erg_world_def def = space_def(ERG_DOUBLE);
    def.speed = 1;
    def.dt_factor = 0.02;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 1, 0);
    erg_wall_def plate = floor_def(sand);
    plate.motion[0] = erg_motion_def_default(ERG_MOTION_VELOCITY);
    plate.motion[0].velocity.z = 0.5;
    plate.motion_count = 1;
    new_wall(world, &plate);
    erg_gid id = new_grain(world, new_kind(world, ERG_SHAPE_SPHERE, sand), (erg_vec3){0, 0, 1.1e-3},
                           (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 0});
    run_until(world, 0.01);
    CHECK_NEAR(read3(world, ERG_FIELD_VELOCITY, id).z, 1, 0.005);
    erg_world_destroy(world);
}

// A ball on a shaken plate leaves when the plate's acceleration passes -g: sin(phase) = g/(A w^2),
// with the plate's speed A w cos(phase).
TEST(shaken_plate_lets_go_at_minus_g)
{
    const double  amplitude = 2e-3, frequency = 15, omega = 2 * 3.14159265358979 * frequency;
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    def.speed = 0.3;
    erg_world       *world = new_world(&def);
    erg_material_def m = erg_material_def_default();
    m.restitution = 0.1;
    m.young = 1e8;
    erg_id       sand = new_material(world, &m);
    erg_wall_def plate = floor_def(sand);
    plate.motion[0] = erg_motion_def_default(ERG_MOTION_OSCILLATION);
    plate.motion[0].amplitude.z = amplitude;
    plate.motion[0].frequency = frequency;
    plate.motion[0].phase = -3.14159265358979 / 2; // from rest at the lowest point
    plate.motion_count = 1;
    new_wall(world, &plate);
    erg_gid id = new_grain(world, new_kind(world, ERG_SHAPE_SPHERE, sand),
                           (erg_vec3){0, 0, 1e-3 - 1e-7}, (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 0});
    double  phase = asin(9.81 / (amplitude * omega * omega)); // after passing the middle
    double  leaves = (phase + 3.14159265358979 / 2) / omega;
    run_until(world, leaves - 2e-3);
    CHECK(erg_world_contact_count(world) == 1);
    while (erg_world_contact_count(world) > 0 && erg_world_time(world) < leaves + 0.01)
        step(world, 1);
    CHECK_NEAR(erg_world_time(world), leaves, 1e-3);
    CHECK_NEAR(read3(world, ERG_FIELD_VELOCITY, id).z, amplitude * omega * cos(phase), 0.01);
    erg_world_destroy(world);
}

// A sphere on the bottom of a spinning drum is dragged until it rolls: its surface keeps the drum's
// pace.
TEST(spinning_drum_drags_a_sphere)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    def.speed = 0.5;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.3, 0.5);
    erg_wall_def drum = erg_wall_def_default(ERG_WALL_CYLINDER);
    drum.material = sand;
    drum.cylinder = (erg_wall_cylinder){
        .a = {0, -0.02, 0}, .b = {0, 0.02, 0}, .radius = 0.02, .cap_a = true, .cap_b = true};
    drum.motion[0] = erg_motion_def_default(ERG_MOTION_SPIN);
    drum.motion[0].axis = (erg_vec3){0, 1, 0};
    drum.motion[0].rate = -10;
    drum.motion_count = 1;
    erg_id  wall = new_wall(world, &drum);
    erg_gid id =
        new_grain(world, new_kind(world, ERG_SHAPE_SPHERE, sand), (erg_vec3){0, 0, -0.019 + 1e-7},
                  (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 0});
    run_until(world, 0.5);
    erg_vec3 x = read3(world, ERG_FIELD_POSITION, id), v = read3(world, ERG_FIELD_VELOCITY, id);
    erg_vec3 w = read3(world, ERG_FIELD_SPIN, id);
    erg_wall_state state;
    erg_error      err;
    must(erg_world_wall_state(world, wall, &state, &err), &err);
    CHECK_NEAR(hypot(x.x, x.z), 0.019, 1e-6); // on the wall
    erg_vec3 n = {-x.x / hypot(x.x, x.z), 0, -x.z / hypot(x.x, x.z)}, out = ergi_scale(n, -1);
    erg_vec3 surface = ergi_cross((erg_vec3){0, -10, 0}, ergi_scale(out, 0.02));
    erg_vec3 touch = ergi_add(v, ergi_cross(w, ergi_scale(out, 1e-3)));
    CHECK_NEAR(ergi_distance(surface, touch), 0, 2e-3); // of 0.2 m/s
    CHECK(ergi_norm(w) > 50);
    double turned = 2 * atan2(state.rotation.y, state.rotation.w);
    CHECK_NEAR(remainder(turned + 10 * erg_world_time(world), 2 * 3.14159265358979), 0, 1e-6);
    erg_world_destroy(world);
}

// A piston on a small bed at rest holds its force, and the floor bears force and weight.
TEST(servo_holds_its_force)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    def.speed = 0.5;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.3, 0.3);
    erg_wall_def tube = box_def(sand, (erg_vec3){0, 0, 0}, (erg_vec3){10e-3, 10e-3, 0.1},
                                ERG_FACE_Z_MAX | ERG_FACE_Z_MIN);
    erg_wall_def plate = floor_def(sand), lid = plate;
    lid.plane.point.z = 15e-3;
    lid.plane.normal.z = -1;
    lid.motion[0] = erg_motion_def_default(ERG_MOTION_SERVO);
    lid.motion[0].force = 0.5;
    lid.motion[0].max_speed = 0.1;
    lid.motion_count = 1;
    new_wall(world, &tube);
    erg_id below = new_wall(world, &plate), piston = new_wall(world, &lid);
    fill_box(world, new_kind(world, ERG_SHAPE_SPHERE, sand), 80, (erg_vec3){0, 0, 0},
             (erg_vec3){10e-3, 10e-3, 14.5e-3});
    run_until(world, 0.4);
    double         held = 0;
    erg_error      err;
    erg_wall_state state;
    for (int k = 0; k < 50; k++) {
        step(world, 20);
        must(erg_world_wall_state(world, piston, &state, &err), &err);
        held += state.force.z / 50;
    }
    CHECK_NEAR(held, 0.5, 0.05 * 0.5);
    CHECK_NEAR(ergi_norm(state.velocity), 0, 5e-3);
    CHECK(state.position.z < -1e-3);
    must(erg_world_wall_state(world, below, &state, &err), &err);
    CHECK(state.force.z < -0.2); // the tube bears some
    erg_world_destroy(world);
}

enum { NO_SAND, SOME_SAND };

// A paddle upright in a small bed, driven about the vertical through its middle.
static erg_world *paddle_world(int sand_in, double torque, double max_rate, erg_id *paddle)
{
    erg_world_def    def = erg_world_def_default();
    erg_material_def soft = erg_material_def_default();
    def.threads = 1;
    def.speed = 0.5;
    soft.young = 2e6;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_material(world, &soft), grain = new_kind(world, ERG_SHAPE_SPHERE, sand);
    erg_wall_def tray =
        box_def(sand, (erg_vec3){-8e-3, -8e-3, 0}, (erg_vec3){8e-3, 8e-3, 0.1}, ERG_FACE_Z_MAX);
    erg_wall_def blade =
        box_def(sand, (erg_vec3){-6e-3, -1e-3, 1e-3}, (erg_vec3){6e-3, 1e-3, 30e-3}, 0);
    blade.side = ERG_SIDE_OUTSIDE;
    blade.motion[0] = erg_motion_def_default(ERG_MOTION_SERVO_TORQUE);
    blade.motion[0].start = 0.1;
    blade.motion[0].torque = torque;
    blade.motion[0].max_rate = max_rate;
    blade.motion_count = 1;
    new_wall(world, &tray);
    *paddle = new_wall(world, &blade);
    if (sand_in)
        fill_box(world, grain, 200, (erg_vec3){-8e-3, -8e-3, 0}, (erg_vec3){8e-3, 8e-3, 20e-3});
    run_until(world, 0.1);
    return world;
}

static double angle_of(const erg_wall_state *state)
{
    return 2 * atan2(state->rotation.z, state->rotation.w);
}

// In the air it turns as fast as it may; a torque that the bed bears comes to rest at what was
// asked, one that it does not bear ploughs on, slower than in the air.
TEST(paddle_turns_by_its_torque)
{
    const double   weak = 2e-6, strong = 2e-4;
    erg_id         paddle;
    erg_error      err;
    erg_wall_state state;
    erg_world     *world = paddle_world(NO_SAND, strong, 10, &paddle);
    run_until(world, 0.2);
    must(erg_world_wall_state(world, paddle, &state, &err), &err);
    CHECK_NEAR(angle_of(&state), 10 * (erg_world_time(world) - 0.1), 2e-3); // within a step or two
    erg_world_destroy(world);

    world = paddle_world(SOME_SAND, weak, 0.2, &paddle);
    run_until(world, 0.4);
    double held = 0;
    for (int k = 0; k < 50; k++) {
        step(world, 20);
        must(erg_world_wall_state(world, paddle, &state, &err), &err);
        held -= state.torque.z / 50;
    }
    CHECK_NEAR(held, weak, 0.05 * weak);
    CHECK_NEAR(state.spin.z, 0, 0.05 * 0.2);
    erg_world_destroy(world);

    world = paddle_world(SOME_SAND, strong, 10, &paddle);
    double begin = erg_world_time(world), felt = 0;
    int    steps = 4000;
    for (int k = 0; k < steps; k++) {
        must(erg_world_wall_state(world, paddle, &state, &err), &err);
        felt -= state.torque.z / steps;
        step(world, 1);
    }
    must(erg_world_wall_state(world, paddle, &state, &err), &err);
    double rate = angle_of(&state) / (erg_world_time(world) - begin);
    CHECK(rate > 0.1 * 10 && rate < 0.9 * 10);
    // All that is missing of the torque makes it turn; here that is never more than it may.
    CHECK_NEAR(rate, 10 / strong * (strong - felt), 1e-4 * 10);
    erg_world_destroy(world);
}

// The time step of a world with one blade of `length` that moves so, and nothing that falls.
static double dt_beside(double length, const erg_motion_def *motion, int parts)
{
    erg_world_def def = erg_world_def_default();
    def.gravity = (erg_vec3){0, 0, 0};
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.5, 0.5);
    erg_wall_def blade =
        box_def(sand, (erg_vec3){-length / 2, -1e-3, 0}, (erg_vec3){length / 2, 1e-3, 10e-3}, 0);
    blade.motion_count = parts;
    for (int k = 0; k < parts; k++) blade.motion[k] = motion[k];
    new_wall(world, &blade);
    new_kind(world, ERG_SHAPE_SPHERE, sand);
    prepare(world);
    double dt = erg_world_dt(world);
    erg_world_destroy(world);
    return dt;
}

static erg_motion_def spin_of(double rate)
{
    erg_motion_def def = erg_motion_def_default(ERG_MOTION_SPIN);
    def.rate = rate;
    return def;
}

// Turning counts as much as going, whatever turns it: a path by keys at its fastest, which is half
// as fast again as its mean where it rests at the keys.
TEST(dt_follows_every_motion)
{
    const erg_keyframe keys[] = {
        {0, {0, 0, 0}, {0, 0, 0, 1}},
        {0.1, {0.2, 0, 0}, {0, 0, sin(0.25), cos(0.25)}}, // 2 m/s and 5 rad/s
        {0.5, {0.2, 0, 0}, {0, 0, sin(0.35), cos(0.35)}},
    };
    const double   length = 0.3;
    erg_motion_def path = erg_motion_def_default(ERG_MOTION_KEYFRAMES), same[2];
    path.keys = keys;
    path.key_count = 3;
    same[0] = erg_motion_def_default(ERG_MOTION_VELOCITY);
    for (int smooth = 0; smooth < 2; smooth++) {
        path.smooth = smooth;
        same[0].velocity.x = smooth ? 3 : 2;
        same[1] = spin_of(smooth ? 7.5 : 5);
        double dt = dt_beside(length, same, 2);
        CHECK_NEAR(dt_beside(length, &path, 1) / dt, 1, 1e-9);
    }
    erg_motion_def motor = erg_motion_def_default(ERG_MOTION_SERVO_TORQUE), hand = spin_of(30);
    motor.torque = 1;
    motor.max_rate = 30;
    CHECK(dt_beside(length, &motor, 1) == dt_beside(length, &hand, 1));
    // A hand turns long things faster at their ends than it goes.
    hand = erg_motion_def_default(ERG_MOTION_USER);
    same[0] = spin_of(1.2);
    CHECK(dt_beside(3, &hand, 1) == dt_beside(3, same, 1));
    CHECK(dt_beside(0.03, &hand, 1) < dt_beside(0.03, same, 1));
}

// On a smooth plane without friction a sphere slides on for ever; a rough one stops it.
TEST(rough_wall_stops_a_sliding_sphere)
{
    double way[2];
    for (int k = 0; k < 2; k++) {
        erg_world_def def = erg_world_def_default();
        def.threads = 1;
        def.speed = 0.5;
        erg_world   *world = new_world(&def);
        erg_id       sand = new_sand(world, 0.3, 0);
        erg_wall_def plane = floor_def(sand);
        if (k) plane.rough = (erg_rough){.spacing = 1.5e-3, .radius = 0.5e-3};
        new_wall(world, &plane);
        erg_gid id = new_grain(world, new_kind(world, ERG_SHAPE_SPHERE, sand),
                               (erg_vec3){0.75e-3, 0.75e-3, 1.6e-3}, (erg_vec3){0.2, 0.05, 0},
                               (erg_vec3){0, 0, 0});
        run_until(world, 0.4);
        way[k] = read3(world, ERG_FIELD_POSITION, id).x;
        CHECK_NEAR(ergi_norm(read3(world, ERG_FIELD_VELOCITY, id)), k ? 0 : hypot(0.2, 0.05),
                   k ? 0.02 : 1e-4);
        erg_world_destroy(world);
    }
    CHECK(way[0] > 0.079 && way[1] < 0.04);
}

// A sphere in a standing cylinder that fits it closely rests on the bottom cap, its weight on the
// wall.
TEST(sphere_in_a_cylinder_stands_on_its_cap)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    def.speed = 0.5;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.3, 0.5);
    erg_wall_def tube = erg_wall_def_default(ERG_WALL_CYLINDER);
    tube.material = sand;
    tube.cylinder = (erg_wall_cylinder){
        .a = {0, 0, 0}, .b = {0, 0, 0.02}, .radius = 1.5e-3, .cap_a = true, .cap_b = true};
    erg_id  wall = new_wall(world, &tube);
    erg_gid id =
        new_grain(world, new_kind(world, ERG_SHAPE_SPHERE, sand), (erg_vec3){0.2e-3, 0, 5e-3},
                  (erg_vec3){0.2, 0.1, 0}, (erg_vec3){0, 0, 0});
    run_until(world, 0.6);
    erg_vec3       x = read3(world, ERG_FIELD_POSITION, id);
    erg_wall_state state;
    erg_error      err;
    must(erg_world_wall_state(world, wall, &state, &err), &err);
    double weight = 2500 * 4.0 / 3 * 3.14159265358979 * 1e-9 * 9.81;
    CHECK_NEAR(x.z, 1e-3, 2e-6);
    CHECK(hypot(x.x, x.y) < 0.5e-3 + 2e-6);
    CHECK_NEAR(state.force.z, -weight, 0.02 * weight);
    erg_world_destroy(world);
}

TEST_MAIN(moving_plate_throws_a_ball, shaken_plate_lets_go_at_minus_g, spinning_drum_drags_a_sphere,
          servo_holds_its_force, paddle_turns_by_its_torque, dt_follows_every_motion,
          rough_wall_stops_a_sliding_sphere, sphere_in_a_cylinder_stands_on_its_cap)
