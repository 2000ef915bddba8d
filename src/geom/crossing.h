// Intersection test for two triangles of a mesh.
#ifndef ERGI_CROSSING_H
#define ERGI_CROSSING_H

#include "geom/mesh.h"

// Counts only intersections that are certain in spite of rounding: a side test whose result is
// within its rounding error counts as "in the plane". Triangles that merely touch do not cross.
// Coplanar triangles cross when they overlap. Neighbours cross when they intersect or fold onto
// each other beyond their shared corners. `place` is a point of the intersection.
bool ergi_triangles_cross(const ergi_mesh *mesh, size_t s, size_t t, erg_vec3 *place);

#endif
