// The columns of a terrain as pictures hold them: blocks of 64 x 64 columns, at all resolutions.
// Pictures share the blocks that did not change between them, so that a picture of a terrain at
// rest copies nothing. A land is never changed once it is made, and may be read by one thread while
// another makes the next one from it.
#ifndef ERGI_LAND_H
#define ERGI_LAND_H

#include "erg/terrain.h"

#include <stdatomic.h>

enum {
    ERGI_LAND_SIDE = 64,    // columns along a block
    ERGI_LAND_HALVINGS = 6, // of a block, to its mean
    ERGI_LAND_SAMPLES = (4 * 4096 - 1) / 3,
    ERGI_LAND_LEVELS = 26
};

// A column's height is that of its volume of sand; the grains that it turns into stand out of it by
// this many radii, and so do those that are drawn on it.
#define ERGI_LAND_CROWN 0.8

// Heights are stored in 65535 parts of the block's range: finer than a pixel at any distance.
typedef struct ergi_land_block {
    atomic_uint users;
    uint64_t    content; // hash of the heights
    float       low, high;
    uint16_t    z[ERGI_LAND_SAMPLES]; // 64 x 64, then means over 2 x 2, 4 x 4, ..., 64 x 64
} ergi_land_block;

// 2^level x 2^level blocks.
typedef struct ergi_land_node {
    float    low, high, mean; // [m]
    uint64_t content;
} ergi_land_node;

typedef struct ergi_land {
    atomic_uint       users;
    erg_terrain_grid  grid;
    const erg_world  *world; // identity only; NULL: the columns were those of a moment
    uint64_t          steps; // of the world
    size_t            blocks[2];
    ergi_land_block **block;
    uint64_t         *stamp; // of each block, in the world; or its content in the moment
    int               levels;
    size_t            nodes[ERGI_LAND_LEVELS][2];
    ergi_land_node   *node[ERGI_LAND_LEVELS]; // the last one covers everything
    size_t            copied;                 // blocks read from the world when it was made
} ergi_land;

// The terrain of the world as it is; `before` (may be NULL) is an earlier land to share blocks
// with. `columns` (may be NULL) are taken instead of those of the world. The result has one more
// user, and is `before` itself if nothing changed. NULL without a terrain.
erg_status ergi_land_take(const erg_world *world, const erg_column_block *columns,
                          ergi_land *before, ergi_land **land, erg_error *err);
ergi_land *ergi_land_share(ergi_land *land); // NULL is fine
void       ergi_land_leave(ergi_land *land); // frees it after its last user; NULL is fine

// A land that differs from this one in some blocks: `z` has the heights of the columns of block
// number[k] from k * ERGI_LAND_SIDE^2 on, and is overwritten. The blocks count as changed in the
// next ergi_land_take.
erg_status ergi_land_with(const ergi_land *land, const size_t *number, float *z, size_t count,
                          ergi_land **out, erg_error *err);

// Mean height of 2^halvings x 2^halvings columns; (i, j) counts such squares and is clamped [m].
float ergi_land_mean(const ergi_land *land, int halvings, int64_t i, int64_t j);
// z of the drawn surface where the corners of such squares meet [m].
float ergi_land_corner(const ergi_land *land, int halvings, int64_t i, int64_t j);

// Upper end of the grid along x (0) or y (1) [m].
static inline double ergi_land_upper(const ergi_land *land, int axis)
{
    return land->grid.lower[axis] + (double)land->grid.count[axis] * land->grid.spacing;
}

static inline const ergi_land_node *ergi_land_root(const ergi_land *land)
{
    return land->node[land->levels - 1];
}

// z of the drawn surface at its finest; outside, that of the nearest border [m].
double ergi_land_height(const ergi_land *land, double x, double y);
// Distance along the ray to the surface or to the sides of the terrain, HUGE_VAL: none [m].
double ergi_land_meet(const ergi_land *land, erg_vec3 from, erg_vec3 along);
bool   ergi_land_holds(const ergi_land *land, erg_vec3 point); // whether it is in the sand
// About the distance to the surface, negative below it [m].
double ergi_land_clearance(const ergi_land *land, erg_vec3 point);

#endif
