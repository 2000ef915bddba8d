// The coarse grains as the fine particles see them: on the lattice, in cells at least as wide as
// the farthest that a grain is felt, so that whatever reaches a block of particles is in a few rows
// of cells. Rows are in the order of cells; within a cell, in that of the input.
#ifndef ERGI_COARSE_GRID_H
#define ERGI_COARSE_GRID_H

#include "erg/base.h"
#include "upsample/fine.h"

typedef struct ergi_coarse_spheres {
    const double *position; // x y z radius, 4 each [m]
    const float  *velocity; // 3 each [m/s]
    size_t        count;
} ergi_coarse_spheres;

// Columns of the grains that are on the lattice. Each has some rows more than there are grains, so
// that sixteen can be read from any of them.
typedef struct ergi_coarse_columns {
    uint32_t *place[3];
    float    *reach2;      // square of 3 radii [m^2]
    float    *inverse;     // of that [1/m^2]
    float    *velocity[3]; // [m/s]
} ergi_coarse_columns;

typedef struct ergi_coarse_grid {
    int32_t             cells[3];
    uint32_t            lower[3]; // place where cell 0 begins
    double              side[3];  // of a cell [steps]
    int32_t             periodic[3];
    float               reach;  // largest of all [m]
    float               middle; // mean of all [m]
    ergi_coarse_columns of;
    uint32_t           *memory; // of the columns
    uint32_t           *start;  // per cell, x fastest, and one more
    uint32_t           *cell;   // of each grain of the input; scratch
    size_t              count, row_room, start_room, cell_room;
} ergi_coarse_grid;

// Grains beyond the lattice are left out. Memory is kept from one call to the next, zero at first.
erg_status ergi_coarse_grid_build(ergi_coarse_grid *grid, const ergi_fine_lattice *lattice,
                                  const ergi_coarse_spheres *coarse, erg_error *err);
void       ergi_coarse_grid_free(ergi_coarse_grid *grid);
size_t     ergi_coarse_grid_bytes(const ergi_coarse_grid *grid);

#endif
