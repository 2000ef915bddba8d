// Polygons into triangles, over their own corners only: a mesh that was closed stays closed.
#ifndef ERGI_POLYGON_H
#define ERGI_POLYGON_H

#include "geom/mesh.h"

enum { ERGI_POLYGON_SMALL = 64 };

// Adds count - 2 triangles for the polygon over these vertices of the mesh. A small polygon that is
// convex as seen from its first corner is a fan around that corner. Another one is cut ear by ear
// in the plane across its normal, a large one by ergi_ears_cut; one that crosses itself has no
// right answer and ends as a fan.
erg_status ergi_polygon_add(ergi_mesh *mesh, const uint32_t *corner, size_t count, erg_error *err);

#endif
