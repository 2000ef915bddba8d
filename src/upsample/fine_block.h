// Arguments of the kernel, and its variants, one per instruction set.
#ifndef ERGI_FINE_BLOCK_H
#define ERGI_FINE_BLOCK_H

#include "upsample/block_walls.h"
#include "upsample/coarse_grid.h"
#include "upsample/fine.h"

enum { ERGI_FINE_BLOCK = 256 }; // particles

typedef struct ergi_fine_job {
    ergi_fine_columns fine;
    ergi_coarse_grid  grains, samples;
    ergi_fine_law     law;
    float             step[3];  // length of one fixed-point unit [m]
    float             scale[3]; // dt/step [s/m]
    float             most[3];  // limit of the displacement in a time step [fixed-point units]
    float             widest;   // a block is split if half the size of its box exceeds this [m]
} ergi_fine_job;

// Moves particles begin .. end-1, at most ERGI_FINE_BLOCK of them.
typedef void ergi_fine_block_fn(const ergi_fine_job *job, size_t begin, size_t end);

// The kernels of one instruction set.
typedef struct ergi_fine_kernels {
    ergi_fine_block_fn  *step;
    ergi_path_box_fn    *path_box;
    ergi_block_walls_fn *walls;
} ergi_fine_kernels;

extern const ergi_fine_kernels ergi_fine_scalar;
#if defined(ERG_X86_KERNELS)
extern const ergi_fine_kernels ergi_fine_avx2, ergi_fine_avx512;
#endif

#endif
