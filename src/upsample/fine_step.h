// One time step of all fine particles, without walls.
#ifndef ERGI_FINE_STEP_H
#define ERGI_FINE_STEP_H

#include "base/threads.h"
#include "upsample/fine_block.h"

// The kernels for "scalar", "avx2", "avx512" or "avx512-wide" (the same as "avx512"); for NULL or
// "" the widest that the processor supports. NULL: not built, or the processor cannot run it.
const ergi_fine_kernels *ergi_fine_kernels_for(const char *isa);

// Scratch, reused from one step to the next. Zero before the first.
typedef struct ergi_fine_scratch {
    ergi_coarse_grid grains, samples;
} ergi_fine_scratch;

void   ergi_fine_scratch_free(ergi_fine_scratch *scratch);
size_t ergi_fine_scratch_bytes(const ergi_fine_scratch *scratch);

// Advances velocities and positions by law.dt. `samples` of bodies and walls count only for
// particles that a grain reaches too; NULL: none. The order of particles and grains affects the
// last bits of the result; the instruction set and the number of threads do not.
erg_status ergi_fine_step(const ergi_fine_columns *fine, const ergi_fine_frame *lattice,
                          const ergi_coarse_spheres *grains, const ergi_coarse_spheres *samples,
                          const ergi_fine_law *law, const ergi_fine_kernels *kernels,
                          const ergi_threads *threads, ergi_fine_scratch *scratch, erg_error *err);

#endif
