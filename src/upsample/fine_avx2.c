// fine_scalar.c compiled for AVX2; results are identical to the last bit.
#if defined(__AVX2__)
#include "upsample/fine_kernel.h"
#include "upsample/wall_kernel.h"

const ergi_fine_kernels ergi_fine_avx2 = {step_block, path_box, move_out};
#else
typedef int ergi_fine_no_avx2; // ISO C forbids an empty file
#endif
