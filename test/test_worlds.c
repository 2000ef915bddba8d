// labels: asan tsan clang
// Worlds share no state: two in one process, interleaved or concurrent, evolve as each would alone.
#include "world_helpers.h"

#include <pthread.h>

static erg_world *bed(uint64_t seed, erg_shape shape, erg_precision precision)
{
    erg_world_def def = erg_world_def_default();
    def.seed = seed;
    def.threads = 1;
    def.precision = precision;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.5, 0.5);
    erg_wall_def box =
        box_def(sand, (erg_vec3){0, 0, 0}, (erg_vec3){15e-3, 15e-3, 1}, ERG_FACE_Z_MAX);
    new_wall(world, &box);
    fill_box(world, new_kind(world, shape, sand), 150, (erg_vec3){0, 0, 0},
             (erg_vec3){15e-3, 15e-3, 0.2});
    return world;
}

static uint64_t alone(uint64_t seed, erg_shape shape, erg_precision precision)
{
    erg_world *world = bed(seed, shape, precision);
    step(world, 600);
    uint64_t hash = erg_world_hash(world);
    erg_world_destroy(world);
    return hash;
}

TEST(interleaved_worlds_go_as_each_alone)
{
    uint64_t want_a = alone(1, ERG_SHAPE_SPHERE, ERG_FLOAT),
             want_b = alone(2, ERG_SHAPE_DIMER, ERG_DOUBLE);
    erg_world *a = bed(1, ERG_SHAPE_SPHERE, ERG_FLOAT), *b = bed(2, ERG_SHAPE_DIMER, ERG_DOUBLE);
    for (int k = 0; k < 60; k++) {
        step(a, 10);
        step(b, 10);
    }
    CHECK(erg_world_hash(a) == want_a);
    CHECK(erg_world_hash(b) == want_b);
    CHECK(want_a != want_b);
    erg_world_destroy(a);
    erg_world_destroy(b);
}

static void *stroll(void *arg)
{
    erg_world *world = arg;
    step(world, 600);
    return NULL;
}

TEST(worlds_step_at_once_in_two_threads)
{
    uint64_t want_a = alone(3, ERG_SHAPE_SPHERE, ERG_DOUBLE),
             want_b = alone(4, ERG_SHAPE_TETRAHEDRON, ERG_FLOAT);
    erg_world *a = bed(3, ERG_SHAPE_SPHERE, ERG_DOUBLE),
              *b = bed(4, ERG_SHAPE_TETRAHEDRON, ERG_FLOAT);
    pthread_t thread;
    REQUIRE(pthread_create(&thread, NULL, stroll, a) == 0);
    stroll(b);
    REQUIRE(pthread_join(thread, NULL) == 0);
    CHECK(erg_world_hash(a) == want_a);
    CHECK(erg_world_hash(b) == want_b);
    erg_world_destroy(a);
    erg_world_destroy(b);
}

TEST(destroying_nothing_is_fine)
{
    erg_world_destroy(NULL);
    erg_world_def def = erg_world_def_default();
    erg_world    *world = new_world(&def);
    erg_world_destroy(world);
}

// A world without grains ticks all the same, and takes grains later.
TEST(an_empty_world_ticks)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    erg_world *world = new_world(&def);
    erg_id     kind = new_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 0.5, 0.5));
    step(world, 10);
    CHECK(erg_world_steps(world) == 10 && erg_world_time(world) > 0);
    CHECK(erg_world_grain_count(world) == 0 && erg_world_contact_count(world) == 0);
    erg_gid id =
        new_grain(world, kind, (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 0});
    step(world, 10);
    CHECK(read3(world, ERG_FIELD_POSITION, id).z < 0);
    erg_error err;
    must(erg_world_remove_grains(world, &id, 1, &err), &err);
    step(world, 10);
    CHECK(erg_world_grain_count(world) == 0 && stats_of(world).removed == 1);
    erg_world_destroy(world);
}

TEST_MAIN(interleaved_worlds_go_as_each_alone, worlds_step_at_once_in_two_threads,
          destroying_nothing_is_fine, an_empty_world_ticks)
