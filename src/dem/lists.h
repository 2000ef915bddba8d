// Neighbour lists: candidate pairs, with the contact history of those that touch.
//
// A chunk is ERGI_CHUNK consecutive spheres; memory is sorted by space, so chunks are compact. Each
// pair is listed once, with one of its spheres (the owner), in one of two lists:
//
//     inner   both spheres in one chunk: the thread working on the chunk adds the force to both
//     outer   partner in another chunk: the reaction is stored as a partner force with the entry;
//             `incoming` lists for every sphere the partner forces that act on it
//
// So no two threads write to the same memory, and the order in which a sphere's forces are summed
// does not depend on the number of threads.
//
// Chunks have a fixed order of turns: the first of the lower half of memory, the first of the upper
// half, the second of the lower half, and so on. Of two spheres on the same grid level, as spheres
// of similar size are, the owner is the one whose chunk has the earlier turn. So after its own turn
// a chunk has all partner forces from its level, and the fused pass can move it at once. This also
// holds for most chunks if two threads work on one half each at about the same pace: both halves
// begin at the plane that divides them (contact/bisection.h) and traverse it in opposite
// directions, so that chunks on opposite sides of the plane have their turns at different times.
//
// Contact history is carried over from build to build: a build looks up each pair in the old lists,
// using the map from new to old sphere indices, and negates the history if the owner changed.
// Entries that do not touch always have zero history.
//
// Entries refer to a sphere by the offset of its row of four numbers, that is four times its index:
// the passes then address rows of four and of eight directly.
#ifndef ERGI_LISTS_H
#define ERGI_LISTS_H

#include "base/table.h"
#include "contact/candidates.h"
#include "contact/history.h"

enum { ERGI_CHUNK = 512 };

enum { ERGI_SPAN_START, ERGI_SPAN_COLUMNS }; // one row per sphere, plus the end

enum {
    ERGI_ENTRY_OWNER,    // row offset within its chunk
    ERGI_ENTRY_OTHER,    // row offset of the partner; inner: 16 bits, within chunk; outer: 32 bits
    ERGI_ENTRY_TOUCHING, // 0 or 1
    ERGI_ENTRY_HISTORY,  // contact history, as seen from the owner
    ERGI_ENTRY_COEF,     // kn cn kt ct, unless they are read from the table of classes
    ERGI_ENTRY_COLUMNS
};

typedef enum ergi_list_kind { ERGI_INNER, ERGI_OUTER, ERGI_LIST_KINDS } ergi_list_kind;

typedef struct ergi_pair_list {
    ergi_table span, entry;
} ergi_pair_list;

enum {
    ERGI_INCOMING_ENTRY,
    ERGI_INCOMING_SPHERE,
    ERGI_INCOMING_COLUMNS
}; // sorted by sphere, then entry

// Source chunks of each chunk, whose partner forces act on it: first and last in the lower half,
// and in the upper half of memory. None if last < first.
enum { ERGI_SOURCE_FIRST, ERGI_SOURCE_LAST, ERGI_SOURCE_COLUMNS };

enum {
    ERGI_NEAR_SPHERE,
    ERGI_NEAR_START,
    ERGI_NEAR_COLUMNS
}; // one row per sphere near a wall, plus the end

#define ERGI_NO_FEATURE UINT32_MAX
enum {
    ERGI_WALL_ENTRY_WALL,    // index of the wall
    ERGI_WALL_ENTRY_FEATURE, // per slot: touched feature of the wall, or ERGI_NO_FEATURE
    ERGI_WALL_ENTRY_HISTORY, // per slot: contact history, then the previous normal (3)
    ERGI_WALL_ENTRY_SPARE,   // float: wall displacement before they can touch; < 0: may now [m]
    ERGI_WALL_ENTRY_COLUMNS
};

typedef struct ergi_lists {
    ergi_pair_list pairs[ERGI_LIST_KINDS];
    ergi_table     incoming_span, incoming, source, near, wall_entry;
    erg_index      spheres; // at the last build
    int            history_width;
} ergi_lists;

void   ergi_lists_init(ergi_lists *lists, int history_width, int wall_slots, bool coef_per_entry,
                       ergi_type real);
void   ergi_lists_free(ergi_lists *lists);
size_t ergi_lists_bytes(const ergi_lists *lists);

// The chunk that has this turn.
static inline int ergi_chunk_of_turn(int turn, int chunks)
{
    int half = chunks / 2, k = turn / 2;
    return turn % 2 == 0 && k < half ? k : half + k;
}

// The list that a pair belongs to.
static inline ergi_list_kind ergi_list_kind_of(uint32_t i, uint32_t j)
{
    return i / ERGI_CHUNK == j / ERGI_CHUNK ? ERGI_INNER : ERGI_OUTER;
}

// Index of the partner in entry e of sphere `owner`; `other` is column ERGI_ENTRY_OTHER.
static inline uint32_t ergi_partner(const void *other, ergi_list_kind side, uint32_t owner,
                                    uint32_t e)
{
    if (side == ERGI_OUTER) return ((const uint32_t *)other)[e] / 4;
    return owner / ERGI_CHUNK * ERGI_CHUNK + ((const uint16_t *)other)[e] / 4u;
}

// The spheres that own their pair with sphere i, if on its grid level: for ergi_candidates_find.
ergi_owner_ranges ergi_lists_owners(uint32_t i, erg_index count);

// Builds the pair lists of `spheres` spheres from the candidate pairs. `old`: the previous lists
// (may be empty). `was[i]`: index of sphere i in them, or UINT32_MAX if it is new; NULL if no index
// changed. `inner`: scratch, one number per sphere. Fills all columns except the coefficients; does
// not change the wall lists.
erg_status ergi_lists_build(ergi_lists *lists, const ergi_lists *old, const uint32_t *was,
                            erg_index spheres, const ergi_candidates *found, uint32_t *inner,
                            const ergi_threads *threads, erg_error *err);

// Derives `incoming` and `source` from the outer entries. Part of every build.
erg_status ergi_lists_index(ergi_lists *lists, erg_error *err);

#endif
