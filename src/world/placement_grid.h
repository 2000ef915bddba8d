// Is there room here? Balls in hashed cells, for placing grains among those that are there.
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

// For balls no larger than `largest`, about `expected` of them.
erg_status ergi_placement_grid_init(ergi_placement_grid *grid, double largest, size_t expected,
                                    erg_error *err);
void       ergi_placement_grid_free(ergi_placement_grid *grid);
erg_status ergi_placement_grid_add(ergi_placement_grid *grid, erg_vec3 centre, double radius,
                                   erg_error *err);
bool ergi_placement_grid_is_free(const ergi_placement_grid *grid, erg_vec3 centre, double radius);

#endif
