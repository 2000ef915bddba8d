// A distance field prepared for ray casting: the lattice cubes crossed by the surface, and those
// inside, which are visible only where a cut opens the field.
#ifndef ERGI_CELLS_H
#define ERGI_CELLS_H

#include "erg/sdf.h"

// Instance attributes of the vertex shader.
typedef struct ergi_cell_vertex {
    float low[3], size;   // low corner, relative to the model's centre; edge length [m]
    float at[3];          // low corner in the normal texture [texels]
    float distance[2][4]; // to the level at the corners, in edges: x = 0 and 1; y fastest, then z
} ergi_cell_vertex;

typedef struct ergi_cells {
    ergi_cell_vertex *cell;
    size_t            crossing, count, room; // cells crossed by the surface come first
    int8_t  *normals; // per lattice point: x, y, z scaled to 127, and 0; 9 x 9 x 9 points per slot
    size_t   slots;   // blocks that have normals
    int      across[3]; // slots along x, y, z of the texture
    uint64_t hash;
} ergi_cells;

enum { ERGI_CELLS_ACROSS = 9, ERGI_CELLS_POINTS = 9 * 9 * 9 };

erg_status ergi_cells_make(const erg_sdf_view *field, erg_vec3 middle, ergi_cells *cells,
                           erg_error *err);
void       ergi_cells_free(ergi_cells *cells);

// The low corner of a slot in the normal texture [texels].
static inline void ergi_cells_slot(const ergi_cells *cells, size_t slot, int at[3])
{
    int i = (int)slot, row = i / cells->across[0];
    at[0] = ERGI_CELLS_ACROSS * (i % cells->across[0]);
    at[1] = ERGI_CELLS_ACROSS * (row % cells->across[1]);
    at[2] = ERGI_CELLS_ACROSS * (row / cells->across[1]);
}

#endif
