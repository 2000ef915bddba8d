// Stateless random numbers: each is a function of (seed, stream, id, step, draw), so results do not
// depend on threads, order or where a run was resumed. Philox4x32-10: Salmon et al., Parallel
// random numbers: as easy as 1, 2, 3, SC11 (2011).
//
//     ergi_random r = {.seed = world_seed, .stream = MY_STREAM, .id = grain, .step = step};
//     double      u = ergi_random_uniform(&r);   // each call increments `draw`
#ifndef ERGI_RANDOM_H
#define ERGI_RANDOM_H

#include "erg/base.h"

typedef struct ergi_random {
    uint64_t seed;   // of the world
    uint64_t id;     // of the grain or object that the number is for
    uint64_t step;   // time step or purpose; only the lower 40 bits are used
    uint32_t stream; // separates independent users; numbered by the caller
    uint32_t draw;   // numbers drawn so far; only the lower 24 bits are used
} ergi_random;

// The bare generator: ten rounds on a 128-bit counter.
void ergi_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

uint64_t ergi_random_u64(ergi_random *r);
double   ergi_random_uniform(ergi_random *r); // in [0, 1), in steps of 2^-53
double   ergi_random_range(ergi_random *r, double from, double to);
double   ergi_random_normal(ergi_random *r);   // mean 0, deviation 1
erg_vec3 ergi_random_in_ball(ergi_random *r);  // uniform in the unit ball
erg_quat ergi_random_rotation(ergi_random *r); // uniform over all rotations

#endif
