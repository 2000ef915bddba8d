// Comparison of simulated times that come from different sums and products.
#ifndef ERGI_TIMES_H
#define ERGI_TIMES_H

#include <stdbool.h>

// The earliest time that counts as `time` [s]. Reduced by more than rounding and less than a step:
// otherwise rounding of 3 * 0.2 would delay what is due at 0.6 by a step.
static inline double ergi_time_earliest(double time)
{
    return time * (1.0 - 1e-12);
}

static inline bool ergi_time_reached(double now, double time)
{
    return now >= ergi_time_earliest(time);
}

#endif
