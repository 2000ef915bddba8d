// Functions in headers that cc, c++ and nvcc all read: the laws (src/law) and the queries of shapes
// (src/geom). For nvcc they are functions of the host and of the device.
//
// What all three understand: scalars, small structs by value, pointers to flat arrays, braces that
// begin a variable. Not designated initialisers, compound literals, restrict, _Static_assert,
// implicit conversions of void *, nor constants other than macros and enums.
#ifndef ERGI_INLINE_H
#define ERGI_INLINE_H

// ERG_FN:     inlined into every caller, as a loop that is to become vector code needs it.
// ERG_INLINE: the compiler decides; for functions that are large or called here and there.
#if defined(__CUDACC__)
#define ERG_FN static __host__ __device__ __forceinline__
#define ERG_INLINE static __host__ __device__ inline
#elif defined(__GNUC__)
#define ERG_FN static inline __attribute__((always_inline))
#define ERG_INLINE static inline
#else
#define ERG_FN static inline
#define ERG_INLINE static inline
#endif

#endif
