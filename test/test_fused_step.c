// labels: asan tsan clang
// Several steps in one call, where the fused pass runs chunks ahead of each other, give the same
// bits as single steps with a query after each.
#include "world_helpers.h"

typedef erg_world *(*build_fn)(int threads);

// Several chunks of spheres, settling fast in a box whose floor shakes.
static erg_world *shaken_grains(int threads, erg_shape shape, size_t count)
{
    erg_world_def def = erg_world_def_default();
    def.threads = threads;
    def.fixed_threads = true;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.5, 0.5);
    erg_wall_def box =
        box_def(sand, (erg_vec3){0, 0, 0}, (erg_vec3){24e-3, 24e-3, 1}, ERG_FACE_Z_MAX);
    erg_wall_def plate = floor_def(sand);
    plate.motion[0] = erg_motion_def_default(ERG_MOTION_OSCILLATION);
    plate.motion[0].amplitude = (erg_vec3){0, 0, 0.3e-3};
    plate.motion[0].frequency = 60;
    plate.motion_count = 1;
    new_wall(world, &box);
    new_wall(world, &plate);
    erg_id kind = new_kind(world, shape, sand);
    fill_box(world, kind, count, (erg_vec3){0, 0, 1e-3}, (erg_vec3){24e-3, 24e-3, 0.08});
    return world;
}

static erg_world *shaken(int threads)
{
    return shaken_grains(threads, ERG_SHAPE_SPHERE, 2200);
}

static erg_world *shaken_tetrahedra(int threads)
{
    return shaken_grains(threads, ERG_SHAPE_TETRAHEDRON, 400);
}

// Sizes so different that small spheres of later chunks push large ones of earlier chunks.
static erg_world *mixed(int threads)
{
    erg_world_def def = erg_world_def_default();
    def.threads = threads;
    def.fixed_threads = true;
    def.periodic_x = def.periodic_y = true;
    def.gravity = (erg_vec3){0, 0, -100}; // not to wait for long
    def.lower = (erg_vec3){0, 0, -1};
    def.upper = (erg_vec3){30e-3, 30e-3, 1};
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.5, 0.5);
    erg_wall_def plate = floor_def(sand);
    new_wall(world, &plate);
    erg_id kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, 0.4e-3, 1.6e-3);
    fill_box(world, kind, 1500, (erg_vec3){0, 0, 0}, (erg_vec3){30e-3, 30e-3, 0.1});
    return world;
}

// Every wall is pushed, and the same in both.
static void check_walls(const erg_world *a, const erg_world *b, size_t walls)
{
    for (erg_id w = 1; w <= walls; w++) {
        erg_wall_state p, q;
        erg_error      err;
        must(erg_world_wall_state(a, w, &p, &err), &err);
        must(erg_world_wall_state(b, w, &q, &err), &err);
        CHECK(p.force.x * p.force.x + p.force.y * p.force.y + p.force.z * p.force.z > 0);
        CHECK(p.force.x == q.force.x && p.force.y == q.force.y && p.force.z == q.force.z);
        CHECK(p.torque.x == q.torque.x && p.torque.y == q.torque.y && p.torque.z == q.torque.z);
    }
}

static void check_ahead(build_fn build, size_t walls, uint64_t steps)
{
    erg_world *slow = build(1);
    for (uint64_t k = 0; k < steps; k++) {
        step(slow, 1);
        (void)stats_of(slow);
    }
    erg_stats wanted = stats_of(slow);
    CHECK(wanted.contacts > 100);
    CHECK(wanted.rebuilds > 2);
    for (int threads = 1; threads <= 3; threads++) {
        erg_world *fast = build(threads);
        step(fast, steps);
        erg_stats got = stats_of(fast);
        CHECK(erg_world_hash(fast) == erg_world_hash(slow));
        CHECK(got.rebuilds == wanted.rebuilds && got.contacts == wanted.contacts);
        check_walls(fast, slow, walls);
        CHECK(got.dissipated == wanted.dissipated && got.elastic == wanted.elastic);
        erg_world_destroy(fast);
    }
    erg_world_destroy(slow);
}

TEST(spheres_in_a_shaken_box)
{
    check_ahead(shaken, 2, 2500);
}

TEST(mixed_sizes_in_a_periodic_box)
{
    check_ahead(mixed, 1, 4000);
}

TEST(tetrahedra_in_a_shaken_box)
{
    check_ahead(shaken_tetrahedra, 2, 4000);
}

// Forces on walls are current at the end of a run.
TEST(a_run_to_a_time_knows_what_walls_feel)
{
    erg_world *slow = shaken(1), *fast = shaken(2);
    prepare(fast);
    run_until(fast, 2499.5 * erg_world_dt(fast));
    CHECK(erg_world_steps(fast) == 2500);
    for (int k = 0; k < 2500; k++) step(slow, 1);
    check_walls(fast, slow, 2);
    erg_world_destroy(slow);
    erg_world_destroy(fast);
}

// Grains become so heavy that they crush each other some steps later: the world is then at the last
// good step, including the forces on its walls.
TEST(the_last_good_step_knows_what_walls_feel)
{
    erg_world  *slow = shaken(1), *fast = shaken(2);
    erg_error   err;
    erg_command heavy = {.kind = ERG_COMMAND_GRAVITY, .step = 2480, .vector = {0, 0, -2e4}};
    command(slow, heavy);
    command(fast, heavy);
    uint64_t steps = 0;
    while (steps < 5000 && erg_world_step(slow, 1, &err) == ERG_OK) steps++;
    CHECK(steps > 2490 && steps < 2560);
    CHECK(erg_world_step(fast, 5000, &err) == ERG_BAD_PHYSICS);
    CHECK(erg_world_steps(fast) == steps);
    check_walls(fast, slow, 2);
    erg_world_destroy(slow);
    erg_world_destroy(fast);
}

TEST_MAIN(spheres_in_a_shaken_box, tetrahedra_in_a_shaken_box, mixed_sizes_in_a_periodic_box,
          a_run_to_a_time_knows_what_walls_feel, the_last_good_step_knows_what_walls_feel)
