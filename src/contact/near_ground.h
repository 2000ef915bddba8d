// What of the terrain each sphere near it may touch: the few frozen grains that it can reach while
// the lists are valid, and how far the surface must rise to it. A query of the terrain then looks
// at these alone. It finds the same hits in the same order as one that looks at all frozen grains,
// so these lists are not state.
#ifndef ERGI_NEAR_GROUND_H
#define ERGI_NEAR_GROUND_H

#include "contact/near_walls.h"
#include "geom/height_field.h"

// One row per entry of the wall lists.
typedef struct ergi_near_ground {
    ergi_ground_row *row;
    size_t           rows, room;
    uint64_t         stamp; // of the height field when they were listed
} ergi_near_ground;

void ergi_near_ground_free(ergi_near_ground *ground);

// The rows of a search with `in` that found so many entries. `ground` stays empty if no
// wall is a terrain.
erg_status ergi_near_ground_take(ergi_near_ground *ground, const ergi_near_walls *near,
                                 const ergi_near_walls_in *in, size_t entries, erg_error *err);

// The rows, if they are those of `entries` entries and of the height field as it is; else NULL.
const ergi_ground_row *ergi_near_ground_rows(const ergi_near_ground *ground, size_t entries,
                                             const ergi_world_wall *wall, size_t walls);

#endif
