// Adding and finding grains; mass, radius and inertia of grain kinds.
#ifndef ERGI_GRAINS_H
#define ERGI_GRAINS_H

#include "world/world.h"

// Appends grains and assigns their ids (to `ids`, unless NULL); neighbour lists become invalid. The
// definition is not checked. Orientations are those of the principal frames.
erg_status ergi_grains_add(erg_world *world, const erg_grains *grains, const double *size,
                           erg_gid *ids, erg_error *err);

// Row of the grain with that id, or -1. Linear search.
erg_index ergi_grains_find(const erg_world *world, erg_gid id);

// Grains in order of id: order[k] is the row of the k-th. `order` must hold twice the number of
// grains.
void ergi_grains_by_id(const erg_world *world, uint32_t *order);
// The same for any ids.
void ergi_order_by_id(const uint64_t *id, uint32_t *order, size_t count);

double ergi_kind_mass(const ergi_kind *kind, double size);   // [kg]
double ergi_kind_radius(const ergi_kind *kind, double size); // of a sphere; 0 for a clump [m]
// 1/inertia if it is the same about all axes, else 0, and 1/mass: as stored in the motion column.
double ergi_kind_inverse(const ergi_kind *kind, double size, double *inverse_mass);
// Whether `size` is in the kind's range, for which dt and skin are chosen.
bool ergi_kind_takes_size(const ergi_kind *kind, double size);

#endif
