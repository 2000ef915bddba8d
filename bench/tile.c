#include "tile.h"

#include "matter.h"
#include "settle.h"
#include "tile_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FALL = 9000, REST = 4000 }; // steps: down to the floor, with drag

double tile_period(const tile_kind *kind, size_t count)
{
    return ceil(sqrt((double)count / (double)kind->layers)) * kind->spacing;
}

void tile_free(tile *t)
{
    free(t->position);
    free(t->orientation);
    *t = (tile){0};
}

erg_status tile_allocate(tile *t, size_t count, erg_error *err)
{
    *t = (tile){.count = count,
                .position = malloc(count * sizeof *t->position),
                .orientation = malloc(count * sizeof *t->orientation)};
    if (t->position && t->orientation) return ERG_OK;
    tile_free(t);
    return bench_fail(err, ERG_NO_MEMORY, "out of memory for %zu grains", count);
}

// A small turn about a random axis, and for one in two a quarter turn before it: that makes a
// tetrahedron its own mirror image.
static erg_quat turned(double twist, uint64_t *random)
{
    const double half = sqrt(0.5);
    double       a = 0.5 * twist * matter_shake(random), b = 0.5 * twist * matter_shake(random),
           c = 0.5 * twist * matter_shake(random);
    double   w = sqrt(1 - a * a - b * b - c * c);
    bool     quarter = twist > 0 && matter_shake(random) < 0;
    erg_quat small = {a, b, c, w};
    // small times a quarter turn about z
    erg_quat both = {half * (a + b), half * (b - a), half * (c + w), half * (w - c)};
    return quarter ? both : small;
}

static void loose_lattice(const tile_kind *kind, tile *t)
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

static double wrapped(double x, double period)
{
    double y = fmod(x, period);
    return y < 0 ? y + period : y;
}

static erg_status take(tile *t, const erg_world *world, erg_error *err)
{
    erg_status status = erg_world_read(world, ERG_FIELD_POSITION, NULL, t->count, t->position, err);
    if (status == ERG_OK)
        status = erg_world_read(world, ERG_FIELD_ORIENTATION, NULL, t->count, t->orientation, err);
    for (size_t i = 0; status == ERG_OK && i < t->count; i++) {
        t->position[i].x = wrapped(t->position[i].x, t->period);
        t->position[i].y = wrapped(t->position[i].y, t->period);
    }
    return status;
}

static erg_status drop(const tile_kind *kind, tile *t, erg_error *err)
{
    erg_world *world = NULL;
    erg_id     material;
    erg_grains grains = {.count = t->count, .position = t->position, .orientation = t->orientation};
    erg_world_def def = matter_world(1);
    def.lower = (erg_vec3){0, 0, -(double)INFINITY};
    def.upper = (erg_vec3){t->period, t->period, (double)INFINITY};
    def.periodic_x = def.periodic_y = true;
    erg_status status = erg_world_create(&def, &world, err);
    if (status == ERG_OK) status = matter_define(world, kind->shape, &material, &grains.kind, err);
    if (status == ERG_OK)
        status = matter_add_plane(world, material, (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 1}, err);
    if (status == ERG_OK) status = erg_world_add_grains(world, &grains, NULL, err);
    if (status == ERG_OK) status = erg_world_step(world, FALL, err);
    if (status == ERG_OK) status = settle_drag(world, REST, err);
    if (status == ERG_OK) status = take(t, world, err);
    erg_world_destroy(world);
    return status;
}

erg_status tile_get(const tile_kind *kind, size_t count, const char *cache, tile *t, erg_error *err)
{
    char path[4300];
    snprintf(path, sizeof path, "%s/%s-%zu.tile", cache, kind->name, count);
    if (tile_read(path, count, t)) return ERG_OK;

    bench_say("dropping a tile of %zu grains", count);
    erg_status status = tile_allocate(t, count, err);
    if (status != ERG_OK) return status;
    t->period = tile_period(kind, count);
    loose_lattice(kind, t);
    status = drop(kind, t, err);
    if (status == ERG_OK) status = tile_write(path, t, err);
    if (status != ERG_OK) tile_free(t);
    return status;
}
