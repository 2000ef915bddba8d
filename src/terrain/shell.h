// The surface of a wall as triangles.
#ifndef ERGI_SHELL_H
#define ERGI_SHELL_H

#include "geom/mesh.h"
#include "geom/query_surface.h"

// Boxes and surfaces of revolution, in world coordinates at t = 0; bumps are left out. Round parts
// become facets that are nowhere farther than `fine` from them [m]. Overwrites the mesh.
erg_status ergi_shell_make(const ergi_surface *surface, double fine, ergi_mesh *mesh,
                           erg_error *err);

#endif
