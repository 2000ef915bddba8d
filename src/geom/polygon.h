// Triangulates polygons over their own corners only, so that a closed mesh stays closed.
#ifndef ERGI_POLYGON_H
#define ERGI_POLYGON_H

#include "geom/mesh.h"

enum { ERGI_POLYGON_SMALL = 64 };

// Adds count - 2 triangles for the polygon over these vertices of the mesh. A small polygon becomes
// a fan around its first corner where all triangles of the fan keep the orientation, else it is
// ear-clipped in the plane across its normal; a large one is left to ergi_ears_cut. A polygon that
// crosses itself has no correct triangulation and ends as a fan.
erg_status ergi_polygon_add(ergi_mesh *mesh, const uint32_t *corner, size_t count, erg_error *err);

#endif
