// Spheres of several sizes put at random into a box that is periodic to the sides, so that none
// overlap.
#ifndef ERG_BENCH_SCATTER_H
#define ERG_BENCH_SCATTER_H

#include "bench.h"

// Radii must not grow along the array: large ones find room only while there are few. The box
// begins at the origin; it grows upwards when `height` is too little. [m]
erg_status scatter(size_t count, const double *radius, double side, double height,
                   erg_vec3 *position, erg_error *err);

#endif
