// labels: asan clang
// Bulk reading and writing, ids that are never reused, and bad arguments that change nothing.
#include "world_helpers.h"

#include <stdlib.h>

static erg_world *bed(uint64_t count, erg_id *kind)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    def.speed = 1;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.4, 0.5);
    erg_wall_def box =
        box_def(sand, (erg_vec3){0, 0, 0}, (erg_vec3){30e-3, 30e-3, 1}, ERG_FACE_Z_MAX);
    new_wall(world, &box);
    *kind = new_kind(world, ERG_SHAPE_SPHERE, sand);
    fill_box(world, *kind, count, (erg_vec3){0, 0, 0.5e-3}, (erg_vec3){30e-3, 30e-3, 0.2});
    return world;
}

TEST(written_is_read)
{
    for (int p = 0; p < 2; p++) {
        erg_world_def def = space_def((erg_precision)p);
        erg_world    *world = new_world(&def);
        erg_id        kind = new_kind(world, ERG_SHAPE_DIMER, new_sand(world, 0.5, 0.5));
        erg_vec3      at[3] = {{0.01, 0, 0}, {0.02, 0, 0}, {0.03, 0, 0}}, v[3], w[3];
        erg_gid       id[3], read[3], back[2];
        erg_grains    g = {.kind = kind, .count = 3, .position = at};
        erg_error     err;
        must(erg_world_add_grains(world, &g, id, &err), &err);
        CHECK(id[0] == 1 && id[1] == 2 && id[2] == 3);
        erg_vec3 put[2] = {{0.25, -0.5, 1}, {2, 4, -8}};
        back[0] = id[2];
        back[1] = id[0];
        must(erg_world_write(world, ERG_FIELD_VELOCITY, back, 2, put, &err), &err);
        must(erg_world_write(world, ERG_FIELD_SPIN, back, 2, put, &err), &err);
        must(erg_world_read(world, ERG_FIELD_VELOCITY, NULL, 3, v, &err), &err);
        must(erg_world_read(world, ERG_FIELD_SPIN, NULL, 3, w, &err), &err);
        must(erg_world_read(world, ERG_FIELD_ID, NULL, 3, read, &err), &err);
        CHECK(v[2].x == 0.25 && v[2].y == -0.5 && v[0].z == -8 && v[1].x == 0);
        CHECK(w[2].x == 0.25 && w[0].y == 4);
        CHECK(read[0] == 1 && read[1] == 2 && read[2] == 3);
        double   mass[3], size[3];
        uint32_t kinds[3];
        must(erg_world_read(world, ERG_FIELD_MASS, NULL, 3, mass, &err), &err);
        must(erg_world_read(world, ERG_FIELD_SIZE, NULL, 3, size, &err), &err);
        must(erg_world_read(world, ERG_FIELD_KIND, NULL, 3, kinds, &err), &err);
        CHECK_NEAR(mass[1], 2 * 2500 * 4.0 / 3 * 3.14159265358979 * 1e-9, 1e-13);
        CHECK(size[1] == 1e-3 && kinds[1] == kind);
        erg_vec3 there = {0.5, 0.25, 0.125};
        must(erg_world_write(world, ERG_FIELD_POSITION, id, 1, &there, &err), &err);
        CHECK_NEAR(ergi_distance(read3(world, ERG_FIELD_POSITION, id[0]), there), 0, 0);
        CHECK(erg_world_grain_count(world) == 3 && erg_world_sphere_count(world) == 6);
        erg_world_destroy(world);
    }
}

// A resting sphere feels its weight from the floor, and says so.
TEST(force_and_contact_of_a_resting_sphere)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    def.speed = 0.5;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.3, 0.5);
    erg_wall_def plane = floor_def(sand);
    erg_id       wall = new_wall(world, &plane);
    erg_gid id = new_grain(world, new_kind(world, ERG_SHAPE_SPHERE, sand), (erg_vec3){0, 0, 1e-3},
                           (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 0});
    run_until(world, 0.2);
    double      weight = 2500 * 4.0 / 3 * 3.14159265358979 * 1e-9 * 9.81;
    erg_contact c;
    size_t      count = 0;
    erg_error   err;
    must(erg_world_contacts(world, &c, 1, &count, &err), &err);
    CHECK(count == 1 && c.grain_a == id && c.grain_b == 0 && c.wall == wall);
    CHECK_NEAR(c.normal.z, 1, 1e-6);
    CHECK_NEAR(c.normal_force, weight, 1e-3 * weight);
    CHECK_NEAR(read3(world, ERG_FIELD_FORCE, id).z, weight, 1e-3 * weight);
    CHECK_NEAR(c.point.z, -0.5 * c.overlap, 1e-9);
    CHECK(c.overlap > 1e-8 && c.overlap < 1e-5);
    erg_wall_state s;
    must(erg_world_wall_state(world, wall, &s, &err), &err);
    CHECK_NEAR(s.force.z, -weight, 1e-3 * weight);
    CHECK(erg_world_contacts(world, NULL, 0, &count, &err) == ERG_BAD_INPUT && count == 1);
    CHECK_STR(err.text, "room for 0 contacts, but there are 1");
    erg_world_destroy(world);
}

// Thousands of grains come into a running world at once and go again.
TEST(bulk_in_and_out_of_a_running_world)
{
    erg_id     kind;
    erg_world *world = bed(200, &kind);
    step(world, 50);
    enum { MANY = 4000 };
    static erg_vec3 at[MANY];
    static erg_gid  id[MANY];
    for (int k = 0; k < MANY; k++)
        at[k] = (erg_vec3){1e-3 + 2.1e-3 * (k % 13), 1e-3 + 2.1e-3 * (k / 13 % 13),
                           0.3 + 2.1e-3 * (k / 169)};
    erg_error  err;
    erg_grains g = {.kind = kind, .count = MANY, .position = at};
    must(erg_world_add_grains(world, &g, id, &err), &err);
    CHECK(id[0] == 201 && id[MANY - 1] == 200 + MANY);
    step(world, 20);
    CHECK(erg_world_grain_count(world) == 200 + MANY);
    must(erg_world_remove_grains(world, id, MANY, &err), &err);
    step(world, 20);
    CHECK(erg_world_grain_count(world) == 200);
    // A name is never given twice, not even after its bearer left.
    must(erg_world_add_grains(world, &(erg_grains){.kind = kind, .count = 2, .position = at}, id,
                              &err),
         &err);
    CHECK(id[0] == 201 + MANY && id[1] == 202 + MANY);
    step(world, 20);
    CHECK(stats_of(world).removed == MANY);
    erg_world_destroy(world);
}

// All at once: the lists are built when a step needs them, not per grain.
TEST(adding_many_grains_builds_the_lists_once)
{
    enum { MANY = 1000 };
    erg_id          kind;
    erg_world      *world = bed(300, &kind);
    static erg_vec3 at[MANY];
    for (int i = 0; i < MANY; i++)
        at[i] = (erg_vec3){2e-3 + 2.5e-3 * (i % 10), 2e-3 + 2.5e-3 * (i / 10 % 10),
                           0.5 + 2.5e-3 * (i / 100)};
    erg_error  err;
    erg_grains g = {.kind = kind, .count = MANY, .position = at};
    run_until(world, 0.06);
    uint64_t builds = stats_of(world).rebuilds;
    must(erg_world_add_grains(world, &g, NULL, &err), &err);
    CHECK(stats_of(world).rebuilds == builds);
    step(world, 1);
    CHECK(stats_of(world).rebuilds == builds + 1);
    step(world, 1);
    CHECK(stats_of(world).rebuilds <= builds + 2);
    erg_world_destroy(world);
}

// Removing grains far above leaves the bed below unchanged, springs included: it evolves to the
// same positions as one that never had them.
TEST(removal_keeps_the_memory_of_others)
{
    static erg_vec3 x[2][300];
    static double   stretch[2];
    for (int k = 0; k < 2; k++) {
        erg_id          kind;
        erg_world      *world = bed(300, &kind);
        static erg_vec3 at[2000];
        static erg_gid  id[2000];
        for (int i = 0; i < 2000; i++)
            at[i] = (erg_vec3){2e-3 + 2.5e-3 * (i % 10), 2e-3 + 2.5e-3 * (i / 10 % 10),
                               0.5 + 2.5e-3 * (i / 100)};
        erg_error err;
        if (k) {
            erg_grains g = {.kind = kind, .count = 2000, .position = at};
            must(erg_world_add_grains(world, &g, id, &err), &err);
        }
        run_until(world, 0.06);
        if (k) must(erg_world_remove_grains(world, id, 2000, &err), &err);
        run_until(world, 0.062);
        must(erg_world_read(world, ERG_FIELD_POSITION, NULL, 300, x[k], &err), &err);
        static erg_contact contact[4000];
        size_t             count;
        must(erg_world_contacts(world, contact, 4000, &count, &err), &err);
        CHECK(count > 100);
        for (size_t c = 0; c < count; c++)
            stretch[k] +=
                ergi_norm(ergi_madd(contact[c].force, -contact[c].normal_force, contact[c].normal));
        erg_world_destroy(world);
    }
    double furthest = 0;
    for (int i = 0; i < 300; i++) furthest = fmax(furthest, ergi_distance(x[0][i], x[1][i]));
    CHECK_NEAR(furthest, 0, 2e-5); // float order of sums, a few collisions long
    CHECK(stretch[0] > 0);
    CHECK_NEAR(stretch[1], stretch[0], 0.2 * stretch[0]);
}

// ---- Bad arguments -----------------------------------------------------------------------------
#define REFUSED(call, sentence)                                                                    \
    do {                                                                                           \
        erg_error err = {0};                                                                       \
        CHECK((call) == ERG_BAD_INPUT);                                                            \
        CHECK(err.status == ERG_BAD_INPUT);                                                        \
        CHECK_STR(err.text, sentence);                                                             \
        CHECK(erg_world_hash(world) == hash);                                                      \
    } while (0)

TEST(bad_grains_are_refused)
{
    erg_id     kind;
    erg_world *world = bed(20, &kind);
    step(world, 5);
    uint64_t   hash = erg_world_hash(world);
    erg_vec3   at[2] = {{0, 0, 0.5}, {0, (double)NAN, 0}};
    double     size = -1e-3;
    erg_quat   flat = {0, 0, 0, 0};
    erg_grains g = {.kind = 7, .count = 1, .position = at};
    REFUSED(erg_world_add_grains(world, &g, NULL, &err),
            "grains of kind 7 were asked for, but the world has 1 kinds");
    g = (erg_grains){.kind = kind, .count = 2, .position = at};
    REFUSED(erg_world_add_grains(world, &g, NULL, &err),
            "grain 1 of 2 has a number that is not finite");
    g = (erg_grains){.kind = kind, .count = 1, .position = at, .size = &size};
    REFUSED(erg_world_add_grains(world, &g, NULL, &err),
            "grain 0 of 1 has size -0.001, which its kind does not have");
    g = (erg_grains){.kind = kind, .count = 1, .position = at, .orientation = &flat};
    REFUSED(erg_world_add_grains(world, &g, NULL, &err),
            "grain 0 of 1 has an orientation of length 0, expected 1");
    erg_gid ids[2] = {3, 999};
    REFUSED(erg_world_remove_grains(world, ids, 2, &err),
            "2 grains are to be removed, but only 1 of them exist");
    double buffer[60];
    REFUSED(erg_world_read(world, ERG_FIELD_POSITION, NULL, 10, buffer, &err),
            "room for 10 grains, but there are 20");
    REFUSED(erg_world_read(world, ERG_FIELD_POSITION, ids, 2, buffer, &err),
            "there is no grain 999");
    REFUSED(erg_world_write(world, ERG_FIELD_MASS, ids, 1, buffer, &err),
            "only position, orientation, velocity and spin can be written");
    REFUSED(erg_world_write(world, ERG_FIELD_VELOCITY, ids, 1, &at[1], &err),
            "grain 0 of 1: the new value is not finite");
    REFUSED(erg_world_write(world, ERG_FIELD_ORIENTATION, ids, 1, &flat, &err),
            "grain 0 of 1: the new orientation has length 0, expected 1");
    REFUSED(erg_world_write(world, ERG_FIELD_VELOCITY, NULL, 3, buffer, &err),
            "3 values for 20 grains");
    erg_sphere_view view = {.count = 3, .position = buffer};
    REFUSED(erg_world_read_spheres(world, &view, &err), "room for 3 spheres, but there are 20");
    erg_wall_state state;
    REFUSED(erg_world_wall_state(world, 4, &state, &err), "there is no wall 4, the world has 1");
    REFUSED(erg_world_emitter_total(world, 1, NULL, NULL, &err),
            "there is no emitter 1, the world has 0");
    REFUSED(erg_world_sink_total(world, 0, NULL, NULL, &err),
            "there is no sink 0, the world has 0");
    CHECK(erg_world_grain_count(world) == 20);
    CHECK(erg_world_add_grains(world, &(erg_grains){.kind = 9}, NULL, NULL) ==
          ERG_BAD_INPUT); // nobody listens
    erg_world_destroy(world);
}

TEST(bad_definitions_are_refused)
{
    erg_id           kind;
    erg_world       *world = bed(20, &kind);
    uint64_t         hash = erg_world_hash(world);
    erg_material_def m = erg_material_def_default();
    m.density = -1;
    REFUSED(erg_world_add_material(world, &m, NULL, &err),
            "density must be 1e-6 to 1e12 kg/m^3, got -1");
    m = erg_material_def_default();
    m.poisson = 0.6;
    REFUSED(erg_world_add_material(world, &m, NULL, &err), "poisson must be 0 to 0.5, got 0.6");
    m = erg_material_def_default();
    m.restitution = 0;
    REFUSED(erg_world_add_material(world, &m, NULL, &err), "restitution must be 0.05 to 1, got 0");
    m = erg_material_def_default();
    m.friction = (double)NAN;
    REFUSED(erg_world_add_material(world, &m, NULL, &err), "friction must be 0 to 1e6, got nan");
    erg_grain_def g = erg_grain_def_default();
    REFUSED(erg_world_add_grain_kind(world, &g, NULL, &err),
            "a kind of grain refers to material 0, but the world has 1");
    g.material = 1;
    g.sizes.radius = 0;
    REFUSED(erg_world_add_grain_kind(world, &g, NULL, &err),
            "grain radius must be above 0 m, got 0");
    erg_emitter_def e = erg_emitter_def_default();
    e.grain = kind;
    REFUSED(erg_world_add_emitter(world, &e, NULL, &err),
            "rate must be above 0 and at most 1e9 grains/s, got 0");
    erg_fill_def f = erg_fill_def_default();
    f.grain = kind;
    f.count = 1000;
    f.region = box_region((erg_vec3){0, 0, 0.5}, (erg_vec3){10e-3, 10e-3, 0.51});
    uint64_t  fit = 0;
    erg_error err;
    CHECK(erg_world_fill(world, &f, &fit, &err) == ERG_BAD_INPUT);
    CHECK(fit > 50 && fit < 200 && erg_world_grain_count(world) == 20);
    erg_pair_def p = erg_pair_def_default();
    p.a = 1;
    p.b = 2;
    CHECK(erg_world_set_pair(world, &p, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "a pair refers to material 2, but the world has 1");
    p.b = 1;
    p.friction = (double)NAN; // neither a number nor "keep"
    CHECK(erg_world_set_pair(world, &p, &err) == ERG_BAD_INPUT);
    step(world, 1);
    erg_wall_def wall = floor_def(1);
    CHECK(erg_world_add_wall(world, &wall, NULL, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "no wall can be added to a world that has stepped");
    erg_world_destroy(world);
}

TEST(bad_worlds_are_refused)
{
    erg_world    *world = NULL;
    erg_error     err;
    erg_world_def def = erg_world_def_default();
    def.periodic_x = true;
    CHECK(erg_world_create(&def, &world, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "a domain periodic in x needs finite bounds in x");
    def = erg_world_def_default();
    def.dt_factor = 0.2;
    CHECK(erg_world_create(&def, &world, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "dt_factor must be above 0 and at most 0.1, got 0.2");
    def = erg_world_def_default();
    def.max_overlap = 2;
    CHECK(erg_world_create(&def, &world, &err) == ERG_BAD_INPUT);
    def = erg_world_def_default();
    def.threads = -3;
    CHECK(erg_world_create(&def, &world, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "threads must be 0 to 4096, got -3");
    def = erg_world_def_default();
    def.lower.x = 1;
    def.upper.x = -1;
    CHECK(erg_world_create(&def, &world, &err) == ERG_BAD_INPUT);
    CHECK(world == NULL);
    // Too narrow for its grains.
    def = erg_world_def_default();
    def.periodic_x = true;
    def.lower.x = 0;
    def.upper.x = 3e-3;
    world = new_world(&def);
    new_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 0.5, 0.5));
    CHECK(erg_world_prepare(world, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "periodic in x with a period of 0.003 m, but needs at least") != NULL);
    erg_world_destroy(world);
}

TEST(names_are_found)
{
    erg_id           kind;
    erg_world       *world = bed(1, &kind);
    erg_material_def m = erg_material_def_default();
    m.name = "glass";
    erg_id    glass = new_material(world, &m);
    erg_error err;
    CHECK(erg_world_find_material(world, "glass") == glass &&
          erg_world_find_material(world, "gloss") == 0);
    CHECK(erg_world_add_material(world, &m, NULL, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "there is a material named 'glass' already");
    CHECK(erg_world_find_wall(world, "x") == 0 && erg_world_find_emitter(world, NULL) == 0);
    erg_world_destroy(world);
}

// A rough wall added after erg_world_prepare needs more memory per contact.
TEST(walls_after_prepare)
{
    erg_id     kind;
    erg_world *world = bed(200, &kind);
    prepare(world);
    erg_wall_def plane = floor_def(1);
    plane.rough = (erg_rough){.spacing = 0.5e-3, .radius = 0.2e-3};
    new_wall(world, &plane);
    prepare(world);
    uint64_t touched = 0;
    for (int k = 0; k < 30; k++) {
        step(world, 50);
        touched += stats_of(world).wall_contacts;
    }
    CHECK(touched > 10);
    erg_world_destroy(world);
}

TEST_MAIN(written_is_read, force_and_contact_of_a_resting_sphere,
          bulk_in_and_out_of_a_running_world, adding_many_grains_builds_the_lists_once,
          removal_keeps_the_memory_of_others, bad_grains_are_refused, bad_definitions_are_refused,
          bad_worlds_are_refused, names_are_found, walls_after_prepare)
