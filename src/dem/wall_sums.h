// What walls feel, chunk by chunk, so that the sum does not depend on threads: a row for each wall
// that some sphere of the chunk is near, and none for the others.
#ifndef ERGI_WALL_SUMS_H
#define ERGI_WALL_SUMS_H

#include "dem/lists.h"

enum { ERGI_WALL_SUM = 8 }; // numbers of a row: force, 0, torque about the pivot, 0

typedef struct ergi_wall_sums {
    uint32_t *first;   // row of each chunk, and one more
    uint32_t *wall;    // of each row, ascending in a chunk
    double   *sum;     // ERGI_WALL_SUM a row
    uint32_t *near;    // walls that have a row, ascending
    bool      changed; // rows are others than when walls were last told what they feel
    size_t    near_count, first_room, wall_room, sum_room, near_room;
} ergi_wall_sums;

void   ergi_wall_sums_free(ergi_wall_sums *sums);
size_t ergi_wall_sums_bytes(const ergi_wall_sums *sums);

// Rows for the lists as they are now: for new ones, and for those that were read or restored.
erg_status ergi_wall_sums_index(ergi_wall_sums *sums, const ergi_lists *lists, size_t walls,
                                erg_error *err);

#endif
