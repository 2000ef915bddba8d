// The kernel in plain C, for any processor.
#include "upsample/fine_kernel.h"

void ergi_fine_block_scalar(const ergi_fine_job *job, size_t begin, size_t end)
{
    step_block(job, begin, end);
}
