#define ERGI_FLUX_NAME ergi_flux_plain
#include "terrain/flux_kernel.h"

ergi_flux_fn ergi_flux_choose(void)
{
#if defined(ERG_X86_KERNELS)
    if (__builtin_cpu_supports("avx2")) return ergi_flux_avx2;
#endif
    return ergi_flux_plain;
}
