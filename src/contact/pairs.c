#include "contact/pairs.h"

#include <string.h>

#include "base/error.h"

void ergi_pairs_init(ergi_pairs *pairs, const char *start_name, const char *pair_name,
                     ergi_history history)
{
    const ergi_column start[] = {{"start", ERGI_U32, 1, false}};
    const ergi_column pair[] = {{"other", ERGI_U32, 1, false},
                                {"history", history.type, history.width, false}};
    memset(pairs, 0, sizeof *pairs);
    pairs->history = history;
    ergi_table_init(&pairs->start, start_name, start, ERGI_PAIRS_START_COLUMNS, history.type);
    ergi_table_init(&pairs->pair, pair_name, pair, ERGI_PAIRS_COLUMNS, history.type);
}

void ergi_pairs_free(ergi_pairs *pairs)
{
    ergi_table_free(&pairs->start);
    ergi_table_free(&pairs->pair);
}

typedef struct build {
    ergi_pairs            *pairs;
    const ergi_pairs      *old;
    const ergi_pairs_map  *map;
    const ergi_candidates *candidates;
} build;

static uint32_t was_of(const ergi_pairs_map *map, uint32_t i)
{
    return map->was ? map->was[i] : i;
}

// ---- Pairs that stay ---------------------------------------------------------------------------
// Those of two spheres that are not fresh. map->kept: new index of each old sphere that is not.
static void note_kept(const build *b, size_t count)
{
    const ergi_pairs_map *map = b->map;
    size_t                old = ergi_pairs_spheres(b->old);
    memset(map->kept, 0xff, old * sizeof *map->kept);
    for (uint32_t i = 0; i < count; i++)
        if (!map->fresh[i]) map->kept[was_of(map, i)] = i;
}

static void count_block(void *ctx, erg_index begin, erg_index end, int block)
{
    (void)block;
    const build          *b = ctx;
    const ergi_pairs_map *map = b->map;
    const uint32_t       *from = b->old->start.data[ERGI_PAIRS_START];
    const uint32_t       *others = b->old->pair.data[ERGI_PAIRS_OTHER];
    uint32_t             *start = b->pairs->start.data[ERGI_PAIRS_START];
    for (erg_index i = begin; i < end; i++) {
        uint32_t n = b->candidates->count[i], own = was_of(map, (uint32_t)i);
        if (map->fresh && !map->fresh[i])
            for (uint32_t e = from[own]; e < from[own + 1]; e++)
                n += map->kept[others[e]] != UINT32_MAX;
        start[i] = n;
    }
}

// Returns the row after the last.
static uint32_t keep_rows(const build *b, uint32_t i, uint32_t to)
{
    const uint32_t *from = b->old->start.data[ERGI_PAIRS_START];
    const uint32_t *others = b->old->pair.data[ERGI_PAIRS_OTHER];
    uint32_t       *other = b->pairs->pair.data[ERGI_PAIRS_OTHER], own = was_of(b->map, i);
    size_t          bytes = b->pairs->pair.row_bytes[ERGI_PAIRS_HISTORY];
    char           *rows = b->pairs->pair.data[ERGI_PAIRS_HISTORY];
    const char     *old_rows = b->old->pair.data[ERGI_PAIRS_HISTORY];
    for (uint32_t e = from[own]; e < from[own + 1]; e++) {
        uint32_t j = b->map->kept[others[e]];
        if (j == UINT32_MAX) continue;
        other[to] = j;
        if (bytes) memcpy(rows + to * bytes, old_rows + e * bytes, bytes);
        to++;
    }
    return to;
}

// ---- Candidates --------------------------------------------------------------------------------
// The old row in which `owner` lists `other`, or UINT32_MAX.
static uint32_t find_old(const ergi_pairs *old, uint32_t owner, uint32_t other)
{
    const uint32_t *start = old->start.data[ERGI_PAIRS_START];
    const uint32_t *others = old->pair.data[ERGI_PAIRS_OTHER];
    for (uint32_t e = start[owner]; e < start[owner + 1]; e++)
        if (others[e] == other) return e;
    return UINT32_MAX;
}

static void copy_history(const build *b, uint32_t e, uint32_t i, uint32_t j)
{
    ergi_table *to = &b->pairs->pair;
    size_t      bytes = to->row_bytes[ERGI_PAIRS_HISTORY], old = ergi_pairs_spheres(b->old);
    if (bytes == 0) return;
    char *row = (char *)to->data[ERGI_PAIRS_HISTORY] + e * bytes;
    memset(row, 0, bytes);
    uint32_t wi = was_of(b->map, i), wj = was_of(b->map, j);
    if (wi >= old || wj >= old) return;
    uint32_t f = find_old(b->old, wi, wj);
    bool     turned = f == UINT32_MAX;
    if (turned) f = find_old(b->old, wj, wi);
    if (f == UINT32_MAX) return;
    memcpy(row, (const char *)b->old->pair.data[ERGI_PAIRS_HISTORY] + f * bytes, bytes);
    if (turned) ergi_history_swap(&b->pairs->history, row);
}

static void fill_block(void *ctx, erg_index begin, erg_index end, int block)
{
    (void)block;
    const build    *b = ctx;
    const uint32_t *start = b->pairs->start.data[ERGI_PAIRS_START];
    uint32_t       *other = b->pairs->pair.data[ERGI_PAIRS_OTHER];
    for (erg_index i = begin; i < end; i++) {
        const uint32_t *partner = b->candidates->partner + b->candidates->first[i];
        uint32_t        e = start[i];
        if (b->map->fresh && !b->map->fresh[i]) e = keep_rows(b, (uint32_t)i, e);
        for (; e < start[i + 1]; e++, partner++) {
            other[e] = *partner;
            copy_history(b, e, (uint32_t)i, *partner);
        }
    }
}

// ---- All ---------------------------------------------------------------------------------------
erg_status ergi_pairs_build(ergi_pairs *pairs, const ergi_pairs *old, const ergi_pairs_map *map,
                            erg_index count, const ergi_candidates *candidates,
                            const ergi_threads *threads, erg_error *err)
{
    build      b = {pairs, old, map, candidates};
    size_t     n = (size_t)count, total = 0;
    erg_status status = ergi_table_reset(&pairs->start, n + 1, err);
    if (status != ERG_OK) return status;
    if (map->fresh) note_kept(&b, n);
    ergi_parallel_for(threads, count, ERGI_CANDIDATE_BLOCK, count_block, &b);
    uint32_t *start = pairs->start.data[ERGI_PAIRS_START];
    for (size_t i = 0; i < n; i++) {
        size_t here = start[i];
        start[i] = (uint32_t)total;
        total += here;
    }
    if (total >= UINT32_MAX)
        return ergi_fail(err, ERG_NO_MEMORY,
                         "%zu neighbour pairs are more than one process can hold", total);
    start[n] = (uint32_t)total;
    status = ergi_table_reset(&pairs->pair, total, err);
    if (status != ERG_OK) return status;
    ergi_parallel_for(threads, count, ERGI_CANDIDATE_BLOCK, fill_block, &b);
    return ERG_OK;
}
