// Fine particles: hundreds of thousands of them follow a few thousand coarse grains, so that a
// coarse simulation looks like sand. They feel no contacts; they move with the mean velocity of the
// grains around them, and fall freely where there are none (Sommer 2022 section 4, after Ihmsen
// 2012).
//
// Positions are fixed-point: 32-bit integers (`place` in the code), in units that ergi_fine_frame
// converts to metres. The resolution is the same everywhere and differences are exact. On a
// periodic axis 2^32 units are the period, so that a difference is the one to the nearest image.
#ifndef ERGI_FINE_H
#define ERGI_FINE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ergi_fine_frame {
    double  origin[3];   // of fixed-point position 0 [m]
    double  step[3];     // length of one fixed-point unit [m]
    int32_t periodic[3]; // 1: 2^32 units are the period of that axis
} ergi_fine_frame;

// On an axis that is not periodic, particles and grains stay within this many units of the origin,
// so that all differences fit into 32 bits.
#define ERGI_FINE_REACH ((int32_t)1 << 30)

// Metres to fixed-point. Returns 0 if x is out of range; *place is then invalid.
static inline int ergi_fine_to_fixed(const ergi_fine_frame *lattice, int axis, double x,
                                     uint32_t *place)
{
    double steps = rint((x - lattice->origin[axis]) / lattice->step[axis]);
    *place = 0;
    if (lattice->periodic[axis])
        steps -= 4294967296.0 * floor(steps / 4294967296.0);
    else if (!(fabs(steps) < ERGI_FINE_REACH))
        return 0;
    *place = (uint32_t)(int64_t)steps;
    return 1;
}

static inline double ergi_fine_position(const ergi_fine_frame *lattice, int axis, uint32_t place)
{
    double steps = lattice->periodic[axis] ? (double)place : (double)(int32_t)place;
    return lattice->origin[axis] + lattice->step[axis] * steps;
}

// Columns of particles, each `count` long.
typedef struct ergi_fine_columns {
    uint32_t *place[3];    // fixed-point position
    float    *velocity[3]; // [m/s]
    size_t    count;
} ergi_fine_columns;

// ---- The law -----------------------------------------------------------------------------------
// Weight of grain j: w = max(0, 1 - |x - x_j|^2/(9 r_j^2))^3. A particle whose largest weight is at
// most c1, or at least c2 times the sum of all, is at the surface of the sand or in a void: gravity
// and its own velocity then contribute (`alpha` in fine_kernel.h).
typedef struct ergi_fine_law {
    float dt;         // [s]
    float gravity[3]; // [m/s^2]
    float c1, c2;
} ergi_fine_law;

#define ERGI_FINE_RATE 60        // steps per second of simulated time
#define ERGI_FINE_SEED_SCALE 1.3 // factor on the radii of grains when particles are seeded in them
// A particle is moved out of a wall, to a radius from it, once it is nearer than this many radii:
// otherwise those at rest on a wall would have to be moved in every step.
#define ERGI_FINE_CONTACT 0.9f
#define ERGI_FINE_C1 0.536f // weight at 1.3 radii, where seeds end: a pile at rest stays as it is
#define ERGI_FINE_C1_PAPER                                                                         \
    (512.f / 729.f) // Sommer's, the weight at one radius: seeds in voids creep to the grains
#define ERGI_FINE_C2 0.6f

// Displacement in one time step [fixed-point units]: velocity * scale, rounded, less whole periods.
// `scale` is ergi_fine_scale. `most`, from ergi_fine_max_displacement, limits it: on an axis that
// is not periodic it must not overflow.
static inline int32_t ergi_fine_displacement(float velocity, float scale, float most)
{
    float way = velocity * scale;
    way = way > most ? most : way;
    way = way > -most ? way : -most; // NaN becomes -most
    float turns = way * 0x1p-32f;
    way -= (float)(int32_t)(turns + (turns < 0 ? -0.5f : 0.5f)) * 0x1p32f;
    way = way > 2147483520.f ? 2147483520.f : way;
    way = way > -2147483520.f ? way : -2147483520.f;
    return (int32_t)(way + (way < 0 ? -0.5f : 0.5f));
}

static inline float ergi_fine_max_displacement(const ergi_fine_frame *lattice, int axis)
{
    return lattice->periodic[axis] ? 0x1p60f : 0x1p29f;
}

static inline float ergi_fine_scale(const ergi_fine_frame *lattice, int axis, double dt)
{
    return (float)(dt / lattice->step[axis]);
}

#endif
