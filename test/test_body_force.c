// labels: asan
// Forces and torques on free bodies, by command.
#include "body_helpers.h"
#include "scratch.h"

typedef struct stage {
    erg_world *world;
    erg_id     body;
    erg_mesh  *mesh;
} stage;

static stage build(erg_integrator integrator, erg_vec3 size, erg_quat rotation)
{
    stage         s;
    erg_world_def def = space_def(ERG_FLOAT);
    def.dt = 1e-4;
    def.integrator = integrator;
    s.world = new_world(&def);
    s.mesh = new_box(size.x, size.y, size.z);
    erg_body_def body = erg_body_def_default();
    body.material = new_wood(s.world, 0.5, 0.3);
    body.mesh = s.mesh;
    body.rotation = rotation;
    s.body = new_body(s.world, &body);
    return s;
}

static void release(stage *s)
{
    erg_world_destroy(s->world);
    erg_mesh_destroy(s->mesh);
}

static void push(const stage *s, erg_vec3 force, erg_vec3 torque)
{
    command(s->world,
            (erg_command){
                .kind = ERG_COMMAND_BODY_FORCE, .id = s->body, .vector = force, .vector2 = torque});
}

static const erg_vec3 NONE = {0, 0, 0};
static const erg_vec3 BRICK = {0.1, 0.2, 0.3};

static void check_vector(erg_vec3 got, erg_vec3 want, double share)
{
    CHECK_NEAR(ergi_distance(got, want) / ergi_norm(want), 0, share);
}

// ---- Newton and Euler --------------------------------------------------------------------------
static void check_force(erg_integrator integrator)
{
    const erg_vec3 force = {3, -2, 5};
    stage          s = build(integrator, BRICK, ergi_quat_identity());
    erg_stats      stats;
    erg_error      err;
    push(&s, force, NONE);
    step(s.world, 1000);
    erg_body_state b = state_of(s.world, s.body);
    double         t = erg_world_time(s.world);
    check_vector(b.velocity, ergi_scale(force, t / b.mass), 1e-12);
    if (integrator == ERG_VERLET)
        check_vector(b.centre, ergi_scale(force, 0.5 * t * t / b.mass), 1e-12);
    CHECK(ergi_norm(b.spin) == 0);
    CHECK(ergi_norm(b.force) == 0); // that of contacts
    must(erg_world_stats(s.world, &stats, &err), &err);
    CHECK(stats.dissipated == 0);
    // Another one replaces it.
    push(&s, ergi_scale(force, -1), NONE);
    step(s.world, 1000);
    CHECK_NEAR(ergi_norm(state_of(s.world, s.body).velocity), 0, 1e-12);
    // Zeros end it.
    push(&s, force, NONE);
    step(s.world, 10);
    push(&s, NONE, NONE);
    step(s.world, 1);
    erg_vec3 v = state_of(s.world, s.body).velocity;
    step(s.world, 100);
    CHECK(ergi_distance(state_of(s.world, s.body).velocity, v) == 0);
    release(&s);
}

TEST(a_force_accelerates_by_the_mass)
{
    check_force(ERG_VERLET);
    check_force(ERG_EULER);
}

TEST(a_torque_spins_a_cube_by_its_inertia)
{
    const erg_vec3 torque = {0.3, -0.1, 0.2};
    erg_quat       askew = ergi_quat_exp((erg_vec3){0.3, 0.5, -0.9});
    stage          s = build(ERG_VERLET, (erg_vec3){0.2, 0.2, 0.2}, askew);
    push(&s, NONE, torque);
    step(s.world, 1000);
    erg_body_state b = state_of(s.world, s.body);
    double         inertia = b.mass * 0.2 * 0.2 / 6;
    check_vector(b.spin, ergi_scale(torque, erg_world_time(s.world) / inertia), 1e-12);
    CHECK(ergi_norm(b.velocity) == 0);
    release(&s);
}

// About none of its axes: the angular momentum is that of the torque, along the axes of the world,
// however the brick tumbles.
TEST(a_torque_on_a_brick_is_along_the_axes_of_the_world)
{
    const erg_vec3 torque = {0.02, 0.5, 0.03};
    stage          s = build(ERG_VERLET, BRICK, ergi_quat_identity());
    push(&s, NONE, torque);
    step(s.world, 20000);
    erg_body_state b = state_of(s.world, s.body);
    double         m = b.mass / 12;
    erg_vec3       i = {m * (0.04 + 0.09), m * (0.01 + 0.09), m * (0.01 + 0.04)};
    erg_vec3       w = ergi_quat_unrotate(b.rotation, b.spin);
    erg_vec3       l = ergi_quat_rotate(b.rotation, ergi_vec3(i.x * w.x, i.y * w.y, i.z * w.z));
    check_vector(l, ergi_scale(torque, erg_world_time(s.world)), 1e-10);
    CHECK(ergi_quat_rotate(b.rotation, ergi_vec3(1, 0, 0)).x < 0.999); // it did turn
    release(&s);
}

// ---- As other commands -------------------------------------------------------------------------
static void play(const stage *s)
{
    command(s->world, (erg_command){.kind = ERG_COMMAND_BODY_FORCE,
                                    .step = 100,
                                    .id = s->body,
                                    .vector = {1, 2, 3},
                                    .vector2 = {0.1, 0.2, -0.1}});
    command(s->world,
            (erg_command){
                .kind = ERG_COMMAND_BODY_FORCE, .step = 300, .id = s->body, .vector = {0, 0, -3}});
}

TEST(the_record_replays_it)
{
    stage a = build(ERG_VERLET, BRICK, ergi_quat_identity()),
          b = build(ERG_VERLET, BRICK, ergi_quat_identity());
    play(&a);
    step(a.world, 400);
    erg_command log[4];
    CHECK(erg_world_command_log(a.world, log, 4) == 2);
    CHECK(log[0].kind == ERG_COMMAND_BODY_FORCE && log[0].step == 100 && log[1].step == 300);
    for (int k = 0; k < 2; k++) command(b.world, log[k]);
    step(b.world, 100);
    uint64_t before = erg_world_hash(b.world);
    step(b.world, 1);
    CHECK(erg_world_hash(b.world) != before);
    step(b.world, 299);
    CHECK(erg_world_hash(a.world) == erg_world_hash(b.world));
    release(&a);
    release(&b);
}

TEST(a_checkpoint_holds_it)
{
#if ERG_WITH_HDF5
    stage     a = build(ERG_VERLET, BRICK, ergi_quat_identity());
    scratch   folder;
    erg_error err;
    scratch_open(&folder);
    play(&a);
    step(a.world, 200); // one acts, one waits
    must(erg_world_save(a.world, scratch_path(&folder, "c.h5"), NULL, NULL, &err), &err);
    stage b = build(ERG_VERLET, BRICK, ergi_quat_identity());
    must(erg_world_load(b.world, scratch_path(&folder, "c.h5"), &err), &err);
    CHECK(erg_world_hash(a.world) == erg_world_hash(b.world));
    step(a.world, 200);
    step(b.world, 200);
    CHECK(erg_world_hash(a.world) == erg_world_hash(b.world));
    CHECK(ergi_norm(state_of(b.world, b.body).velocity) > 0);
    scratch_close(&folder);
    release(&a);
    release(&b);
#endif
}

TEST(what_is_no_free_body_is_refused)
{
    stage        s = build(ERG_VERLET, BRICK, ergi_quat_identity());
    erg_wall_def floor = floor_def(1);
    floor.plane.point.z = -10;
    erg_id       wall = new_wall(s.world, &floor);
    erg_body_def body = erg_body_def_default();
    body.material = 1;
    body.mesh = s.mesh;
    body.free = false;
    body.position.x = 1;
    erg_id      fixed = new_body(s.world, &body);
    erg_command c = {.kind = ERG_COMMAND_BODY_FORCE, .id = wall, .vector = {1, 0, 0}};
    erg_error   err;
    CHECK(erg_world_command(s.world, &c, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "which is not a free body") != NULL);
    c.id = fixed;
    CHECK(erg_world_command(s.world, &c, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "which is not a free body") != NULL);
    for (c.id = 0; c.id < 9; c.id += 4) // 0, 4 and 8: there are three
        CHECK(erg_world_command(s.world, &c, &err) == ERG_BAD_INPUT);
    c.id = s.body;
    c.vector2.y = (double)NAN;
    CHECK(erg_world_command(s.world, &c, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "a command contains a number that is not finite");
    // A force that makes the step fail is reported as the cause.
    c.vector2.y = 0;
    c.vector.x = 1e7;
    CHECK(erg_world_command(s.world, &c, &err) == ERG_OK);
    CHECK(erg_world_step(s.world, 1000, &err) == ERG_BAD_PHYSICS);
    CHECK(strstr(err.text, "commands push it too hard or too long") != NULL);
    release(&s);
}

TEST_MAIN(a_force_accelerates_by_the_mass, a_torque_spins_a_cube_by_its_inertia,
          a_torque_on_a_brick_is_along_the_axes_of_the_world, the_record_replays_it,
          a_checkpoint_holds_it, what_is_no_free_body_is_refused)
