// Regions in which grains are placed, poured, counted or removed. A region is a convex solid (or a
// hollow cylinder) minus the regions in its `minus` list, which may have lists of their own.
#ifndef ERGI_REGION_H
#define ERGI_REGION_H

#include "base/random.h"
#include "erg/base.h"
#include "erg/grain.h"

enum { ERGI_REGION_MAX_DEPTH = 8 }; // nesting depth of minus lists

// Finite numbers, positive volume, nesting no deeper than ERGI_REGION_MAX_DEPTH. All other
// functions here rely on it.
erg_status ergi_region_check(const erg_region *region, erg_error *err);

// Same check; the message has no "region box: " prefix.
erg_status ergi_region_problem(const erg_region *region, erg_error *err);

// A deep copy that owns its minus lists; ergi_region_free frees those, not the struct itself.
erg_status ergi_region_copy(const erg_region *region, erg_region *copy, erg_error *err);
void       ergi_region_free(erg_region *copy);

bool ergi_region_contains(const erg_region *region, erg_vec3 p);

// Radius of the largest sphere around p inside the region, negative when p is outside. Exact for a
// region without minus, else a lower bound: a sphere of that radius always fits.
double ergi_region_depth(const erg_region *region, erg_vec3 p); // [m]

// Upper bound of ergi_region_depth over the box: a sphere of larger radius fits nowhere with its
// centre in the box. Exact for a box and a sphere without minus [m].
double ergi_region_max_depth(const erg_region *region, erg_vec3 low, erg_vec3 high);

void ergi_region_bounds(const erg_region *region, erg_vec3 *low, erg_vec3 *high);

// Closed form; with a minus list a quasi-random estimate, to about 0.1 % of the solid.
double ergi_region_volume(const erg_region *region); // [m^3]

// Draws a point uniformly from the centres of all spheres of radius `margin` that fit into the
// solid; the caller tests `minus`. False when no such sphere fits.
bool ergi_region_draw(const erg_region *region, double margin, ergi_random *random, erg_vec3 *p);

#endif
