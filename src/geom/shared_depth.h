// Places that are one contact share a depth: a smooth maximum of theirs, D = (sum of d^8)^(1/8).
// One place alone has D = d, and the bounce does not depend on how many there are.
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
