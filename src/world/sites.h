// The sites of a hexagonally close packed lattice in a box, one after the other: layer by layer
// from the lowest, row by row. Boxes of sites where nothing can be placed are skipped as a whole,
// so that the work depends on the usable sites, not on all of them.
#ifndef ERGI_SITES_H
#define ERGI_SITES_H

#include "erg/base.h"

typedef struct ergi_sites {
    int64_t  count[3]; // along x, y, z
    erg_vec3 first;    // [m]
    double   spacing, row, layer;
} ergi_sites;

// Sites for spheres of `radius` in the box, `spacing` apart. 0 along every axis: none fits.
ergi_sites ergi_sites_in(erg_vec3 low, erg_vec3 high, double radius, double spacing);

// How many; may exceed the range of any integer type.
double ergi_sites_total(const ergi_sites *sites);

typedef struct ergi_sites_visitor {
    // True when nothing can be placed with its site in the box.
    bool (*is_barred)(void *user, erg_vec3 low, erg_vec3 high);
    // Called for each site; the walk ends when it sets *done or fails.
    erg_status (*at)(void *user, erg_vec3 site, bool *done);
    // Called after each batch of boxes and sites, with their number so far; may fail.
    erg_status (*pause)(void *user, uint64_t work);
    void *user;
} ergi_sites_visitor;

erg_status ergi_sites_walk(const ergi_sites *sites, const ergi_sites_visitor *visitor);

#endif
