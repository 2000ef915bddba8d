// A tree of boxes over the triangles of a mesh, for the closest point in a few microseconds.
//
// Asking allocates nothing and changes nothing, so that any number of threads may ask at once. Of
// equally near triangles the one with the lowest index is the answer, whatever the order in which
// the tree was walked.
#ifndef ERGI_BVH_H
#define ERGI_BVH_H

#include "geom/closest.h"
#include "geom/mesh.h"

typedef struct ergi_bvh_node {
    float    low[3], high[3]; // rounded outwards
    uint32_t first;           // triangle, or the first of two children
    uint32_t count;           // triangles; 0: an inner node
} ergi_bvh_node;

typedef struct ergi_bvh_triangle {
    erg_vec3 p[3];
    uint32_t index; // in the mesh
} ergi_bvh_triangle;

typedef struct ergi_bvh {
    ergi_bvh_node     *node; // [0] is the root
    ergi_bvh_triangle *triangle;
    size_t             nodes, triangles;
} ergi_bvh;

typedef struct ergi_bvh_hit {
    uint32_t  triangle; // UINT32_MAX: nothing within reach
    ergi_part part;
    erg_vec3  point;    // [m]
    double    distance; // [m]
} ergi_bvh_hit;

// Triangles without area are left out, since their edges belong to neighbours; a mesh of such only
// is ERG_BAD_INPUT. Needs a checked mesh; does not keep it.
erg_status ergi_bvh_build(const ergi_mesh *mesh, ergi_bvh *bvh, erg_error *err);
void       ergi_bvh_free(ergi_bvh *bvh);

// The closest point within `reach` (HUGE_VAL: anywhere).
ergi_bvh_hit ergi_bvh_closest(const ergi_bvh *bvh, erg_vec3 p, double reach);

// The closest points of all triangles nearer to p than reach, in the order of the tree: how many
// there are, of which the first `room` were written to `found`.
size_t ergi_bvh_near_points(const ergi_bvh *bvh, erg_vec3 p, double reach, ergi_bvh_hit *found,
                            size_t room);

// Triangles whose boxes meet this one, in the same manner.
size_t ergi_bvh_in_box(const ergi_bvh *bvh, erg_vec3 low, erg_vec3 high, uint32_t *found,
                       size_t room);

#endif
