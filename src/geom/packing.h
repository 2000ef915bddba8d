// A piece of settled sand that can be laid through all of space: spheres at rest on a floor, in a
// box that repeats along x and y. Along z it repeats too, but the sphere above a seam may overlap
// those below it, or have a gap below it.
//
// How sand gives way depends on how its grains came to rest. Spheres that roll down without
// friction until three others carry each have six contacts on average; sand poured with friction is
// as dense but has five.
#ifndef ERGI_PACKING_H
#define ERGI_PACKING_H

#include "erg/base.h"

typedef struct ergi_packing {
    double    side, height; // of the box [m]
    double    share;        // of its volume that spheres fill
    size_t    count;
    double   *sphere; // x y z radius; x and y in [0, side), z in [0, height) [m]
    int       bins;   // along x and y
    uint32_t *first;  // first sphere of each bin; spheres are sorted by bin
} ergi_packing;

// From settled spheres (x y z radius) in a box of this side that repeats along x and y, z = 0 being
// the floor. Those that press each other are moved apart; those at the top are left out.
erg_status ergi_packing_make(ergi_packing *packing, const double *sphere, size_t count, double side,
                             erg_error *err);
void       ergi_packing_free(ergi_packing *packing);
size_t     ergi_packing_bytes(const ergi_packing *packing);

// Calls fn for every sphere, periodic images included, whose centre is in the box low <= x < high,
// in a fixed order.
typedef void ergi_packing_fn(void *user, const double sphere[4]);
void ergi_packing_visit(const ergi_packing *packing, const double low[3], const double high[3],
                        ergi_packing_fn *fn, void *user);

// Largest overlap of two spheres over the sum of their radii, seam aside.
double ergi_packing_overlap(const ergi_packing *packing);

#endif
