// Builds a lattice of signed distances to a mesh (query_field.h).
#ifndef ERGI_FIELD_H
#define ERGI_FIELD_H

#include "base/threads.h"
#include "geom/march.h"
#include "geom/query_field.h"
#include "geom/solid.h"

// Stores distances that differ from `level` by less than `band`. Fails when more than 2^26 blocks
// would be needed. The result does not depend on the number of threads.
erg_status ergi_distance_field_build(const ergi_solid *solid, double spacing, double level,
                                     double band, const ergi_threads *threads,
                                     ergi_distance_field *field, erg_error *err);
void       ergi_distance_field_free(ergi_distance_field *field);

// The isosurface at the level; the band must be at least one spacing. `mesh` is overwritten; it has
// no triangles when there is no such surface.
erg_status ergi_distance_field_surface(const ergi_distance_field *field, ergi_mesh *mesh,
                                       erg_error *err);

#endif
