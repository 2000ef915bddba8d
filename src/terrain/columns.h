// The columns of a terrain: a grid of heights, stored in square blocks. A height counts quanta, so
// that sand that moves from one column to another is neither lost nor gained.
#ifndef ERGI_COLUMNS_H
#define ERGI_COLUMNS_H

#include "base/table.h"
#include "world/registry.h"

// One block is one tile of the registry, so that rollback copies only the blocks that changed.
enum { ERGI_BLOCK_SIDE = 64, ERGI_BLOCK_COLUMNS = ERGI_BLOCK_SIDE * ERGI_BLOCK_SIDE };

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

    // State.
    ergi_table table; // block[0] * block[1] * ERGI_BLOCK_COLUMNS rows
    ergi_tiles tiles;
    ergi_table flow; // one row per block: 1 where slopes may be too steep (erosion.h)

    // Not state.
    uint32_t *stamp;  // per block: changes when it does
    uint32_t  change; // number of the last change
} ergi_columns;

// Where blocks of `flow` are.
enum { ERGI_FLOW_ACTIVE, ERGI_FLOW_COLUMNS };

static inline uint64_t *ergi_columns_height(const ergi_columns *c)
{
    return c->table.data[ERGI_COLUMN_HEIGHT];
}

static inline float *ergi_columns_surface(const ergi_columns *c)
{
    return c->table.data[ERGI_COLUMN_SURFACE];
}

static inline uint8_t *ergi_columns_flow(const ergi_columns *c)
{
    return c->flow.data[ERGI_FLOW_ACTIVE];
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

// Call for every column that was, or is about to be, written: marks its tile, its stamp and, if
// `flows`, its block as one where slopes may be too steep.
static inline void ergi_columns_mark(ergi_columns *c, size_t row, bool flows)
{
    size_t block = row / ERGI_BLOCK_COLUMNS;
    ergi_tiles_mark(&c->tiles, row, row + 1);
    c->stamp[block] = ++c->change;
    if (flows) ergi_columns_flow(c)[block] = 1;
}

#endif
