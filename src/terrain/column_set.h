// A set of columns, such as those that are held by grains above them: one bit per column of the few
// blocks that have any.
#ifndef ERGI_COLUMN_SET_H
#define ERGI_COLUMN_SET_H

#include "terrain/columns.h"

typedef struct ergi_column_set {
    uint32_t *slot;  // per block of the grid: 1 + its place below; 0: none of its columns
    uint32_t *block; // the blocks with columns of the set
    uint64_t *bits;  // of each of them: one word per patch
    size_t    blocks, block_room, bits_room;
} ergi_column_set;

erg_status ergi_column_set_create(ergi_column_set *set, const ergi_columns *c, erg_error *err);
void       ergi_column_set_free(ergi_column_set *set); // a zeroed struct is fine
size_t     ergi_column_set_bytes(const ergi_column_set *set, const ergi_columns *c);

void       ergi_column_set_clear(ergi_column_set *set);
erg_status ergi_column_set_add(ergi_column_set *set, size_t row, erg_error *err);

// The columns of one patch, row by row along x; `set` may be NULL: none.
static inline uint64_t ergi_column_set_patch(const ergi_column_set *set, size_t block,
                                             unsigned patch)
{
    uint32_t slot = set ? set->slot[block] : 0;
    return slot ? set->bits[(size_t)(slot - 1) * ERGI_BLOCK_PATCHES + patch] : 0;
}

// Bit of a row in the word of its patch.
static inline unsigned ergi_columns_bit_of(size_t row)
{
    return (unsigned)(row / ERGI_BLOCK_SIDE % ERGI_PATCH_SIDE * ERGI_PATCH_SIDE +
                      row % ERGI_PATCH_SIDE);
}

static inline bool ergi_column_set_has(const ergi_column_set *set, size_t row)
{
    return ergi_column_set_patch(set, row / ERGI_BLOCK_COLUMNS, ergi_columns_patch_of(row)) >>
               ergi_columns_bit_of(row) &
           1;
}

#endif
