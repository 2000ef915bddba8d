// The coarse grains' spheres in a cell grid, with fixed-point positions. Cells are at least as wide
// as the largest reach (3 radii), so that all grains that affect a block of fine particles lie in a
// few rows of cells. Grains are sorted by cell; within a cell they keep the order of the input.
#ifndef ERGI_COARSE_GRID_H
#define ERGI_COARSE_GRID_H

#include "erg/base.h"
#include "upsample/fine.h"

typedef struct ergi_coarse_spheres {
    const double *position; // x y z radius, 4 each [m]
    const float  *velocity; // 3 each [m/s]
    size_t        count;
} ergi_coarse_spheres;

// Columns of the grains within the fixed-point range. Each is padded, so that sixteen values can be
// read starting at any grain.
typedef struct ergi_coarse_columns {
    uint32_t *place[3];    // fixed-point position
    float    *reach2;      // square of 3 radii [m^2]
    float    *inverse;     // 1/reach2 [1/m^2]
    float    *velocity[3]; // [m/s]
} ergi_coarse_columns;

typedef struct ergi_coarse_grid {
    int32_t             cells[3];
    uint32_t            lower[3]; // fixed-point position where cell 0 begins
    double              side[3];  // of a cell [fixed-point units]
    int32_t             periodic[3];
    float               reach;  // largest of all grains: 3 radii [m]
    float               middle; // mean reach [m]
    ergi_coarse_columns of;
    uint32_t           *memory; // holds all columns
    uint32_t           *start;  // first row of each cell, x fastest, and one entry more
    uint32_t           *cell;   // of each sphere of the input; scratch
    size_t              count, row_room, start_room, cell_room;
} ergi_coarse_grid;

// Grains outside the fixed-point range are left out. *grid is zero before the first call; its
// memory is reused from one call to the next.
erg_status ergi_coarse_grid_build(ergi_coarse_grid *grid, const ergi_fine_frame *lattice,
                                  const ergi_coarse_spheres *coarse, erg_error *err);
void       ergi_coarse_grid_free(ergi_coarse_grid *grid);
size_t     ergi_coarse_grid_bytes(const ergi_coarse_grid *grid);

#endif
