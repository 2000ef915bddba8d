// Triangulates large polygons by ear clipping in rounds. No two neighbouring ears are cut in the
// same round, so triangles double in size from round to round and no corner belongs to thousands of
// them. A tree over the corners tests whether an ear is empty: n log n for ordinary outlines,
// slower for a maze.
#ifndef ERGI_EARS_H
#define ERGI_EARS_H

#include "geom/mesh.h"

// Adds count - 2 triangles over these vertices, projected along the polygon's `normal`. When no ear
// is left (the polygon crosses itself, or has no area), the rest becomes a fan.
erg_status ergi_ears_cut(ergi_mesh *mesh, erg_vec3 normal, const uint32_t *corner, size_t count,
                         erg_error *err);

#endif
