// Depth shared by points that form one contact: a smooth maximum, D = (sum of d^8)^(1/8). A single
// point has D = d, and the bounce does not depend on the number of points.
#ifndef ERGI_SHARED_DEPTH_H
#define ERGI_SHARED_DEPTH_H

#include "base/inline.h"

#include <math.h>

ERG_INLINE double ergi_eighth_power(double x)
{
    double square = x * x, fourth = square * square;
    return fourth * fourth;
}

ERG_INLINE double ergi_eighth_root(double x)
{
    return sqrt(sqrt(sqrt(x)));
}

#endif
