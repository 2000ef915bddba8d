// Placement grid: spheres in hashed cells, to test whether a position among existing grains is
// free.
#ifndef ERGI_PLACEMENT_GRID_H
#define ERGI_PLACEMENT_GRID_H

#include "erg/base.h"

typedef struct ergi_placement_grid {
    double   *ball; // x y z radius
    uint32_t *next; // chain within a cell, UINT32_MAX at its end
    uint32_t *head;
    size_t    count, room, heads;
    double    cell; // side, at least twice the largest radius [m]
} ergi_placement_grid;

// For about `expected` spheres no larger than `largest`.
erg_status ergi_placement_grid_init(ergi_placement_grid *grid, double largest, size_t expected,
                                    erg_error *err);
void       ergi_placement_grid_free(ergi_placement_grid *grid);
erg_status ergi_placement_grid_add(ergi_placement_grid *grid, erg_vec3 centre, double radius,
                                   erg_error *err);
bool ergi_placement_grid_is_free(const ergi_placement_grid *grid, erg_vec3 centre, double radius);

#endif
