// Bodies in bulk: added at the end, removed and sorted by gathering rows; and the spheres that
// follow from them.
#ifndef ERGI_BODIES_H
#define ERGI_BODIES_H

#include "world/world.h"

// Appends grains and names them; lists are void afterwards. Checks nothing but memory. Orientations
// are those of the principal frames.
erg_status ergi_bodies_add(erg_world *world, const erg_grains *grains, const double *size,
                           erg_gid *ids, erg_error *err);

// Number of the grain with that id, or -1. Looks at all grains.
erg_index ergi_bodies_find(const erg_world *world, erg_gid id);

// Bodies in order of id: order[k] is the number of the k-th. Needs room for twice as many.
void ergi_bodies_by_id(const erg_world *world, uint32_t *order);
// The same for any ids.
void ergi_order_by_id(const uint64_t *id, uint32_t *order, size_t count);

double ergi_kind_mass(const ergi_kind *kind, double size);
double ergi_kind_radius(const ergi_kind *kind, double size); // of a single sphere; 0 of a clump [m]
// 1/inertia where it is the same about all axes, else 0, and 1/mass: as the rows of motion have it.
double ergi_kind_inverse(const ergi_kind *kind, double size, double *inverse_mass);
bool   ergi_kind_takes_size(const ergi_kind *kind,
                            double           size); // dt and skin are chosen for its range

#endif
