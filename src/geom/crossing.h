// Do two triangles of a mesh pass through each other?
#ifndef ERGI_CROSSING_H
#define ERGI_CROSSING_H

#include "geom/mesh.h"

// Only what is certain in spite of rounding counts: a side test whose result is within its own
// rounding error is taken as "in the plane". Triangles that merely touch do not cross; triangles in
// one plane do when they overlap; neighbours do when they pass through or fold onto each other
// beyond the corners that they share. `place` is a point where it happens.
bool ergi_triangles_cross(const ergi_mesh *mesh, size_t s, size_t t, erg_vec3 *place);

#endif
