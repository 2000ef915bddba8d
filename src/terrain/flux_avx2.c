// flux.c compiled for AVX2; results are identical to the last bit.
#if defined(__AVX2__)
#define ERGI_FLUX_NAME ergi_flux_avx2
#include "terrain/flux_kernel.h"
#else
typedef int ergi_flux_no_avx2; // ISO C forbids an empty file
#endif
