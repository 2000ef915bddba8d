// Arguments of the kernel, and its variants, one per instruction set.
#ifndef ERGI_FINE_BLOCK_H
#define ERGI_FINE_BLOCK_H

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

ergi_fine_block_fn ergi_fine_block_scalar;
#if defined(ERG_X86_KERNELS)
ergi_fine_block_fn ergi_fine_block_avx2, ergi_fine_block_avx512;
#endif

#endif
