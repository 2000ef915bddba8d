// The end of a batch: the table of frozen grains, their hash table, and the surface that grains
// touch.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "terrain/exchange.h"
#include "terrain/grain_spheres.h"
#include "terrain/sand.h"

#define OVERLAP 0.02 // of the surface and a grain on it that is no reason to lower the surface [d]
#define GENTLE 0.5   // slope next to a grain

// Removes the frozen grains that woke or were merged, and adds the new ones.
static erg_status renew_frozen(erg_world *world, erg_error *err)
{
    ergi_terrain  *t = world->terrain;
    ergi_exchange *x = t->exchange;
    ergi_table    *f = &t->frozen;
    size_t         kept = 0, n = f->rows;
    for (size_t k = 0; k < n; k++) {
        if (x->wakes[k]) continue;
        for (int c = 0; c < f->columns && kept != k; c++)
            memcpy((char *)f->data[c] + kept * f->row_bytes[c],
                   (char *)f->data[c] + k * f->row_bytes[c], f->row_bytes[c]);
        kept++;
    }
    erg_status status = ergi_table_resize(f, kept + x->frozens, err);
    for (size_t k = 0; k < x->frozens && status == ERG_OK; k++) {
        const ergi_new_grain *g = &x->frozen[k];
        size_t                row = kept + k;
        ((uint64_t *)f->data[ERGI_FROZEN_ID])[row] = g->id ? g->id : world->clock.next_id++;
        memcpy((double *)f->data[ERGI_FROZEN_SPHERE] + 4 * row, g->sphere, sizeof g->sphere);
        ((double *)f->data[ERGI_FROZEN_SIZE])[row] = g->size;
        ((double *)f->data[ERGI_FROZEN_SINCE])[row] = world->clock.time;
        ((double *)f->data[ERGI_FROZEN_SLEPT])[row] = g->id ? world->clock.time : -1;
    }
    return status;
}

// Sets the surface of a block to the height of its columns. Returns the largest change [m].
static double reset_block(ergi_columns *c, size_t block)
{
    const uint64_t *height = ergi_columns_height(c) + block * ERGI_BLOCK_COLUMNS;
    float          *surface = ergi_columns_surface(c) + block * ERGI_BLOCK_COLUMNS, most = 0;
    for (size_t k = 0; k < ERGI_BLOCK_COLUMNS; k++) {
        float z = (float)ergi_columns_z(c, height[k]);
        most = fmaxf(most, fabsf(z - surface[k]));
        surface[k] = z;
    }
    if (most > 0) ergi_columns_mark(c, block * ERGI_BLOCK_COLUMNS, false);
    return (double)most;
}

static void lower_surface(ergi_columns *c, ergi_exchange *x, ergi_column_range r, double most)
{
    float *surface = ergi_columns_surface(c);
    for (int32_t j = r.j0; j <= r.j1; j++)
        for (int32_t i = r.i0; i <= r.i1; i++) {
            size_t row = ergi_columns_row(c, i, j);
            if (!((double)surface[row] > most + OVERLAP * x->d)) continue;
            surface[row] = (float)fmax(most, c->floor);
            ergi_columns_mark(c, row, false);
            ergi_exchange_clamp(x, row / ERGI_BLOCK_COLUMNS);
        }
}

// The surface stays below grains that are awake. A grain feels the four columns around it by their
// height and those next to them by their slope, so these may be higher by a gentle slope only.
static void keep_below(ergi_columns *c, ergi_exchange *x, const double s[4])
{
    double most = s[2] - s[3], a = fmax(s[3], 0.5 * c->spacing), b = a + c->spacing;
    if (!ergi_columns_cover(c, s[0], s[1])) return;
    lower_surface(c, x, ergi_columns_in(c, s[0] - a, s[0] + a, s[1] - a, s[1] + a), most);
    lower_surface(c, x, ergi_columns_in(c, s[0] - b, s[0] + b, s[1] - b, s[1] + b),
                  most + GENTLE * c->spacing);
}

// In the first batch, and after state was restored, any block may be clamped.
static erg_status know_clamped(erg_world *world, erg_error *err)
{
    ergi_exchange *x = world->terrain->exchange;
    size_t         blocks = ergi_columns_blocks(&world->terrain->columns);
    if (x->clamped) return ERG_OK;
    erg_status status = ergi_memory_grow(&x->clamp, &x->clamp_room, blocks, sizeof *x->clamp,
                                         "columns below grains", err);
    if (status == ERG_OK)
        status =
            ergi_memory_grow(&x->clamped, &x->clamped_room, blocks, 1, "columns below grains", err);
    if (status != ERG_OK) return status;
    memset(x->clamped, 0, blocks);
    x->clamps = 0;
    for (size_t b = 0; b < blocks; b++) ergi_exchange_clamp(x, b);
    return ERG_OK;
}

// Blocks that changed in this batch, and those that were clamped before.
static double reset_surface(ergi_columns *c, ergi_exchange *x)
{
    double most = 0;
    for (size_t k = 0; k < c->recents; k++) ergi_exchange_clamp(x, c->recent[k]);
    size_t blocks = x->clamps;
    x->clamps = 0;
    for (size_t k = 0; k < blocks; k++) {
        x->clamped[x->clamp[k]] = 0;
        most = fmax(most, reset_block(c, x->clamp[k]));
    }
    return most;
}

static erg_status renew_surface(erg_world *world, double *moved, erg_error *err)
{
    ergi_terrain  *t = world->terrain;
    ergi_exchange *x = t->exchange;
    ergi_columns  *c = &t->columns;
    erg_status     status = know_clamped(world, err);
    if (status != ERG_OK) return status;
    *moved = reset_surface(c, x);
    for (size_t i = 0; i < world->grains.rows; i++)
        for (int k = 0; k < ergi_grain_spheres(world, i) && !world->leaves[i]; k++) {
            double s[4];
            ergi_grain_sphere(world, i, k, s);
            keep_below(c, x, s);
        }
    for (size_t k = 0; k < x->awakes; k++) keep_below(c, x, x->awake[k].sphere);
    return ERG_OK;
}

erg_status ergi_exchange_settle(erg_world *world, erg_error *err)
{
    ergi_terrain  *t = world->terrain;
    ergi_exchange *x = t->exchange;
    double         moved = 0;
    erg_status     status = renew_surface(world, &moved, err);
    if (status == ERG_OK && x->changed) {
        status = renew_frozen(world, err);
        if (status == ERG_OK) status = ergi_terrain_index_frozen(world, err);
        t->clock.changed = t->clock.batches;
        world->clock.dirty = true; // spheres became part of a wall, or left it
    }
    if (moved > 0) ergi_terrain_moved(world, moved);
    return status;
}
