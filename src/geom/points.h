// Points in a sparse grid of cubes, to be asked who is near. Cells are found by a hash, so memory
// grows with the points and not with the room they stand in. Points of a cell come in their order.
#ifndef ERGI_POINTS_H
#define ERGI_POINTS_H

#include "erg/base.h"
#include "geom/vec3.h"

typedef struct ergi_cell {
    int64_t x, y, z;
} ergi_cell;

typedef struct ergi_points {
    double          side; // of a cell [m]
    const erg_vec3 *point;
    size_t          count, room, bins; // bins: a power of two
    ergi_cell      *cell;              // of each point
    uint32_t       *start;             // of each bin in `item`; bins + 1 of them
    uint32_t       *item;              // points, bin by bin
} ergi_points;

ergi_cell ergi_points_cell(const ergi_points *points, erg_vec3 p);

// Places `count` points, which the caller keeps alive and in place. May be called again and again:
// memory is kept, zero at first. Coordinates over `side` stay below 2^52.
erg_status ergi_points_build(ergi_points *points, const erg_vec3 *point, size_t count, double side,
                             erg_error *err);
void       ergi_points_free(ergi_points *points);

// The points of one cell are item[begin .. end) for which ergi_points_in is true.
void ergi_points_bin(const ergi_points *points, ergi_cell cell, uint32_t *begin, uint32_t *end);

static inline bool ergi_points_in(const ergi_points *points, uint32_t point, ergi_cell cell)
{
    ergi_cell c = points->cell[point];
    return c.x == cell.x && c.y == cell.y && c.z == cell.z;
}

// The nearest point other than `except` (UINT32_MAX: all count), the first of equally near ones,
// and its distance; UINT32_MAX and HUGE_VAL when there is none within `reach`.
uint32_t ergi_points_nearest(const ergi_points *points, erg_vec3 p, uint32_t except, double reach,
                             double *distance);

#endif
