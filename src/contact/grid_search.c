#define ERGI_GRID_PARTNERS ergi_grid_partners_plain
#include "contact/grid_kernel.h"

// ERG_ISA limits it; the solvers check that it is a name they know.
ergi_grid_partners_fn *ergi_grid_choose_partners(void)
{
#if defined(ERG_X86_KERNELS)
    const char *isa = getenv("ERG_ISA");
    bool        wide = !isa || !*isa || strncmp(isa, "avx512", 6) == 0;
    if (wide && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        return ergi_grid_partners_avx512;
    if ((wide || strcmp(isa, "avx2") == 0) && __builtin_cpu_supports("avx2"))
        return ergi_grid_partners_avx2;
#endif
    return ergi_grid_partners_plain;
}

void ergi_grid_around_init(ergi_grid_around *around)
{
    for (int l = 0; l < ERGI_GRID_LEVELS; l++) around->level[l].cell[0] = INT64_MIN; // no cell
}
