// Places: where spheres are, as the pair pass reads it.
//
// Beside laws in float a place is three whole numbers of 32 bits that count the steps of a lattice
// much finer than any overlap, and the radius in such steps. The counts wrap around: the difference
// of two of them is exact all the same, wherever in the world the spheres are, as long as they are
// less than half a turn apart. A turn divides the period of a periodic axis, so that the
// difference is always the one to the nearest image.
//
// Beside laws in double a place is the position itself.
#ifndef ERGI_FIXED_POINT_H
#define ERGI_FIXED_POINT_H

#include "contact/grid.h"

typedef struct ergi_fixed_point {
    double step[4];    // x y z radius [m]
    double inverse[4]; // steps a metre
} ergi_fixed_point;

// Half a turn is at least `reach` along axes that are not periodic, or whose period is long enough.
ergi_fixed_point ergi_fixed_point_make(const ergi_space *space, double reach);

// Adding this to a number below 2^51 leaves its whole part, modulo 2^32, in the lowest 32 bits.
#define ERGI_FIXED_POINT_SHIFT 6755399441055744.0 // 1.5 * 2^52

#endif
