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
    const uint32_t        *was;
    const ergi_candidates *candidates;
} build;

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
    uint32_t wi = b->was ? b->was[i] : i, wj = b->was ? b->was[j] : j;
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
        for (uint32_t e = start[i]; e < start[i + 1]; e++, partner++) {
            other[e] = *partner;
            copy_history(b, e, (uint32_t)i, *partner);
        }
    }
}

erg_status ergi_pairs_build(ergi_pairs *pairs, const ergi_pairs *old, const uint32_t *was,
                            erg_index count, const ergi_candidates *candidates,
                            const ergi_threads *threads, erg_error *err)
{
    build  b = {pairs, old, was, candidates};
    size_t n = (size_t)count, total = 0;
    for (size_t i = 0; i < n; i++) total += candidates->count[i];
    if (total >= UINT32_MAX)
        return ergi_fail(err, ERG_NO_MEMORY,
                         "%zu neighbour pairs are more than one process can hold", total);
    erg_status status = ergi_table_reset(&pairs->start, n + 1, err);
    if (status == ERG_OK) status = ergi_table_reset(&pairs->pair, total, err);
    if (status != ERG_OK) return status;
    uint32_t *start = pairs->start.data[ERGI_PAIRS_START], sum = 0;
    for (size_t i = 0; i < n; i++) {
        start[i] = sum;
        sum += candidates->count[i];
    }
    start[n] = sum;
    ergi_parallel_for(threads, count, ERGI_CANDIDATE_BLOCK, fill_block, &b);
    return ERG_OK;
}
