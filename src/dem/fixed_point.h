// Fixed-point positions of spheres, as the pair pass reads them.
//
// With laws in single precision a fixed-point position is three 32-bit integers in units of a step
// much smaller than any overlap, and the radius in such steps. The integers wrap around, but the
// difference of two of them is exact anywhere in the world as long as the spheres are less than
// half a wrap apart. A whole number of wraps makes the period of a periodic axis, so the difference
// is always that to the nearest image.
//
// With laws in double precision it is the position itself.
#ifndef ERGI_FIXED_POINT_H
#define ERGI_FIXED_POINT_H

#include "contact/grid.h"

typedef struct ergi_fixed_point {
    double step[4];    // x y z radius [m]
    double inverse[4]; // [1/m]
} ergi_fixed_point;

// Half a wrap is at least `reach` [m] along axes that are not periodic or whose period is at least
// 2 reach.
ergi_fixed_point ergi_fixed_point_make(const ergi_space *space, double reach);

// Added to a double below 2^51, it leaves the rounded integer modulo 2^32 in the lowest 32 bits.
#define ERGI_FIXED_POINT_SHIFT 6755399441055744.0 // 1.5 * 2^52

#endif
