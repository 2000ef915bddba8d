// Makes the tree of boxes over the triangles of a mesh (query_bvh.h).
#ifndef ERGI_BVH_H
#define ERGI_BVH_H

#include "geom/mesh.h"
#include "geom/query_bvh.h"

// Triangles without area are left out, since their edges belong to neighbours; a mesh of such only
// is ERG_BAD_INPUT. Needs a checked mesh; does not keep it.
erg_status ergi_bvh_build(const ergi_mesh *mesh, ergi_bvh *bvh, erg_error *err);
void       ergi_bvh_free(ergi_bvh *bvh);

// Triangles whose boxes meet this one, in the order of the tree: how many there are, of which the
// first `room` were written to `found`.
size_t ergi_bvh_in_box(const ergi_bvh *bvh, erg_vec3 low, erg_vec3 high, uint32_t *found,
                       size_t room);

#endif
