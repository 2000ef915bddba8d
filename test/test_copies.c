// labels: asan clang
// Copies of a bed evolve like the bed itself: contact history is copied, too.
#include "world_helpers.h"

#include <string.h>

enum { TILES = 2 }; // along x and along y

static const double SIDE = 12e-3;

static erg_world *bed(int tiles, erg_shape shape)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    def.periodic_x = def.periodic_y = true;
    def.lower = (erg_vec3){0, 0, -1};
    def.upper = (erg_vec3){tiles * SIDE, tiles * SIDE, 1};
    def.dt = 1e-5;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.3, 0.5);
    erg_wall_def plate = floor_def(sand);
    new_wall(world, &plate);
    new_kind(world, shape, sand);
    return world;
}

static erg_world *settled(erg_shape shape, uint64_t grains)
{
    erg_world *world = bed(1, shape);
    fill_box(world, 1, grains, (erg_vec3){0, 0, 0}, (erg_vec3){SIDE, SIDE, 0.06});
    for (int k = 0; k < 150; k++) { // the brake brings it to rest soon
        size_t    n = erg_world_grain_count(world);
        erg_vec3 *v = malloc(n * sizeof *v);
        erg_error err;
        step(world, 200);
        must(erg_world_read(world, ERG_FIELD_VELOCITY, NULL, n, v, &err), &err);
        for (size_t i = 0; i < n; i++) v[i] = ergi_scale(v[i], 0.3);
        must(erg_world_write(world, ERG_FIELD_VELOCITY, NULL, n, v, &err), &err);
        free(v);
    }
    return world;
}

static void copy(erg_world *world, const erg_world *from)
{
    erg_error err;
    erg_vec3  shift[TILES * TILES];
    for (int k = 0; k < TILES * TILES; k++)
        shift[k] = (erg_vec3){k / TILES * SIDE, k % TILES * SIDE, 0};
    must(erg_world_add_copies(world, from, shift, TILES * TILES, &err), &err);
}

// Like `copy`, but without contact history.
static void place_again(erg_world *world, const erg_world *from)
{
    erg_error err;
    size_t    n = erg_world_grain_count(from);
    erg_vec3 *x = malloc(n * sizeof *x);
    erg_quat *q = malloc(n * sizeof *q);
    must(erg_world_read(from, ERG_FIELD_ORIENTATION, NULL, n, q, &err), &err);
    for (int k = 0; k < TILES * TILES; k++) {
        must(erg_world_read(from, ERG_FIELD_POSITION, NULL, n, x, &err), &err);
        for (size_t i = 0; i < n; i++)
            x[i] = ergi_add(x[i], (erg_vec3){k / TILES * SIDE, k % TILES * SIDE, 0});
        erg_grains g = {.kind = 1, .count = n, .position = x, .orientation = q};
        must(erg_world_add_grains(world, &g, NULL, &err), &err);
    }
    free(x);
    free(q);
}

static void check_copies(erg_shape shape, uint64_t grains)
{
    const double four = TILES * TILES;
    erg_world *tile = settled(shape, grains), *large = bed(TILES, shape), *bare = bed(TILES, shape);
    erg_stats  one = stats_of(tile);
    CHECK(one.contacts > grains / 3 && one.wall_contacts > 5);
    copy(large, tile);
    place_again(bare, tile);
    prepare(large);
    prepare(bare);
    erg_stats all = stats_of(large), forgot = stats_of(bare);
    CHECK(erg_world_grain_count(large) == 4 * erg_world_grain_count(tile));
    CHECK((double)all.contacts == four * (double)one.contacts);
    CHECK((double)all.wall_contacts == four * (double)one.wall_contacts);
    // Springs at their limit give a little: the brake took what the dashpots added to it.
    CHECK_NEAR(all.elastic, four * one.elastic, 0.02 * four * one.elastic);
    CHECK(forgot.elastic < 0.98 * all.elastic); // springs along the surface are missing
    step(tile, 100);
    step(large, 100);
    step(bare, 100);
    one = stats_of(tile);
    all = stats_of(large);
    forgot = stats_of(bare);
    // They go on as the originals do, to rounding that grows; who forgot does not.
    CHECK_NEAR(all.kinetic, four * one.kinetic, 0.01 * four * one.kinetic);
    CHECK(fabs(forgot.kinetic - all.kinetic) > 0.1 * all.kinetic);
    erg_world_destroy(tile);
    erg_world_destroy(large);
    erg_world_destroy(bare);
}

TEST(copies_of_spheres_go_on_alike)
{
    check_copies(ERG_SHAPE_SPHERE, 300);
}

TEST(copies_of_tetrahedra_go_on_alike)
{
    check_copies(ERG_SHAPE_TETRAHEDRON, 50);
}

TEST(copies_need_an_empty_world_with_the_same_kinds)
{
    erg_error  err;
    erg_vec3   shift = {0, 0, 0}, bad = {0, 0, (double)NAN};
    erg_world *tile = settled(ERG_SHAPE_SPHERE, 20), *other = bed(1, ERG_SHAPE_TETRAHEDRON),
              *same = bed(1, ERG_SHAPE_SPHERE);
    CHECK(erg_world_add_copies(tile, tile, &shift, 1, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "the target world must have no grains and must not have stepped yet");
    CHECK(erg_world_add_copies(other, tile, &shift, 1, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "grain kind 1 differs between the two worlds") != NULL);
    CHECK(erg_world_add_copies(same, tile, &bad, 1, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "shift 0 of 1 is not finite") != NULL);
    CHECK(erg_world_add_copies(same, tile, &shift, 0, &err) == ERG_OK);
    CHECK(erg_world_grain_count(same) == 0);
    erg_world_destroy(tile);
    erg_world_destroy(other);
    erg_world_destroy(same);
}

TEST_MAIN(copies_of_spheres_go_on_alike, copies_of_tetrahedra_go_on_alike,
          copies_need_an_empty_world_with_the_same_kinds)
