// A distance field, ready for ray casting: the cubes of its lattice through which the surface goes,
// and those inside, which are seen only where a cut opens the field.
#ifndef ERGI_CELLS_H
#define ERGI_CELLS_H

#include "erg/sdf.h"

// As the vertex shader reads it.
typedef struct ergi_cell_look {
    float low[3], size;   // its corner, from the model's middle; its edge [m]
    float at[3];          // place of that corner among the normals [points]
    float distance[2][4]; // from the level at its corners, in edges: x = 0 and 1; y fastest, then z
} ergi_cell_look;

typedef struct ergi_cells {
    ergi_cell_look *cell;
    size_t          crossing, count, room; // those that the surface goes through stand first
    int8_t         *normals;   // x, y, z, 0 of each lattice point, 127 long; 9 x 9 x 9 a slot
    size_t          slots;     // blocks that have normals
    int             across[3]; // slots along x, y, z: as they lie side by side in a texture
    uint64_t        hash;      // of all that
} ergi_cells;

enum { ERGI_CELLS_ACROSS = 9, ERGI_CELLS_POINTS = 9 * 9 * 9 };

erg_status ergi_cells_make(const erg_sdf_view *field, erg_vec3 middle, ergi_cells *cells,
                           erg_error *err);
void       ergi_cells_free(ergi_cells *cells);

// The corner of a slot among the normals [points].
static inline void ergi_cells_slot(const ergi_cells *cells, size_t slot, int at[3])
{
    int i = (int)slot, row = i / cells->across[0];
    at[0] = ERGI_CELLS_ACROSS * (i % cells->across[0]);
    at[1] = ERGI_CELLS_ACROSS * (row % cells->across[1]);
    at[2] = ERGI_CELLS_ACROSS * (row / cells->across[1]);
}

#endif
