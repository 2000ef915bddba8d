// Regions: where grains are placed, poured, counted or removed. A region is a convex solid (or a
// hollow cylinder) less the regions in its `minus` list, which may have lists of their own.
#ifndef ERGI_REGION_H
#define ERGI_REGION_H

#include "base/random.h"
#include "erg/base.h"
#include "erg/grain.h"

enum { ERGI_REGION_MAX_DEPTH = 8 }; // of minus within minus

// Finite numbers, a real volume, no deeper than ERGI_REGION_MAX_DEPTH. All other functions here
// rely on it.
erg_status ergi_region_check(const erg_region *region, erg_error *err);

// The same; the sentence does not begin with "region box: ".
erg_status ergi_region_problem(const erg_region *region, erg_error *err);

// A copy that owns its minus lists; freed by ergi_region_free, which leaves the top struct alone.
erg_status ergi_region_copy(const erg_region *region, erg_region *copy, erg_error *err);
void       ergi_region_free(erg_region *copy);

bool ergi_region_contains(const erg_region *region, erg_vec3 p);

// Radius of a ball around p that lies inside the region, below 0 when p is outside. Exact for a
// region without minus; else a lower bound: a ball that is said to fit does fit.
double ergi_region_room(const erg_region *region, erg_vec3 p); // [m]

// No point of the box has more room than this: where it is below a radius, no ball of it fits with
// its centre in the box. Exact for a box and a sphere without minus [m].
double ergi_region_most_room(const erg_region *region, erg_vec3 low, erg_vec3 high);

void ergi_region_bounds(const erg_region *region, erg_vec3 *low, erg_vec3 *high);

// Closed form; with a minus list estimated from a fixed set of points, to about 0.1 % of the solid.
double ergi_region_volume(const erg_region *region); // [m^3]

// A point drawn evenly from all centres of balls of radius `margin` that the solid holds; `minus`
// is the caller's to test. False when the solid holds no such ball.
bool ergi_region_draw(const erg_region *region, double margin, ergi_random *random, erg_vec3 *p);

#endif
