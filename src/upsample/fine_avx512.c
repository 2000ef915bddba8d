// fine_scalar.c compiled for AVX-512; results are identical to the last bit.
#if defined(__AVX512F__)
#include "upsample/fine_kernel.h"

void ergi_fine_block_avx512(const ergi_fine_job *job, size_t begin, size_t end)
{
    step_block(job, begin, end);
}
#else
typedef int ergi_fine_no_avx512; // ISO C forbids an empty file
#endif
