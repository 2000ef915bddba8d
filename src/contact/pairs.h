// Neighbour lists in rows per sphere, with contact history: the layout that most solvers need.
//
//     ergi_grid_build, ergi_candidates_find        candidate pairs
//     ergi_pairs_build(&now, &before, was, ...)    pairs with the history of the previous lists
//
// Both tables can be registered as state.
#ifndef ERGI_PAIRS_H
#define ERGI_PAIRS_H

#include "contact/candidates.h"
#include "contact/history.h"

enum { ERGI_PAIRS_START, ERGI_PAIRS_START_COLUMNS };               // one row per sphere, plus one
enum { ERGI_PAIRS_OTHER, ERGI_PAIRS_HISTORY, ERGI_PAIRS_COLUMNS }; // one row per pair

typedef struct ergi_pairs {
    ergi_table   start, pair;
    ergi_history history;
} ergi_pairs;

// Where the spheres of a build are in the lists of the build before.
typedef struct ergi_pairs_map {
    const uint32_t *was; // index of each in the old lists, UINT32_MAX: new; NULL: the same
    // Candidates of `fresh` spheres only: pairs of others stay listed if they were. NULL: all are.
    const uint8_t *fresh;
    uint32_t      *kept; // scratch: one per sphere of the old lists; unless all are fresh
} ergi_pairs_map;

// Names are those of the tables in checkpoints.
void ergi_pairs_init(ergi_pairs *pairs, const char *start_name, const char *pair_name,
                     ergi_history history);
void ergi_pairs_free(ergi_pairs *pairs);

// Number of spheres in the last build.
static inline size_t ergi_pairs_spheres(const ergi_pairs *pairs)
{
    return pairs->start.rows ? pairs->start.rows - 1 : 0;
}

// Builds the lists from the candidates of `count` spheres. Pairs that were not in `old` get a
// history of zeros.
erg_status ergi_pairs_build(ergi_pairs *pairs, const ergi_pairs *old, const ergi_pairs_map *map,
                            erg_index count, const ergi_candidates *candidates,
                            const ergi_threads *threads, erg_error *err);

#endif
