// Order statistics.
#ifndef ERGI_MEDIAN_H
#define ERGI_MEDIAN_H

#include <stddef.h>

// The quantile `share` (0 to 1) of the values, linearly interpolated; NAN if there are none. Sorts
// the values.
double ergi_quantile(double *values, size_t count, double share);

#endif
