// A closed mesh that can be asked for the signed distance of a point.
//
// The sign is that of (p - c).n with the closest point c and the pseudo-normal n of the part of the
// mesh on which c lies: the normal of a face, the sum of two normals on an edge, the sum of normals
// weighted by angles at a vertex. That sign is right for every closed, consistently oriented mesh
// without crossings, however sharp or thin (Baerentzen and Aanaes, Signed distance computation
// using the angle weighted pseudonormal, IEEE Trans. Vis. Comput. Graphics 11 (2005) 243).
//
// Asking allocates nothing and changes nothing: any number of threads may ask at once.
#ifndef ERGI_SOLID_H
#define ERGI_SOLID_H

#include "geom/bvh.h"
#include "geom/edges.h"

typedef struct ergi_solid {
    ergi_mesh  mesh; // its own
    ergi_bvh   bvh;
    ergi_edges edges;
    erg_vec3  *face_normal;   // unit; zero without area
    erg_vec3  *edge_normal;   // of each edge
    erg_vec3  *vertex_normal; // these two point the right way, their length means nothing
    erg_vec3   low, high;     // bounding box [m]
    // Triangles that go over into each other smoothly are one patch: a sphere that rolls from one
    // to the next is still on the same part of the surface.
    uint32_t *patch; // of each triangle, from 0
    uint32_t  patches;
} ergi_solid;

// Edges that turn by less than this are smooth: those of a pipe with 16 sides and more.
#define ERGI_SMOOTH_COSINE 0.906 // of 25 degrees

typedef struct ergi_nearest {
    uint32_t  triangle; // UINT32_MAX: nothing within reach
    ergi_part part;
    erg_vec3  point;    // closest point of the surface [m]
    erg_vec3  normal;   // unit pseudo-normal there
    double    distance; // below 0 inside [m]
} ergi_nearest;

// Takes the mesh over when it succeeds; `mesh` is empty then.
erg_status ergi_solid_make(ergi_mesh *mesh, ergi_solid *solid, erg_error *err);
void       ergi_solid_free(ergi_solid *solid);
size_t     ergi_solid_bytes(const ergi_solid *solid); // that it holds

// The closest point within `reach` (HUGE_VAL: anywhere).
ergi_nearest ergi_solid_nearest(const ergi_solid *solid, erg_vec3 p, double reach);

// The unit pseudo-normal of a part of triangle t.
erg_vec3 ergi_solid_normal(const ergi_solid *solid, uint32_t t, ergi_part part);

static inline double ergi_solid_distance(const ergi_solid *solid, erg_vec3 p)
{
    return ergi_solid_nearest(solid, p, HUGE_VAL).distance;
}

#endif
