// Fine particles: hundreds of thousands of them follow a few thousand coarse grains, so that a
// coarse simulation looks like sand. They feel no contacts; they move with the mean velocity of the
// grains around them, and fall freely where there are none (Sommer 2022 section 4, after Ihmsen
// 2012).
//
// Their positions are whole numbers of 32 bits, "places" on a lattice that covers the world. The
// resolution is the same everywhere, differences are exact, and on a periodic axis, where the
// lattice has the period of the world, they are those to the nearest image.
#ifndef ERGI_FINE_H
#define ERGI_FINE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ergi_fine_lattice {
    double  origin[3];   // of place 0 [m]
    double  step[3];     // from one place to the next [m]
    int32_t periodic[3]; // 1: 2^32 steps are the period of that axis
} ergi_fine_lattice;

// On an axis that is not periodic, particles and grains stay within this many steps of the origin:
// then all differences fit into 32 bits.
#define ERGI_FINE_REACH ((int32_t)1 << 30)

// False, beyond the lattice: the place means nothing.
static inline int ergi_fine_place(const ergi_fine_lattice *lattice, int axis, double x,
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

static inline double ergi_fine_position(const ergi_fine_lattice *lattice, int axis, uint32_t place)
{
    double steps = lattice->periodic[axis] ? (double)place : (double)(int32_t)place;
    return lattice->origin[axis] + lattice->step[axis] * steps;
}

// Columns of particles, each `count` long.
typedef struct ergi_fine_columns {
    uint32_t *place[3];
    float    *velocity[3]; // [m/s]
    size_t    count;
} ergi_fine_columns;

// ---- The law -----------------------------------------------------------------------------------
// w = max(0, 1 - |x - x_j|^2/(9 r_j^2))^3. A particle whose largest weight is at most c1, or at
// least c2 of the sum of all, is at the edge of the sand or in a void of it, and falls in part.
typedef struct ergi_fine_law {
    float dt;         // [s]
    float gravity[3]; // [m/s^2]
    float c1, c2;
} ergi_fine_law;

#define ERGI_FINE_RATE 60     // steps per second
#define ERGI_FINE_SPHERES 1.3 // grains are grown so much when particles are seeded in them
#define ERGI_FINE_C1 0.536f   // the weight at 1.3 radii, where seeds end: a pile keeps its look
#define ERGI_FINE_C1_PAPER                                                                         \
    (512.f / 729.f) // at one radius: Sommer's; seeds in voids creep onto the grains
#define ERGI_FINE_C2 0.6f

// The way of a step, in steps of the lattice: velocity times dt/step, rounded. Whole periods are
// left out; what would leave the lattice on another axis is cut short (`most`: ergi_fine_most).
static inline int32_t ergi_fine_way(float velocity, float scale, float most)
{
    float way = velocity * scale;
    way = way > most ? most : way;
    way = way > -most ? way : -most; // NaN too
    float turns = way * 0x1p-32f;
    way -= (float)(int32_t)(turns + (turns < 0 ? -0.5f : 0.5f)) * 0x1p32f;
    way = way > 2147483520.f ? 2147483520.f : way;
    way = way > -2147483520.f ? way : -2147483520.f;
    return (int32_t)(way + (way < 0 ? -0.5f : 0.5f));
}

static inline float ergi_fine_most(const ergi_fine_lattice *lattice, int axis)
{
    return lattice->periodic[axis] ? 0x1p60f : 0x1p29f;
}

static inline float ergi_fine_scale(const ergi_fine_lattice *lattice, int axis, double dt)
{
    return (float)(dt / lattice->step[axis]);
}

#endif
