// Places spheres of several sizes at random without overlap in a box that is periodic sideways.
#ifndef ERG_BENCH_SCATTER_H
#define ERG_BENCH_SCATTER_H

#include "bench.h"

// Radii must be sorted in descending order: large spheres fit only while there are few. The box
// starts at the origin and grows upwards if `height` is too small [m].
erg_status scatter(size_t count, const double *radius, double side, double height,
                   erg_vec3 *position, erg_error *err);

#endif
