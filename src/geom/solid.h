// A closed mesh with signed distance queries (query_mesh.h).
//
// Queries neither allocate nor modify anything, so any number of threads may query at once.
#ifndef ERGI_SOLID_H
#define ERGI_SOLID_H

#include "geom/bvh.h"
#include "geom/edges.h"
#include "geom/query_mesh.h"

typedef struct ergi_solid {
    ergi_mesh  mesh; // owned
    ergi_bvh   bvh;
    ergi_edges edges;
    erg_vec3  *face_normal;   // unit; zero without area
    erg_vec3  *edge_normal;   // of each edge
    erg_vec3  *vertex_normal; // of each vertex; edge and vertex normals are not unit vectors
    erg_vec3   low, high;     // bounding box [m]
    // Triangles joined by smooth edges form one patch: a sphere that rolls from one to the next
    // stays on the same part of the surface.
    uint32_t      *patch; // of each triangle, from 0
    uint32_t       patches;
    ergi_mesh_view view; // what queries read
} ergi_solid;

// On success takes ownership of the mesh; `mesh` is then empty.
erg_status ergi_solid_make(ergi_mesh *mesh, ergi_solid *solid, erg_error *err);
void       ergi_solid_free(ergi_solid *solid);
size_t     ergi_solid_bytes(const ergi_solid *solid); // memory it holds

// The closest point within `reach` (HUGE_VAL: anywhere).
ergi_nearest ergi_solid_nearest(const ergi_solid *solid, erg_vec3 p, double reach);

static inline double ergi_solid_distance(const ergi_solid *solid, erg_vec3 p)
{
    return ergi_solid_nearest(solid, p, HUGE_VAL).distance;
}

#endif
