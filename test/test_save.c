// labels: asan hdf5
// Checkpoints: a resumed run has the bits of an uninterrupted one; damaged and foreign files are
// rejected.
#include "scratch.h"
#include "world_helpers.h"

typedef struct variant {
    const char    *what;
    erg_shape      shape;
    double         least; // smallest radius; 1e-3: all alike [m]
    erg_integrator integrator;
    erg_precision  precision;
    bool           flow, servo, commands, periodic, rolling, rough;
    uint64_t       seed;
    double         young, side;
    erg_normal_law normal;
} variant;

static const variant plain = {"plain",      ERG_SHAPE_SPHERE, 1e-3,
                              ERG_VERLET,   ERG_FLOAT,        .seed = 1,
                              .young = 5e6, .side = 12e-3,    .normal = ERG_NORMAL_HERTZ};

static erg_world *build(const variant *v)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    def.speed = 1;
    def.seed = v->seed;
    def.integrator = v->integrator;
    def.precision = v->precision;
    def.tolerance = 1e-4;
    def.contact.normal = v->normal;
    double side = v->shape == ERG_SHAPE_SPHERE ? v->side : 2 * v->side;
    def.periodic_x = v->periodic;
    def.lower = (erg_vec3){0, -1, -1};
    def.upper = (erg_vec3){v->periodic ? side : 1, 1, 1};
    erg_world       *world = new_world(&def);
    erg_error        err;
    erg_material_def m = erg_material_def_default();
    m.young = v->young;
    m.rolling = m.twisting = v->rolling ? 0.2 : 0;
    erg_id       sand = new_material(world, &m);
    erg_id       kind = new_mixed_kind(world, v->shape, sand, v->least, 1e-3);
    erg_wall_def box =
        box_def(sand, (erg_vec3){0, 0, 0}, (erg_vec3){side, side, 0.5},
                ERG_FACE_Z_MAX | (v->periodic ? ERG_FACE_X_MIN | ERG_FACE_X_MAX : 0));
    if (v->rough) box.rough = (erg_rough){.spacing = 1e-3, .radius = 0.3e-3};
    new_wall(world, &box);
    erg_wall_def shaker = floor_def(sand);
    shaker.plane.point.z = 0.5e-3;
    shaker.motion[0] = erg_motion_def_default(ERG_MOTION_OSCILLATION);
    shaker.motion[0].amplitude.z = 0.3e-3;
    shaker.motion[0].frequency = 30;
    shaker.motion[1] = erg_motion_def_default(ERG_MOTION_USER);
    shaker.motion_count = 2;
    new_wall(world, &shaker);
    if (v->servo) {
        erg_wall_def lid = floor_def(sand);
        lid.plane.point.z = 20e-3;
        lid.plane.normal.z = -1;
        lid.motion[0] = erg_motion_def_default(ERG_MOTION_SERVO);
        lid.motion[0].force = 0.02;
        lid.motion[0].max_speed = 0.2;
        lid.motion_count = 1;
        new_wall(world, &lid);
    }
    fill_box(world, kind, 60, (erg_vec3){0, 0, 1e-3},
             (erg_vec3){side, side, v->servo ? 19e-3 : 0.08});
    if (v->flow) {
        erg_emitter_def pour = erg_emitter_def_default();
        pour.grain = kind;
        pour.rate = 2000;
        pour.region = box_region((erg_vec3){0, 0, 0.1}, (erg_vec3){side, side, 0.12});
        pour.velocity.z = -1;
        pour.spread = 0.2;
        must(erg_world_add_emitter(world, &pour, NULL, &err), &err);
        erg_sink_def drain = erg_sink_def_default();
        drain.region = box_region((erg_vec3){0, 0, 0}, (erg_vec3){side / 2, side / 2, 5e-3});
        must(erg_world_add_sink(world, &drain, NULL, &err), &err);
    }
    if (v->commands) {
        command(world, (erg_command){.kind = ERG_COMMAND_FRICTION, .step = 100, .value = 0.1});
        command(world,
                (erg_command){.kind = ERG_COMMAND_GRAVITY, .step = 150, .vector = {2, 0, -9}});
        command(world, (erg_command){.kind = ERG_COMMAND_WALL_VELOCITY,
                                     .step = 180,
                                     .id = 2,
                                     .vector = {0.1, 0, 0.02},
                                     .value = 0.01});
        // Beside the box, one before the checkpoint, one after it on top of the other.
        for (uint64_t k = 0; k < 2; k++)
            command(world, (erg_command){.kind = ERG_COMMAND_ADD_BALL,
                                         .step = 200 + 250 * k,
                                         .id = sand,
                                         .value = 1.6e-3 + 0.3e-3 * (double)k,
                                         .point = {6e-3, -0.02, 4e-3 + 6e-3 * (double)k},
                                         .vector = {0, 0, -0.5}});
        command(world, (erg_command){.kind = ERG_COMMAND_PUSH,
                                     .step = 400,
                                     .point = {6e-3, 6e-3, 5e-3},
                                     .value = 5e-3,
                                     .vector = {0, 0, 0.3}});
        command(world, (erg_command){.kind = ERG_COMMAND_FRICTION, .step = 500, .value = 0.4});
    }
    return world;
}

static void check_resume(const variant *v)
{
    scratch   folder;
    erg_error err;
    int       failures = check_failures;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "state.erg");
    erg_world  *whole = build(v), *first = build(v), *second = build(v);
    step(whole, 700);
    step(first, 333);
    uint64_t at = erg_world_hash(first);
    must(erg_world_save(first, path, NULL, "the scene", &err), &err);
    CHECK(erg_world_hash(first) == at);
    erg_world_destroy(first);
    must(erg_world_load(second, path, &err), &err);
    CHECK(erg_world_hash(second) == at);
    CHECK(erg_world_steps(second) == 333);
    step(second, 367);
    erg_stats a = stats_of(whole), b = stats_of(second);
    CHECK(erg_world_hash(second) == erg_world_hash(whole));
    CHECK(erg_world_time(second) == erg_world_time(whole));
    CHECK(a.max_overlap_ratio > 0 && a.contacts == b.contacts && a.emitted == b.emitted &&
          a.removed == b.removed && a.lost == b.lost && a.rebuilds == b.rebuilds);
    CHECK(a.dissipated == b.dissipated && a.elastic == b.elastic &&
          a.max_overlap_ratio == b.max_overlap_ratio);
    if (v->flow) CHECK(a.emitted > 0);
    CHECK(erg_world_command_log(whole, NULL, 0) == erg_world_command_log(second, NULL, 0));
    if (failures != check_failures)
        printf("    %s: %llu contacts, %llu emitted\n", v->what, (unsigned long long)a.contacts,
               (unsigned long long)a.emitted);
    erg_world_destroy(whole);
    erg_world_destroy(second);
    scratch_close(&folder);
}

TEST(resumed_run_has_the_bits_of_the_unbroken_one)
{
    variant v = plain;
    check_resume(&v);
    v.what = "double, clumps";
    v.precision = ERG_DOUBLE;
    v.shape = ERG_SHAPE_DIMER;
    check_resume(&v);
    v = plain;
    v.what = "mixed sizes, flow";
    v.least = 0.5e-3;
    v.flow = true;
    check_resume(&v);
    v.what = "mixed tetrahedra, flow, commands, periodic";
    v.shape = ERG_SHAPE_TETRAHEDRON;
    v.commands = v.periodic = true;
    check_resume(&v);
    v = plain;
    v.what = "servo, commands, rolling";
    v.servo = v.commands = v.rolling = true;
    check_resume(&v);
    v = plain;
    v.what = "rough walls, Euler";
    v.rough = true;
    v.integrator = ERG_EULER;
    check_resume(&v);
    v = plain;
    v.what = "RKF45, flow, commands";
    v.integrator = ERG_RKF45;
    v.flow = v.commands = true;
    check_resume(&v);
}

// A checkpoint taken before the first step, and one taken twice at the same place.
TEST(saving_at_the_start_and_again)
{
    scratch   folder;
    erg_error err;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "state.erg"),
               *before = scratch_path(&folder, "before.erg");
    erg_world *a = build(&plain), *b = build(&plain), *c = build(&plain);
    prepare(a);
    must(erg_world_save(a, path, NULL, NULL, &err), &err);
    step(a, 100);
    uint64_t hash = erg_world_hash(a);
    must(erg_world_save(a, path, before, NULL, &err), &err);
    CHECK(scratch_exists(before));
    must(erg_world_load(b, before, &err), &err);
    CHECK(erg_world_steps(b) == 0);
    step(b, 100);
    CHECK(erg_world_hash(b) == hash);
    must(erg_world_load(c, path, &err), &err);
    CHECK(erg_world_hash(c) == hash);
    erg_world_destroy(a);
    erg_world_destroy(b);
    erg_world_destroy(c);
    scratch_close(&folder);
}

// Grains that were added, but are in no list yet.
TEST(saving_grains_that_have_just_come)
{
    scratch   folder;
    erg_error err;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "state.erg");
    for (int clumps = 0; clumps < 2; clumps++) {
        variant v = plain;
        v.shape = clumps ? ERG_SHAPE_TETRAHEDRON : ERG_SHAPE_SPHERE;
        erg_world *a = build(&v), *b = build(&v);
        step(a, 50);
        for (int k = 0; k < 3; k++)
            new_grain(a, 1, (erg_vec3){6e-3, 6e-3, 0.2 + 0.01 * k}, (erg_vec3){0, 0, 0},
                      (erg_vec3){0, 0, 0});
        must(erg_world_save(a, path, NULL, NULL, &err), &err);
        must(erg_world_load(b, path, &err), &err);
        CHECK(erg_world_hash(b) == erg_world_hash(a));
        step(a, 300);
        step(b, 300);
        CHECK(erg_world_hash(b) == erg_world_hash(a));
        erg_world_destroy(a);
        erg_world_destroy(b);
    }
    scratch_close(&folder);
}

static erg_world *empty_world(void)
{
    erg_world_def def = space_def(ERG_FLOAT);
    erg_world    *world = new_world(&def);
    new_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 0.5, 0.5));
    return world;
}

// The first grains overlap heavily: the step fails, and the world returns to a state without lists.
TEST(saving_after_a_step_that_failed)
{
    scratch   folder;
    erg_error err;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "state.erg");
    erg_world  *world = empty_world(), *other = empty_world();
    step(world, 1);
    for (int k = 0; k < 2; k++)
        new_grain(world, 1, (erg_vec3){1e-4 * k, 0, 0}, (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 0});
    CHECK(erg_world_step(world, 1, &err) == ERG_BAD_PHYSICS);
    must(erg_world_save(world, path, NULL, NULL, &err), &err);
    must(erg_world_load(other, path, &err), &err);
    CHECK(erg_world_hash(other) == erg_world_hash(world));
    erg_world_destroy(world);
    erg_world_destroy(other);
    scratch_close(&folder);
}

static void check_refused(const variant *v, const char *path, erg_error_code code, const char *what)
{
    erg_world *world = build(v);
    erg_error  err;
    prepare(world);
    uint64_t   hash = erg_world_hash(world);
    erg_status status = erg_world_load(world, path, &err);
    if (status == ERG_OK) printf("    %s was taken\n", what);
    CHECK(status == ERG_BAD_INPUT || status == ERG_IO);
    CHECK(status == ERG_OK || (strlen(err.text) > 10 && err.code == code));
    CHECK(erg_world_hash(world) == hash);
    CHECK(erg_world_steps(world) == 0);
    step(world, 3); // and it still works
    erg_world_destroy(world);
}

TEST(checkpoint_of_another_world_is_refused)
{
    scratch   folder;
    erg_error err;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "state.erg");
    erg_world  *world = build(&plain);
    step(world, 100);
    must(erg_world_save(world, path, NULL, NULL, &err), &err);
    erg_world_destroy(world);
    variant v = plain;
    v.seed = 2;
    check_refused(&v, path, ERG_ERROR_OTHER_WORLD, "another seed");
    v = plain;
    v.precision = ERG_DOUBLE;
    check_refused(&v, path, ERG_ERROR_OTHER_WORLD, "another precision");
    v = plain;
    v.shape = ERG_SHAPE_DIMER;
    check_refused(&v, path, ERG_ERROR_OTHER_WORLD, "another shape");
    v = plain;
    v.servo = true;
    check_refused(&v, path, ERG_ERROR_OTHER_WORLD, "another number of walls");
    v = plain;
    v.rough = true;
    check_refused(&v, path, ERG_ERROR_OTHER_WORLD, "a rough wall");
    v = plain;
    v.flow = true;
    check_refused(&v, path, ERG_ERROR_OTHER_WORLD, "an emitter more");
    v = plain;
    v.young = 6e6;
    check_refused(&v, path, ERG_ERROR_OTHER_WORLD, "another Young's modulus");
    v = plain;
    v.side = 13e-3;
    check_refused(&v, path, ERG_ERROR_OTHER_WORLD, "another box");
    v = plain;
    v.normal = ERG_NORMAL_LINEAR;
    check_refused(&v, path, ERG_ERROR_OTHER_WORLD, "another normal law");
    v = plain;
    check_refused(&v, scratch_path(&folder, "nowhere.erg"), ERG_ERROR_NO_FILE,
                  "a file that is not there");
    scratch_close(&folder);
}

// A failed load of a world that was never prepared leaves it as it was, too.
TEST(failed_load_changes_nothing)
{
    erg_world_def def = space_def(ERG_FLOAT);
    erg_world    *world = new_world(&def);
    erg_id        kind = new_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 0.5, 0.5));
    erg_vec3      none = {0, 0, 0};
    new_grain(world, kind, (erg_vec3){0, 0, 0}, none, none);
    new_grain(world, kind, (erg_vec3){1.99e-3, 0, 0}, none, none);
    uint64_t  hash = erg_world_hash(world);
    erg_error err;
    CHECK(erg_world_load(world, "/nonexistent/state.erg", &err) != ERG_OK);
    CHECK(erg_world_hash(world) == hash);
    erg_world_destroy(world);
}

TEST(flipped_bytes_are_refused)
{
    scratch   folder;
    erg_error err;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "state.erg"), *bad = scratch_path(&folder, "bad.erg");
    erg_world  *world = build(&plain);
    step(world, 100);
    must(erg_world_save(world, path, NULL, NULL, &err), &err);
    static char bytes[1 << 22];
    FILE       *file = fopen(path, "rb");
    REQUIRE(file != NULL);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    REQUIRE(size > 1000 && size < sizeof bytes);
    erg_world *other = build(&plain);
    prepare(other);
    uint64_t hash = erg_world_hash(other), taken = 0;
    for (int k = 0; k < 150; k++) {
        ergi_random r = {.seed = 3, .id = (uint64_t)k};
        size_t      at = (size_t)(ergi_random_uniform(&r) * (double)size);
        size_t      length = k % 5 == 4 ? at : size; // now and then cut short instead
        bytes[at] = (char)(bytes[at] ^ (1 << k % 8));
        file = fopen(bad, "wb");
        REQUIRE(file != NULL);
        REQUIRE(fwrite(bytes, 1, length, file) == length);
        fclose(file);
        bytes[at] = (char)(bytes[at] ^ (1 << k % 8));
        if (erg_world_load(other, bad, &err) == ERG_OK) {
            taken++; // a byte that means nothing: then the state must be the one saved
            CHECK(erg_world_hash(other) == erg_world_hash(world));
            erg_world_destroy(other);
            other = build(&plain);
            prepare(other);
        } else {
            CHECK(err.code == ERG_ERROR_BAD_FILE || err.code == ERG_ERROR_OTHER_BUILD);
        }
        CHECK(erg_world_hash(other) == hash);
    }
    CHECK(taken < 75); // most bytes mean something
    erg_world_destroy(other);
    erg_world_destroy(world);
    scratch_close(&folder);
}

TEST_MAIN(resumed_run_has_the_bits_of_the_unbroken_one, saving_at_the_start_and_again,
          saving_grains_that_have_just_come, saving_after_a_step_that_failed,
          checkpoint_of_another_world_is_refused, failed_load_changes_nothing,
          flipped_bytes_are_refused)
