// Polygons into triangles, over their own corners only: a mesh that was closed stays closed.
#ifndef ERGI_POLYGON_H
#define ERGI_POLYGON_H

#include "geom/mesh.h"

// Cutting ears takes time that grows with the square of the corners, or worse.
enum { ERGI_POLYGON_CONCAVE_MOST = 1024 };

// Adds count - 2 triangles for the polygon over these vertices of the mesh. A polygon that is
// convex as seen from its first corner is a fan around that corner. Another one is cut ear by ear
// in the plane across its normal; one that crosses itself has no right answer and ends as a fan as
// well. A polygon that needs ears and has more than ERGI_POLYGON_CONCAVE_MOST corners is refused.
erg_status ergi_polygon_add(ergi_mesh *mesh, const uint32_t *corner, size_t count, erg_error *err);

#endif
