// Stacks of bodies in the real-time solver: equal and very unequal masses, thin boards.
// labels: asan clang
#include "body_helpers.h"

#define G 9.81

static erg_world *new_room(double gravity, int threads, erg_id *wood, erg_id *plane)
{
    erg_world_def def = erg_world_def_default();
    def.solver = ERG_SOLVER_PBD;
    def.threads = threads;
    def.fixed_threads = true;
    def.gravity = (erg_vec3){0, 0, -gravity};
    erg_world   *world = new_world(&def);
    erg_wall_def floor = floor_def(*wood = new_wood(world, 0.3, 0.5));
    *plane = new_wall(world, &floor);
    return world;
}

static erg_id add_box(erg_world *world, erg_id wood, erg_vec3 size, double mass, erg_vec3 at)
{
    erg_mesh    *mesh = new_box(size.x, size.y, size.z);
    erg_body_def def = erg_body_def_default();
    def.mesh = mesh;
    def.material = wood;
    def.mass = mass;
    def.position = at;
    erg_id id = new_body(world, &def);
    erg_mesh_destroy(mesh);
    return id;
}

static erg_id add_cube(erg_world *world, erg_id wood, double side, double mass, erg_vec3 at)
{
    return add_box(world, wood, (erg_vec3){side, side, side}, mass, at);
}

static double load_on(const erg_world *world, erg_id plane)
{
    erg_wall_state state;
    erg_error      err;
    must(erg_world_wall_state(world, plane, &state, &err), &err);
    return -state.force.z;
}

static void check_rest(const erg_world *world, erg_id body, double height)
{
    erg_body_state s = state_of(world, body);
    CHECK_NEAR(s.centre.z, height, 2e-4);
    CHECK(ergi_norm(s.velocity) < 1e-5 && ergi_norm(s.spin) < 1e-4);
}

// A box of 10 kg and `side` on one of 10 g and 0.1 m, laid down or dropped.
static void hold(double side, double drop)
{
    erg_id     wood, plane;
    erg_world *world = new_room(G, 1, &wood, &plane);
    double     rest = 0.1 + 0.5 * side;
    erg_id     light = add_cube(world, wood, 0.1, 0.01, (erg_vec3){0, 0, 0.05});
    erg_id     heavy = add_cube(world, wood, side, 10, (erg_vec3){0, 0, rest + drop});
    for (int k = 1; k <= 60; k++) {
        run_to(world, 0.02 * k);
        CHECK(state_of(world, heavy).centre.z > rest - 5e-4);
    }
    check_rest(world, light, 0.05);
    check_rest(world, heavy, rest);
    CHECK_NEAR(load_on(world, plane) / (10.01 * G), 1, 1e-3);
    erg_world_destroy(world);
}

TEST(a_light_box_holds_a_heavy_one)
{
    hold(0.1, 0);
    hold(0.2, 0);
    hold(0.1, 0.1);
}

// Dropped by half a metre, off centre, onto a board of 10 mm and a twentieth of its mass.
TEST(a_box_does_not_fall_through_a_thin_board)
{
    erg_id     wood, plane;
    erg_world *world = new_room(G, 1, &wood, &plane);
    erg_id board = add_box(world, wood, (erg_vec3){0.5, 0.5, 0.01}, 0.05, (erg_vec3){0, 0, 0.005});
    erg_id box = add_cube(world, wood, 0.1, 1, (erg_vec3){0.01, 0.02, 0.56});
    for (int k = 1; k <= 60; k++) {
        run_to(world, 0.025 * k);
        CHECK(state_of(world, box).centre.z > 0.058);
    }
    check_rest(world, board, 0.005);
    check_rest(world, box, 0.06);
    erg_world_destroy(world);
}

// Boxes that stand exactly on each other, or are off by 3 mm.
static void stand(double off)
{
    erg_id     wood, plane, box[10];
    erg_world *world = new_room(G, 1, &wood, &plane);
    erg_vec3   settled[10];
    for (int k = 0; k < 10; k++)
        box[k] = add_cube(world, wood, 0.1, 0.6, (erg_vec3){off * (k % 2), 0, 0.05 + 0.1 * k});
    run_to(world, 3);
    for (int k = 0; k < 10; k++) settled[k] = state_of(world, box[k]).centre;
    run_to(world, 10);
    for (int k = 0; k < 10; k++) {
        erg_body_state s = state_of(world, box[k]);
        CHECK_NEAR(s.centre.z, 0.05 + 0.1 * k, 5e-4);
        CHECK_NEAR(ergi_distance(s.centre, settled[k]), 0, off > 0 ? 2e-4 : 1e-6);
        CHECK(ergi_norm(s.velocity) < (off > 0 ? 1e-3 : 1e-6));
    }
    CHECK_NEAR(load_on(world, plane) / (6 * G), 1, 1e-3);
    erg_world_destroy(world);
}

TEST(ten_boxes_stand_for_ten_seconds)
{
    stand(0);
    stand(3e-3);
}

// A box of 10 kg strikes one of 10 g in free space.
TEST(unequal_boxes_collide)
{
    erg_id     wood, plane;
    erg_world *world = new_room(0, 1, &wood, &plane);
    erg_mesh  *mesh = new_box(0.1, 0.1, 0.1);
    double     mass[2] = {10, 0.01}, speed[2] = {1, 0}, momentum = 0, energy = 0;
    erg_id     box[2];
    for (int k = 0; k < 2; k++) {
        erg_body_def def = erg_body_def_default();
        def.mesh = mesh;
        def.material = wood;
        def.mass = mass[k];
        def.position = (erg_vec3){0.15 * k, 0.02 * k, 1};
        def.velocity = (erg_vec3){speed[k], 0, 0};
        box[k] = new_body(world, &def);
    }
    erg_mesh_destroy(mesh);
    run_to(world, 0.3);
    for (int k = 0; k < 2; k++) {
        erg_vec3 v = state_of(world, box[k]).velocity;
        momentum += mass[k] * v.x;
        energy += 0.5 * mass[k] * ergi_dot(v, v);
    }
    CHECK_NEAR(momentum, 10, 1e-4);
    CHECK(energy < 5 && state_of(world, box[1]).velocity.x > 0.5);
    erg_world_destroy(world);
}

// A heap of bricks that fell onto each other: comes to rest, and has the same bits on two threads.
TEST(bricks_come_to_rest)
{
    uint64_t hash[2];
    for (int t = 0; t < 2; t++) {
        erg_id     wood, plane, brick[12];
        erg_world *world = new_room(G, 1 + t, &wood, &plane);
        erg_mesh  *mesh = new_box(0.2, 0.1, 0.06);
        for (int k = 0; k < 12; k++) {
            erg_body_def def = erg_body_def_default();
            def.mesh = mesh;
            def.material = wood;
            def.position = (erg_vec3){0.05 * sin(3.0 * k), 0.05 * cos(5.0 * k), 0.1 + 0.13 * k};
            def.rotation = ergi_quat_from_axis_angle(ergi_vec3(0, 0, 1), 0.7 * k);
            brick[k] = new_body(world, &def);
        }
        erg_mesh_destroy(mesh);
        run_to(world, 3);
        for (int k = 0; k < 12; k++) {
            erg_body_state s = state_of(world, brick[k]);
            CHECK(s.centre.z > 0.029);
            CHECK(ergi_norm(s.velocity) < 1e-4 && ergi_norm(s.spin) < 1e-3);
        }
        hash[t] = erg_world_hash(world);
        erg_world_destroy(world);
    }
    CHECK(hash[0] == hash[1]);
}

TEST_MAIN(a_light_box_holds_a_heavy_one, a_box_does_not_fall_through_a_thin_board,
          ten_boxes_stand_for_ten_seconds, unequal_boxes_collide, bricks_come_to_rest)
