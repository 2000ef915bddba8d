// Pairs of spheres in rows per sphere, with a history: candidates as most solvers want them.
//
//     ergi_grid_build, ergi_candidates_find        who may touch whom
//     ergi_pairs_build(&now, &before, was, ...)    the same with the history of the lists before
//
// Both tables can be registered as state.
#ifndef ERGI_PAIRS_H
#define ERGI_PAIRS_H

#include "contact/candidates.h"
#include "contact/history.h"

enum { ERGI_PAIRS_START, ERGI_PAIRS_START_COLUMNS };               // one row a sphere, one more
enum { ERGI_PAIRS_OTHER, ERGI_PAIRS_HISTORY, ERGI_PAIRS_COLUMNS }; // one row a pair

typedef struct ergi_pairs {
    ergi_table   start, pair;
    ergi_history history;
} ergi_pairs;

// Names are those of the tables in checkpoints.
void ergi_pairs_init(ergi_pairs *pairs, const char *start_name, const char *pair_name,
                     ergi_history history);
void ergi_pairs_free(ergi_pairs *pairs);

// Spheres of the last build.
static inline size_t ergi_pairs_spheres(const ergi_pairs *pairs)
{
    return pairs->start.rows ? pairs->start.rows - 1 : 0;
}

// From the candidates of `count` spheres. `was[i]` is the number that sphere i had in `old`, or
// UINT32_MAX for a new one; NULL: nothing moved in memory. Pairs that were not in `old` have a
// history of zeros.
erg_status ergi_pairs_build(ergi_pairs *pairs, const ergi_pairs *old, const uint32_t *was,
                            erg_index count, const ergi_candidates *candidates,
                            const ergi_threads *threads, erg_error *err);

#endif
