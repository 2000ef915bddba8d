#include "run/median.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double ergi_quantile(double *values, size_t count, double share)
{
    if (count == 0) return (double)NAN;
    qsort(values, count, sizeof *values, ascending);
    double at = share * (double)(count - 1);
    size_t below = (size_t)at;
    if (below + 1 >= count) return values[count - 1];
    return values[below] + (at - (double)below) * (values[below + 1] - values[below]);
}
