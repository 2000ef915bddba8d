// Grains as spheres, sorted by space, with the classes that select their contact laws. In a world
// of single spheres, position, motion, force and torque are those of the grains' table.
#ifndef ERGI_DEM_SPHERES_H
#define ERGI_DEM_SPHERES_H

#include "dem/dem.h"

// Sets up an empty table of spheres, for single spheres or for clumps.
void ergi_spheres_init(erg_world *world, bool single);
void ergi_spheres_describe(const erg_world *world, bool single, ergi_table *table);

// Writes the indices of the remaining grains, sorted by space (contact/bisection.h), to dem->order.
// `leaves` (may be NULL) marks grains to remove. Uses dem->sorting, which ergi_spheres_gather
// overwrites.
erg_status ergi_spheres_order(erg_world *world, const uint8_t *leaves, size_t *count,
                              erg_error *err);

// Reorders the grains to `order` (old indices; others are removed), rebuilds the spheres, and
// writes the map from new to old sphere indices to dem->was.
erg_status ergi_spheres_gather(erg_world *world, const uint32_t *order, size_t count,
                               erg_error *err);

// Builds the rows of the spheres (grain, class, radius) from the grains; ergi_dem_advance sets
// their positions.
erg_status ergi_spheres_make(erg_world *world, erg_error *err);

// Whether clumps were added since the spheres were built.
bool ergi_spheres_new_clumps(const erg_world *world);

#endif
