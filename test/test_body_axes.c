// labels: asan clang
// Bodies that are free in some axes and driven in the others, with both solvers.
#include "body_helpers.h"
#include "erg/erg.h"
#include "scratch.h"

#define G 9.81

static const erg_solver SOLVERS[] = {ERG_SOLVER_DEM, ERG_SOLVER_PBD};

static erg_world *new_place(erg_solver solver, double gravity)
{
    erg_world_def def = erg_world_def_default();
    def.solver = solver;
    def.threads = 1;
    def.gravity = (erg_vec3){0, 0, -gravity};
    return new_world(&def);
}

static erg_body_def partly_free(erg_mesh *mesh, erg_id material, uint32_t axes)
{
    erg_body_def def = erg_body_def_default();
    def.mesh = mesh;
    def.material = material;
    def.free_axes = axes;
    return def;
}

static void add_velocity(erg_body_def *def, erg_vec3 velocity)
{
    erg_motion_def *m = &def->motion[def->motion_count++];
    *m = erg_motion_def_default(ERG_MOTION_VELOCITY);
    m->velocity = velocity;
}

static void add_spin(erg_body_def *def, erg_vec3 axis, double rate)
{
    erg_motion_def *m = &def->motion[def->motion_count++];
    *m = erg_motion_def_default(ERG_MOTION_SPIN);
    m->axis = axis;
    m->rate = rate;
}

static void push(erg_world *world, erg_id body, erg_vec3 force, erg_vec3 torque)
{
    command(world,
            (erg_command){
                .kind = ERG_COMMAND_BODY_FORCE, .id = body, .vector = force, .vector2 = torque});
}

// ---- Translation -------------------------------------------------------------------------------
// A sledge: it falls freely, then slides with the given velocity. The floor pushes it up by its
// weight and back by its friction.
static void check_sledge(erg_solver solver)
{
    const double mu = 0.3, v = 0.4;
    erg_world   *world = new_place(solver, G);
    erg_id       wood = new_wood(world, 0.1, mu);
    erg_wall_def floor = floor_def(wood);
    erg_mesh    *mesh = new_box(0.1, 0.1, 0.1);
    erg_body_def body = partly_free(mesh, wood, ERG_AXIS_Z);
    new_wall(world, &floor);
    body.position = (erg_vec3){0.2, -0.1, 0.15};
    add_velocity(&body, (erg_vec3){v, 0, 100}); // along z it has no effect
    erg_id id = new_body(world, &body);
    erg_mesh_destroy(mesh);
    run_to(world, 0.1);
    double         t = erg_world_time(world);
    erg_body_state s = state_of(world, id);
    CHECK(s.free && s.free_axes == ERG_AXIS_Z);
    CHECK_NEAR(s.velocity.z, -G * t, 0.01);
    CHECK_NEAR(s.centre.z, 0.15 - 0.5 * G * t * t, 3e-3);
    run_to(world, 0.8);
    s = state_of(world, id);
    CHECK(s.velocity.x == v && s.velocity.y == 0 && ergi_norm(s.spin) == 0);
    CHECK_NEAR(s.centre.x, 0.2 + v * erg_world_time(world), 1e-12);
    CHECK_NEAR(s.centre.y, -0.1, 1e-15);
    CHECK_NEAR(s.centre.z, 0.05, 2e-3);
    CHECK_NEAR(s.force.z / (s.mass * G), 1, 0.02);
    CHECK_NEAR(s.force.x / (s.mass * G), -mu, 0.02 * mu);
    // A commanded force acts on free axes only.
    push(world, id, (erg_vec3){50, 50, -s.mass * G}, (erg_vec3){1, 1, 1});
    run_to(world, 1.2);
    s = state_of(world, id);
    CHECK(s.velocity.x == v && s.velocity.y == 0 && ergi_norm(s.spin) == 0);
    CHECK_NEAR(s.force.z / (s.mass * G), 2, 0.04);
    erg_world_destroy(world);
}

TEST(a_sledge_falls_and_slides_as_given)
{
    for (int k = 0; k < 2; k++) check_sledge(SOLVERS[k]);
}

// With the given spin the wheel slips first and accelerates by mu g, then rolls. While it slips the
// floor brakes its spin by mu m g r; while it rolls it needs no torque.
static void check_wheel(erg_solver solver)
{
    const double mu = 0.4, r = 0.05, spin = 20;
    erg_world   *world = new_place(solver, G);
    erg_id       wood = new_wood(world, 0.1, mu);
    erg_wall_def floor = floor_def(wood);
    erg_mesh    *mesh = new_ball(r);
    erg_body_def body = partly_free(mesh, wood, ERG_AXIS_X | ERG_AXIS_Z);
    new_wall(world, &floor);
    body.position.z = r;
    add_spin(&body, (erg_vec3){0, 1, 0}, spin);
    erg_id id = new_body(world, &body);
    erg_mesh_destroy(mesh);
    run_to(world, 0.05);
    double v = state_of(world, id).velocity.x, t = erg_world_time(world);
    run_to(world, 0.2); // rolls from 0.255 s on
    erg_body_state s = state_of(world, id);
    CHECK_NEAR((s.velocity.x - v) / (mu * G * (erg_world_time(world) - t)), 1, 0.02);
    CHECK_NEAR(s.force.x / (mu * s.mass * G), 1, 0.03);
    CHECK_NEAR(s.torque.y / (mu * s.mass * G * r), -1, 0.03);
    run_to(world, 0.6);
    s = state_of(world, id);
    CHECK_NEAR(s.velocity.x / (spin * r), 1, 0.01);
    CHECK(s.spin.y == spin && s.spin.x == 0 && s.spin.z == 0 && s.velocity.y == 0);
    CHECK_NEAR(s.force.x / (mu * s.mass * G), 0, 0.03);
    // Where it is by its own motion: twice the angle of the quaternion is that of the spin.
    double   angle = spin * erg_world_time(world);
    erg_vec3 up = ergi_quat_rotate(s.rotation, (erg_vec3){0, 0, 1});
    CHECK_NEAR(up.x, sin(angle), 1e-9);
    CHECK_NEAR(up.z, cos(angle), 1e-9);
    erg_world_destroy(world);
}

TEST(a_driven_wheel_slips_then_rolls)
{
    for (int k = 0; k < 2; k++) check_wheel(SOLVERS[k]);
}

// ---- Rotation ----------------------------------------------------------------------------------
// A brick that is askew, on a hinge along z: angle = torque t^2/(2 I), I about the hinge.
static void check_hinge(erg_solver solver)
{
    const erg_vec3 size = {0.1, 0.2, 0.3};
    const double   torque = 0.5;
    erg_world     *world = new_place(solver, G);
    erg_id         wood = new_wood(world, 0.1, 0.3);
    erg_mesh      *mesh = new_box(size.x, size.y, size.z);
    erg_body_def   body = partly_free(mesh, wood, ERG_AXIS_RZ);
    body.rotation = ergi_quat_exp((erg_vec3){0.7, 0.5, -0.3});
    erg_id id = new_body(world, &body);
    erg_mesh_destroy(mesh);
    double   m = state_of(world, id).mass / 12;
    erg_vec3 a = ergi_quat_unrotate(body.rotation, (erg_vec3){0, 0, 1});
    double   inertia = m * (a.x * a.x * (size.y * size.y + size.z * size.z) +
                          a.y * a.y * (size.x * size.x + size.z * size.z) +
                          a.z * a.z * (size.x * size.x + size.y * size.y));
    push(world, id, (erg_vec3){5, 5, 5}, (erg_vec3){0.3, -0.4, torque});
    run_to(world, 0.5);
    erg_body_state s = state_of(world, id);
    double         t = erg_world_time(world), angle = 0.5 * torque * t * t / inertia;
    CHECK(ergi_norm(s.centre) < 1e-12 && ergi_norm(s.velocity) == 0);
    CHECK(s.spin.x == 0 && s.spin.y == 0);
    CHECK_NEAR(s.spin.z * inertia / (torque * t), 1, 1e-6);
    CHECK(angle > 0.5 && angle < 6);
    erg_quat turn = ergi_quat_mul(s.rotation, ergi_quat_conjugate(body.rotation));
    CHECK(fabs(turn.x) + fabs(turn.y) < 1e-9);
    double turned = 2 * atan2(turn.z, turn.w);
    // A substep of the real-time solver is first order.
    CHECK_NEAR((turned < 0 ? turned + 2 * ERGI_PI : turned) / angle, 1,
               solver == ERG_SOLVER_DEM ? 1e-6 : 0.02);
    erg_world_destroy(world);
}

TEST(a_torque_turns_a_brick_on_a_hinge)
{
    for (int k = 0; k < 2; k++) check_hinge(SOLVERS[k]);
}

// A grain falls on the end of a board on a hinge: the board tips, and the angular momentum about
// the hinge is what the torque of the contact was.
static void check_seesaw(erg_solver solver)
{
    erg_world   *world = new_place(solver, G);
    erg_id       wood = new_wood(world, 0.1, 0.3), bead = new_sand(world, 0.1, 0.3);
    erg_id       kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, bead, 0.01, 0.01);
    erg_mesh    *mesh = new_box(0.4, 0.1, 0.02);
    erg_body_def body = partly_free(mesh, wood, ERG_AXIS_RY);
    erg_id       id = new_body(world, &body);
    erg_mesh_destroy(mesh);
    erg_gid grain = new_grain(world, kind, (erg_vec3){0.15, 0, 0.0205}, (erg_vec3){0, 0, 0},
                              (erg_vec3){0, 0, 0});
    run_to(world, 0.1);
    erg_body_state s = state_of(world, id);
    erg_vec3       v = read3(world, ERG_FIELD_VELOCITY, grain);
    double         mass = 4.0 / 3 * ERGI_PI * 1e-6 * 2500;
    double         inertia = s.mass / 12 * (0.4 * 0.4 + 0.02 * 0.02) + mass * 0.15 * 0.15;
    double         want = mass * G * 0.15 * erg_world_time(world) / inertia;
    CHECK_NEAR(s.spin.y / want, 1, 0.05);
    CHECK(s.spin.x == 0 && s.spin.z == 0 && ergi_norm(s.velocity) == 0);
    CHECK_NEAR(v.z / (-0.15 * s.spin.y), 1, 0.2); // the real-time grain hops a little
    CHECK_NEAR(s.force.z / (-mass * G), 1, 0.3);
    erg_world_destroy(world);
}

TEST(a_grain_tips_a_board_on_a_hinge)
{
    for (int k = 0; k < 2; k++) check_seesaw(SOLVERS[k]);
}

// ---- Motions -----------------------------------------------------------------------------------
// A user motion and an oscillation in driven axes, free along z.
static void check_user(erg_solver solver)
{
    erg_world   *world = new_place(solver, G);
    erg_id       wood = new_wood(world, 0.1, 0.3);
    erg_mesh    *mesh = new_ball(0.05);
    erg_body_def body = partly_free(mesh, wood, ERG_AXIS_Z);
    body.motion[0] = erg_motion_def_default(ERG_MOTION_USER);
    body.motion[1] = erg_motion_def_default(ERG_MOTION_OSCILLATION);
    body.motion[1].amplitude = (erg_vec3){0, 0.1, 0};
    body.motion[1].frequency = 2;
    body.motion_count = 2;
    erg_id id = new_body(world, &body);
    erg_mesh_destroy(mesh);
    command(world, (erg_command){.kind = ERG_COMMAND_WALL_VELOCITY,
                                 .id = id,
                                 .vector = {0.5, 0, 7},
                                 .vector2 = {0, 3, 0}});
    run_to(world, 0.3);
    double         t = erg_world_time(world), w = 4 * ERGI_PI;
    erg_body_state s = state_of(world, id);
    CHECK_NEAR(s.velocity.x, 0.5, 1e-12);
    CHECK_NEAR(s.centre.x, 0.5 * t, 1e-9);
    CHECK_NEAR(s.centre.y, 0.1 * sin(w * t), 1e-9);
    CHECK_NEAR(s.velocity.y, 0.1 * w * cos(w * t), 1e-9);
    CHECK_NEAR(s.velocity.z, -G * t, 0.02);
    CHECK_NEAR(s.spin.y, 3, 1e-12);
    CHECK_NEAR(ergi_quat_rotate(s.rotation, (erg_vec3){0, 0, 1}).x, sin(3 * t), 1e-9);
    erg_world_destroy(world);
}

TEST(a_user_drives_the_other_axes)
{
    for (int k = 0; k < 2; k++) check_user(SOLVERS[k]);
}

// ---- On walls ----------------------------------------------------------------------------------
// Contacts that cannot give way keep finite forces: a ball that is only free to fall turns on a
// floor with rolling resistance, and a hinge presses a ball into the floor.
static void check_pressed(erg_solver solver)
{
    erg_world       *world = new_place(solver, G);
    erg_material_def felt = erg_material_def_default();
    felt.density = 600;
    felt.young = 1e7;
    felt.friction = 0.4;
    felt.rolling = 0.1;
    erg_id       material = new_material(world, &felt);
    erg_wall_def floor = floor_def(material);
    erg_mesh    *mesh = new_ball(0.05);
    erg_body_def body = partly_free(mesh, material, ERG_AXIS_Z);
    new_wall(world, &floor);
    body.position.z = 0.05;
    add_spin(&body, (erg_vec3){0, 1, 0}, 5);
    erg_id top = new_body(world, &body);
    body.position = (erg_vec3){0.3, 0, 0.05 - 1e-5};
    body.free_axes = ERG_AXIS_RY;
    body.motion_count = 0;
    erg_id hinge = new_body(world, &body);
    erg_mesh_destroy(mesh);
    run_to(world, 0.5);
    erg_body_state a = state_of(world, top), b = state_of(world, hinge);
    CHECK_NEAR(a.force.z / (a.mass * G), 1, 0.02);
    CHECK_NEAR(a.force.x / (a.mass * G), 0.4, 0.02);
    CHECK(a.spin.y == 5 && a.velocity.x == 0 && fabs(a.velocity.z) < 1e-3);
    CHECK_NEAR(b.centre.z, 0.05 - 1e-5, 1e-12);
    CHECK(ergi_finite(b.force) && ergi_norm(b.spin) < 1e-3);
    erg_world_destroy(world);
}

TEST(pressed_on_walls_forces_stay_finite)
{
    for (int k = 0; k < 2; k++) check_pressed(SOLVERS[k]);
}

// ---- State -------------------------------------------------------------------------------------
static erg_world *wheel_on_sand(erg_solver solver, erg_id *id)
{
    erg_world   *world = new_place(solver, G);
    erg_id       wood = new_wood(world, 0.1, 0.5), sand = new_sand(world, 0.3, 0.5);
    erg_id       kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, 0.006, 0.006);
    erg_wall_def box =
        box_def(wood, (erg_vec3){-0.08, -0.04, 0}, (erg_vec3){0.08, 0.04, 0.2}, ERG_FACE_Z_MAX);
    new_wall(world, &box);
    CHECK(fill_box(world, kind, 100, (erg_vec3){-0.08, -0.04, 0}, (erg_vec3){0.08, 0.04, 0.05}) >
          50);
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_CYLINDER);
    shape.radius = 0.03;
    shape.height = 0.04;
    erg_mesh    *mesh = new_shape(shape);
    erg_body_def body = partly_free(mesh, wood, ERG_AXIS_X | ERG_AXIS_Z);
    body.position = (erg_vec3){-0.03, 0, 0.085};
    body.rotation = ergi_quat_from_axis_angle((erg_vec3){1, 0, 0}, ERGI_PI / 2);
    add_spin(&body, (erg_vec3){0, 1, 0}, 10);
    body.motion[1] = erg_motion_def_default(ERG_MOTION_USER);
    body.motion_count = 2;
    *id = new_body(world, &body);
    erg_mesh_destroy(mesh);
    command(world,
            (erg_command){.kind = ERG_COMMAND_WALL_VELOCITY, .id = *id, .vector = {0, 0.02, 0}});
    command(world, (erg_command){.kind = ERG_COMMAND_BODY_FORCE, .id = *id, .vector = {0, 0, -1}});
    return world;
}

static void check_state(erg_solver solver)
{
    erg_id     id;
    erg_error  err;
    erg_world *one = wheel_on_sand(solver, &id), *two = wheel_on_sand(solver, &id);
    run_to(one, 0.25);
    CHECK(ergi_norm(state_of(one, id).force) > 0);
    CHECK(state_of(one, id).velocity.y == 0.02);
#if ERG_WITH_HDF5
    scratch folder;
    scratch_open(&folder);
    must(erg_world_save(one, scratch_path(&folder, "c.h5"), NULL, NULL, &err), &err);
    must(erg_world_load(two, scratch_path(&folder, "c.h5"), &err), &err);
    scratch_close(&folder);
#else
    run_to(two, 0.25);
#endif
    CHECK(erg_world_hash(one) == erg_world_hash(two));
    // A bad step is taken back.
    uint64_t steps = erg_world_steps(one);
    step(one, 40);
    command(two,
            (erg_command){
                .kind = ERG_COMMAND_PUSH, .step = steps + 40, .value = 10, .vector = {1e7, 0, 0}});
    CHECK(erg_world_step(two, 100, &err) == ERG_BAD_PHYSICS);
    CHECK(erg_world_steps(two) == steps + 40);
    CHECK(erg_world_hash(one) == erg_world_hash(two));
    erg_body_state a = state_of(one, id), b = state_of(two, id);
    CHECK(memcmp(&a.centre, &b.centre, sizeof a.centre) == 0);
    CHECK(memcmp(&a.rotation, &b.rotation, sizeof a.rotation) == 0);
    erg_world_destroy(one);
    erg_world_destroy(two);
}

TEST(it_resumes_and_rolls_back_to_the_same_bits)
{
    for (int k = 0; k < 2; k++) check_state(SOLVERS[k]);
}

// What the driver puts in and takes out is not dissipated: a sledge that slides on the floor turns
// its work into heat, and the energies add up.
TEST(the_energies_add_up)
{
    const double mu = 0.3;
    erg_world   *world = new_place(ERG_SOLVER_DEM, G);
    erg_id       wood = new_wood(world, 0.1, mu);
    erg_wall_def floor = floor_def(wood);
    erg_mesh    *mesh = new_box(0.1, 0.1, 0.1);
    erg_body_def body = partly_free(mesh, wood, ERG_AXIS_Z);
    new_wall(world, &floor);
    body.position.z = 0.05;
    add_velocity(&body, (erg_vec3){0.5, 0, 0});
    erg_id id = new_body(world, &body);
    erg_mesh_destroy(mesh);
    run_to(world, 0.1);
    double before = stats_of(world).dissipated, mass = state_of(world, id).mass;
    CHECK_NEAR(stats_of(world).kinetic, 0, 1e-3 * mass);
    run_to(world, 0.5);
    double heat = stats_of(world).dissipated - before;
    CHECK_NEAR(heat / (mu * mass * G * 0.5 * 0.4), 1, 0.02);
    erg_world_destroy(world);
}

// ---- Bad input ---------------------------------------------------------------------------------
static void check_refused(erg_world *world, erg_body_def *def, const char *field, const char *text)
{
    erg_error err;
    CHECK(erg_world_add_body(world, def, NULL, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.field, field);
    CHECK_STR(err.text, text);
}

TEST(bad_axes_are_refused)
{
    erg_world   *world = new_place(ERG_SOLVER_DEM, G);
    erg_id       wood = new_wood(world, 0.1, 0.3);
    erg_mesh    *mesh = new_box(0.1, 0.1, 0.1);
    erg_body_def def = partly_free(mesh, wood, 0);
    check_refused(world, &def, "free_axes",
                  "body: free_axes of a free body must be ERG_AXIS_ bits, got 0; a body with no "
                  "free axis is not free");
    def.free_axes = ERG_AXIS_Z | ERG_AXIS_RX | ERG_AXIS_RZ;
    check_refused(world, &def, "free_axes",
                  "body: free contains two rotations, expected none, one or all of rx, ry and rz");
    def.free_axes = ERG_AXIS_Z;
    def.velocity.y = 1;
    check_refused(world, &def, "velocity",
                  "body: initial velocity along y, which is not free: add y to free, or move the "
                  "body by a motion");
    def.velocity = (erg_vec3){0, 0, 1};
    def.spin.x = 1;
    check_refused(world, &def, "spin",
                  "body: initial spin about x, which is not free: add rx to free, or rotate the "
                  "body by a motion");
    def.spin.x = 0;
    def.free_axes |= ERG_AXIS_RY;
    add_spin(&def, (erg_vec3){0, 1, 0}, 1); // has no effect
    add_spin(&def, (erg_vec3){0, 1, 1}, 1);
    check_refused(world, &def, "motion[1]",
                  "body: its rotation about y is free, and motion 1 rotates it about another axis: "
                  "give the body no free rotation, or the motion no rotation");
    def.motion_count = 1;
    new_body(world, &def);
    def.free_axes = ERG_AXIS_ALL;
    check_refused(world, &def, "motion_count",
                  "body: a free body cannot have a motion, unless some axes are not free");
    def.motion_count = 0;
    def.free_axes = ERG_AXIS_Z;
    def.has_pivot = true;
    check_refused(world, &def, "has_pivot",
                  "body: a free body rotates about its centre of mass and takes no pivot");
    erg_mesh_destroy(mesh);
    erg_world_destroy(world);
}

// ---- Scenes ------------------------------------------------------------------------------------
#define SCENE                                                                                      \
    "materials: {wood: {density: 600}}\n"                                                          \
    "bodies: [{name: a, material: wood, sphere: {radius: 1}, "

static erg_status build(const char *keys, erg_body_state *out, erg_error *err)
{
    char text[512];
    snprintf(text, sizeof text, SCENE "%s}]\n", keys);
    erg_scene *scene = NULL;
    erg_world *world = NULL;
    erg_status status = erg_scene_load_text(text, strlen(text), "s.yaml", NULL, 0, &scene, err);
    if (status == ERG_OK) status = erg_scene_build(scene, NULL, NULL, &world, err);
    if (status == ERG_OK) *out = state_of(world, 1);
    erg_scene_destroy(scene);
    erg_world_destroy(world);
    return status;
}

TEST(scenes_say_it)
{
    erg_body_state s;
    erg_error      err;
    CHECK(build("free: [x, rz], motion: {velocity: [1, 2, 0]}, velocity: [3, 0, 0]", &s, &err) ==
          ERG_OK);
    CHECK(s.free && s.free_axes == (ERG_AXIS_X | ERG_AXIS_RZ));
    CHECK(s.velocity.x == 3 && s.velocity.y == 2);
    CHECK(build("free: z", &s, &err) == ERG_OK && s.free_axes == ERG_AXIS_Z);
    CHECK(build("free: []", &s, &err) == ERG_OK && !s.free && s.free_axes == 0);
    CHECK(build("motion: fixed", &s, &err) == ERG_OK && !s.free);
    CHECK(build("free: [x, y, z, rx, ry, rz]", &s, &err) == ERG_OK && s.free_axes == ERG_AXIS_ALL);
    static const char *const bad[][2] = {
        {"free: [w]", "w"},
        {"free: [x, rx, ry]", "free contains two rotations"},
        {"free: [x], velocity: [0, 1, 0]", "initial velocity along y, which is not free"},
        {"free: [x], spin: [0, 0, 1]", "initial spin about z, which is not free"},
        {"free: [], velocity: [0, 1, 0]", "velocity applies to free bodies only"},
        {"free: [x], pivot: [0, 0, 0]", "expected no pivot"},
        {"free: [x, y, z, rx, ry, rz], motion: fixed", "free contains all axes"},
        {"free: [rx], motion: {spin: {rate: 1}}", "rotates it about another axis"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        CHECK(build(bad[k][0], &s, &err) == ERG_BAD_INPUT);
        if (!strstr(err.text, bad[k][1])) CHECK_STR(err.text, bad[k][1]);
    }
}

TEST_MAIN(a_sledge_falls_and_slides_as_given, a_driven_wheel_slips_then_rolls,
          a_torque_turns_a_brick_on_a_hinge, a_grain_tips_a_board_on_a_hinge,
          a_user_drives_the_other_axes, pressed_on_walls_forces_stay_finite,
          it_resumes_and_rolls_back_to_the_same_bits, the_energies_add_up, bad_axes_are_refused,
          scenes_say_it)
