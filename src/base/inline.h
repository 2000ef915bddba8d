// Inline functions in headers that cc, c++ and nvcc all compile: the laws (src/law) and the shape
// queries (src/geom). nvcc compiles them for host and device.
//
// All three accept scalars, small structs by value, pointers to flat arrays and brace initialisers,
// but not designated initialisers, compound literals, restrict, _Static_assert, implicit
// conversions of void *, or constants other than macros and enums.
#ifndef ERGI_INLINE_H
#define ERGI_INLINE_H

// ERG_FN:     always inlined, as vectorised loops need.
// ERG_INLINE: the compiler decides; for functions that are large or not critical for speed.
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
