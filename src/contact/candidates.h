// Candidate pairs: all pairs of spheres that may touch before one of them has moved by its skin,
// each pair once, as plain arrays; of some spheres only, if asked (ergi_spheres_in.fresh). Solvers
// build their own lists from them: DEM in chunks (dem/lists.h), contact/pairs.h in rows per sphere
// with a history.
#ifndef ERGI_CANDIDATES_H
#define ERGI_CANDIDATES_H

#include "base/threads.h"
#include "contact/grid.h"

enum { ERGI_CANDIDATE_BLOCK = 512, ERGI_MOST_SPHERES = 1 << 30 };

// Those of sphere i: count[i] partners from partner[first[i]] on, in ascending order. They are
// found in blocks of ERGI_CANDIDATE_BLOCK items of the grid, with room for block_room partners
// each.
typedef struct ergi_candidates {
    uint32_t *partner;
    uint32_t *count; // by sphere
    size_t   *first; // by sphere
    size_t   *total; // by block
    size_t    partner_room, count_room, first_room, total_room, block_room;
} ergi_candidates;

// If two spheres are on the same level of the grid, the earlier one lists the pair. Returns the
// spheres that are earlier than sphere i of `count`, and i itself.
typedef ergi_owner_ranges ergi_earlier_fn(uint32_t i, erg_index count);

// Memory order: all spheres before i.
ergi_owner_ranges ergi_earlier_in_memory(uint32_t i, erg_index count);

// The grid must have been built for `in`.
erg_status ergi_candidates_find(ergi_candidates *candidates, const ergi_grid *grid,
                                const ergi_spheres_in *in, ergi_earlier_fn *earlier,
                                const ergi_threads *threads, erg_error *err);
void       ergi_candidates_free(ergi_candidates *candidates);
size_t     ergi_candidates_bytes(const ergi_candidates *candidates);

#endif
