// A height field with spheres on it, as flat data for the queries (query_heights.h): what grains
// touch of a terrain. Heights are at the centres of square columns, stored in square blocks; the
// spheres are grains at rest, in cells of a hash table over the plan.
#ifndef ERGI_HEIGHT_FIELD_H
#define ERGI_HEIGHT_FIELD_H

#include "erg/base.h"

typedef struct ergi_height_field {
    double       lower[2];  // [m]
    double       spacing;   // [m]
    int32_t      count[2];  // columns along x and y
    int32_t      blocks;    // blocks along x
    int32_t      side;      // columns along the side of a block, a power of two
    const float *surface;   // z of each column, block by block [m]
    double       low, high; // bounds of z of surface and spheres [m]

    // Spheres, sorted by cell; a cell is a square of the plan.
    double          cell; // side, at least twice the largest radius [m]
    size_t          spheres;
    const double   *sphere;  // x y z radius [m]
    const uint32_t *feature; // of each sphere: stays the same while the sphere exists
    // Open hash table of 2^bits entries: the cell, and where its spheres begin and end.
    int             bits;
    const int32_t  *cell_at; // ix, iy of each entry
    const uint32_t *cell_of; // begin, end of each entry; begin = end: empty
    double          largest; // radius of a sphere; 0: none [m]
} ergi_height_field;

// Entry at which the search for a cell starts; it goes on with the next one until the cell or an
// empty entry is found.
static inline uint32_t ergi_height_field_slot(int32_t ix, int32_t iy, int bits)
{
    uint32_t h = (uint32_t)ix * 0x9e3779b1u ^ (uint32_t)iy * 0x85ebca77u;
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    return h >> (32 - bits);
}

#endif
