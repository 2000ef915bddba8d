#include "tile.h"

#include "matter.h"
#include "settle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Increase it if tiles are made differently, so that cached tiles are not used.
enum { VERSION = 6 };

enum { FALL = 7000 }; // steps of falling to the floor

double tile_period(const tile_kind *kind, size_t count)
{
    return ceil(sqrt((double)count / (double)kind->layers)) * kind->spacing;
}

// Positions and orientations of grains on the lattice.
typedef struct lattice {
    size_t    count;
    double    period; // [m]
    erg_vec3 *position;
    erg_quat *orientation;
} lattice;

// A small rotation about a random axis. Every second grain on average is first rotated by a quarter
// turn, which makes a tetrahedron its own mirror image.
static erg_quat turned(double twist, uint64_t *random)
{
    const double half = sqrt(0.5);
    double       a = 0.5 * twist * matter_shake(random), b = 0.5 * twist * matter_shake(random),
           c = 0.5 * twist * matter_shake(random);
    double   w = sqrt(1 - a * a - b * b - c * c);
    bool     quarter = twist > 0 && matter_shake(random) < 0;
    erg_quat small = {a, b, c, w};
    // The small rotation times a quarter turn about z.
    erg_quat both = {half * (a + b), half * (b - a), half * (c + w), half * (w - c)};
    return quarter ? both : small;
}

static void loose_lattice(const tile_kind *kind, lattice *t)
{
    uint64_t random = 1;
    size_t   columns = (size_t)lround(t->period / kind->spacing);
    for (size_t i = 0; i < t->count; i++) {
        size_t layer = i / (columns * columns), y = i / columns % columns, x = i % columns;
        double s = kind->spacing, j = kind->jitter;
        t->position[i].x = ((double)x + 0.5) * s + j * matter_shake(&random);
        t->position[i].y = ((double)y + 0.5) * s + j * matter_shake(&random);
        t->position[i].z = ((double)layer + 0.5) * s + j * matter_shake(&random);
        t->orientation[i] = turned(kind->twist, &random);
    }
}

static erg_status define(const tile_kind *kind, size_t count, int threads, erg_world **world,
                         erg_error *err)
{
    erg_id        material;
    double        period = tile_period(kind, count);
    erg_world_def def = matter_world(threads);
    def.lower = (erg_vec3){0, 0, -(double)INFINITY};
    def.upper = (erg_vec3){period, period, (double)INFINITY};
    def.periodic_x = def.periodic_y = true;
    erg_status status = erg_world_create(&def, world, err);
    if (status == ERG_OK) status = matter_define(*world, kind->shape, &material, NULL, err);
    if (status == ERG_OK)
        status = matter_add_plane(*world, material, (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 1}, err);
    return status;
}

static erg_status add_lattice(const tile_kind *kind, size_t count, erg_world *world, erg_error *err)
{
    lattice    l = {count, tile_period(kind, count), malloc(count * sizeof *l.position),
                    malloc(count * sizeof *l.orientation)};
    erg_status status = l.position && l.orientation
                            ? ERG_OK
                            : bench_fail(err, ERG_NO_MEMORY, "out of memory for %zu grains", count);
    if (status == ERG_OK) {
        loose_lattice(kind, &l);
        erg_grains grains = {
            .kind = 1, .count = count, .position = l.position, .orientation = l.orientation};
        status = erg_world_add_grains(world, &grains, NULL, err);
    }
    free(l.position);
    free(l.orientation);
    return status;
}

static erg_status drop(const tile_kind *kind, size_t count, erg_world *world, erg_error *err)
{
    erg_status status = add_lattice(kind, count, world, err);
    if (status == ERG_OK) status = erg_world_step(world, FALL, err);
    if (status == ERG_OK) status = matter_set_friction(world, kind->friction, err);
    if (status == ERG_OK) status = settle_drag(world, kind->drag, err);
    if (status == ERG_OK) status = matter_set_friction(world, MATTER_FRICTION, err);
    if (status == ERG_OK) status = settle_drag(world, kind->drag, err);
    if (status == ERG_OK) status = settle_rest(world, kind->rest, kind->alone, err);
    if (status == ERG_OK)
        bench_say("it took %llu steps", (unsigned long long)erg_world_steps(world));
    return status;
}

erg_status tile_get(const tile_kind *kind, size_t count, const char *cache, erg_world **tile,
                    erg_error *err)
{
    char      path[4300];
    erg_error ignored;
    snprintf(path, sizeof path, "%s/%s-%zu-tile-v%d.h5", cache, kind->name, count, VERSION);
    *tile = NULL;
    erg_status status = define(kind, count, 1, tile, err);
    if (status == ERG_OK && access(path, R_OK) == 0 &&
        erg_world_load(*tile, path, &ignored) == ERG_OK)
        return ERG_OK;
    erg_world_destroy(*tile); // a failed load may have left data in it
    *tile = NULL;
    bench_say("dropping a tile of %zu grains", count);
    status = define(kind, count, 1, tile, err);
    if (status == ERG_OK) status = drop(kind, count, *tile, err);
    if (status == ERG_OK && erg_world_save(*tile, path, NULL, NULL, &ignored) != ERG_OK)
        bench_say("this tile could not be cached: %s", ignored.text);
    return status;
}
