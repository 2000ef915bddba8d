#include "upsample/fine_step.h"

#include <string.h>

// Largest half size of a block's box over the mean reach: 5 mean radii.
static const float WIDEST = 5.0f / 3;

const ergi_fine_kernels *ergi_fine_kernels_for(const char *isa)
{
    bool any = !isa || !*isa;
#if defined(ERG_X86_KERNELS)
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
    if (avx512 && (any || strcmp(isa, "avx512") == 0 || strcmp(isa, "avx512-wide") == 0))
        return &ergi_fine_avx512;
    if (avx2 && (any || strcmp(isa, "avx2") == 0)) return &ergi_fine_avx2;
#endif
    return any || strcmp(isa, "scalar") == 0 ? &ergi_fine_scalar : NULL;
}

void ergi_fine_scratch_free(ergi_fine_scratch *scratch)
{
    ergi_coarse_grid_free(&scratch->grains);
    ergi_coarse_grid_free(&scratch->samples);
}

size_t ergi_fine_scratch_bytes(const ergi_fine_scratch *scratch)
{
    return ergi_coarse_grid_bytes(&scratch->grains) + ergi_coarse_grid_bytes(&scratch->samples);
}

typedef struct blocks {
    ergi_fine_job       job;
    ergi_fine_block_fn *kernel;
} blocks;

static void step_blocks(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const blocks *b = ctx;
    (void)chunk;
    for (erg_index k = begin; k < end; k++) {
        size_t from = (size_t)k * ERGI_FINE_BLOCK, to = from + ERGI_FINE_BLOCK;
        b->kernel(&b->job, from, to < b->job.fine.count ? to : b->job.fine.count);
    }
}

erg_status ergi_fine_step(const ergi_fine_columns *fine, const ergi_fine_frame *lattice,
                          const ergi_coarse_spheres *grains, const ergi_coarse_spheres *samples,
                          const ergi_fine_law *law, const ergi_fine_kernels *kernels,
                          const ergi_threads *threads, ergi_fine_scratch *scratch, erg_error *err)
{
    const ergi_coarse_spheres none = {0};
    erg_status status = ergi_coarse_grid_build(&scratch->grains, lattice, grains, err);
    if (status == ERG_OK)
        status = ergi_coarse_grid_build(&scratch->samples, lattice, samples ? samples : &none, err);
    if (status != ERG_OK || fine->count == 0) return status;
    blocks b = {.job = {.fine = *fine,
                        .grains = scratch->grains,
                        .samples = scratch->samples,
                        .law = *law,
                        .widest = WIDEST * scratch->grains.middle},
                .kernel = kernels->step};
    for (int a = 0; a < 3; a++) {
        b.job.step[a] = (float)lattice->step[a];
        b.job.most[a] = ergi_fine_max_displacement(lattice, a);
        b.job.scale[a] = ergi_fine_scale(lattice, a, (double)law->dt);
    }
    erg_index count = (erg_index)((fine->count + ERGI_FINE_BLOCK - 1) / ERGI_FINE_BLOCK);
    ergi_parallel_for(threads, count, 4, step_blocks, &b);
    return ERG_OK;
}
