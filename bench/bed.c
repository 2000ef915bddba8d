#include "bed.h"

#include "matter.h"
#include "settle.h"

#include <math.h>
#include <stdlib.h>

enum {
    SPREAD = 500, // steps without drag in which the grains spread to the walls
    CALM = 100,   // steps after which a periodic bed is as quiet as its tile
};

static size_t tile_grains(const bed_kind *kind, size_t grains)
{
    return grains < kind->tile.grains ? grains : kind->tile.grains;
}

size_t bed_grains(const bed_kind *kind, size_t grains)
{
    size_t one = tile_grains(kind, grains);
    return (grains + one / 2) / one * one;
}

// Columns and rows of copies, as close to square as the number allows.
static void arrange(const bed_kind *kind, size_t grains, size_t *nx, size_t *ny)
{
    size_t tiles = grains / tile_grains(kind, grains);
    *ny = (size_t)sqrt((double)tiles);
    while (tiles % *ny) --*ny;
    *nx = tiles / *ny;
}

bool bed_is_periodic(const bed_kind *kind, size_t grains)
{
    return grains > kind->walled;
}

void bed_space(const bed_kind *kind, size_t grains, erg_vec3 *low, erg_vec3 *high)
{
    size_t nx, ny;
    double period = tile_period(&kind->tile, tile_grains(kind, grains));
    double margin = bed_is_periodic(kind, grains) ? 0 : kind->margin;
    arrange(kind, grains, &nx, &ny);
    *low = (erg_vec3){-margin, -margin, 0};
    *high = (erg_vec3){(double)nx * period + margin, (double)ny * period + margin,
                       (double)kind->tile.layers * kind->tile.spacing};
}

void bed_walls(const bed_kind *kind, size_t grains, peer_state *state)
{
    state->floor = true;
    state->periodic = bed_is_periodic(kind, grains);
    state->box = !state->periodic;
    bed_space(kind, grains, &state->low, &state->high);
}

// Without a lid; the world is unbounded along z, too.
static void make_periodic(erg_world_def *def, erg_vec3 low, erg_vec3 high)
{
    def->lower = (erg_vec3){low.x, low.y, -(double)INFINITY};
    def->upper = (erg_vec3){high.x, high.y, (double)INFINITY};
    def->periodic_x = def->periodic_y = true;
}

erg_status bed_define(const bed_kind *kind, size_t grains, int threads, erg_world **world,
                      erg_error *err)
{
    erg_world_def def = matter_world(threads);
    erg_id        material;
    erg_vec3      low, high;
    bool          periodic = bed_is_periodic(kind, grains);
    bed_space(kind, grains, &low, &high);
    if (periodic) make_periodic(&def, low, high);
    erg_status status = erg_world_create(&def, world, err);
    if (status == ERG_OK) status = matter_define(*world, kind->tile.shape, &material, NULL, err);
    if (status != ERG_OK) return status;
    return periodic ? matter_add_plane(*world, material, low, (erg_vec3){0, 0, 1}, err)
                    : matter_add_box(*world, material, low, high, err);
}

static erg_status add_copies(const bed_kind *kind, size_t grains, const erg_world *tile,
                             erg_world *world, erg_error *err)
{
    size_t nx, ny;
    double period = tile_period(&kind->tile, tile_grains(kind, grains));
    arrange(kind, grains, &nx, &ny);
    erg_vec3 *shift = malloc(nx * ny * sizeof *shift);
    if (!shift) return bench_fail(err, ERG_NO_MEMORY, "out of memory for %zu grains", grains);
    for (size_t k = 0; k < nx * ny; k++)
        shift[k] = (erg_vec3){(double)(k / ny) * period, (double)(k % ny) * period, 0};
    erg_status status = erg_world_add_copies(world, tile, shift, nx * ny, err);
    free(shift);
    return status;
}

static erg_status settle_between_walls(const bed_kind *kind, size_t grains, erg_world *world,
                                       erg_error *err)
{
    bench_say("settling %zu grains between walls", grains);
    erg_status status = matter_set_friction(world, kind->friction, err);
    if (status == ERG_OK) status = erg_world_step(world, SPREAD, err);
    if (status == ERG_OK) status = settle_drag(world, kind->tile.drag, err);
    if (status == ERG_OK) status = matter_set_friction(world, MATTER_FRICTION, err);
    if (status == ERG_OK) status = settle_drag(world, kind->tile.drag, err);
    if (status == ERG_OK) status = settle_rest(world, kind->rest, kind->tile.alone, err);
    if (status == ERG_OK) bench_say("took %llu steps", (unsigned long long)erg_world_steps(world));
    return status;
}

erg_status bed_make(const bed_kind *kind, size_t grains, const char *cache, erg_world *world,
                    erg_error *err)
{
    erg_world *tile = NULL;
    erg_status status = tile_get(&kind->tile, tile_grains(kind, grains), cache, &tile, err);
    if (status == ERG_OK) status = add_copies(kind, grains, tile, world, err);
    erg_world_destroy(tile);
    if (status != ERG_OK) return status;
    if (bed_is_periodic(kind, grains)) return erg_world_step(world, CALM, err);
    return settle_between_walls(kind, grains, world, err);
}
