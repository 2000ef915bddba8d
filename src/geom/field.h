// Makes the signed distance to a mesh on a lattice (query_field.h).
#ifndef ERGI_FIELD_H
#define ERGI_FIELD_H

#include "base/threads.h"
#include "geom/march.h"
#include "geom/query_field.h"
#include "geom/solid.h"

// Distances are kept where they differ from `level` by less than `band`. A field whose blocks would
// be more than 2^26 is refused. The same on any number of threads.
erg_status ergi_distance_field_build(const ergi_solid *solid, double spacing, double level,
                                     double band, const ergi_threads *threads,
                                     ergi_distance_field *field, erg_error *err);
void       ergi_distance_field_free(ergi_distance_field *field);

// The surface at the level; the band must be a spacing or more. `mesh` is overwritten; it has no
// triangles when there is no such surface.
erg_status ergi_distance_field_surface(const ergi_distance_field *field, ergi_mesh *mesh,
                                       erg_error *err);

#endif
