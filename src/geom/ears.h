// Cuts large polygons into triangles by ear clipping in rounds, no two neighbouring ears in one
// round, so that triangles double in size from round to round and no corner belongs to thousands of
// them. A tree over the corners tests whether an ear is empty: n log n for ordinary outlines, more
// for a maze.
#ifndef ERGI_EARS_H
#define ERGI_EARS_H

#include "geom/mesh.h"

// Adds count - 2 triangles over these vertices, seen along `normal`, the polygon's own. What is
// left when there is no ear (the polygon crosses itself, or is flat) becomes a fan.
erg_status ergi_ears_cut(ergi_mesh *mesh, erg_vec3 normal, const uint32_t *corner, size_t count,
                         erg_error *err);

#endif
