// A dense random packing of spheres that repeats along x, y and z: a piece of settled sand that can
// be laid through all of space.
//
// Spheres start at random points of the box and are pushed apart until they hardly overlap any
// more. Below the density of random close packing, 0.64, that ends after some hundred rounds.
#ifndef ERGI_PACKING_H
#define ERGI_PACKING_H

#include "erg/base.h"

typedef struct ergi_packing {
    double    side;  // of the cubic box [m]
    double    share; // of its volume that spheres fill
    size_t    count;
    double   *sphere; // x y z radius, each coordinate in [0, side) [m]
    int       bins;   // along x and y
    uint32_t *first;  // first sphere of each bin; spheres are sorted by bin
} ergi_packing;

// Packs spheres of these radii. `share` is at most 0.62.
erg_status ergi_packing_make(ergi_packing *packing, const double *radius, size_t count,
                             double share, uint64_t seed, erg_error *err);
void       ergi_packing_free(ergi_packing *packing);
size_t     ergi_packing_bytes(const ergi_packing *packing);

// Calls fn for every sphere, periodic images included, whose centre is in the box low <= x < high,
// in a fixed order.
typedef void ergi_packing_fn(void *user, const double sphere[4]);
void ergi_packing_visit(const ergi_packing *packing, const double low[3], const double high[3],
                        ergi_packing_fn *fn, void *user);

// Largest overlap of two spheres over the sum of their radii.
double ergi_packing_overlap(const ergi_packing *packing);

#endif
