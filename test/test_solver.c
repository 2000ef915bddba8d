// labels: asan tsan clang hdf5
// A second solver (ballistic.h), passed by a private pointer, has all features of DEM: scenes,
// emitters, sinks, commands, checkpoints, rollback, snapshots, statistics and pictures.
#include "api/create.h"
#include "ballistic.h"
#include "erg/erg.h"
#include "io/container.h"
#include "scene/scene_build.h"
#include "scratch.h"
#include "world/rollback.h"
#include "world_helpers.h"

// ---- Worlds ------------------------------------------------------------------------------------
static void set_threads(void *user, erg_world_def *def)
{
    def->threads = *(const int *)user;
    def->fixed_threads = true;
}

static erg_scene *load(const char *name, const char *const *sets, size_t count)
{
    char        path[4096];
    erg_error   err;
    erg_scene  *scene = NULL;
    const char *folder = getenv("ERG_SOURCE");
    snprintf(path, sizeof path, "%s/scenes/%s.yaml", folder ? folder : ".", name);
    must(erg_scene_load(path, sets, count, &scene, &err), &err);
    return scene;
}

// NULL: the solver of the scene.
static erg_world *build(const char *name, const ergi_solver *solver, int threads,
                        const char *const *sets, size_t count)
{
    erg_error  err;
    erg_world *world = NULL;
    erg_scene *scene = load(name, sets, count);
    must(ergi_scene_build_with(scene, solver, set_threads, &threads, &world, &err), &err);
    erg_scene_destroy(scene);
    return world;
}

// A stream of dimers on a plate, faster than shipped, so that 512 steps see much of it.
static erg_world *pile(int threads)
{
    static const char *const sets[] = {"emitters.spout.rate=4000"};
    return build("pile", &ballistic_solver, threads, sets, 1);
}

static uint64_t hash_after(erg_world *world, uint64_t steps)
{
    step(world, steps);
    return erg_world_hash(world);
}

static uint64_t pile_after(uint64_t steps)
{
    erg_world *world = pile(1);
    uint64_t   hash = hash_after(world, steps);
    erg_world_destroy(world);
    return hash;
}

// ---- Running -----------------------------------------------------------------------------------
TEST(a_shipped_scene_runs)
{
    erg_world *world = pile(1);
    erg_error  err;
    CHECK_STR(erg_world_dt_reason(world), "fixed by the solver");
    CHECK_STR(erg_world_isa(world), "scalar");
    CHECK(erg_world_skin(world) == 0);
    must(erg_world_run(world, 0.2, NULL, NULL, &err), &err);
    CHECK_NEAR(erg_world_time(world), 0.2, 2e-4);
    erg_stats        stats = stats_of(world);
    const ballistic *b = ballistic_of(world);
    CHECK(stats.emitted > 200 && stats.grains == stats.emitted &&
          stats.spheres == 2 * stats.grains);
    CHECK(b->rest.rows > 100 && b->rest.rows < stats.grains && b->state.impacts == b->rest.rows);
    CHECK(stats.kinetic > 0 && stats.max_speed > 0.7 && stats.max_speed < 1.6);
    CHECK(stats.contacts == 0 && stats.elastic == 0 && stats.rebuilds == 0);
    CHECK(stats.bytes > 0 && erg_world_expected_bytes(world, INFINITY) > stats.grains * 100);
    // All grains at rest are on the plate: less than the displacement of a step above it, none
    // below.
    for (size_t k = 0; k < b->rest.rows; k++) {
        double z = ((const double *)b->rest.data[REST_PLACE])[3 * k + 2];
        if (!(z > 2e-3 && z < 2e-2)) CHECK(z == 0);
    }
    erg_contact contact;
    size_t      count = 1;
    CHECK(erg_world_contacts(world, &contact, 1, &count, &err) == ERG_OK && count == 0);
    erg_world_destroy(world);
}

// Meshes, moving walls, servos, free bodies, many sizes: whatever a scene holds, it can be built,
// stepped and resumed.
TEST(scenes_of_all_sorts_are_resumed)
{
    static const char *const names[] = {"hourglass-spheres", "drum", "piston", "wheel", "bowling"};
    scratch                  folder;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "state.ckpt");
    size_t      at_rest = 0;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        erg_error  err;
        erg_world *one = build(names[k], &ballistic_solver, 1, NULL, 0),
                  *two = build(names[k], &ballistic_solver, 2, NULL, 0);
        step(one, 20);
        must(erg_world_save(one, path, NULL, NULL, &err), &err);
        must(erg_world_load(two, path, &err), &err);
        CHECK(erg_world_hash(one) == erg_world_hash(two));
        CHECK(hash_after(one, 20) == hash_after(two, 20));
        at_rest += ballistic_of(one)->rest.rows;
        erg_world_destroy(one);
        erg_world_destroy(two);
    }
    CHECK(at_rest > 100);
    scratch_close(&folder);
}

TEST(threads_do_not_change_the_state)
{
    erg_world *one = pile(1), *two = pile(2);
    for (int k = 0; k < 6; k++) CHECK(hash_after(one, 100) == hash_after(two, 100));
    CHECK(ballistic_of(one)->rest.rows > 50);
    erg_world_destroy(one);
    erg_world_destroy(two);
}

// Its own tables are part of the state hash: one bit of a row changes it.
TEST(its_tables_are_hashed)
{
    erg_world *world = pile(1);
    uint64_t   hash = hash_after(world, 600);
    ballistic *b = ballistic_of(world);
    REQUIRE(b->rest.rows > 10);
    double *time = (double *)b->rest.data[REST_TIME] + 3, was = *time;
    *time = nextafter(was, 1);
    CHECK(erg_world_hash(world) != hash);
    *time = was;
    ((uint32_t *)b->map.data[MAP_IMPACTS])[MAP_CELLS - 1] ^= 1;
    CHECK(erg_world_hash(world) != hash);
    ((uint32_t *)b->map.data[MAP_IMPACTS])[MAP_CELLS - 1] ^= 1;
    CHECK(erg_world_hash(world) == hash);
    // By the key, not by the order of the rows.
    uint32_t order[4096];
    uint64_t room[4096];
    size_t   rows = b->rest.rows;
    REQUIRE(rows <= 4096);
    for (size_t k = 0; k < rows; k++) order[k] = (uint32_t)(rows - 1 - k);
    ergi_table_reorder(&b->rest, order, rows, room);
    CHECK(erg_world_hash(world) == hash);
    erg_world_destroy(world);
}

#define HOLE                                                                                       \
    "sinks=[{name: hole, start: 0.16, region: {box: {min: [0.005, -0.25, 0], max: [1, 1, "         \
    "0.05]}}}]"

// The sink opens on grains at rest.
TEST(grains_leave_by_sinks_and_over_the_edge)
{
    static const char *const sets[] = {"emitters.spout.rate=4000",
                                       "domain.bounds=[[-0.25, -0.01, -0.05], [0.25, 0.25, 0.3]]",
                                       HOLE};
    erg_world               *world = build("pile", &ballistic_solver, 1, sets, 3);
    step(world, 1000);
    erg_stats stats = stats_of(world);
    CHECK(stats.lost > 20 && stats.removed > 20);
    CHECK(stats.grains == stats.emitted - stats.lost - stats.removed);
    uint64_t  taken = 0;
    double    mass = 0;
    erg_error err;
    must(erg_world_sink_total(world, 1, &taken, &mass, &err), &err);
    CHECK(taken == stats.removed && mass > 0);
    // Those at rest that left are in no table.
    const ballistic *b = ballistic_of(world);
    for (size_t k = 0; k < b->rest.rows; k++)
        if (ergi_grains_find(world, ((const uint64_t *)b->rest.data[REST_ID])[k]) < 0) CHECK(false);
    CHECK(b->state.impacts > b->rest.rows);
    erg_world_destroy(world);
}

// A step of one length makes the time a product, whatever integrator the scene names for DEM.
TEST(the_solver_says_whether_steps_differ)
{
    static const char *const sets[] = {"run.integrator=rkf45"};
    scratch                  folder;
    erg_error                err;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "state.ckpt");
    erg_world  *world = build("pile", &ballistic_solver, 1, sets, 1),
              *other = build("pile", &ballistic_solver, 1, sets, 1);
    step(world, 301);
    CHECK(erg_world_time(world) == 301 * erg_world_dt(world));
    must(erg_world_save(world, path, NULL, NULL, &err), &err);
    must(erg_world_load(other, path, &err), &err);
    CHECK(hash_after(world, 10) == hash_after(other, 10));
    erg_world_destroy(world);
    erg_world_destroy(other);
    scratch_close(&folder);
}

// ---- Commands ----------------------------------------------------------------------------------
// Takes 60 steps: only a grain that is there can be named for removal.
static void give_commands(erg_world *world)
{
    step(world, 60);
    command(world, (erg_command){.kind = ERG_COMMAND_GRAVITY, .step = 100, .vector = {2, 0, -5}});
    command(world, (erg_command){.kind = ERG_COMMAND_ADD_BALL,
                                 .step = 120,
                                 .id = 1,
                                 .value = 0.01,
                                 .point = {0.1, 0.1, 0.05}});
    command(world, (erg_command){.kind = ERG_COMMAND_REMOVE_GRAIN, .step = 150, .grain = 3});
    command(world, (erg_command){.kind = ERG_COMMAND_FRICTION, .step = 160, .value = 0.1});
    command(world,
            (erg_command){.kind = ERG_COMMAND_EMITTER_RATE, .step = 400, .id = 1, .value = 100});
}

TEST(commands_work)
{
    erg_world *world = pile(1), *quiet = pile(1);
    give_commands(world);
    step(world, 150);
    step(quiet, 210);
    CHECK(erg_world_gravity(world).x == 2);
    CHECK_NEAR(erg_world_friction(world, 1, 1), 0.1, 1e-12);
    CHECK(ergi_grains_find(quiet, 3) >= 0 && ergi_grains_find(world, 3) < 0);
    CHECK(world->kinds == quiet->kinds + 1);                  // that of balls
    CHECK(stats_of(world).grains == stats_of(world).emitted); // one came, one went
    CHECK(ballistic_of(world)->changes > ballistic_of(quiet)->changes);
    // The ball falls aslant and stops on the plate.
    const double *x = NULL;
    step(world, 1000);
    for (size_t i = 0; i < world->grains.rows; i++)
        if (ERGI_GRAIN(world, SIZE, double)[i] == 0.01)
            x = ERGI_GRAIN(world, POSITION, double) + 4 * i;
    REQUIRE(x != NULL);
    CHECK(x[0] > 0.105 && x[2] >= 0.01 && x[2] < 0.015);
    CHECK(erg_world_emitter_rate(world, 1) == 100);
    erg_world_destroy(world);
    erg_world_destroy(quiet);
}

// ---- Checkpoints -------------------------------------------------------------------------------
TEST(a_resumed_run_is_the_unbroken_run)
{
    scratch   folder;
    erg_error err;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "state.ckpt");
    erg_world  *whole = pile(1), *broken = pile(1), *resumed = pile(2);
    give_commands(whole);
    give_commands(broken);
    uint64_t end = hash_after(whole, 840);
    step(broken, 290); // while a command waits
    must(erg_world_save(broken, path, NULL, NULL, &err), &err);
    must(erg_world_load(resumed, path, &err), &err);
    CHECK(erg_world_hash(resumed) == erg_world_hash(broken));
    CHECK(hash_after(resumed, 550) == end);
    CHECK(hash_after(broken, 550) == end); // saving changed nothing
    erg_world_destroy(whole);
    erg_world_destroy(broken);
    erg_world_destroy(resumed);
    scratch_close(&folder);
}

// Before the first step too, and again after loading.
TEST(a_prepared_world_is_saved)
{
    scratch   folder;
    erg_error err;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "state.ckpt");
    erg_world  *world = pile(1), *again = pile(1);
    must(erg_world_save(world, path, NULL, NULL, &err), &err);
    must(erg_world_load(again, path, &err), &err);
    must(erg_world_save(again, path, NULL, NULL, &err), &err);
    CHECK(hash_after(world, 300) == hash_after(again, 300));
    erg_world_destroy(world);
    erg_world_destroy(again);

    erg_world_def def = erg_world_def_default();
    must(ergi_world_create_with(&def, &ballistic_solver, &world, &err), &err);
    CHECK(erg_world_save(world, path, NULL, NULL, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "must be prepared") != NULL);
    erg_world_destroy(world);
    scratch_close(&folder);
}

// Rewrites the checkpoint with item `name` changed.
typedef void forger(ergi_container_item *item, char *data);

static void forge(const char *whole, const char *path, const char *name, forger *change)
{
    ergi_container *box = NULL;
    erg_error       err;
    size_t          count = 0;
    char           *data = NULL;
    must(ergi_container_open(whole, &box, &err), &err);
    const ergi_container_item *items = ergi_container_items(box, &count);
    ergi_container_item       *copy = calloc(count, sizeof *copy);
    if (!copy) exit(1);
    for (size_t k = 0; k < count; k++) {
        copy[k] = items[k];
        if (strcmp(items[k].name, name) != 0) continue;
        size_t bytes =
            items[k].rows * (size_t)items[k].columns * ergi_container_type_size(items[k].type);
        data = malloc(bytes);
        if (!data) exit(1);
        memcpy(data, items[k].data, bytes);
        copy[k].data = data;
        change(&copy[k], data);
    }
    CHECK(data != NULL);
    must(ergi_container_write(path, copy, count, NULL, &err), &err);
    free(data);
    free(copy);
    ergi_container_close(box);
}

static void one_more(ergi_container_item *item, char *data)
{
    (void)item;
    (*(uint32_t *)(void *)data)++;
}

static void the_second_is_the_first(ergi_container_item *item, char *data)
{
    size_t row = (size_t)item->columns * ergi_container_type_size(item->type);
    memcpy(data + row, data, row);
}

static void one_less(ergi_container_item *item, char *data)
{
    (void)data;
    item->rows--;
}

static void late(ergi_container_item *item, char *data)
{
    (void)item;
    *(double *)(void *)data = 1e3;
}

TEST(forged_checkpoints_are_refused)
{
    static const struct {
        const char *item;
        forger     *change;
        const char *sentence;
    } forgeries[] = {
        {"rest/id", the_second_is_the_first, "is so twice"},
        {"rest/place", the_second_is_the_first, "in another place"},
        {"rest/time", late, "is at rest since 1000 s"},
        {"rest/time", one_less, "has"}, // rows that do not match
        {"map/impacts", one_more, "impacts are on the map"},
        {"map/last", late, "was last hit at 1000 s"},
        {"ballistic/state", one_more, "impacts are on the map"},
        {"ballistic/state", one_less, "another build"},
    };
    scratch   folder;
    erg_error err;
    scratch_open(&folder);
    const char *whole = scratch_path(&folder, "whole.ckpt"),
               *path = scratch_path(&folder, "forged.ckpt");
    erg_world *world = pile(1), *other = pile(1);
    step(world, 600);
    must(erg_world_save(world, whole, NULL, NULL, &err), &err);
    uint64_t before = erg_world_hash(other);
    for (size_t k = 0; k < sizeof forgeries / sizeof *forgeries; k++) {
        forge(whole, path, forgeries[k].item, forgeries[k].change);
        CHECK(erg_world_load(other, path, &err) == ERG_BAD_INPUT);
        bool said = strstr(err.text, forgeries[k].sentence) != NULL;
        if (!said) printf("    %s: %s\n", forgeries[k].item, err.text);
        CHECK(said && erg_world_hash(other) == before);
    }
    must(erg_world_load(other, whole, &err), &err);
    CHECK(erg_world_hash(other) == erg_world_hash(world));
    erg_world_destroy(world);
    erg_world_destroy(other);
    scratch_close(&folder);
}

TEST(checkpoints_of_other_solvers_are_refused)
{
    scratch   folder;
    erg_error err;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "state.ckpt");
    for (int k = 0; k < 2; k++) {
        erg_world *from = build("pile", k ? &ballistic_solver : NULL, 1, NULL, 0),
                  *to = build("pile", k ? NULL : &ballistic_solver, 1, NULL, 0);
        step(from, 20);
        must(erg_world_save(from, path, NULL, NULL, &err), &err);
        uint64_t before = erg_world_hash(to);
        CHECK(erg_world_load(to, path, &err) == ERG_BAD_INPUT && erg_world_hash(to) == before);
        step(to, 20);
        erg_world_destroy(from);
        erg_world_destroy(to);
    }
    scratch_close(&folder);
}

// ---- Rolling back ------------------------------------------------------------------------------
// The state is kept at steps 0 and 512: the first time whole, the second time by tiles.
TEST(a_bad_step_is_rolled_back)
{
    static const uint64_t bad[] = {300, 512, 700};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        erg_world *world = pile(1);
        erg_error  err;
        ballistic_of(world)->bad_step = bad[k];
        CHECK(erg_world_step(world, 900, &err) == ERG_BAD_PHYSICS);
        CHECK(strstr(err.text, "was to come out wrong") != NULL);
        CHECK(erg_world_steps(world) == bad[k]);
        CHECK(erg_world_hash(world) == pile_after(bad[k]));
        // Again, and then on as if nothing had been.
        CHECK(erg_world_step(world, 1, &err) == ERG_BAD_PHYSICS &&
              erg_world_steps(world) == bad[k]);
        ballistic_of(world)->bad_step = 0;
        CHECK(hash_after(world, 900 - bad[k]) == pile_after(900));
        erg_world_destroy(world);
    }
}

// Commands within the rolled-back steps are undone and applied again.
TEST(rolling_back_repeats_commands)
{
    erg_world *world = pile(1), *good = pile(1);
    erg_error  err;
    give_commands(world);
    give_commands(good);
    ballistic_of(world)->bad_step = 450;
    CHECK(erg_world_step(world, 500, &err) == ERG_BAD_PHYSICS);
    CHECK(erg_world_hash(world) == hash_after(good, 390));
    CHECK(world->kinds == good->kinds && good->kinds > 1);
    erg_world_destroy(world);
    erg_world_destroy(good);
}

// If a table is copied by changed tiles, only those are copied, in both directions. To check this,
// the test writes to a tile without marking it: no copy must contain the change.
TEST(only_changed_tiles_are_copied)
{
    erg_world *world = pile(1);
    erg_error  err;
    step(world, 600); // kept at step 512
    ballistic *b = ballistic_of(world);
    uint32_t  *impacts = b->map.data[MAP_IMPACTS];
    size_t     marked = 0, tiles = (MAP_CELLS + ERGI_TILE_ROWS - 1) / ERGI_TILE_ROWS;
    CHECK(!b->changed.all && b->changed.room == tiles);
    for (size_t t = 0; t < tiles; t++) marked += b->changed.changed[t];
    CHECK(marked > 0 && marked < tiles / 2); // the heap is in the middle of the map

    size_t first = 0, last = MAP_CELLS - 1; // far from the heap
    must(ergi_rollback_take(world, &err), &err);
    for (size_t t = 0; t < tiles; t++) CHECK(!b->changed.changed[t]);
    uint64_t hash = erg_world_hash(world);
    ergi_tiles_mark(&b->changed, first, first + 1);
    impacts[first] = 11;
    impacts[last] = 22; // without a mark
    must(ergi_rollback_restore(world, &err), &err);
    CHECK(impacts[first] == 0 && impacts[last] == 22);
    impacts[last] = 0;
    CHECK(erg_world_hash(world) == hash);

    impacts[first] = 33; // without a mark when the copy is taken
    must(ergi_rollback_take(world, &err), &err);
    ergi_tiles_mark(&b->changed, first, first + 1);
    must(ergi_rollback_restore(world, &err), &err);
    CHECK(impacts[first] == 0);
    CHECK(erg_world_hash(world) == hash);

    // A range across tiles marks each of them, and nothing else.
    ergi_tiles_mark(&b->changed, ERGI_TILE_ROWS - 1, 2 * ERGI_TILE_ROWS + 1);
    CHECK(b->changed.changed[0] && b->changed.changed[1] && b->changed.changed[2]);
    CHECK(!b->changed.changed[3]);
    ergi_tiles_mark(&b->changed, 3 * ERGI_TILE_ROWS, 3 * ERGI_TILE_ROWS); // empty
    CHECK(!b->changed.changed[3] && !b->changed.all);
    // A table that has grown since is copied whole.
    ergi_tiles_mark(&b->changed, MAP_CELLS, MAP_CELLS + ERGI_TILE_ROWS);
    CHECK(b->changed.all);
    erg_world_destroy(world);
}

// ---- Files and pictures ------------------------------------------------------------------------
TEST(snapshots_are_written)
{
    static const struct {
        erg_snapshot_part part;
        const char       *name;
    } files[] = {{ERG_SNAPSHOT_SPHERES, "spheres.vtp"},
                 {ERG_SNAPSHOT_SPHERES, "spheres.ply"},
                 {ERG_SNAPSHOT_GRAINS, "grains.vtp"},
                 {ERG_SNAPSHOT_CONTACTS, "contacts.vtp"}};
    erg_world *world = pile(1);
    erg_error  err;
    scratch    folder;
    scratch_open(&folder);
    uint64_t hash = hash_after(world, 300);
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        must(erg_snapshot_write(world, files[k].part, scratch_path(&folder, files[k].name), &err),
             &err);
    CHECK(erg_world_hash(world) == hash);
    // A view in the world's own order.
    erg_view view;
    must(erg_world_view(world, ERG_FIELD_POSITION, &view, &err), &err);
    CHECK(view.count == erg_world_grain_count(world));
    erg_world_destroy(world);
    scratch_close(&folder);
}

// Pixels that differ between two pictures of a world.
enum { WIDTH = 160, HEIGHT = 90 };

static erg_status draw(const erg_world *world, const erg_look *look, uint8_t *rgb, erg_error *err)
{
    erg_picture *picture = NULL;
    erg_canvas  *canvas = NULL;
    erg_status   status = erg_picture_create(&picture, err);
    if (status == ERG_OK) status = erg_picture_take(picture, look, world, NULL, err);
    if (status == ERG_OK) status = erg_canvas_create(WIDTH, HEIGHT, &canvas, err);
    if (status == ERG_OK) status = erg_canvas_draw(canvas, picture, err);
    if (status == ERG_OK) memcpy(rgb, erg_canvas_pixels(canvas), (size_t)3 * WIDTH * HEIGHT);
    const char *path = getenv("ERG_TEST_PICTURE"); // to look at it
    if (status == ERG_OK && path) status = erg_png_write(path, WIDTH, HEIGHT, rgb, err);
    erg_canvas_destroy(canvas);
    erg_picture_destroy(picture);
    return status;
}

TEST(a_picture_is_drawn)
{
    static uint8_t before[3 * WIDTH * HEIGHT], after[3 * WIDTH * HEIGHT];
    erg_scene     *scene = load("pile", NULL, 0);
    erg_world     *world = pile(1);
    erg_error      err;
    setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
    erg_status status = draw(world, erg_scene_get_look(scene), before, &err);
    if (status == ERG_NOT_BUILT) {
        printf("    not drawn: %s\n", err.text);
    } else {
        must(status, &err);
        step(world, 1200);
        must(draw(world, erg_scene_get_look(scene), after, &err), &err);
        size_t other = 0;
        for (size_t k = 0; k < sizeof after; k += 3)
            other += abs(before[k] - after[k]) > 24 || abs(before[k + 1] - after[k + 1]) > 24;
        CHECK(other > WIDTH * HEIGHT / 50 && other < WIDTH * HEIGHT / 2);
    }
    erg_world_destroy(world);
    erg_scene_destroy(scene);
}

// ---- Too much state ----------------------------------------------------------------------------
static int  parts; // registered in addition to those of the solver
static char part_name[100][16];

static erg_status create_with_parts(erg_world *world, erg_error *err)
{
    static double part[100];
    erg_status    status = ballistic_create(world, err);
    for (int k = 0; k < parts && status == ERG_OK; k++) {
        snprintf(part_name[k], sizeof part_name[k], "part/%d", k);
        ergi_registry_plain(&world->registry, part_name[k], &part[k], sizeof part[k]);
    }
    return status;
}

static erg_status create_twice(erg_world *world, erg_error *err)
{
    erg_status status = ballistic_create(world, err);
    if (status == ERG_OK) ergi_registry_unhashed(&world->registry, 0);
    if (status == ERG_OK)
        ergi_registry_table(&world->registry, &ballistic_of(world)->rest, -1, ERGI_STATE_HASHED);
    return status;
}

TEST(state_that_does_not_fit_is_refused)
{
    erg_error     err;
    erg_world_def def = erg_world_def_default();
    erg_world    *world = NULL;
    ergi_solver   solver = ballistic_solver;
    solver.create = create_with_parts;
    parts = ERGI_STATE_MOST - 8; // the world has five, the solver three
    must(ergi_world_create_with(&def, &solver, &world, &err), &err);
    CHECK(world->registry.count == ERGI_STATE_MOST);

    // Neither a terrain nor fine particles fit any more; the world stays as it was.
    erg_id           sand = new_sand(world, 0.5, 0.5);
    erg_terrain_def  terrain = erg_terrain_def_default();
    erg_upsample_def upsample = erg_upsample_def_default();
    terrain.material = sand;
    terrain.lower[0] = terrain.lower[1] = -1;
    terrain.upper[0] = terrain.upper[1] = 1;
    terrain.spacing = 0.1;
    terrain.height = 0.3;
    CHECK(erg_world_set_terrain(world, &terrain, &err) == ERG_BAD_INPUT);
    CHECK(err.code == ERG_ERROR_TOO_MANY && !erg_world_has_terrain(world));
    CHECK(erg_world_set_upsample(world, &upsample, &err) == ERG_BAD_INPUT);
    CHECK(err.code == ERG_ERROR_TOO_MANY);
    CHECK_STR(err.text,
              "the state of a world has at most 64 parts, 'upsample/clock' is one too many");
    CHECK(!erg_world_has_upsample(world) && world->registry.count == ERGI_STATE_MOST);
    erg_world_destroy(world);

    world = NULL;
    parts++;
    CHECK(ergi_world_create_with(&def, &solver, &world, &err) == ERG_BAD_INPUT && !world);
    CHECK(err.code == ERG_ERROR_TOO_MANY);
    CHECK_STR(err.text, "the state of a world has at most 64 parts, 'part/56' is one too many");

    solver.create = create_twice;
    CHECK(ergi_world_create_with(&def, &solver, &world, &err) == ERG_BAD_INPUT && !world);
    CHECK(err.code == ERG_ERROR_NAME_TAKEN);
    CHECK_STR(err.text, "two parts of the state are named 'rest'");
}

TEST_MAIN(a_shipped_scene_runs, scenes_of_all_sorts_are_resumed, threads_do_not_change_the_state,
          its_tables_are_hashed, grains_leave_by_sinks_and_over_the_edge,
          the_solver_says_whether_steps_differ, commands_work, a_resumed_run_is_the_unbroken_run,
          a_prepared_world_is_saved, forged_checkpoints_are_refused,
          checkpoints_of_other_solvers_are_refused, a_bad_step_is_rolled_back,
          rolling_back_repeats_commands, only_changed_tiles_are_copied, snapshots_are_written,
          a_picture_is_drawn, state_that_does_not_fit_is_refused)
