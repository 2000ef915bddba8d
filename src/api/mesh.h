// What stands behind an erg_mesh.
#ifndef ERGI_API_MESH_H
#define ERGI_API_MESH_H

#include "erg/mesh.h"
#include "geom/solid.h"

struct erg_mesh {
    ergi_solid solid;
};

#endif
