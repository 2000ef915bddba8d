// Builds the sparse grid of points (query_points.h) and finds the nearest of them.
#ifndef ERGI_POINTS_H
#define ERGI_POINTS_H

#include "erg/base.h"
#include "geom/query_points.h"

// Builds the grid over `count` points, which the caller must keep alive and unmoved. `points`
// starts zeroed; further calls reuse its memory. Coordinates divided by `side` must stay below
// 2^52.
erg_status ergi_points_build(ergi_points *points, const erg_vec3 *point, size_t count, double side,
                             erg_error *err);
void       ergi_points_free(ergi_points *points);

// The nearest point other than `except` (UINT32_MAX: no exception), the lowest index of equally
// near ones, and its distance; UINT32_MAX and HUGE_VAL when there is none within `reach`.
uint32_t ergi_points_nearest(const ergi_points *points, erg_vec3 p, uint32_t except, double reach,
                             double *distance);

#endif
