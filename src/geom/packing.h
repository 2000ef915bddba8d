// A piece of settled sand that can be laid through all of space: spheres on a floor, dropped one by
// one, each rolling down until it rests on others, in a box that repeats along x and y. Along z it
// repeats too, but the sphere above a seam may overlap those below it, or have a gap below it.
//
// Random packings without gravity, of the same density, have gaps below every sphere; such a bed
// falls when it is released.
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

// Drops spheres of these radii; those at the top are left out.
erg_status ergi_packing_make(ergi_packing *packing, const double *radius, size_t count,
                             uint64_t seed, erg_error *err);
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
