// fine_scalar.c compiled for AVX2; results are identical to the last bit.
#if defined(__AVX2__)
#include "upsample/fine_kernel.h"

void ergi_fine_block_avx2(const ergi_fine_job *job, size_t begin, size_t end)
{
    step_block(job, begin, end);
}
#else
typedef int ergi_fine_no_avx2; // ISO C forbids an empty file
#endif
