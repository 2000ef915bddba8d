// labels: asan clang
// Definitions that change between prepare and the first step, and calls in an unusual order.
#include "check.h"

#include "world_helpers.h"

static erg_world *bed(erg_id *sand, erg_id *kind)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    erg_world *world = new_world(&def);
    *sand = new_sand(world, 0.5, 0.5);
    *kind = new_kind(world, ERG_SHAPE_SPHERE, *sand);
    erg_wall_def floor = floor_def(*sand);
    new_wall(world, &floor);
    fill_box(world, *kind, 60, (erg_vec3){0, 0, 0}, (erg_vec3){0.01, 0.01, 0.02});
    return world;
}

// A law that needs more memory a contact than the lists have.
TEST(pair_after_prepare_gets_its_memory)
{
    erg_id     sand, kind;
    erg_world *world = bed(&sand, &kind);
    prepare(world);
    erg_pair_def pair = erg_pair_def_default();
    pair.a = pair.b = sand;
    pair.rolling = 0.3;
    CHECK(erg_world_set_pair(world, &pair, NULL) == ERG_OK);
    step(world, 2000);
    CHECK(stats_of(world).contacts > 30);
    erg_world_destroy(world);
}

TEST(wall_after_a_failed_step_is_no_trap)
{
    erg_id     sand, kind;
    erg_error  err;
    erg_world *world = bed(&sand, &kind);
    command(world, (erg_command){.kind = ERG_COMMAND_PUSH, .value = 1, .vector = {1e6, 0, 0}});
    CHECK(erg_world_step(world, 1, &err) == ERG_BAD_PHYSICS);
    CHECK(erg_world_steps(world) == 0);
    erg_wall_def box = box_def(sand, (erg_vec3){-1, -1, -1}, (erg_vec3){1, 1, 1}, 0);
    new_wall(world, &box);
    CHECK(erg_world_step(world, 1, &err) == ERG_BAD_PHYSICS); // the push is still in the queue
    CHECK(erg_world_steps(world) == 0);
    erg_world_destroy(world);
}

// Nothing has moved at t = 0, so preparing again changes nothing.
TEST(prepare_twice_is_prepare_once)
{
    uint64_t hash[2];
    for (int twice = 0; twice < 2; twice++) {
        erg_id     sand, kind;
        erg_world *world = bed(&sand, &kind);
        new_grain(world, kind, (erg_vec3){0.05, 0, 0.00099}, (erg_vec3){0.3, 0, 0},
                  (erg_vec3){0, 0, 0});
        for (int k = 0; k < 1 + 4 * twice; k++) {
            prepare(world);
            write3(world, ERG_FIELD_VELOCITY, 61, (erg_vec3){0.3, 0, 0}); // voids the preparation
        }
        step(world, 5);
        hash[twice] = erg_world_hash(world);
        erg_world_destroy(world);
    }
    CHECK(hash[0] == hash[1]);
}

TEST(sink_that_opens_takes_grains_at_rest)
{
    erg_id       sand, kind;
    erg_world   *world = bed(&sand, &kind);
    erg_sink_def sink = erg_sink_def_default();
    sink.region = box_region((erg_vec3){-1, -1, -1}, (erg_vec3){1, 1, 1});
    sink.start = 0.15;
    CHECK(erg_world_add_sink(world, &sink, NULL, NULL) == ERG_OK);
    run_until(world, 0.149);
    CHECK(erg_world_grain_count(world) == 60);
    run_until(world, 0.151);
    CHECK(erg_world_grain_count(world) == 0);
    CHECK(stats_of(world).removed == 60);
    erg_world_destroy(world);
}

TEST(written_positions_come_into_the_periodic_box)
{
    erg_world_def def = space_def(ERG_FLOAT);
    def.periodic_x = true;
    def.lower.x = 0;
    def.upper.x = 0.1;
    erg_world *world = new_world(&def);
    erg_id     sand = new_sand(world, 1, 0), kind = new_kind(world, ERG_SHAPE_SPHERE, sand);
    erg_gid    a =
        new_grain(world, kind, (erg_vec3){0.02, 0, 0}, (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 0});
    erg_gid b =
        new_grain(world, kind, (erg_vec3){0.06, 0, 0}, (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 0});
    step(world, 1);
    write3(world, ERG_FIELD_POSITION, b, (erg_vec3){0.02 + 0.00195 + 0.5, 0, 0});
    step(world, 1);
    CHECK(erg_world_contact_count(world) == 1);
    CHECK_NEAR(read3(world, ERG_FIELD_POSITION, b).x, 0.02195, 1e-6);
    CHECK_NEAR(read3(world, ERG_FIELD_POSITION, a).x, 0.02, 1e-6);
    erg_world_destroy(world);
}

TEST(grains_can_be_taken_from_a_world_that_cannot_start)
{
    erg_id     sand, kind;
    erg_error  err;
    erg_world *world = bed(&sand, &kind);
    erg_gid    extra =
        new_grain(world, kind, (erg_vec3){0.1, 0, 0.1}, (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 0});
    new_grain(world, kind, (erg_vec3){0.1001, 0, 0.1}, (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 0});
    CHECK(erg_world_prepare(world, &err) == ERG_BAD_PHYSICS);
    CHECK(erg_world_remove_grains(world, &extra, 1, &err) == ERG_OK);
    step(world, 10);
    CHECK(erg_world_grain_count(world) == 61);
    erg_world_destroy(world);
}

TEST(emitter_gives_no_more_than_its_time)
{
    erg_id          sand, kind;
    erg_world      *world = bed(&sand, &kind);
    erg_emitter_def emitter = erg_emitter_def_default();
    emitter.grain = kind;
    emitter.region = box_region((erg_vec3){0, 0, 0.3}, (erg_vec3){0.05, 0.05, 0.32});
    emitter.rate = 100;
    emitter.stop = 0.1;
    CHECK(erg_world_add_emitter(world, &emitter, NULL, NULL) == ERG_OK);
    run_until(world, 0.2);
    CHECK(stats_of(world).emitted >= 9 && stats_of(world).emitted <= 10);
    erg_world_destroy(world);
}

TEST(materials_are_counted)
{
    erg_error     err;
    erg_world_def def = erg_world_def_default();
    erg_world    *many = new_world(&def);
    for (int k = 0; k < 128; k++) new_sand(many, 0.5, 0.5);
    erg_material_def one = erg_material_def_default();
    CHECK(erg_world_add_material(many, &one, NULL, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "a world has at most 128 materials");
    erg_world_destroy(many);
}

TEST_MAIN(pair_after_prepare_gets_its_memory, wall_after_a_failed_step_is_no_trap,
          prepare_twice_is_prepare_once, sink_that_opens_takes_grains_at_rest,
          written_positions_come_into_the_periodic_box,
          grains_can_be_taken_from_a_world_that_cannot_start, emitter_gives_no_more_than_its_time,
          materials_are_counted)
