// A height field with spheres on it, as flat data for the queries (query_heights.h): what grains
// touch of a terrain. Heights are at the centres of square columns, stored in square blocks; the
// spheres are grains at rest, in cells of a hash table over the plan.
#ifndef ERGI_HEIGHT_FIELD_H
#define ERGI_HEIGHT_FIELD_H

#include <math.h>

#include "base/inline.h"
#include "erg/base.h"

// An entry of the hash table: a square of the plan, and where its spheres begin and end;
// begin = end: empty.
typedef struct ergi_height_cell {
    int32_t  ix, iy;
    uint32_t begin, end;
} ergi_height_cell;

typedef struct ergi_height_field {
    double       lower[2]; // [m]
    double       spacing;  // [m]
    int32_t      count[2]; // columns along x and y
    int32_t      blocks;   // blocks along x
    int32_t      side;     // columns along the side of a block, a power of two
    const float *surface;  // z of each column, block by block [m]
    double low, high; // bounds of these; of all that they may become before the next update [m]

    // Spheres, sorted by cell, those of a cell by id. Filled by terrain/frozen_cells.h.
    size_t          spheres;
    const double   *sphere;      // x y z radius [m]
    const float    *light[4];    // x y z from sphere_low and radius, to skip those far away [m]
    double          light_error; // of distances between these, at most [m]
    const uint32_t *feature;     // of each sphere: stays the same while the sphere exists
    const uint32_t *row;         // of each sphere: its number before sorting
    double          cell;        // side of a cell, at least twice the largest radius [m]
    int             bits;        // the hash table has 2^bits entries
    const ergi_height_cell *cells;
    uint64_t                stamp;   // changes when the spheres may have changed
    double                  largest; // radius of a sphere [m]
    double                  sphere_low[3], sphere_high[3]; // box around the spheres [m]
} ergi_height_field;

// The cell that contains a coordinate.
ERG_INLINE int32_t ergi_height_field_cell(double x, double cell)
{
    return (int32_t)floor(x / cell);
}

// Entry at which the search for a cell starts; it goes on with the next one until the cell or an
// empty entry is found.
ERG_INLINE uint32_t ergi_height_field_slot(int32_t ix, int32_t iy, int bits)
{
    uint32_t h = (uint32_t)ix * 0x9e3779b1u ^ (uint32_t)iy * 0x85ebca77u;
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    return h >> (32 - bits);
}

// The spheres of a cell; begin = end: none.
ERG_INLINE ergi_height_cell ergi_height_field_find(const ergi_height_field *field, int32_t ix,
                                                   int32_t iy)
{
    const uint32_t last = ((uint32_t)1 << field->bits) - 1;
    uint32_t       k = ergi_height_field_slot(ix, iy, field->bits);
    while (field->cells[k].begin != field->cells[k].end &&
           !(field->cells[k].ix == ix && field->cells[k].iy == iy))
        k = (k + 1) & last;
    return field->cells[k];
}

#endif
