// As fine_scalar.c, compiled for AVX-512. The same bits.
#if defined(__AVX512F__)
#include "upsample/fine_kernel.h"

void ergi_fine_block_avx512(const ergi_fine_job *job, size_t begin, size_t end)
{
    step_block(job, begin, end);
}
#else
typedef int ergi_fine_no_avx512; // a file may not be empty
#endif
