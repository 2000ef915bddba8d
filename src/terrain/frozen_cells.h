// The hash table of a height field (geom/height_field.h): copies of the frozen grains, sorted by
// cell of the plan, so that a query reads those of a few cells. Cells next to each other are next
// to each other in memory, mostly.
#ifndef ERGI_FROZEN_CELLS_H
#define ERGI_FROZEN_CELLS_H

#include "geom/height_field.h"

// A sphere while it is sorted.
typedef struct ergi_frozen_key {
    uint64_t key; // of its cell
    uint32_t row;
} ergi_frozen_key;

typedef struct ergi_frozen_cells {
    double           *sphere;
    float            *light; // four arrays, see ergi_height_field
    uint32_t         *feature, *row;
    ergi_height_cell *cell;
    ergi_frozen_key  *key, *spare;
    size_t sphere_room, light_room, feature_room, row_room, cell_room, key_room, spare_room;
} ergi_frozen_cells;

// Sets the part of the field that describes its spheres, from `count` of them: x y z radius [m],
// and unique ids. What grains feel does not depend on their order. Allocates nothing once it is
// large enough. On failure the field has no spheres.
erg_status ergi_frozen_cells_build(ergi_frozen_cells *cells, ergi_height_field *field,
                                   const double *sphere, const uint64_t *id, size_t count,
                                   erg_error *err);
void       ergi_frozen_cells_free(ergi_frozen_cells *cells);
size_t     ergi_frozen_cells_bytes(const ergi_frozen_cells *cells);

#endif
