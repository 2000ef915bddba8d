// Forces and torques on walls, summed per chunk, so that the result does not depend on the number
// of threads. A chunk has one row for each wall that is near one of its spheres.
#ifndef ERGI_WALL_SUMS_H
#define ERGI_WALL_SUMS_H

#include "dem/lists.h"

enum { ERGI_WALL_SUM = 8 }; // numbers per row: force, 0, torque about the pivot, 0

typedef struct ergi_wall_sums {
    uint32_t *first;   // first row of each chunk, plus the end
    uint32_t *wall;    // of each row, ascending within a chunk
    double   *sum;     // ERGI_WALL_SUM numbers per row
    uint32_t *near;    // walls that have a row, ascending
    bool      changed; // rows changed since the forces on walls were last set
    size_t    near_count, first_room, wall_room, sum_room, near_room;
} ergi_wall_sums;

void   ergi_wall_sums_free(ergi_wall_sums *sums);
size_t ergi_wall_sums_bytes(const ergi_wall_sums *sums);

// Builds the rows for the current lists: after a rebuild, a load or a rollback.
erg_status ergi_wall_sums_index(ergi_wall_sums *sums, const ergi_lists *lists, size_t walls,
                                erg_error *err);

#endif
