// Isosurfaces on a lattice by marching tetrahedra. Every cube is cut into six tetrahedra around its
// diagonal, the same way in all cubes, so neighbours agree on every edge and the surface is closed
// wherever all its cubes are marched.
//
// A surface cuts each edge of a tetrahedron at most once. Cuts very close to a lattice point are
// moved a little along the edge, so that no triangle has zero area.
#ifndef ERGI_MARCH_H
#define ERGI_MARCH_H

#include "geom/mesh.h"

typedef struct ergi_march {
    erg_vec3  origin;  // lattice point (0, 0, 0) [m]
    double    spacing; // [m]
    double    level;
    ergi_mesh mesh; // grows; outside is where values are above the level
    uint64_t *key;  // lattice edge of each slot, from lattice point and direction; 0: free
    uint32_t *vertex;
    size_t    slots; // a power of two, or 0
} ergi_march;

// Adds the part of the surface in the cube whose lowest corner is (i, j, k), each from 0 to 2^20 -
// 2. value[a + 2 b + 4 c] belongs to corner (i + a, j + b, k + c).
erg_status ergi_march_cube(ergi_march *march, int i, int j, int k, const double value[8],
                           erg_error *err);

void ergi_march_free(ergi_march *march); // also frees the mesh, unless it was moved out

#endif
