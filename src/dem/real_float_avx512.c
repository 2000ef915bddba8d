// As real_float.c, compiled for AVX-512. Bitwise the same results.
#if defined(__AVX512VL__)
#include "dem/real_kernels.h"

const ergi_dem_kernels ergi_dem_float_avx512 = ERGI_REAL_KERNELS(ERGI_F32);
#else
typedef int ergi_no_avx512; // a file may not be empty
#endif
