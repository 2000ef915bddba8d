#include "contact/grid_search.h"

void ergi_grid_around_init(ergi_grid_around *around)
{
    for (int l = 0; l < ERGI_GRID_LEVELS; l++) around->level[l].cell[0] = INT64_MIN; // no cell
}

static size_t plain_partners(const ergi_grid *grid, const ergi_spheres_in *in, erg_index i,
                             ergi_owner_ranges earlier, ergi_grid_around *around, uint32_t *out,
                             size_t room)
{
    return partners(grid, in, i, earlier, around, out, room);
}

ergi_grid_partners_fn *ergi_grid_partners(void)
{
#if defined(ERG_X86_KERNELS)
    if (__builtin_cpu_supports("avx2")) return ergi_grid_partners_avx2;
#endif
    return plain_partners;
}
