// labels: asan hdf5
// A damaged checkpoint is rejected with a message, and the world is unchanged.
#include "check.h"

#include <stdlib.h>

#include "base/random.h"
#include "erg/world.h"
#include "scratch.h"

#define MUTATIONS 1000

static erg_world *small_world(void)
{
    erg_world    *world = NULL;
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    if (erg_world_create(&def, &world, NULL) != ERG_OK) return NULL;
    erg_material_def sand = erg_material_def_default();
    erg_id           material = 0, kind = 0;
    erg_world_add_material(world, &sand, &material, NULL);
    erg_grain_def grain = erg_grain_def_default();
    grain.shape = ERG_SHAPE_TETRAHEDRON;
    grain.material = material;
    erg_world_add_grain_kind(world, &grain, &kind, NULL);
    erg_wall_def floor = erg_wall_def_default(ERG_WALL_PLANE);
    floor.material = material;
    erg_world_add_wall(world, &floor, NULL, NULL);
    erg_fill_def fill = erg_fill_def_default();
    fill.grain = kind;
    fill.count = 12;
    fill.region = (erg_region){.shape = ERG_REGION_BOX, .a = {0, 0, 0}, .b = {0.02, 0.02, 0.02}};
    erg_world_fill(world, &fill, NULL, NULL);
    return world;
}

static unsigned char *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    unsigned char *bytes = malloc(*size + 64);
    rewind(file);
    if (bytes && fread(bytes, 1, *size, file) != *size) *size = 0;
    fclose(file);
    return bytes;
}

static void write_all(const char *path, const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file) return;
    fwrite(bytes, 1, size, file);
    fclose(file);
}

// One random wound; returns the new size. `bytes` has room for 64 more.
static size_t wound(unsigned char *bytes, size_t size, ergi_random *r)
{
    size_t at = (size_t)(ergi_random_uniform(r) * (double)size),
           n = 1 + (size_t)(ergi_random_uniform(r) * 63);
    switch ((int)(ergi_random_uniform(r) * 5)) {
    case 0: bytes[at] ^= (unsigned char)(1u << (int)(ergi_random_uniform(r) * 8)); return size;
    case 1: return at; // cut short
    case 2:            // bytes slipped in
        memmove(bytes + at + n, bytes + at, size - at);
        return size + n;
    case 3: // bytes lost
        if (at + n > size) n = size - at;
        memmove(bytes + at, bytes + at + n, size - at - n);
        return size - n;
    default: // a stretch overwritten
        if (at + n > size) n = size - at;
        for (size_t k = 0; k < n; k++) bytes[at + k] = (unsigned char)(ergi_random_u64(r) & 255);
        return size;
    }
}

TEST(mutations_are_refused)
{
    scratch    folder;
    erg_error  err;
    erg_world *world = small_world(), *target = small_world();
    REQUIRE(world && target);
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "whole.h5"),
               *damaged = scratch_path(&folder, "damaged.h5");
    REQUIRE(erg_world_step(world, 600, &err) == ERG_OK);
    REQUIRE(erg_world_save(world, path, NULL, "title: none\n", &err) == ERG_OK);
    REQUIRE(erg_world_prepare(target, &err) == ERG_OK);
    uint64_t       before = erg_world_hash(target);
    size_t         size = 0;
    unsigned char *whole = read_all(path, &size), *bytes = malloc(size + 64);
    REQUIRE(whole && bytes && size > 0);
    int taken = 0, wordless = 0;
    for (uint64_t k = 0; k < MUTATIONS; k++) {
        ergi_random r = {.seed = 7, .id = k};
        memcpy(bytes, whole, size);
        size_t now = wound(bytes, size, &r);
        if (now == size && memcmp(bytes, whole, size) == 0) continue;
        write_all(damaged, bytes, now);
        err.text[0] = 0;
        taken += erg_world_load(target, damaged, &err) == ERG_OK;
        wordless += err.text[0] == 0;
    }
    CHECK(taken == 0);
    CHECK(wordless == 0);
    CHECK(erg_world_hash(target) == before);
    CHECK(erg_world_load(target, path, &err) == ERG_OK);
    CHECK(erg_world_hash(target) == erg_world_hash(world));
    free(whole);
    free(bytes);
    scratch_close(&folder);
    erg_world_destroy(world);
    erg_world_destroy(target);
}

TEST_MAIN(mutations_are_refused)
