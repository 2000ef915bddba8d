// What the copies of the kernel are given, and which copies there are.
#ifndef ERGI_FINE_BLOCK_H
#define ERGI_FINE_BLOCK_H

#include "upsample/coarse_grid.h"
#include "upsample/fine.h"

enum { ERGI_FINE_BLOCK = 256 }; // particles

typedef struct ergi_fine_job {
    ergi_fine_columns fine;
    ergi_coarse_grid  grains, samples;
    ergi_fine_law     law;
    float             step[3];  // of the lattice [m]
    float             scale[3]; // dt/step [s/m]
    float             most[3];  // way of a step, at most [steps]
    float             widest;   // half the size of a block's box, before it is halved [m]
} ergi_fine_job;

// Moves particles begin .. end-1, at most ERGI_FINE_BLOCK of them.
typedef void ergi_fine_block_fn(const ergi_fine_job *job, size_t begin, size_t end);

ergi_fine_block_fn ergi_fine_block_scalar;
#if defined(ERG_X86_KERNELS)
ergi_fine_block_fn ergi_fine_block_avx2, ergi_fine_block_avx512;
#endif

#endif
