// One step of all fine particles.
#ifndef ERGI_FINE_STEP_H
#define ERGI_FINE_STEP_H

#include "base/threads.h"
#include "upsample/fine_block.h"

// The copy of the kernel for "scalar", "avx2", "avx512" or "avx512-wide", and for NULL or "" the
// best that this processor knows. NULL: there is no such copy, or the processor cannot run it.
ergi_fine_block_fn *ergi_fine_kernel(const char *isa);

// Scratch of a step, kept from one to the next; zero at first.
typedef struct ergi_fine_scratch {
    ergi_coarse_grid grains, samples;
} ergi_fine_scratch;

void   ergi_fine_scratch_free(ergi_fine_scratch *scratch);
size_t ergi_fine_scratch_bytes(const ergi_fine_scratch *scratch);

// Velocities and places go on by law.dt. `samples` of bodies and walls count only for particles
// that feel a grain too; NULL: there are none. The answer depends on the order of the particles in
// the last bits, on that of the grains likewise, and on nothing else that is not said here.
erg_status ergi_fine_step(const ergi_fine_columns *fine, const ergi_fine_lattice *lattice,
                          const ergi_coarse_spheres *grains, const ergi_coarse_spheres *samples,
                          const ergi_fine_law *law, ergi_fine_block_fn *kernel,
                          const ergi_threads *threads, ergi_fine_scratch *scratch, erg_error *err);

#endif
