// The number type of the laws. One header, three compilers: cc in float, cc in double
// (ERG_REAL_DOUBLE, the reference), nvcc in either. A translation unit has one erg_real.
#ifndef ERGI_LAW_REAL_H
#define ERGI_LAW_REAL_H

#include <math.h>
#include <stdbool.h>

#if defined(ERG_REAL_DOUBLE)
typedef double erg_real;
#else
typedef float erg_real;
#endif

// Laws must melt into the loop that calls them: an outlined law is no vector code, and law numbers
// given as constants fold away only inside the caller.
#if defined(__CUDACC__)
#define ERG_FN static __host__ __device__ __forceinline__
#elif defined(__GNUC__)
#define ERG_FN static inline __attribute__((always_inline))
#else
#define ERG_FN static inline
#endif

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

// Larger of x and 0, written so that NaN passes through (fmax would hide it, and stop gcc's
// vectoriser).
ERG_FN erg_real ergi_positive(erg_real x)
{
    return x < ERGI_R(0) ? ERGI_R(0) : x;
}

// The factor that brings `size` down to `limit`: 1 when it is not above it. Sizes are >= 0. The
// division is safe on both sides of the choice, so that no compiler needs a branch for it.
ERG_FN erg_real ergi_cut(erg_real size, erg_real limit)
{
    erg_real above = size > limit ? limit : ERGI_R(1);
    erg_real below = size > limit ? size : ERGI_R(1);
    return above / below;
}

#endif
