// Triangle meshes: vertices, and triangles that run counter-clockwise seen from outside.
#ifndef ERGI_MESH_H
#define ERGI_MESH_H

#include "erg/base.h"
#include "geom/query_triangle.h"
#include "geom/vec3.h"

typedef struct ergi_mesh {
    erg_vec3      *vertex; // [m]
    ergi_triangle *triangle;
    size_t         vertices, triangles;
    size_t         vertex_room, triangle_room;
} ergi_mesh;

// Largest coordinate: beyond it the float boxes of triangles or the inertia, a fifth power, would
// overflow.
#define ERGI_MESH_MAX_COORDINATE 1e30 // [m]
// Keeps three half-edges per triangle countable in 32 bits.
#define ERGI_MESH_MAX_COUNT 0x40000000u

void ergi_mesh_free(ergi_mesh *mesh); // leaves it empty
// `copy` is overwritten.
erg_status ergi_mesh_copy(const ergi_mesh *mesh, ergi_mesh *copy, erg_error *err);

erg_status ergi_mesh_add_vertex(ergi_mesh *mesh, erg_vec3 p, erg_error *err);
erg_status ergi_mesh_add_triangle(ergi_mesh *mesh, size_t a, size_t b, size_t c, erg_error *err);

// Every coordinate finite and in range, every index valid. All other functions in geom/ rely on it.
erg_status ergi_mesh_check(const ergi_mesh *mesh, erg_error *err);

static inline void ergi_mesh_corners(const ergi_mesh *mesh, size_t t, erg_vec3 p[3])
{
    for (int k = 0; k < 3; k++) p[k] = mesh->vertex[mesh->triangle[t].v[k]];
}

// Two corners share a vertex, so the triangle is not part of the surface.
static inline bool ergi_triangle_collapsed(ergi_triangle t)
{
    return t.v[0] == t.v[1] || t.v[1] == t.v[2] || t.v[2] == t.v[0];
}

void ergi_mesh_bounds(const ergi_mesh *mesh, erg_vec3 *low, erg_vec3 *high);

// Swaps inside and outside.
void ergi_mesh_flip(ergi_mesh *mesh);

typedef struct ergi_mesh_mass {
    double    area;    // [m^2]
    double    volume;  // below 0: inside out [m^3]
    erg_vec3  centre;  // of the volume [m]
    ergi_mat3 inertia; // about the centre, density 1 [m^5]
} ergi_mesh_mass;

// When the mesh is not closed, only the area is meaningful.
ergi_mesh_mass ergi_mesh_mass_of(const ergi_mesh *mesh);

// ---- Repairs, on request -----------------------------------------------------------------------
// Merges vertices at most `distance` apart: each joins the earliest kept vertex within that
// distance. 0: only equal positions. `tidy`: removes triangles that collapse.
erg_status ergi_mesh_weld(ergi_mesh *mesh, double distance, bool tidy, size_t *merged,
                          erg_error *err);

// Closes each hole whose rim is a single loop of at most `most` edges.
erg_status ergi_mesh_fill_holes(ergi_mesh *mesh, size_t most, size_t *filled, erg_error *err);

#endif
