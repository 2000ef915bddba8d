// Neighbour lists: candidate pairs with the history of those that touch.
//
// Spheres are taken in chunks of ERGI_CHUNK, in the order of memory, which is the order of space.
// They take turns: the first of the lower half of memory, the first of the upper half, the second
// of the lower half, and so on. Each pair stands once, with the sphere that found it (its owner),
// in one of two lists:
//
//     inner   both spheres in one chunk: whoever works on the chunk adds the forces to both
//     outer   the partner in another chunk: its share is left as a push, a row beside the entry;
//             `incoming` tells every chunk which pushes are for it
//
// Of two spheres on one level of the grid, as those of one size mostly are, the one whose chunk has
// the earlier turn is the owner. So a chunk has been pushed by all of its level that push it when
// its turn is over. The same holds, but for a few, if two threads work on a half each at about the
// same pace: halves begin at the cut between them (contact/bisection.h) and go through the quarters
// of that plane in opposite order, so that the two sides of a stretch have their turns at different
// times.
//
// So no two threads write to one place, and every sphere's sum has an order that does not depend
// on threads. Memory stays with the entry from build to build: a new build looks each pair up in
// the old lists, through the map from new sphere numbers to old ones, and turns the sign when the
// owner changed.
//
// Entries that do not touch have zero history, always.
//
// Entries name spheres by where their row of four numbers begins, four times the sphere's number:
// the passes then find rows of four and of eight without reckoning.
#ifndef ERGI_LISTS_H
#define ERGI_LISTS_H

#include <assert.h>

#include "base/table.h"
#include "contact/candidates.h"
#include "contact/history.h"

enum { ERGI_CHUNK = 512 };
static_assert((int)ERGI_CHUNK == ERGI_CANDIDATE_BLOCK, "candidates come chunk by chunk");

enum { ERGI_SPAN_START, ERGI_SPAN_COLUMNS }; // one row a sphere, and one more

enum {
    ERGI_ENTRY_OWNER,    // row within its chunk
    ERGI_ENTRY_OTHER,    // row of the partner; inner: 16 bits, within the chunk; outer: 32 bits
    ERGI_ENTRY_TOUCHING, // 0 or 1
    ERGI_ENTRY_HISTORY,  // history of the contact, seen from the owner
    ERGI_ENTRY_COEF,     // kn cn kt ct, unless they come from the table of classes
    ERGI_ENTRY_COLUMNS
};

typedef enum ergi_side { ERGI_INNER, ERGI_OUTER, ERGI_SIDES } ergi_side;

typedef struct ergi_pair_list {
    ergi_table span, entry;
} ergi_pair_list;

enum { ERGI_INCOMING_ENTRY, ERGI_INCOMING_SPHERE, ERGI_INCOMING_COLUMNS }; // by sphere, then entry

// Chunks that push each chunk: those of the lower half, and those of the upper half; none where the
// last is before the first.
enum { ERGI_SOURCE_FIRST, ERGI_SOURCE_LAST, ERGI_SOURCE_COLUMNS };

enum {
    ERGI_NEAR_SPHERE,
    ERGI_NEAR_START,
    ERGI_NEAR_COLUMNS
}; // spheres near walls, and one row more

#define ERGI_NO_FEATURE UINT32_MAX
enum {
    ERGI_WALL_ENTRY_WALL,    // number of the wall
    ERGI_WALL_ENTRY_FEATURE, // per slot: which part of the wall is touched, or ERGI_NO_FEATURE
    ERGI_WALL_ENTRY_HISTORY, // per slot: history, then the normal of the step before (3)
    ERGI_WALL_ENTRY_SPARE, // float: how far the wall must go before they touch; below 0: not known
    ERGI_WALL_ENTRY_COLUMNS
};

typedef struct ergi_lists {
    ergi_pair_list pairs[ERGI_SIDES];
    ergi_table     incoming_span, incoming, source, near, wall_entry;
    erg_index      spheres; // at the last build
    int            history_width;
} ergi_lists;

void   ergi_lists_init(ergi_lists *lists, int history_width, int wall_slots, bool coef_per_entry,
                       ergi_type real);
void   ergi_lists_free(ergi_lists *lists);
size_t ergi_lists_bytes(const ergi_lists *lists);

// The chunk whose turn it is.
static inline int ergi_chunk_of_turn(int turn, int chunks)
{
    int half = chunks / 2, k = turn / 2;
    return turn % 2 == 0 && k < half ? k : half + k;
}

// Which list a pair stands in.
static inline ergi_side ergi_side_of(uint32_t i, uint32_t j)
{
    return i / ERGI_CHUNK == j / ERGI_CHUNK ? ERGI_INNER : ERGI_OUTER;
}

// The partner in entry e of sphere `owner`, from the entries' column of partners.
static inline uint32_t ergi_partner(const void *other, ergi_side side, uint32_t owner, uint32_t e)
{
    if (side == ERGI_OUTER) return ((const uint32_t *)other)[e] / 4;
    return owner / ERGI_CHUNK * ERGI_CHUNK + ((const uint16_t *)other)[e] / 4u;
}

// Which of two spheres on one level of the grid a pair stands with: for ergi_candidates_find.
ergi_first_ones ergi_lists_earlier(uint32_t i, erg_index count);

// Builds `lists` of `spheres` spheres from the candidates. `old` are the lists before (it may be
// empty), `was[i]` the number that sphere i had in them, or UINT32_MAX for a new one; NULL when
// nothing moved in memory. `inner` is scratch, one number a sphere. Walls are not touched. Fills
// every column but coefficients.
erg_status ergi_lists_build(ergi_lists *lists, const ergi_lists *old, const uint32_t *was,
                            erg_index spheres, const ergi_candidates *found, uint32_t *inner,
                            const ergi_threads *threads, erg_error *err);

// Fills `incoming` and `source` from the outer entries. Part of every build.
erg_status ergi_lists_index(ergi_lists *lists, erg_error *err);

#endif
