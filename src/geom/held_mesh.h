// The reference-counted mesh behind an erg_mesh. It is immutable, so many walls, bodies and worlds
// may share it; the last release frees it.
#ifndef ERGI_HELD_MESH_H
#define ERGI_HELD_MESH_H

#include <stdatomic.h>

#include "erg/mesh.h"
#include "geom/solid.h"

struct erg_mesh {
    ergi_solid  solid;
    bool        closed; // every edge has two triangles with consistent orientation
    atomic_uint holders;
};

// Adds a reference and returns the same mesh; erg_mesh_destroy releases it.
const erg_mesh *ergi_mesh_retain(const erg_mesh *mesh);
void            ergi_mesh_release(const erg_mesh *mesh); // accepts NULL

#endif
