// What stands behind an erg_mesh. It never changes once it is made, so that many walls, bodies and
// worlds may hold the same one; the last to let go frees it.
#ifndef ERGI_HELD_MESH_H
#define ERGI_HELD_MESH_H

#include <stdatomic.h>

#include "erg/mesh.h"
#include "geom/solid.h"

struct erg_mesh {
    ergi_solid  solid;
    bool        closed; // every edge has two triangles that agree about the outside
    atomic_uint holders;
};

// The mesh itself, held once more; erg_mesh_destroy lets go.
const erg_mesh *ergi_mesh_hold(const erg_mesh *mesh);
void            ergi_mesh_release(const erg_mesh *mesh); // takes NULL

#endif
