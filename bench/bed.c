#include "bed.h"

#include "matter.h"
#include "settle.h"

#include <math.h>
#include <stdlib.h>

enum { SPREAD = 500 };                           // steps out to the walls without drag
enum { SLIPPERY_DRAG = 8000 };                   // steps with less friction
enum { PIECES_DRAG = 1000, PIECES_REST = 8000 }; // steps of a bed that is made of pieces, at most

static size_t tile_grains(const bed_kind *kind, size_t grains)
{
    return grains < kind->tile.grains ? grains : kind->tile.grains;
}

size_t bed_grains(const bed_kind *kind, size_t grains)
{
    size_t one = tile_grains(kind, grains);
    return (grains + one / 2) / one * one;
}

// Columns and rows of copies, as square as the number allows.
static void arrange(const bed_kind *kind, size_t grains, size_t *nx, size_t *ny)
{
    size_t tiles = grains / tile_grains(kind, grains);
    *ny = (size_t)sqrt((double)tiles);
    while (tiles % *ny) --*ny;
    *nx = tiles / *ny;
}

void bed_space(const bed_kind *kind, size_t grains, erg_vec3 *low, erg_vec3 *high)
{
    size_t nx, ny;
    double period = tile_period(&kind->tile, tile_grains(kind, grains));
    arrange(kind, grains, &nx, &ny);
    *low = (erg_vec3){-kind->margin, -kind->margin, 0};
    *high = (erg_vec3){(double)nx * period + kind->margin, (double)ny * period + kind->margin,
                       (double)kind->tile.layers * kind->tile.spacing};
}

erg_status bed_define(const bed_kind *kind, size_t grains, int threads, erg_world **world,
                      erg_error *err)
{
    erg_world_def def = matter_world(threads);
    erg_id        material;
    erg_vec3      low, high;
    bed_space(kind, grains, &low, &high);
    erg_status status = erg_world_create(&def, world, err);
    if (status == ERG_OK) status = matter_define(*world, kind->tile.shape, &material, NULL, err);
    if (status == ERG_OK) status = matter_add_box(*world, material, low, high, err);
    return status;
}

// ---- From tiles --------------------------------------------------------------------------------
// One piece of a bed, moved by so many periods.
static erg_status add_piece(erg_world *world, size_t count, const erg_vec3 *from,
                            const erg_quat *orientation, double dx, double dy, erg_vec3 *position,
                            erg_error *err)
{
    for (size_t i = 0; i < count; i++)
        position[i] = (erg_vec3){from[i].x + dx, from[i].y + dy, from[i].z};
    erg_grains piece = {
        .kind = 1, .count = count, .position = position, .orientation = orientation};
    return erg_world_add_grains(world, &piece, NULL, err);
}

static erg_status add_tiles(const bed_kind *kind, size_t grains, const char *cache,
                            erg_world *world, erg_error *err)
{
    size_t     nx, ny;
    tile       t;
    erg_status status = tile_get(&kind->tile, tile_grains(kind, grains), cache, &t, err);
    if (status != ERG_OK) return status;
    erg_vec3 *room = malloc(t.count * sizeof *room);
    if (!room) status = bench_fail(err, ERG_NO_MEMORY, "out of memory for %zu grains", t.count);
    arrange(kind, grains, &nx, &ny);
    for (size_t k = 0; k < nx * ny && status == ERG_OK; k++)
        status = add_piece(world, t.count, t.position, t.orientation, (double)(k / ny) * t.period,
                           (double)(k % ny) * t.period, room, err);
    free(room);
    tile_free(&t);
    return status;
}

static erg_status make_from_tiles(const bed_kind *kind, size_t grains, const char *cache,
                                  erg_world *world, erg_error *err)
{
    erg_status status = add_tiles(kind, grains, cache, world, err);
    bench_say("settling %zu grains between walls", grains);
    if (status == ERG_OK) status = matter_set_friction(world, kind->slippery, err);
    if (status == ERG_OK) status = erg_world_step(world, SPREAD, err);
    if (status == ERG_OK) status = settle_drag(world, SLIPPERY_DRAG, err);
    if (status == ERG_OK) status = matter_set_friction(world, MATTER_FRICTION, err);
    if (status == ERG_OK) status = settle_drag(world, kind->drag, err);
    if (status == ERG_OK) status = settle_rest(world, kind->rest, err);
    if (status == ERG_OK) bench_say("took %llu steps", (unsigned long long)erg_world_steps(world));
    return status;
}

// ---- From the pieces of a smaller bed ----------------------------------------------------------
enum { PIECES = 3 }; // each way

static bool is_large(const bed_kind *kind, size_t grains)
{
    size_t nx, ny;
    arrange(kind, grains, &nx, &ny);
    return nx >= PIECES && ny >= PIECES && nx * ny > PIECES * PIECES + 3;
}

// The piece that stands at place k of n: the ends stay ends.
static size_t piece_at(size_t k, size_t n)
{
    return k == 0 ? 0 : k == n - 1 ? PIECES - 1 : 1;
}

typedef struct pieces {
    erg_vec3 *position, *room;
    erg_quat *orientation;
} pieces;

// A grain belongs to the piece it was copied to at first, wherever it went: so none is lost or
// doubled where pieces meet.
static erg_status add_pieces(const bed_kind *kind, size_t grains, const pieces *p, erg_world *world,
                             erg_error *err)
{
    size_t     nx, ny, one = kind->tile.grains;
    double     period = tile_period(&kind->tile, one);
    erg_status status = ERG_OK;
    arrange(kind, grains, &nx, &ny);
    for (size_t k = 0; k < nx * ny && status == ERG_OK; k++) {
        size_t x = k / ny, y = k % ny, px = piece_at(x, nx), py = piece_at(y, ny);
        size_t from = (px * PIECES + py) * one;
        status = add_piece(world, one, p->position + from, p->orientation + from,
                           ((double)x - (double)px) * period, ((double)y - (double)py) * period,
                           p->room, err);
    }
    return status;
}

static erg_status read_pieces(const bed_kind *kind, const char *cache, pieces *p, erg_error *err)
{
    erg_world *world = NULL;
    size_t     count = PIECES * PIECES * kind->tile.grains;
    p->position = malloc(count * sizeof *p->position);
    p->orientation = malloc(count * sizeof *p->orientation);
    p->room = malloc(count * sizeof *p->room);
    if (!p->position || !p->orientation || !p->room)
        return bench_fail(err, ERG_NO_MEMORY, "out of memory for %zu grains", count);
    erg_status status = scene_open(kind->scene, count, cache, 0, &world, err);
    if (status == ERG_OK)
        status = erg_world_read(world, ERG_FIELD_POSITION, NULL, count, p->position, err);
    if (status == ERG_OK)
        status = erg_world_read(world, ERG_FIELD_ORIENTATION, NULL, count, p->orientation, err);
    erg_world_destroy(world);
    return status;
}

static erg_status make_from_pieces(const bed_kind *kind, size_t grains, const char *cache,
                                   erg_world *world, erg_error *err)
{
    pieces     p = {0};
    erg_status status = read_pieces(kind, cache, &p, err);
    if (status == ERG_OK) status = add_pieces(kind, grains, &p, world, err);
    free(p.position);
    free(p.orientation);
    free(p.room);
    bench_say("settling %zu grains, made of the pieces of a settled bed", grains);
    if (status == ERG_OK) status = settle_drag(world, PIECES_DRAG, err);
    if (status == ERG_OK) status = settle_rest(world, PIECES_REST, err);
    if (status == ERG_OK) bench_say("took %llu steps", (unsigned long long)erg_world_steps(world));
    return status;
}

erg_status bed_make(const bed_kind *kind, size_t grains, const char *cache, erg_world *world,
                    erg_error *err)
{
    return (is_large(kind, grains) ? make_from_pieces : make_from_tiles)(kind, grains, cache, world,
                                                                         err);
}
