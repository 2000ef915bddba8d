// Points in a sparse cell grid, for neighbour queries. Cells are hashed, so memory grows with the
// number of points and not with the volume they span. Points of a cell keep their order.
#ifndef ERGI_QUERY_POINTS_H
#define ERGI_QUERY_POINTS_H

#include "base/hash.h"
#include "geom/vec3.h"

typedef struct ergi_cell {
    int64_t x, y, z;
} ergi_cell;

typedef struct ergi_points {
    double          side; // of a cell [m]
    const erg_vec3 *point;
    size_t          count, room, bins; // bins: a power of two
    ergi_cell      *cell;              // of each point
    uint32_t       *start;             // first entry of each bin in `item`; bins + 1 entries
    uint32_t       *item;              // points, bin by bin
} ergi_points;

ERG_INLINE ergi_cell ergi_cell_make(int64_t x, int64_t y, int64_t z)
{
    ergi_cell cell = {x, y, z};
    return cell;
}

ERG_INLINE ergi_cell ergi_points_cell(const ergi_points *points, erg_vec3 p)
{
    return ergi_cell_make((int64_t)floor(p.x / points->side), (int64_t)floor(p.y / points->side),
                          (int64_t)floor(p.z / points->side));
}

ERG_INLINE size_t ergi_points_bin_of(const ergi_points *points, ergi_cell c)
{
    // odd factors without a pattern; one mixing step is enough for bins
    uint64_t sum = (uint64_t)c.x * 0x9e3779b97f4a7c15u + (uint64_t)c.y * 0xc2b2ae3d27d4eb4fu +
                   (uint64_t)c.z * 0x165667b19e3779f9u;
    return (size_t)ergi_mix64(sum) & (points->bins - 1);
}

// The points of one cell are those of item[begin .. end) for which ergi_points_in is true.
ERG_INLINE void ergi_points_bin(const ergi_points *points, ergi_cell cell, uint32_t *begin,
                                uint32_t *end)
{
    size_t bin = ergi_points_bin_of(points, cell);
    *begin = points->start[bin];
    *end = points->start[bin + 1];
}

ERG_INLINE bool ergi_points_in(const ergi_points *points, uint32_t point, ergi_cell cell)
{
    ergi_cell c = points->cell[point];
    return c.x == cell.x && c.y == cell.y && c.z == cell.z;
}

#endif
