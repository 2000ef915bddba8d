// Large polygons into triangles: ears are cut round by round, no two neighbours in one round, so
// that triangles double in size from round to round and none has thousands of neighbours at one
// corner. Whether an ear is empty is asked of a tree over the corners: n log n for the outlines
// that occur, more for a maze.
#ifndef ERGI_EARS_H
#define ERGI_EARS_H

#include "geom/mesh.h"

// Adds count - 2 triangles over these vertices, seen along `normal`, the polygon's own. What is
// left when no ear is (it crosses itself, or is flat) becomes a fan.
erg_status ergi_ears_cut(ergi_mesh *mesh, erg_vec3 normal, const uint32_t *corner, size_t count,
                         erg_error *err);

#endif
