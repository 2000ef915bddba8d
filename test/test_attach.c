// labels: asan clang
// Walls and bodies that others carry, and joints that the user moves.
#include "body_helpers.h"
#include "erg/scene.h"
#include "geom/vec3.h"
#include "scratch.h"
#include "world/walls.h"

static erg_world_def def_of(erg_solver solver)
{
    erg_world_def def = erg_world_def_default();
    def.solver = solver;
    def.threads = 1;
    def.speed = 1;
    return def;
}

static erg_motion_def spin_about_y(double rate)
{
    erg_motion_def m = erg_motion_def_default(ERG_MOTION_SPIN);
    m.axis = (erg_vec3){0, 1, 0};
    m.rate = rate;
    return m;
}

static erg_motion_def hinge(double rate, double low, double high)
{
    erg_motion_def m = erg_motion_def_default(ERG_MOTION_USER);
    m.joint = ERG_JOINT_HINGE;
    m.axis = (erg_vec3){0, 2, 0};
    m.max_rate = rate;
    m.range[0] = low;
    m.range[1] = high;
    return m;
}

static erg_motion_def slide(erg_vec3 direction, double speed, double low, double high)
{
    erg_motion_def m = erg_motion_def_default(ERG_MOTION_USER);
    m.joint = ERG_JOINT_SLIDE;
    m.direction = direction;
    m.max_speed = speed;
    m.range[0] = low;
    m.range[1] = high;
    return m;
}

static erg_wall_def arm_def(erg_id material, erg_vec3 a, erg_vec3 b)
{
    erg_wall_def arm = erg_wall_def_default(ERG_WALL_CAPSULE);
    arm.material = material;
    arm.side = ERG_SIDE_OUTSIDE;
    arm.capsule = (erg_wall_capsule){a, b, 1e-3};
    arm.has_pivot = true;
    arm.pivot = a;
    return arm;
}

static erg_joint_state joint_of(const erg_world *world, erg_id id)
{
    erg_joint_state joint;
    erg_error       err;
    must(erg_world_joint(world, id, &joint, &err), &err);
    return joint;
}

static void command_spin(erg_world *world, erg_id id, erg_vec3 spin)
{
    command(world, (erg_command){.kind = ERG_COMMAND_WALL_VELOCITY, .id = id, .vector2 = spin});
}

static void command_velocity(erg_world *world, erg_id id, erg_vec3 velocity)
{
    command(world, (erg_command){.kind = ERG_COMMAND_WALL_VELOCITY, .id = id, .vector = velocity});
}

static void check_vec3(erg_vec3 got, erg_vec3 want, double tolerance)
{
    CHECK_NEAR(got.x, want.x, tolerance);
    CHECK_NEAR(got.y, want.y, tolerance);
    CHECK_NEAR(got.z, want.z, tolerance);
}

// Something to step: a grain that falls far away from everything.
static void add_grain_far_away(erg_world *world, erg_id material)
{
    new_grain(world, new_kind(world, ERG_SHAPE_SPHERE, material), (erg_vec3){5, 5, 5},
              (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 0});
}

// ---- Kinematics --------------------------------------------------------------------------------
// Boom from the origin along x, length 1; stick from its end along x, length 0.5. Rotations by
// `a` and `b` about y: a vector along x at angle s points to (cos s, 0, -sin s).
static erg_vec3 along(double length, double angle)
{
    return (erg_vec3){length * cos(angle), 0, -length * sin(angle)};
}

static void check_two_link_arm(erg_solver solver)
{
    const double  a = 0.7, b = -1.9, slip = 0.3, t = 0.4;
    erg_world_def def = def_of(solver);
    erg_world    *world = new_world(&def);
    erg_id        steel = new_sand(world, 0.5, 0.5);
    erg_wall_def  boom = arm_def(steel, (erg_vec3){0, 0, 0}, (erg_vec3){1, 0, 0});
    boom.motion[0] = spin_about_y(a);
    boom.motion[1] = erg_motion_def_default(ERG_MOTION_VELOCITY);
    boom.motion[1].velocity = (erg_vec3){0, slip, 0};
    boom.motion_count = 2;
    erg_id       parent = new_wall(world, &boom);
    erg_wall_def stick = arm_def(steel, (erg_vec3){1, 0, 0}, (erg_vec3){1.5, 0, 0});
    stick.motion[0] = spin_about_y(b);
    stick.motion_count = 1;
    stick.attach = parent;
    erg_id    middle = new_wall(world, &stick);
    erg_mesh *cube = new_box(0.01, 0.01, 0.01);
    // A body at rest on the stick, at its tip.
    erg_body_def tip = erg_body_def_default();
    tip.free = false;
    tip.mesh = cube;
    tip.material = steel;
    tip.position = (erg_vec3){1.5, 0, 0};
    tip.attach = middle;
    erg_id last = new_body(world, &tip);
    add_grain_far_away(world, steel);
    run_until(world, t);
    double         now = erg_world_time(world);
    erg_body_state s = state_of(world, last);
    erg_vec3       elbow = along(1, a * now), reach = along(0.5, (a + b) * now);
    // d/dt (cos s, 0, -sin s) = s' (-sin s, 0, -cos s)
    erg_vec3 v = {a * elbow.z + (a + b) * reach.z, slip, -a * elbow.x - (a + b) * reach.x};
    check_vec3(s.centre, ergi_add(ergi_add(elbow, reach), ergi_vec3(0, slip * now, 0)), 1e-12);
    check_vec3(s.velocity, v, 1e-12);
    check_vec3(s.spin, (erg_vec3){0, a + b, 0}, 1e-12);
    erg_quat turn = ergi_quat_from_axis_angle(ergi_vec3(0, 1, 0), (a + b) * now);
    CHECK_NEAR(fabs(s.rotation.y * turn.y + s.rotation.w * turn.w), 1, 1e-12);

    // At another time, from the scripted parts.
    erg_wall_surface surface;
    erg_error        err;
    must(erg_world_wall_surface(world, last, 2 * now, &surface, &err), &err);
    check_vec3(surface.ex, along(1, 2 * (a + b) * now), 1e-12);
    erg_mesh_destroy(cube);
    erg_world_destroy(world);
}

TEST(two_link_arm_is_where_its_angles_put_it)
{
    check_two_link_arm(ERG_SOLVER_DEM);
    check_two_link_arm(ERG_SOLVER_PBD);
}

// Axes out of line: the child's axis is carried along by the parent.
TEST(own_motion_acts_in_the_frame_of_the_carrier)
{
    erg_world_def def = def_of(ERG_SOLVER_DEM);
    erg_world    *world = new_world(&def);
    erg_id        steel = new_sand(world, 0.5, 0.5);
    erg_wall_def  table = arm_def(steel, (erg_vec3){0, 0, 0}, (erg_vec3){1, 0, 0});
    table.motion[0] = erg_motion_def_default(ERG_MOTION_SPIN); // about z
    table.motion[0].rate = 1;
    table.motion_count = 1;
    erg_wall_def slider = arm_def(steel, (erg_vec3){1, 0, 0}, (erg_vec3){1, 0.2, 0});
    slider.motion[0] = erg_motion_def_default(ERG_MOTION_VELOCITY);
    slider.motion[0].velocity = (erg_vec3){0.5, 0, 0}; // outwards
    slider.motion_count = 1;
    slider.attach = new_wall(world, &table);
    erg_id id = new_wall(world, &slider);
    add_grain_far_away(world, steel);
    run_until(world, 0.5);
    double           t = erg_world_time(world), r = 1 + 0.5 * t;
    const ergi_pose *pose = &world->wall_state[id - 1].pose;
    erg_vec3         at = ergi_add(slider.pivot, pose->position);
    check_vec3(at, (erg_vec3){r * cos(t), r * sin(t), 0}, 1e-12);
    check_vec3(pose->velocity, (erg_vec3){0.5 * cos(t) - r * sin(t), 0.5 * sin(t) + r * cos(t), 0},
               1e-12);
    check_vec3(pose->spin, (erg_vec3){0, 0, 1}, 1e-12);
    erg_world_destroy(world);
}

// ---- A drum with lifters -----------------------------------------------------------------------
// Grains in a drum with two lifters, which are attached to it or spin on their own about its axis.
static erg_world *new_drum(erg_solver solver, int threads, bool attached)
{
    erg_world_def def = def_of(solver);
    def.threads = threads;
    def.fixed_threads = true;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.5, 0.5);
    erg_wall_def drum = erg_wall_def_default(ERG_WALL_CYLINDER);
    drum.material = sand;
    drum.cylinder = (erg_wall_cylinder){
        .a = {0, -6e-3, 0}, .b = {0, 6e-3, 0}, .radius = 12e-3, .cap_a = true, .cap_b = true};
    drum.motion[0] = spin_about_y(8);
    drum.motion_count = 1;
    erg_id id = new_wall(world, &drum);
    for (int k = 0; k < 2; k++) {
        double       side = k ? 1 : -1;
        erg_wall_def lifter =
            arm_def(sand, (erg_vec3){side * 10e-3, -6e-3, 0}, (erg_vec3){side * 10e-3, 6e-3, 0});
        lifter.pivot = (erg_vec3){0, 0, 0};
        if (attached) {
            lifter.attach = id;
        } else {
            lifter.motion[0] = spin_about_y(8);
            lifter.motion_count = 1;
        }
        new_wall(world, &lifter);
    }
    fill_box(world, new_kind(world, ERG_SHAPE_SPHERE, sand), 120, (erg_vec3){-8e-3, -6e-3, -8e-3},
             (erg_vec3){8e-3, 6e-3, 8e-3});
    return world;
}

static void check_drum(erg_solver solver)
{
    erg_world *world[3] = {new_drum(solver, 1, true), new_drum(solver, 1, false),
                           new_drum(solver, 2, true)};
    for (int k = 0; k < 3; k++) run_until(world[k], 0.15);
    CHECK(erg_world_hash(world[0]) == erg_world_hash(world[1]));
    CHECK(erg_world_hash(world[0]) == erg_world_hash(world[2]));
    const ergi_wall_state *a = &world[0]->wall_state[1], *b = &world[1]->wall_state[1];
    CHECK(memcmp(a->force, b->force, sizeof a->force) == 0);
    CHECK(memcmp(a->torque, b->torque, sizeof a->torque) == 0);
    for (int k = 0; k < 3; k++) erg_world_destroy(world[k]);
}

TEST(attached_lifters_carry_grains_as_spinning_ones)
{
    check_drum(ERG_SOLVER_DEM);
    check_drum(ERG_SOLVER_PBD);
}

// ---- Joints ------------------------------------------------------------------------------------
static void check_ends(erg_solver solver)
{
    erg_world_def def = def_of(solver);
    def.gravity = (erg_vec3){0, 0, 0};
    erg_world   *world = new_world(&def);
    erg_id       steel = new_sand(world, 0.5, 0.5);
    erg_wall_def boom = arm_def(steel, (erg_vec3){0, 0, 0}, (erg_vec3){1, 0, 0});
    boom.motion[0] = hinge(2, -0.25, 0.4);
    boom.motion_count = 1;
    erg_id       a = new_wall(world, &boom);
    erg_wall_def stick = arm_def(steel, (erg_vec3){1, 0, 0}, (erg_vec3){1.5, 0, 0});
    stick.motion[0] = slide((erg_vec3){3, 0, 0}, 0.5, -0.1, 0.2);
    stick.motion_count = 1;
    stick.attach = a;
    erg_id b = new_wall(world, &stick);
    add_grain_far_away(world, steel);

    // Faster than its rate, and about other axes too: only the component along it counts.
    command_spin(world, a, (erg_vec3){7, 100, 3});
    command_velocity(world, b, (erg_vec3){0.25, 9, 9});
    run_until(world, 0.1);
    CHECK_NEAR(joint_of(world, a).value, 2 * erg_world_time(world), 1e-12);
    CHECK_NEAR(joint_of(world, b).value, 0.25 * erg_world_time(world), 1e-12);
    check_vec3(world->wall_state[a - 1].pose.spin, (erg_vec3){0, 2, 0}, 1e-12);
    run_until(world, 1.0);
    CHECK(joint_of(world, a).value == 0.4); // exactly
    CHECK(joint_of(world, b).value == 0.2);
    const ergi_pose *pose = &world->wall_state[b - 1].pose;
    check_vec3(ergi_add(stick.pivot, pose->position), along(1.2, 0.4), 1e-12);
    check_vec3(pose->velocity, (erg_vec3){0, 0, 0}, 0);
    check_vec3(pose->spin, (erg_vec3){0, 0, 0}, 0);

    command_spin(world, a, (erg_vec3){0, -1, 0});
    command_velocity(world, b, (erg_vec3){-0.4, 0, 0});
    step(world, 1);
    CHECK(joint_of(world, a).value < 0.4 && joint_of(world, b).value < 0.2);
    run_until(world, 2.0);
    CHECK(joint_of(world, a).value == -0.25);
    CHECK(joint_of(world, b).value == -0.1);
    erg_joint_state s = joint_of(world, a);
    CHECK(s.kind == ERG_JOINT_HINGE && s.speed == 2 && s.range[1] == 0.4 && s.along.y == 1);
    erg_world_destroy(world);
}

TEST(joints_stop_exactly_at_their_ends)
{
    check_ends(ERG_SOLVER_DEM);
    check_ends(ERG_SOLVER_PBD);
}

// ---- Forces ------------------------------------------------------------------------------------
// A platform on a servo, or on a carrier with a servo, holds the weight of a grain.
static double held_height(bool on_carrier, double turned)
{
    const double   force = 1e-3;
    erg_world_def  def = def_of(ERG_SOLVER_DEM);
    erg_world     *world = new_world(&def);
    erg_id         sand = new_sand(world, 0.1, 0.5);
    erg_wall_def   rail = arm_def(sand, (erg_vec3){0.1, 0, 0}, (erg_vec3){0.2, 0, 0});
    erg_keyframe   key = {.rotation = ergi_quat_from_axis_angle(ergi_vec3(0, 1, 0), turned)};
    erg_motion_def servo = erg_motion_def_default(ERG_MOTION_SERVO);
    // The keyframe turns the rail from the start; in its frame, up is turned back.
    servo.direction = ergi_quat_unrotate(key.rotation, ergi_vec3(0, 0, 1));
    servo.force = force;
    servo.max_speed = 0.05;
    rail.motion[0] = erg_motion_def_default(ERG_MOTION_KEYFRAMES);
    rail.motion[0].keys = &key;
    rail.motion[0].key_count = 1;
    rail.motion_count = 1;
    rail.pivot = (erg_vec3){0, 0, 0};
    erg_wall_def carriage = arm_def(sand, (erg_vec3){0.1, 0.2, 0}, (erg_vec3){0.2, 0.2, 0});
    carriage.attach = new_wall(world, &rail);
    carriage.motion[0] = servo;
    carriage.motion_count = 1;
    // Its outer radius is far below: the plate of the test is a plane that was tilted back.
    erg_wall_def plate = floor_def(sand);
    plate.plane.point = (erg_vec3){0, 0, 0};
    plate.plane.normal = ergi_quat_unrotate(key.rotation, ergi_vec3(0, 0, 1));
    if (on_carrier) {
        plate.attach = new_wall(world, &carriage);
    } else {
        plate.attach = carriage.attach;
        plate.motion[0] = servo;
        plate.motion_count = 1;
    }
    erg_id id = new_wall(world, &plate);
    erg_id kind = new_kind(world, ERG_SHAPE_SPHERE, sand);
    new_grain(world, kind, (erg_vec3){0, 0, 1e-3}, (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 0});
    run_until(world, 0.3);
    double height = world->wall_state[id - 1].pose.position.z;
    double drift = fabs(world->wall_state[id - 1].pose.position.x);
    CHECK(drift < 1e-9);
    erg_world_destroy(world);
    return height;
}

TEST(servo_feels_what_it_carries_in_the_frame_of_its_carrier)
{
    double own = held_height(false, 0), carried = held_height(true, 0);
    CHECK(own > 1e-3); // 1 mN lifts a grain of 0.1 mN
    CHECK_NEAR(carried, own, 1e-6 * own);
    CHECK_NEAR(held_height(false, 0.6), own, 1e-6 * own);
    CHECK_NEAR(held_height(true, 0.6), own, 1e-6 * own);
}

// ---- State -------------------------------------------------------------------------------------
// A scoop on a hinge, on a slide, in a box of grains.
static erg_world *new_digger(erg_solver solver, erg_id *slider, erg_id *scoop)
{
    erg_world_def def = def_of(solver);
    erg_world    *world = new_world(&def);
    erg_id        sand = new_sand(world, 0.5, 0.5);
    erg_wall_def  box =
        box_def(sand, (erg_vec3){0, 0, 0}, (erg_vec3){24e-3, 12e-3, 0.1}, ERG_FACE_Z_MAX);
    new_wall(world, &box);
    erg_wall_def rail = arm_def(sand, (erg_vec3){4e-3, 0, 30e-3}, (erg_vec3){4e-3, 12e-3, 30e-3});
    rail.motion[0] = slide((erg_vec3){1, 0, 0}, 0.2, 0, 15e-3);
    rail.motion_count = 1;
    *slider = new_wall(world, &rail);
    erg_wall_def arm = arm_def(sand, (erg_vec3){4e-3, 6e-3, 30e-3}, (erg_vec3){4e-3, 6e-3, 12e-3});
    arm.motion[0] = hinge(5, -0.5, 0.5);
    arm.motion_count = 1;
    arm.attach = *slider;
    *scoop = new_wall(world, &arm);
    fill_box(world, new_kind(world, ERG_SHAPE_SPHERE, sand), 150, (erg_vec3){0, 0, 0},
             (erg_vec3){24e-3, 12e-3, 12e-3});
    return world;
}

static void dig(erg_world *world, erg_id slider, erg_id scoop)
{
    command_velocity(world, slider, (erg_vec3){0.1, 0, 0});
    command_spin(world, scoop, (erg_vec3){0, 3, 0});
}

#if ERG_WITH_HDF5
static void check_state(erg_solver solver)
{
    erg_id     slider, scoop;
    erg_world *world[2];
    erg_error  err;
    scratch    folder;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "c.h5");
    for (int k = 0; k < 2; k++) world[k] = new_digger(solver, &slider, &scoop);
    run_until(world[0], 0.05);
    dig(world[0], slider, scoop);
    run_until(world[0], 0.1);
    must(erg_world_save(world[0], path, NULL, NULL, &err), &err);
    must(erg_world_load(world[1], path, &err), &err);
    CHECK(erg_world_hash(world[0]) == erg_world_hash(world[1]));
    CHECK(joint_of(world[1], scoop).value == joint_of(world[0], scoop).value);
    CHECK(joint_of(world[1], scoop).value > 0.1);
    for (int k = 0; k < 2; k++) run_until(world[k], 0.4);
    CHECK(joint_of(world[0], slider).value == 15e-3);
    CHECK(erg_world_hash(world[0]) == erg_world_hash(world[1]));
    scratch_close(&folder);
    for (int k = 0; k < 2; k++) erg_world_destroy(world[k]);
}
#endif

TEST(resumed_run_continues_with_the_same_bits)
{
#if ERG_WITH_HDF5
    check_state(ERG_SOLVER_DEM);
    check_state(ERG_SOLVER_PBD);
#endif
}

TEST(failed_step_leaves_the_joints_where_they_were)
{
    erg_id     slider, scoop;
    erg_error  err;
    erg_world *world = new_digger(ERG_SOLVER_DEM, &slider, &scoop);
    prepare(world);
    dig(world, slider, scoop);
    run_until(world, 0.02);
    write3(world, ERG_FIELD_VELOCITY, 1, (erg_vec3){0, 0, 1e6});
    uint64_t before = erg_world_hash(world);
    double   angle = joint_of(world, scoop).value;
    CHECK(erg_world_step(world, 10, &err) == ERG_BAD_PHYSICS);
    CHECK(angle > 0 && joint_of(world, scoop).value == angle);
    CHECK(erg_world_hash(world) == before);
    erg_world_destroy(world);
}

// The log of commands moves the joints of another world in the same way.
TEST(recorded_commands_replay_the_joints)
{
    erg_id     slider, scoop;
    erg_world *world[2];
    for (int k = 0; k < 2; k++) world[k] = new_digger(ERG_SOLVER_PBD, &slider, &scoop);
    run_until(world[0], 0.05);
    dig(world[0], slider, scoop);
    run_until(world[0], 0.15);
    erg_command log[2];
    size_t      count = erg_world_command_log(world[0], log, 2);
    REQUIRE(count == 2);
    for (size_t k = 0; k < count; k++) command(world[1], log[k]);
    run_until(world[1], 0.15);
    CHECK(erg_world_hash(world[0]) == erg_world_hash(world[1]));
    for (int k = 0; k < 2; k++) erg_world_destroy(world[k]);
}

// ---- Bad input ---------------------------------------------------------------------------------
static void expect(erg_status status, const erg_error *err, erg_error_code code, const char *field,
                   const char *part)
{
    CHECK(status == ERG_BAD_INPUT);
    CHECK(err->code == code);
    CHECK_STR(err->field, field);
    if (!strstr(err->text, part)) {
        printf("    \"%s\" lacks \"%s\"\n", err->text, part);
        check_failures++;
    }
}

TEST(bad_carriers_and_joints_are_refused)
{
    erg_world_def def = def_of(ERG_SOLVER_DEM);
    erg_world    *world = new_world(&def);
    erg_id        steel = new_sand(world, 0.5, 0.5);
    erg_error     err;
    erg_mesh     *cube = new_box(0.1, 0.1, 0.1);
    erg_body_def  body = erg_body_def_default();
    body.name = "brick";
    body.mesh = cube;
    body.material = steel;
    erg_id       brick = new_body(world, &body);
    erg_wall_def arm = arm_def(steel, (erg_vec3){0, 0, 1}, (erg_vec3){1, 0, 1}), bad = arm;
    uint64_t     before = erg_world_hash(world);
    bad.attach = brick;
    expect(erg_world_add_wall(world, &bad, NULL, &err), &err, ERG_ERROR_CONFLICT, "attach",
           "body 'brick', which is free");
    bad.attach = 2; // itself, had it been added
    expect(erg_world_add_wall(world, &bad, NULL, &err), &err, ERG_ERROR_UNKNOWN, "attach",
           "the world has 1");
    body.name = NULL;
    body.attach = brick;
    expect(erg_world_add_body(world, &body, NULL, &err), &err, ERG_ERROR_CONFLICT, "attach",
           "free body");

    arm.motion_count = 1;
    bad = arm;
    bad.motion[0] = hinge(1, 0.1, 1);
    expect(erg_world_add_wall(world, &bad, NULL, &err), &err, ERG_ERROR_OUT_OF_RANGE,
           "motion[0].range", "[0.1, 1]");
    bad.motion[0] = hinge(1, 0, 0);
    expect(erg_world_add_wall(world, &bad, NULL, &err), &err, ERG_ERROR_OUT_OF_RANGE,
           "motion[0].range", "[0, 0]");
    bad.motion[0] = hinge(1, (double)NAN, 1);
    expect(erg_world_add_wall(world, &bad, NULL, &err), &err, ERG_ERROR_NOT_FINITE,
           "motion[0].range", "range");
    bad.motion[0] = hinge(0, -1, 1);
    expect(erg_world_add_wall(world, &bad, NULL, &err), &err, ERG_ERROR_OUT_OF_RANGE,
           "motion[0].max_rate", "above 0 rad/s");
    bad.motion[0] = slide((erg_vec3){0, 0, 0}, 1, -1, 1);
    expect(erg_world_add_wall(world, &bad, NULL, &err), &err, ERG_ERROR_OUT_OF_RANGE,
           "motion[0].direction", "not zero");
    bad.motion[0] = slide((erg_vec3){0, 0, 1}, 1, -1, 1);
    bad.motion[0].key_up = 'i';
    expect(erg_world_add_wall(world, &bad, NULL, &err), &err, ERG_ERROR_MISSING,
           "motion[0].key_down", "two keys or none");
    bad.motion[0].key_down = 'w';
    expect(erg_world_add_wall(world, &bad, NULL, &err), &err, ERG_ERROR_OUT_OF_RANGE,
           "motion[0].key_down", "got 'w'");
    bad.motion[0].key_down = 'i';
    expect(erg_world_add_wall(world, &bad, NULL, &err), &err, ERG_ERROR_CONFLICT,
           "motion[0].key_down", "must differ");
    bad.motion[0].joint = (erg_joint)7;
    expect(erg_world_add_wall(world, &bad, NULL, &err), &err, ERG_ERROR_UNKNOWN, "motion[0].joint",
           "unknown joint 7");
    CHECK(erg_world_wall_count(world) == 1 && erg_world_hash(world) == before);

    arm.name = "arm";
    arm.motion[0] = hinge(1, -1, 1);
    arm.motion[0].key_up = 'r';
    arm.motion[0].key_down = 'f';
    new_wall(world, &arm);
    bad.motion[0] = hinge(1, -1, 1);
    bad.motion[0].key_up = '4';
    bad.motion[0].key_down = 'r';
    expect(erg_world_add_wall(world, &bad, NULL, &err), &err, ERG_ERROR_CONFLICT,
           "motion[0].key_down", "wall 'arm' uses already");
    erg_mesh_destroy(cube);
    erg_world_destroy(world);
}

// ---- Scenes ------------------------------------------------------------------------------------
#define HEAD                                                                                       \
    "materials: {m: {density: 2000, young: 1e7}}\n"                                                \
    "grains: {g: {material: m, radius: 0.01}}\n"

static const char EXCAVATOR[] =
    HEAD "walls:\n"
         "  - {name: bucket, material: m, attach: stick, pivot: [1.5, 0, 0],\n"
         "     capsule: {a: [1.5, 0, 0], b: [1.6, 0, 0], radius: 0.01}, side: outside,\n"
         "     motion: {user: {direction: [1, 0, 0], speed: 0.2, keys: ['4', '5']}}}\n"
         "  - {name: boom, material: m, pivot: [0, 0, 0], side: outside,\n"
         "     capsule: {a: [0, 0, 0], b: [1, 0, 0], radius: 0.01},\n"
         "     motion: {user: {axis: [0, 1, 0], rate: 0.6, range: [-0.5, 1.2], keys: [r, f]}}}\n"
         "bodies:\n"
         "  - {name: stick, material: m, attach: boom, pivot: [1, 0, 0], position: [1.25, 0, 0],\n"
         "     box: {size: [0.5, 0.05, 0.05]},\n"
         "     motion: {user: {axis: [0, 1, 0], rate: 0.4, keys: [t, g]}}}\n"
         "  - {name: tooth, material: m, attach: bucket, position: [1.7, 0, 0],\n"
         "     box: {size: [0.02, 0.02, 0.02]}}\n"
         "  - {name: loose, material: m, position: [9, 9, 9], box: {size: [0.1, 0.1, 0.1]}}\n"
         "run: {time: 1, speed: 1}\n";

static erg_world *build_scene(const char *text)
{
    erg_scene *scene = NULL;
    erg_world *world = NULL;
    erg_error  err;
    must(erg_scene_load_text(text, strlen(text), "excavator.yaml", NULL, 0, &scene, &err), &err);
    must(erg_scene_build(scene, NULL, NULL, &world, &err), &err);
    erg_scene_destroy(scene);
    return world;
}

// Carriers may stand anywhere in the file.
TEST(scene_attaches_in_any_order)
{
    erg_world *world = build_scene(EXCAVATOR);
    erg_id boom = erg_world_find_wall(world, "boom"), stick = erg_world_find_wall(world, "stick"),
           bucket = erg_world_find_wall(world, "bucket"),
           tooth = erg_world_find_wall(world, "tooth");
    command_spin(world, boom, (erg_vec3){0, 0.5, 0});
    command_spin(world, stick, (erg_vec3){0, -0.3, 0});
    command_velocity(world, bucket, (erg_vec3){0.1, 0, 0});
    run_until(world, 1);
    double a = joint_of(world, boom).value, b = joint_of(world, stick).value,
           c = joint_of(world, bucket).value;
    CHECK_NEAR(a, 0.5, 1e-3);
    CHECK_NEAR(c, 0.1, 1e-3);
    erg_body_state s = state_of(world, tooth);
    CHECK(!s.free);
    check_vec3(s.centre, ergi_add(along(1, a), along(0.7 + c, a + b)), 1e-12);
    check_vec3(s.spin, (erg_vec3){0, 0.2, 0}, 1e-12);
    erg_joint_state joint = joint_of(world, bucket);
    CHECK(joint.key_up == '4' && joint.key_down == '5' && joint.speed == 0.2);
    CHECK(isinf(joint.range[0]) && isinf(joint.range[1]));
    erg_world_destroy(world);
}

static void refuse(const char *set, erg_error_code code, const char *part)
{
    erg_scene  *scene = NULL;
    erg_world  *world = NULL;
    erg_error   err;
    const char *sets[] = {set};
    erg_status  status =
        erg_scene_load_text(EXCAVATOR, strlen(EXCAVATOR), "excavator.yaml", sets, 1, &scene, &err);
    if (status == ERG_OK) status = erg_scene_build(scene, NULL, NULL, &world, &err);
    CHECK(status == ERG_BAD_INPUT);
    if (status == ERG_BAD_INPUT && (err.code != code || !strstr(err.text, part))) {
        printf("    --set %s: \"%s\" (%d) lacks \"%s\"\n", set, err.text, (int)err.code, part);
        check_failures++;
    }
    erg_world_destroy(world);
    erg_scene_destroy(scene);
}

TEST(scene_refuses_circles_and_free_carriers)
{
    refuse("walls.boom.attach=boom", ERG_ERROR_BAD_FILE,
           "boom is attached to boom, that is, to itself");
    refuse("walls.boom.attach=tooth", ERG_ERROR_BAD_FILE,
           "bucket is attached to stick, which is attached to boom, tooth, bucket");
    refuse("walls.boom.attach=boon", ERG_ERROR_BAD_FILE, "did you mean 'boom'");
    refuse("bodies.stick.grid={count: [2, 1, 1], spacing: [1, 0, 0]}", ERG_ERROR_BAD_FILE,
           "bucket is attached to stick, which is a grid");
    refuse("walls.bucket.attach=loose", ERG_ERROR_BAD_FILE,
           "bucket is attached to loose, which is a free body");
}

TEST(scene_refuses_bad_joints)
{
    refuse("walls.boom.motion.user.range=[0.1, 1]", ERG_ERROR_BAD_FILE, "contain 0");
    refuse("walls.boom.motion.user.range=[1]", ERG_ERROR_BAD_FILE, "a list of 2");
    refuse("walls.boom.motion.user.keys=[w, f]", ERG_ERROR_BAD_FILE, "other than w, a, s, d");
    refuse("walls.boom.motion.user.keys=[t, f]", ERG_ERROR_CONFLICT, "uses the key 't'");
    refuse("walls.boom.motion.user.keys=[space, f]", ERG_ERROR_BAD_FILE, "key is 'space'");
    refuse("walls.boom.motion.user.keys=[r]", ERG_ERROR_BAD_FILE, "keys");
    refuse("walls.boom.motion.user.keys=[r, {}]", ERG_ERROR_BAD_FILE, "keys");
    refuse("walls.boom.motion.user.keys=r", ERG_ERROR_BAD_FILE, "keys");
    refuse("walls.boom.motion.user.speed=1", ERG_ERROR_BAD_FILE, "expected 'rate'");
    refuse("walls.boom.motion.user=yes", ERG_ERROR_BAD_FILE, "expected true or a map");
}

TEST_MAIN(two_link_arm_is_where_its_angles_put_it, own_motion_acts_in_the_frame_of_the_carrier,
          attached_lifters_carry_grains_as_spinning_ones, joints_stop_exactly_at_their_ends,
          servo_feels_what_it_carries_in_the_frame_of_its_carrier,
          resumed_run_continues_with_the_same_bits, failed_step_leaves_the_joints_where_they_were,
          recorded_commands_replay_the_joints, bad_carriers_and_joints_are_refused,
          scene_attaches_in_any_order, scene_refuses_circles_and_free_carriers,
          scene_refuses_bad_joints)
