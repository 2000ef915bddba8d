// The search of grid_kernel.h for AVX-512; the result is the same.
#if defined(__AVX512DQ__)
#define ERGI_GRID_PARTNERS ergi_grid_partners_avx512
#include "contact/grid_kernel.h"
#else
typedef int ergi_grid_no_avx512; // ISO C forbids an empty file
#endif
