// Candidate pairs: all spheres that may touch before one of them has gone its skin, each pair
// once, as plain arrays. What a solver makes of them is its own: DEM lays them out in chunks
// (dem/lists.h), contact/pairs.h in rows per sphere with a history.
#ifndef ERGI_CANDIDATES_H
#define ERGI_CANDIDATES_H

#include "base/threads.h"
#include "contact/grid.h"

enum { ERGI_CANDIDATE_BLOCK = 512, ERGI_MOST_SPHERES = 1 << 30 };

// Partners are found block by block of ERGI_CANDIDATE_BLOCK spheres. Those of the spheres of block
// b follow each other from partner + b * block_room on, count[i] of each, in ascending order of
// cells.
typedef struct ergi_candidates {
    uint32_t *partner;
    uint32_t *count; // by sphere
    size_t   *total; // by block
    size_t    partner_room, count_room, total_room, block_room;
} ergi_candidates;

// Of two spheres on one level of the grid the pair stands with the one that is earlier than the
// other: which spheres are earlier than sphere i of `count`, i among them.
typedef ergi_owner_ranges ergi_earlier_fn(uint32_t i, erg_index count);

// Those before it in memory.
ergi_owner_ranges ergi_earlier_in_memory(uint32_t i, erg_index count);

// The grid was built for `in`.
erg_status ergi_candidates_find(ergi_candidates *candidates, const ergi_grid *grid,
                                const ergi_spheres_in *in, ergi_earlier_fn *earlier,
                                const ergi_threads *threads, erg_error *err);
void       ergi_candidates_free(ergi_candidates *candidates);
size_t     ergi_candidates_bytes(const ergi_candidates *candidates);

#endif
