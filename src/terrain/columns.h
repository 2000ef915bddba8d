// The columns of a terrain: a grid of heights, stored in square blocks. A height counts quanta, so
// that sand that moves from one column to another is neither lost nor gained.
//
// Slopes flow in patches, squares of 8 x 8 columns. A patch that is not active costs nothing: none
// of its slopes was too steep when it was last looked at, and no column of it has changed since.
#ifndef ERGI_COLUMNS_H
#define ERGI_COLUMNS_H

#include "base/table.h"
#include "base/threads.h"
#include "base/u128.h"
#include "erg/terrain.h"
#include "world/registry.h"

// How the surface that grains touch follows a column in a tick: at once, downwards only as grains
// may be above it, or not at all.
typedef enum ergi_follow { ERGI_FOLLOWS, ERGI_FOLLOWS_DOWN, ERGI_FOLLOWS_LATER } ergi_follow;

// One block is one tile of the registry, so that rollback copies only the blocks that changed.
enum { ERGI_BLOCK_SIDE = 64, ERGI_BLOCK_COLUMNS = ERGI_BLOCK_SIDE * ERGI_BLOCK_SIDE };

// As many columns in a patch as patches in a block: 64, one bit each in a word.
enum { ERGI_PATCH_SIDE = 8, ERGI_PATCH_COLUMNS = 64, ERGI_BLOCK_PATCHES = 64 };

// Heights stay below this, so that differences and sums of nine are exact in 64 bits [quanta].
#define ERGI_COLUMN_HIGHEST ((uint64_t)1 << 59)

// X(NAME, name, type): one row per column.
//   height   quanta of sand above the floor
//   surface  z of the surface that grains touch; below `height` where an awake grain is in the way
#define ERGI_COLUMN_COLUMNS(X)                                                                     \
    X(HEIGHT, height, ERGI_U64)                                                                    \
    X(SURFACE, surface, ERGI_F32)

enum {
#define X(NAME, name, type) ERGI_COLUMN_##NAME,
    ERGI_COLUMN_COLUMNS(X)
#undef X
        ERGI_COLUMN_COLUMN_COUNT
};

typedef struct ergi_columns {
    // Parameters.
    double  lower[2]; // [m]
    double  spacing;  // [m]
    double  floor;    // [m]
    double  quantum;  // height of one quantum [m]
    int32_t count[2]; // columns along x and y
    int32_t block[2]; // blocks along x and y

    // State; ergi_columns_register.
    ergi_table table; // block[0] * block[1] * ERGI_BLOCK_COLUMNS rows
    ergi_tiles tiles;
    ergi_table flow;   // one row per block: its active patches, one bit each
    ergi_table moving; // one row per patch, block by block: columns that gave or took sand in the
                       // last sweep (erosion.h), one bit each; 0 unless the patch is active
    ergi_tiles moving_tiles;

    // Not state.
    uint32_t *active; // blocks with active patches, in any order
    size_t    actives;
    uint32_t *stamp;  // per block: changes when it does
    uint32_t  change; // number of the last change
    uint32_t *recent; // blocks that changed since ergi_columns_watch, in any order
    size_t    recents;
    uint8_t  *listed; // per block: it is one of these
} ergi_columns;

// Columns of the tables `flow` and `moving`.
enum { ERGI_FLOW_ACTIVE, ERGI_FLOW_COLUMNS };
enum { ERGI_MOVING_BITS, ERGI_MOVING_COLUMNS };

// Makes the columns and shapes them (relief.h), from a definition that ergi_terrain_def_check
// accepts; fails if it is too high. A height is rounded to quanta; `quantum` [m]. A seed of 0 is a
// seed like any other.
erg_status ergi_columns_create(ergi_columns *c, const erg_terrain_def *def, double quantum,
                               const ergi_threads *threads, erg_error *err);
void       ergi_columns_free(ergi_columns *c); // a zeroed struct is fine
size_t     ergi_columns_bytes(const ergi_columns *c);

// Registers the three tables. The struct must not move.
void ergi_columns_register(ergi_columns *c, ergi_registry *registry);
// After the tables were restored or loaded: recomputes the rest; all stamps change.
void ergi_columns_restored(ergi_columns *c);
// Compares loaded tables with what columns of this grid can be; NULL: nothing is wrong, else what.
const char *ergi_columns_misfit(const ergi_columns *c, const ergi_loaded *loaded);

// Sand in all columns, exactly [quanta].
ergi_u128 ergi_columns_sand(const ergi_columns *c, const ergi_threads *threads);
// z of `surface` at a point, bilinear between the centres of columns; outside, that of the nearest
// point of the border [m].
double ergi_columns_surface_z(const ergi_columns *c, double x, double y);

static inline uint64_t *ergi_columns_height(const ergi_columns *c)
{
    return c->table.data[ERGI_COLUMN_HEIGHT];
}

static inline float *ergi_columns_surface(const ergi_columns *c)
{
    return c->table.data[ERGI_COLUMN_SURFACE];
}

static inline uint64_t *ergi_columns_flow(const ergi_columns *c)
{
    return c->flow.data[ERGI_FLOW_ACTIVE];
}

static inline uint64_t *ergi_columns_moving(const ergi_columns *c)
{
    return c->moving.data[ERGI_MOVING_BITS];
}

static inline size_t ergi_columns_blocks(const ergi_columns *c)
{
    return (size_t)c->block[0] * (size_t)c->block[1];
}

static inline size_t ergi_columns_block_of(const ergi_columns *c, int32_t i, int32_t j)
{
    return (size_t)(j / ERGI_BLOCK_SIDE) * (size_t)c->block[0] + (size_t)(i / ERGI_BLOCK_SIDE);
}

// Row of column (i, j), which must be in the grid.
static inline size_t ergi_columns_row(const ergi_columns *c, int32_t i, int32_t j)
{
    return ergi_columns_block_of(c, i, j) * ERGI_BLOCK_COLUMNS +
           (size_t)(j % ERGI_BLOCK_SIDE) * ERGI_BLOCK_SIDE + (size_t)(i % ERGI_BLOCK_SIDE);
}

static inline bool ergi_columns_inside(const ergi_columns *c, int32_t i, int32_t j)
{
    return i >= 0 && j >= 0 && i < c->count[0] && j < c->count[1];
}

// Column that contains the coordinate along axis k, clamped to the grid.
static inline int32_t ergi_columns_at(const ergi_columns *c, int k, double x)
{
    double at = (x - c->lower[k]) / c->spacing;
    return at >= (double)c->count[k] ? c->count[k] - 1 : at > 0 ? (int32_t)at : 0;
}

// Coordinate of the centre of a column [m].
static inline double ergi_columns_centre(const ergi_columns *c, int k, int32_t i)
{
    return c->lower[k] + ((double)i + 0.5) * c->spacing;
}

static inline double ergi_columns_z(const ergi_columns *c, uint64_t quanta)
{
    return c->floor + (double)quanta * c->quantum;
}

// Patch of a row within its block, 0 to 63.
static inline unsigned ergi_columns_patch_of(size_t row)
{
    return (unsigned)(row % ERGI_BLOCK_COLUMNS / (ERGI_BLOCK_SIDE * ERGI_PATCH_SIDE) * 8 +
                      row % ERGI_BLOCK_SIDE / ERGI_PATCH_SIDE);
}

// Forgets which blocks changed so far.
static inline void ergi_columns_watch(ergi_columns *c)
{
    for (size_t k = 0; k < c->recents; k++) c->listed[c->recent[k]] = 0;
    c->recents = 0;
}

static inline void ergi_columns_stamp(ergi_columns *c, size_t block)
{
    if (!c->listed[block]) c->recent[c->recents++] = (uint32_t)block;
    c->listed[block] = 1;
    c->stamp[block] = ++c->change;
}

// Slopes of these patches may be too steep.
static inline void ergi_columns_activate(ergi_columns *c, size_t block, uint64_t patches)
{
    uint64_t *flow = &ergi_columns_flow(c)[block];
    if (!*flow && patches) c->active[c->actives++] = (uint32_t)block;
    *flow |= patches;
}

// Call for every column that was, or is about to be, written: marks its tile, its stamp and, if
// `flows`, its patch as one where slopes may be too steep. Not for several threads at once.
static inline void ergi_columns_mark(ergi_columns *c, size_t row, bool flows)
{
    size_t block = row / ERGI_BLOCK_COLUMNS;
    ergi_tiles_mark(&c->tiles, row, row + 1);
    ergi_columns_stamp(c, block);
    if (flows) ergi_columns_activate(c, block, (uint64_t)1 << ergi_columns_patch_of(row));
}

#endif
