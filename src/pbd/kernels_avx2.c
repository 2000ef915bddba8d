// As kernels_plain.c, compiled for AVX2. Results are bitwise identical.
#if defined(__AVX2__)
#include "pbd/find.h"
#include "pbd/sweep.h"

const ergi_pbd_kernels ergi_pbd_kernels_avx2 = {.find = find, .sweep = sweep};
#else
typedef int ergi_pbd_no_avx2; // C forbids an empty translation unit
#endif
