// Grains as spheres: in the order of space, with the classes that the laws tell apart. A world of
// single spheres has hardly a table of them: position, motion and load are the grains' own.
#ifndef ERGI_DEM_SPHERES_H
#define ERGI_DEM_SPHERES_H

#include "dem/dem.h"

// An empty table for single spheres, or for clumps.
void ergi_spheres_init(erg_world *world, bool single);
void ergi_spheres_describe(const erg_world *world, bool single, ergi_table *table);

// Numbers of the grains that stay, in the order of space (contact/bisection.h), in dem->order.
// `leaves` (may be NULL) marks those that do not. Uses dem->sorting, which ergi_spheres_gather
// overwrites.
erg_status ergi_spheres_order(erg_world *world, const uint8_t *leaves, size_t *count,
                              erg_error *err);

// Keeps the grains `order` (old numbers), in that order, makes the spheres anew and writes the map
// from new sphere numbers to old ones into dem->was.
erg_status ergi_spheres_gather(erg_world *world, const uint32_t *order, size_t count,
                               erg_error *err);

// Makes the rows of the spheres (grain, class, radius) from the grains; ergi_dem_advance sets their
// positions.
erg_status ergi_spheres_make(erg_world *world, erg_error *err);

// Whether clumps were added since the spheres were made.
bool ergi_spheres_new_clumps(const erg_world *world);

#endif
