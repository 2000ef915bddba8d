// Five spheres of two grains, and an empty set, for the tests of the exporters.
#ifndef ERG_SAMPLE_PARTICLES_H
#define ERG_SAMPLE_PARTICLES_H

#include "io/particles.h"

static const double   sample_position[15] = {0.1, 0.2, 0.3, 1, 2,  3,  -1e-9, 5,
                                             6,   7,   8,   9, 10, 11, 12};
static const double   sample_velocity[15] = {0.5, 0.25, -1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4};
static const double   sample_radius[5] = {0.5, 0.25, 0.125, 1, 2};
static const double   sample_orientation[20] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0,
                                                1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
static const uint64_t sample_grain[5] = {1, 1, (uint64_t)1 << 40, 3, 4};
static const uint32_t sample_material[5] = {0, 1, 0, 1, 4000000000u};

static inline ergi_particles sample_particles(size_t count)
{
    return (ergi_particles){.time = 0.1,
                            .count = count,
                            .position = sample_position,
                            .radius = sample_radius,
                            .velocity = sample_velocity,
                            .orientation = sample_orientation,
                            .grain = sample_grain,
                            .material = sample_material};
}

#endif
