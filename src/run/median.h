// Order statistics.
#ifndef ERGI_MEDIAN_H
#define ERGI_MEDIAN_H

#include <stddef.h>

// The value below which `share` (0 to 1) of the numbers lie, linear between neighbours; NAN for no
// numbers. Sorts them.
double ergi_quantile(double *values, size_t count, double share);

#endif
