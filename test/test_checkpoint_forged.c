// labels: asan hdf5
// A checkpoint whose hashes are right and whose arrays do not fit together is refused, and the
// world it was meant for stays as it was.
#include "io/box.h"
#include "scratch.h"
#include "world/state.h"
#include "world_helpers.h"

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
} forgery;

#define LOOSE(field) "world/state", offsetof(ergi_loose, field) / 8

static const forgery forgeries[] = {
    {"bodies/kind", 0, 1},
    {"bodies/first", 5, 6},
    {"lists/inner_span/start", 0, 1},
    {"lists/inner_span/start", 3, 1u << 30},
    {"lists/inner/owner", 0, 4 * 511},
    {"lists/inner/other", 0, 2},
    {"lists/outer/other", 0, 4 * 729},
    {"lists/outer/other", 0, 1},
    {"lists/near/sphere", 0, 729},
    {"lists/near/sphere", 1, 0},
    {"lists/near/start", 0, 1},
    {"lists/wall/wall", 0, 1},
    {LOOSE(listed_bodies), 730},
    {LOOSE(listed_bodies), 728},
    {LOOSE(list_spheres), 728},
    {LOOSE(classes), 1u << 20},
    {LOOSE(commands_done), 1},
};

// Writes `whole` to `path` with one number changed; false when there is no such number.
static bool forge(const ergi_box *whole, const forgery *f, const char *path)
{
    size_t               count = 0;
    const ergi_box_item *original = ergi_box_items(whole, &count);
    ergi_box_item       *item = malloc(count * sizeof *item);
    void                *changed = NULL;
    erg_error            err;
    bool                 done = false;
    for (size_t k = 0; item && k < count; k++) {
        item[k] = original[k];
        if (strcmp(item[k].name, f->item) != 0) continue;
        size_t size = ergi_box_type_size(item[k].type),
               bytes = item[k].rows * (size_t)item[k].columns * size;
        if (item[k].type == ERGI_BOX_U8) size = sizeof(uint64_t); // a struct of such words
        changed = malloc(bytes);
        if (!changed || (f->at + 1) * size > bytes) continue;
        memcpy(changed, item[k].data, bytes);
        memcpy((char *)changed + f->at * size, &f->value, size); // little endian, as the file
        done = memcmp(changed, item[k].data, bytes) != 0;
        item[k].data = changed;
    }
    if (done) must(ergi_box_write(path, item, count, NULL, &err), &err);
    free(item);
    free(changed);
    return done;
}

TEST(forged_numbers_are_refused)
{
    scratch    folder;
    erg_error  err;
    erg_world *world = small_world(), *target = small_world();
    ergi_box  *whole = NULL;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "whole.h5"),
               *forged = scratch_path(&folder, "forged.h5");
    step(world, 100);
    must(erg_world_save(world, path, NULL, NULL, &err), &err);
    must(ergi_box_open(path, &whole, &err), &err);
    prepare(target);
    uint64_t before = erg_world_hash(target);
    for (size_t k = 0; k < sizeof forgeries / sizeof *forgeries; k++) {
        const forgery *f = &forgeries[k];
        int            failures = check_failures;
        err.text[0] = 0;
        CHECK(forge(whole, f, forged));
        CHECK(erg_world_load(target, forged, &err) == ERG_BAD_INPUT);
        CHECK(strstr(err.text, "does not fit together"));
        CHECK(erg_world_hash(target) == before);
        if (failures != check_failures)
            printf("    %s, number %zu as %llu: %s\n", f->item, f->at, (unsigned long long)f->value,
                   err.text);
    }
    must(erg_world_load(target, path, &err), &err);
    CHECK(erg_world_hash(target) == erg_world_hash(world));
    ergi_box_close(whole);
    erg_world_destroy(world);
    erg_world_destroy(target);
    scratch_close(&folder);
}

TEST_MAIN(forged_numbers_are_refused)
