// As real_float_avx512.c, but evaluates the laws in rows of sixteen, for processors that do not
// lower their clock for them. Bitwise the same results.
#if defined(__AVX512VL__)
#define ERGI_LAW_LANES 16
#include "dem/real_kernels.h"

const ergi_dem_kernels ergi_dem_float_avx512_wide = ERGI_REAL_KERNELS(ERGI_F32);
#else
typedef int ergi_no_avx512_wide; // a file may not be empty
#endif
