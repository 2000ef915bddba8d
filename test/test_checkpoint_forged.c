// labels: asan hdf5
// A checkpoint with valid hashes whose arrays are inconsistent is rejected, and the world is
// unchanged.
#include "api/save_form.h"
#include "body_helpers.h"
#include "dem/dem.h"
#include "io/container.h"
#include "scratch.h"
#include "upsample/upsample.h"

#define SIDE 9 // 729 spheres: more than a chunk, so that pairs reach from one to another

// Spheres that touch each other, on a floor.
static erg_world *small_world(void)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.5, 0.5), kind = new_kind(world, ERG_SHAPE_SPHERE, sand);
    erg_wall_def floor = floor_def(sand);
    new_wall(world, &floor);
    erg_wall_def far = box_def(sand, (erg_vec3){1, 1, 1}, (erg_vec3){2, 2, 2}, 0);
    far.side = ERG_SIDE_OUTSIDE;
    new_wall(world, &far); // more features than a plane: entries have slots for six
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        erg_vec3 place = {1.999e-3 * (i % SIDE), 1.999e-3 * (i / SIDE % SIDE),
                          0.999e-3 + 1.999e-3 * (i / (SIDE * SIDE))};
        new_grain(world, kind, place, (erg_vec3){0}, (erg_vec3){0});
    }
    return world;
}

typedef struct forgery {
    const char *item;
    size_t      at; // which number of it
    uint64_t    value;
    double      number; // unless 0, in place of the value
} forgery;

#define CLOCK(field) "world/clock", offsetof(ergi_clock, field) / 8
#define DEM(field) "dem/state", offsetof(ergi_dem_state, field) / 8
#define WALL(field) "world/walls", offsetof(ergi_wall_state, field) / 8
#define COMMAND(field) "world/commands", offsetof(erg_command, field) / 8

static const forgery forgeries[] = {
    {"grains/kind", 0, 1, 0},
    {"grains/first", 5, 6, 0},
    {"lists/inner_span/start", 0, 1, 0},
    {"lists/inner_span/start", 3, 1u << 30, 0},
    {"lists/inner/owner", 0, 4 * 511, 0},
    {"lists/inner/other", 0, 2, 0},
    {"lists/outer/other", 0, 4 * 729, 0},
    {"lists/outer/other", 0, 1, 0},
    {"lists/near/sphere", 0, 729, 0},
    {"lists/near/sphere", 1, 0, 0},
    {"lists/near/start", 0, 1, 0},
    {"lists/wall/wall", 0, 2, 0},
    {DEM(listed_grains), 730, 0},
    {DEM(listed_grains), 728, 0},
    {"dem/listed", 0, 728, 0},
    {DEM(classes), 1u << 20, 0},
    {CLOCK(commands_done), 1, 0},
    // A command that waits, friction 0.3 of material 1
    {COMMAND(kind), 99, 0},
    {COMMAND(kind), ERG_COMMAND_EMITTER_RATE, 0},
    {COMMAND(kind), ERG_COMMAND_WALL_VELOCITY, 0},
    {COMMAND(kind), ERG_COMMAND_ADD_GRAIN, 0},
    {COMMAND(kind), ERG_COMMAND_REMOVE_GRAIN, 0},
    {COMMAND(id), 0x100000, 0},
    {COMMAND(value), 0, -5},
    {COMMAND(value), 0, NAN},
    {COMMAND(vector2), 0, INFINITY},
    {COMMAND(step), 3, 0},
    // The clock
    {CLOCK(dt), 0, 0},
    {CLOCK(dt), 0, 1e-30},
    {CLOCK(dt), 0, 1},
    {CLOCK(time), 0, NAN},
    {CLOCK(time), 0, 1},
    {CLOCK(steps), UINT64_MAX, 0},
    {CLOCK(steps), 99, 0},
    {CLOCK(next_id), 5, 0},
    {CLOCK(next_id), UINT64_MAX, 0},
    {CLOCK(contacts), 1u << 20, 0},
    {CLOCK(wall_contacts), 1u << 20, 0},
    {CLOCK(gravity), 0, 5},
    {CLOCK(work), 0, NAN},
    {CLOCK(dirty), 2, 0},
    {CLOCK(fills), UINT64_MAX, 0},
    {CLOCK(body_contacts), 1, 0},
    {DEM(contact_time), 0, 1e9},
    {DEM(skin), 0, NAN},
    {DEM(klass[0].material), 1, 0},
    {DEM(klass[0].material), 0x7fffffff, 0},
    {DEM(klass[0].radius), 0, -1e-3},
    {DEM(klass[0].mass), 0, NAN},
    // Grains
    {"grains/id", 3, 0, 0},
    {"grains/id", 3, 1u << 20, 0},
    {"grains/position", 0, 0, NAN},
    {"grains/position", 3, 0, NAN},
    {"grains/position", 3, 0, -1e-3},
    {"grains/position", 3, 0, 1},
    {"grains/orientation", 3, 0, 2},
    {"grains/motion", 1, 0, NAN},
    {"grains/motion", 3, 0, -1},
    {"grains/motion", 7, 0, 1},
    {"grains/force_torque", 3, 0, 1},
    {"grains/force_torque", 4, 0, INFINITY},
    {"grains/size", 0, 0, 1e300},
    {"grains/size", 0, 0, NAN},
    {"grains/size", 0, 0, -1e-3},
    {"spheres/klass", 0, 1, 0},
    {"spheres/reference", 3, 0, 0},
    // Walls
    {WALL(pose.position), 0, NAN},
    {WALL(pose.position), 0, 1e-3},
    {WALL(pose.rotation), 0, 1},
    {WALL(motion.user_velocity), 0, 1},
    {WALL(motion.pose.position), 0, 1},
    {WALL(list_skin), 0, -1},
    {WALL(sweep), 0, NAN},
    {WALL(force), 0, INFINITY},
    // Contacts
    {"lists/inner/touching", 0, 2, 0},
    {"lists/inner/memory", 0, 0, NAN},
    {"lists/wall/feature", 1, 0, 0}, // a plane has one
    {"lists/wall/feature", 0, 1, 0},
    {"lists/wall/memory", 0, 0, NAN},
    {"lists/wall/spare", 0, 0, NAN},
};

// Writes `whole` to `path` with one number changed; false when there is no such number.
static bool forge(const ergi_container *whole, const forgery *f, const char *path)
{
    size_t                     count = 0;
    const ergi_container_item *original = ergi_container_items(whole, &count);
    ergi_container_item       *item = malloc(count * sizeof *item);
    void                      *changed = NULL;
    erg_error                  err;
    bool                       done = false;
    for (size_t k = 0; item && k < count; k++) {
        item[k] = original[k];
        if (strcmp(item[k].name, f->item) != 0) continue;
        size_t size = ergi_container_type_size(item[k].type),
               bytes = item[k].rows * (size_t)item[k].columns * size;
        if (item[k].type == ERGI_CONTAINER_U8) // a struct of such words
            size = bytes < sizeof(uint64_t) ? bytes : sizeof(uint64_t);
        changed = malloc(bytes);
        if (!changed || (f->at + 1) * size > bytes) continue;
        memcpy(changed, item[k].data, bytes);
        float  single = (float)f->number;
        void  *to = (char *)changed + f->at * size;
        double number = f->number;
        if (number == 0)
            memcpy(to, &f->value, size); // little endian, as the file
        else if (item[k].type == ERGI_CONTAINER_F32)
            memcpy(to, &single, size);
        else
            memcpy(to, &number, size);
        done = memcmp(changed, item[k].data, bytes) != 0;
        item[k].data = changed;
    }
    if (done) must(ergi_container_write(path, item, count, NULL, &err), &err);
    free(item);
    free(changed);
    return done;
}

// Loads forgeries of the state of `world` into `target`, a world of the same definition.
static void check_refused(erg_world *world, erg_world *target, const forgery *list, size_t count,
                          const char *wanted)
{
    scratch         folder;
    erg_error       err;
    ergi_container *whole = NULL;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "whole.h5"),
               *forged = scratch_path(&folder, "forged.h5");
    must(erg_world_save(world, path, NULL, NULL, &err), &err);
    must(ergi_container_open(path, &whole, &err), &err);
    prepare(target);
    uint64_t before = erg_world_hash(target);
    for (size_t k = 0; k < count; k++) {
        const forgery *f = &list[k];
        int            failures = check_failures;
        err.text[0] = 0;
        CHECK(forge(whole, f, forged));
        CHECK(erg_world_load(target, forged, &err) == ERG_BAD_INPUT);
        CHECK(strstr(err.text, wanted));
        CHECK(erg_world_hash(target) == before);
        if (failures != check_failures)
            printf("    %s, number %zu as %llu or %g: %s\n", f->item, f->at,
                   (unsigned long long)f->value, f->number, err.text);
    }
    must(erg_world_load(target, path, &err), &err);
    CHECK(erg_world_hash(target) == erg_world_hash(world));
    ergi_container_close(whole);
    erg_world_destroy(world);
    erg_world_destroy(target);
    scratch_close(&folder);
}
#define CHECK_REFUSED(world, target, list, wanted)                                                 \
    check_refused(world, target, list, sizeof(list) / sizeof *(list), wanted)

TEST(forged_numbers_are_refused)
{
    erg_world *world = small_world();
    erg_error  err;
    step(world, 100);
    erg_command friction = {.kind = ERG_COMMAND_FRICTION, .step = 200, .id = 1, .value = 0.3};
    must(erg_world_command(world, &friction, &err), &err);
    CHECK_REFUSED(world, small_world(), forgeries, "is inconsistent");
}

#define FINE(field) "upsample/clock", offsetof(ergi_upsample_clock, field) / 8

static const forgery forgeries_pbd[] = {
    // Fine particles
    {FINE(radius), 0, 5e-324},
    {FINE(radius), 0, 1e-5},
    {FINE(radius), 0, 1e8},
    {FINE(radius), 0, NAN},
    {FINE(density), 0, 5e-324},
    {FINE(density), 0, 1e30},
    {FINE(unsorted), 2, 0},
    // Contacts of bodies
    {"pbd bodies/normal", 0, 0, NAN},
    {"pbd bodies/normal", 1, 0, INFINITY},
    {"pbd bodies/normal", 2, 0, 1e30},
    {"pbd bodies/place", 1, 77, 0},
    {"pbd bodies/history", 0, 0, NAN},
    // Counts of contacts
    {CLOCK(contacts), 1u << 20, 0},
    {CLOCK(wall_contacts), 1u << 20, 0},
    // Contacts of grains with walls
    {"pbd walls/normal", 2, 0, 1e30},
    {"pbd walls/feature", 0, 77, 0},
    // Reference positions and skins
    {"pbd reference/place", 0, 0, 1e300},
    {"pbd reference/place", 3, 0, 1e300},
};

// The real-time solver: a brick and grains with fine particles on a floor.
static erg_world *pbd_world(void)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    def.solver = ERG_SOLVER_PBD;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.5, 0.5), kind = new_kind(world, ERG_SHAPE_SPHERE, sand);
    erg_wall_def floor = floor_def(sand);
    new_wall(world, &floor);
    erg_body_def brick = erg_body_def_default();
    brick.material = sand;
    erg_mesh *box = new_box(0.02, 0.02, 0.01);
    brick.mesh = box;
    brick.position = (erg_vec3){0.05, 0, 0.005};
    new_body(world, &brick);
    erg_mesh_destroy(box);
    fill_box(world, kind, 100, (erg_vec3){0, 0, 0}, (erg_vec3){0.02, 0.02, 0.05});
    erg_upsample_def up = erg_upsample_def_default();
    erg_error        err;
    up.start = 0;
    must(erg_world_set_upsample(world, &up, &err), &err);
    return world;
}

TEST(forged_numbers_of_the_real_time_solver_are_refused)
{
    erg_world *world = pbd_world();
    run_until(world, 0.2);
    CHECK(world->clock.body_contacts > 0 && erg_world_fine_count(world) > 0);
    CHECK_REFUSED(world, pbd_world(), forgeries_pbd, "is inconsistent");
}

// Layouts of checkpoints have numbers: another one is named before anything is read.
TEST(another_layout_is_refused)
{
    erg_world *world = small_world();
    char       wanted[100];
    snprintf(wanted, sizeof wanted, "the checkpoint has layout 3, this erg reads layout %d",
             ERGI_SAVE_LAYOUT);
    step(world, 10);
    CHECK_REFUSED(world, small_world(), ((const forgery[]){{"world/layout", 0, 3, 0}}), wanted);
}

TEST(a_layout_without_number_is_refused)
{
    scratch         folder;
    erg_error       err;
    ergi_container *whole = NULL;
    erg_world      *world = small_world();
    size_t          count, kept = 0;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "whole.h5");
    step(world, 10);
    must(erg_world_save(world, path, NULL, NULL, &err), &err);
    erg_world_destroy(world);
    must(ergi_container_open(path, &whole, &err), &err);
    const ergi_container_item *from = ergi_container_items(whole, &count);
    ergi_container_item       *item = malloc(count * sizeof *item);
    for (size_t k = 0; item && k < count; k++)
        if (strcmp(from[k].name, "world/layout") != 0) item[kept++] = from[k];
    CHECK(kept + 1 == count);
    path = scratch_path(&folder, "older.h5");
    must(ergi_container_write(path, item, kept, NULL, &err), &err);
    world = small_world();
    CHECK(erg_world_load(world, path, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "the checkpoint has a layout older than 14, this erg reads layout "));
    free(item);
    ergi_container_close(whole);
    erg_world_destroy(world);
    scratch_close(&folder);
}

TEST_MAIN(forged_numbers_are_refused, forged_numbers_of_the_real_time_solver_are_refused,
          another_layout_is_refused, a_layout_without_number_is_refused)
