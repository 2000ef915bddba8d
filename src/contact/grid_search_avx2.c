// The search of grid_kernel.h for AVX2; the result is the same.
#if defined(__AVX2__)
#define ERGI_GRID_PARTNERS ergi_grid_partners_avx2
#include "contact/grid_kernel.h"
#else
typedef int ergi_grid_no_avx2; // ISO C forbids an empty file
#endif
