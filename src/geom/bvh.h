// Builds the bounding volume hierarchy over the triangles of a mesh (query_bvh.h).
#ifndef ERGI_BVH_H
#define ERGI_BVH_H

#include "geom/mesh.h"
#include "geom/query_bvh.h"

// Triangles without area are left out, since their edges belong to neighbours. Returns
// ERG_BAD_INPUT when no triangle has an area. Needs a checked mesh and does not keep a reference to
// it.
erg_status ergi_bvh_build(const ergi_mesh *mesh, ergi_bvh *bvh, erg_error *err);
void       ergi_bvh_free(ergi_bvh *bvh);

// Finds the triangles whose boxes overlap this one, in tree order. Returns their number; the first
// `room` of them are written to `found`.
size_t ergi_bvh_in_box(const ergi_bvh *bvh, erg_vec3 low, erg_vec3 high, uint32_t *found,
                       size_t room);

#endif
