// labels: asan
// The reported and the expected memory of a world.
#include "body_helpers.h"

static erg_world *tray(void)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.3, 0.5);
    erg_wall_def box = box_def(sand, (erg_vec3){0, 0, 0}, (erg_vec3){0.03, 0.03, 0.3}, 0);
    new_wall(world, &box);
    return world;
}

TEST(a_bed_is_foretold_within_a_factor)
{
    erg_world *world = tray();
    new_kind(world, ERG_SHAPE_SPHERE, 1);
    fill_box(world, 1, 2000, (erg_vec3){0, 0, 0}, (erg_vec3){0.03, 0.03, 0.2});
    double expected = (double)erg_world_expected_bytes(world, INFINITY);
    run_until(world, 0.1);
    double held = (double)stats_of(world).bytes;
    CHECK(stats_of(world).contacts > 3000); // it is a bed by now
    CHECK(expected > 0.7 * held);
    CHECK(expected < 2 * held);
    erg_world_destroy(world);
}

// What only making lists needs is given back once they last, and asked for again when they do not.
TEST(rest_needs_less)
{
    erg_world *world = tray();
    new_kind(world, ERG_SHAPE_SPHERE, 1);
    fill_box(world, 1, 2000, (erg_vec3){0, 0, 0}, (erg_vec3){0.03, 0.03, 0.2});
    run_until(world, 0.15);
    static const erg_vec3 still[2000];
    erg_error             err;
    for (int k = 0; k < 60; k++) {
        must(erg_world_write(world, ERG_FIELD_VELOCITY, NULL, 2000, still, &err), &err);
        step(world, 50);
    }
    erg_stats now = stats_of(world);
    CHECK(now.most_bytes > now.bytes + 50 * now.spheres);
    // The first lists after that are made sparingly, the next ones no more.
    size_t   rest = now.bytes, most[2] = {0, 0};
    uint64_t rebuilds = now.rebuilds;
    write3(world, ERG_FIELD_VELOCITY, 1, (erg_vec3){0, 0, 0.5});
    for (int k = 0; k < 400 && now.rebuilds < rebuilds + 2; k++) {
        step(world, 1);
        now = stats_of(world);
        if (now.rebuilds > rebuilds) most[now.rebuilds - rebuilds - 1] = now.most_bytes;
    }
    CHECK(now.rebuilds == rebuilds + 2);
    CHECK(now.most_bytes < now.bytes + now.spheres);
    CHECK(most[0] > rest + 50 * now.spheres);
    CHECK(most[1] > most[0] + 20 * now.spheres);
    erg_world_destroy(world);
}

// Emitters count up to the end of the run; the whole is compared with the memory of the machine.
TEST(emitted_grains_count)
{
    erg_world      *world = tray();
    erg_error       err;
    size_t          before = erg_world_expected_bytes(world, 10);
    erg_id          kind = new_kind(world, ERG_SHAPE_SPHERE, 1);
    erg_emitter_def pour = erg_emitter_def_default();
    pour.grain = kind;
    pour.rate = 1000;
    pour.region = box_region((erg_vec3){0, 0, 0.1}, (erg_vec3){0.01, 0.01, 0.12});
    must(erg_world_add_emitter(world, &pour, NULL, &err), &err);
    size_t ten = erg_world_expected_bytes(world, 10),
           hundred = erg_world_expected_bytes(world, 100);
    CHECK(ten > before + 10000 * 100);
    CHECK(hundred > before + 9 * (ten - before));
    CHECK(erg_world_expected_bytes(world, INFINITY) < before + 10000); // without end
    must(erg_world_check_memory(world, 10, &err), &err);
    CHECK(erg_world_check_memory(world, 1e12, &err) == ERG_BAD_INPUT);
    CHECK(strncmp(err.text, "the run would need about ", 25) == 0);
    erg_world_destroy(world);
}

TEST(meshes_count_once)
{
    erg_world   *world = tray();
    erg_mesh    *ball = new_ball(4e-3);
    erg_body_def def = erg_body_def_default();
    size_t       triangles = 0, vertices = 0;
    erg_mesh_triangles(ball, &triangles);
    erg_mesh_vertices(ball, &vertices);
    size_t before = erg_world_expected_bytes(world, INFINITY);
    def.material = 1;
    def.mesh = ball;
    def.position = (erg_vec3){0.015, 0.015, 0.01};
    new_body(world, &def);
    size_t one = erg_world_expected_bytes(world, INFINITY);
    CHECK(one - before > 24 * vertices + 12 * triangles);
    CHECK(one <= stats_of(world).bytes + before);
    def.position.z = 0.03;
    new_body(world, &def);
    size_t two = erg_world_expected_bytes(world, INFINITY);
    CHECK(two > one);
    CHECK(two - one < (one - before) / 4);
    def.position.z = 0.05;
    def.contact = ERG_BODY_SPHERES;
    def.sphere_radius = 2e-4;
    new_body(world, &def);
    CHECK(erg_world_expected_bytes(world, INFINITY) - two > 1000 * sizeof(erg_vec3)); // its spheres
    size_t held = stats_of(world).bytes;
    step(world, 10);
    CHECK(stats_of(world).bytes > held); // lists of what is near
    erg_world_destroy(world);
    erg_mesh_destroy(ball);
}

// Boxes, then rings, thrown into a shaft: what is near what is known only when they lie there.
TEST(a_heap_of_bodies_is_foretold_within_a_factor)
{
    erg_primitive ring = erg_primitive_default(ERG_PRIMITIVE_TORUS);
    ring.radius = 2.5e-3;
    ring.thickness = 0.8e-3;
    erg_mesh *meshes[] = {new_box(4e-3, 5e-3, 6e-3), new_shape(ring)};
    for (int k = 0; k < 2; k++) {
        int           count = k == 0 ? 20 : 8;
        erg_world_def world_def = erg_world_def_default();
        world_def.threads = 1;
        erg_world   *world = new_world(&world_def);
        erg_id       wood = new_sand(world, 0.3, 0.5);
        erg_wall_def shaft = box_def(wood, (erg_vec3){0, 0, 0}, (erg_vec3){15e-3, 15e-3, 0.3}, 0);
        new_wall(world, &shaft);
        erg_body_def def = erg_body_def_default();
        def.material = wood;
        def.mesh = meshes[k];
        for (int i = 0; i < count; i++) {
            def.position =
                (erg_vec3){4e-3 + 7e-3 * (i % 2), 4e-3 + 7e-3 * (i / 2 % 2), 5e-3 + 8e-3 * (i / 4)};
            def.spin = (erg_vec3){20.0 * (i % 3), 10.0 * (i % 5), 0};
            new_body(world, &def);
        }
        prepare(world);
        double expected = (double)erg_world_expected_bytes(world, INFINITY);
        run_until(world, 0.1);
        double held = (double)stats_of(world).bytes;
        CHECK(stats_of(world).contacts > (uint64_t)count / 2); // it is a heap by now
        CHECK(expected > 0.5 * held);
        CHECK(expected < 2 * held);
        erg_world_destroy(world);
    }
    erg_mesh_destroy(meshes[0]);
    erg_mesh_destroy(meshes[1]);
}

TEST_MAIN(a_bed_is_foretold_within_a_factor, rest_needs_less, emitted_grains_count,
          meshes_count_once, a_heap_of_bodies_is_foretold_within_a_factor)
