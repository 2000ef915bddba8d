// Triangle meshes: positions, and triples of them that run counter-clockwise seen from outside.
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

// Boxes around triangles are kept as float, and inertia is a fifth power: beyond this neither holds
// the numbers.
#define ERGI_MESH_FARTHEST 1e30 // [m]
// So that three half-edges a triangle can be counted in 32 bits.
#define ERGI_MESH_MOST 0x40000000u

void ergi_mesh_free(ergi_mesh *mesh); // and leaves it empty
// `copy` is overwritten.
erg_status ergi_mesh_copy(const ergi_mesh *mesh, ergi_mesh *copy, erg_error *err);

erg_status ergi_mesh_add_vertex(ergi_mesh *mesh, erg_vec3 p, erg_error *err);
erg_status ergi_mesh_add_triangle(ergi_mesh *mesh, size_t a, size_t b, size_t c, erg_error *err);

// Every number finite and near enough, every index in range. All else in this room relies on it.
erg_status ergi_mesh_check(const ergi_mesh *mesh, erg_error *err);

// The corners of triangle t.
static inline void ergi_mesh_corners(const ergi_mesh *mesh, size_t t, erg_vec3 p[3])
{
    for (int k = 0; k < 3; k++) p[k] = mesh->vertex[mesh->triangle[t].v[k]];
}

// Two corners are one vertex: a triangle that is no part of the surface.
static inline bool ergi_triangle_collapsed(ergi_triangle t)
{
    return t.v[0] == t.v[1] || t.v[1] == t.v[2] || t.v[2] == t.v[0];
}

void ergi_mesh_bounds(const ergi_mesh *mesh, erg_vec3 *low, erg_vec3 *high);

// What was outside is inside afterwards.
void ergi_mesh_turn(ergi_mesh *mesh);

typedef struct ergi_mesh_mass {
    double    area;    // [m^2]
    double    volume;  // below 0: inside out [m^3]
    erg_vec3  centre;  // of the volume [m]
    ergi_mat3 inertia; // about the centre, density 1 [m^5]
} ergi_mesh_mass;

// Only the area means something when the mesh is not closed.
ergi_mesh_mass ergi_mesh_mass_of(const ergi_mesh *mesh);

// ---- Repairs, on request -----------------------------------------------------------------------
// Vertices at most `distance` apart become one, the first of them: each joins the earliest one kept
// within reach. 0: only equal positions. Triangles that collapse are removed when `tidy`.
erg_status ergi_mesh_weld(ergi_mesh *mesh, double distance, bool tidy, size_t *merged,
                          erg_error *err);

// Closes each hole whose rim is a single loop of at most `most` edges, by a fan or by cutting ears.
erg_status ergi_mesh_fill_holes(ergi_mesh *mesh, size_t most, size_t *filled, erg_error *err);

#endif
