#include "terrain/column_set.h"

#include <string.h>

#include "base/memory.h"

erg_status ergi_column_set_create(ergi_column_set *set, const ergi_columns *c, erg_error *err)
{
    memset(set, 0, sizeof *set);
    set->slot =
        ergi_memory_new(ergi_columns_blocks(c), sizeof *set->slot, "blocks of columns", err);
    return set->slot ? ERG_OK : ERG_NO_MEMORY;
}

void ergi_column_set_free(ergi_column_set *set)
{
    ergi_memory_free(set->slot);
    ergi_memory_free(set->block);
    ergi_memory_free(set->bits);
    memset(set, 0, sizeof *set);
}

size_t ergi_column_set_bytes(const ergi_column_set *set, const ergi_columns *c)
{
    return ergi_columns_blocks(c) * sizeof *set->slot + set->block_room * sizeof *set->block +
           set->bits_room * sizeof *set->bits;
}

void ergi_column_set_clear(ergi_column_set *set)
{
    for (size_t k = 0; k < set->blocks; k++) set->slot[set->block[k]] = 0;
    set->blocks = 0;
}

static erg_status add_block(ergi_column_set *set, size_t block, erg_error *err)
{
    size_t     n = set->blocks + 1;
    erg_status status = ergi_memory_grow(&set->block, &set->block_room, n, sizeof *set->block,
                                         "a set of columns", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&set->bits, &set->bits_room, n * ERGI_BLOCK_PATCHES,
                                  sizeof *set->bits, "a set of columns", err);
    if (status != ERG_OK) return status;
    memset(set->bits + set->blocks * ERGI_BLOCK_PATCHES, 0, ERGI_BLOCK_PATCHES * sizeof *set->bits);
    set->block[set->blocks] = (uint32_t)block;
    set->slot[block] = (uint32_t)n;
    set->blocks = n;
    return ERG_OK;
}

erg_status ergi_column_set_add(ergi_column_set *set, size_t row, erg_error *err)
{
    size_t block = row / ERGI_BLOCK_COLUMNS;
    if (!set->slot[block]) {
        erg_status status = add_block(set, block, err);
        if (status != ERG_OK) return status;
    }
    set->bits[(size_t)(set->slot[block] - 1) * ERGI_BLOCK_PATCHES + ergi_columns_patch_of(row)] |=
        (uint64_t)1 << ergi_columns_bit_of(row);
    return ERG_OK;
}
