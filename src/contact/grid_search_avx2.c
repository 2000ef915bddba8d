// grid_search.h compiled for AVX2.
#if defined(__AVX2__)
#include "contact/grid_search.h"

size_t ergi_grid_partners_avx2(const ergi_grid *grid, const ergi_spheres_in *in, erg_index i,
                               ergi_owner_ranges earlier, ergi_grid_around *around, uint32_t *out,
                               size_t room)
{
    return partners(grid, in, i, earlier, around, out, room);
}
#else
typedef int ergi_grid_no_avx2; // ISO C forbids an empty file
#endif
