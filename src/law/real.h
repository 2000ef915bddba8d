// The floating-point type of the laws: float, or double if ERG_REAL_DOUBLE is defined (the
// reference). Compiled by cc and nvcc. A translation unit has one erg_real.
#ifndef ERGI_LAW_REAL_H
#define ERGI_LAW_REAL_H

#include "base/inline.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(ERG_REAL_DOUBLE)
typedef double erg_real;
#else
typedef float erg_real;
#endif

// Laws must be inlined into the loop that calls them (ERG_FN): otherwise the loop is not vectorised
// and constant law numbers do not remove branches.
#define ERGI_R(x) ((erg_real)(x)) // a literal in the law's precision
#define ERGI_LAW_PI ERGI_R(3.14159265358979323846)

ERG_FN erg_real ergi_sqrt(erg_real x)
{
#if defined(ERG_REAL_DOUBLE)
    return sqrt(x);
#else
    return sqrtf(x);
#endif
}

ERG_FN erg_real ergi_fabs(erg_real x)
{
#if defined(ERG_REAL_DOUBLE)
    return fabs(x);
#else
    return fabsf(x);
#endif
}

// a b + c; in single precision rounded once, so that results are bitwise equal on all processors.
// Without hardware FMA (before about 2013) it is emulated in double: the product is exact, and a
// sum whose last bit is set when it is inexact ("rounded to odd") rounds to float as the exact sum
// would (Boldo & Melquiond 2008). The double reference is not fused.
ERG_FN erg_real ergi_fma(erg_real a, erg_real b, erg_real c)
{
#if defined(ERG_REAL_DOUBLE)
    return a * b + c;
#elif defined(__FMA__) || defined(__aarch64__) || defined(__CUDACC__)
    return fmaf(a, b, c);
#else
    double   product = (double)a * (double)b, sum = product + (double)c;
    double   part = sum - product, error = (product - (sum - part)) + ((double)c - part);
    uint64_t bits, away = (error > 0) == (sum > 0) ? 1 : UINT64_MAX;
    memcpy(&bits, &sum, sizeof bits);
    bits += (error > 0 || error < 0) && !(bits & 1) ? away : 0;
    memcpy(&sum, &bits, sizeof sum);
    return (float)sum;
#endif
}

// Larger of x and 0, written so that NaN passes through (fmax would hide it and prevents gcc from
// vectorising).
ERG_FN erg_real ergi_positive(erg_real x)
{
    return x < ERGI_R(0) ? ERGI_R(0) : x;
}

// The factor that reduces `size` to `limit`: 1 if size <= limit. Sizes are >= 0. The division is
// safe in both cases, so that the compiler needs no branch.
ERG_FN erg_real ergi_cut(erg_real size, erg_real limit)
{
    erg_real above = size > limit ? limit : ERGI_R(1);
    erg_real below = size > limit ? size : ERGI_R(1);
    return above / below;
}

#endif
