// As kernels_plain.c, compiled for AVX-512. Results are bitwise identical.
#if defined(__AVX512VL__)
#include "pbd/find.h"
#include "pbd/sweep.h"

const ergi_pbd_kernels ergi_pbd_kernels_avx512 = {.find = find, .sweep = sweep};
#else
typedef int ergi_pbd_no_avx512; // C forbids an empty translation unit
#endif
