#include "dem/lists.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

void ergi_lists_init(ergi_lists *lists, int history_width, int wall_slots, bool coef_per_entry,
                     ergi_type real)
{
    static const char *const span_name[] = {"lists/inner_span", "lists/outer_span"};
    static const char *const entry_name[] = {"lists/inner", "lists/outer"};
    const ergi_column        span[] = {{"start", ERGI_U32, 1, false}};
    const ergi_column        incoming_span[] = {{"start", ERGI_U32, 1, false}};
    const ergi_column incoming[] = {{"entry", ERGI_U32, 1, false}, {"sphere", ERGI_U32, 1, false}};
    const ergi_column source[] = {{"first", ERGI_U32, 2, false}, {"last", ERGI_U32, 2, false}};
    const ergi_column near[] = {{"sphere", ERGI_U32, 1, false}, {"start", ERGI_U32, 1, false}};
    const ergi_column wall[] = {{"wall", ERGI_U32, 1, false},
                                {"feature", ERGI_U32, wall_slots, false},
                                {"memory", ERGI_REAL, wall_slots * (history_width + 3), false},
                                {"spare", ERGI_F32, 1, false}};
    memset(lists, 0, sizeof *lists);
    for (int side = 0; side < ERGI_LIST_KINDS; side++) {
        const ergi_column entry[] = {{"owner", ERGI_U16, 1, false},
                                     {"other", side == ERGI_INNER ? ERGI_U16 : ERGI_U32, 1, false},
                                     {"touching", ERGI_U8, 1, false},
                                     {"memory", ERGI_REAL, history_width, false},
                                     {"coef", ERGI_REAL, coef_per_entry ? 4 : 0, false}};
        ergi_pair_list   *l = &lists->pairs[side];
        ergi_table_init(&l->span, span_name[side], span, ERGI_SPAN_COLUMNS, real);
        ergi_table_init(&l->entry, entry_name[side], entry, ERGI_ENTRY_COLUMNS, real);
    }
    ergi_table_init(&lists->incoming_span, "lists/incoming_span", incoming_span, ERGI_SPAN_COLUMNS,
                    real);
    ergi_table_init(&lists->incoming, "lists/incoming", incoming, ERGI_INCOMING_COLUMNS, real);
    ergi_table_init(&lists->source, "lists/source", source, ERGI_SOURCE_COLUMNS, real);
    ergi_table_init(&lists->near, "lists/near", near, ERGI_NEAR_COLUMNS, real);
    ergi_table_init(&lists->wall_entry, "lists/wall", wall, ERGI_WALL_ENTRY_COLUMNS, real);
    lists->history_width = history_width;
}

void ergi_lists_free(ergi_lists *lists)
{
    for (int side = 0; side < ERGI_LIST_KINDS; side++) {
        ergi_table_free(&lists->pairs[side].span);
        ergi_table_free(&lists->pairs[side].entry);
    }
    ergi_table_free(&lists->incoming_span);
    ergi_table_free(&lists->incoming);
    ergi_table_free(&lists->source);
    ergi_table_free(&lists->near);
    ergi_table_free(&lists->wall_entry);
    lists->spheres = 0;
}

size_t ergi_lists_bytes(const ergi_lists *lists)
{
    size_t bytes = ergi_table_bytes(&lists->incoming_span) + ergi_table_bytes(&lists->incoming) +
                   ergi_table_bytes(&lists->source) + ergi_table_bytes(&lists->near) +
                   ergi_table_bytes(&lists->wall_entry);
    for (int side = 0; side < ERGI_LIST_KINDS; side++)
        bytes += ergi_table_bytes(&lists->pairs[side].span) +
                 ergi_table_bytes(&lists->pairs[side].entry);
    return bytes;
}

// ---- Owners ------------------------------------------------------------------------------------
// The spheres of chunks with an earlier turn, and sphere i with those before it in its own chunk.
ergi_owner_ranges ergi_lists_owners(uint32_t i, erg_index count)
{
    uint32_t chunk = i / ERGI_CHUNK, chunks = (uint32_t)ergi_chunk_count(count, ERGI_CHUNK);
    uint32_t half = chunks / 2, middle = half * ERGI_CHUNK;
    if (chunk < half) return (ergi_owner_ranges){middle, {i + 1, middle + chunk * ERGI_CHUNK}};
    return (ergi_owner_ranges){middle, {(chunk - half + 1) * ERGI_CHUNK, i + 1}};
}

// ---- Entries and their history -----------------------------------------------------------------
typedef struct build {
    ergi_lists            *lists;
    const ergi_lists      *old;
    const uint32_t        *was;
    const ergi_candidates *found;
    uint32_t              *inner; // number of inner pairs per sphere
} build;

// The old entry of this owner and partner if they touched; else UINT32_MAX.
static uint32_t find_old(const ergi_lists *old, ergi_list_kind side, uint32_t owner, uint32_t other)
{
    const ergi_pair_list *list = &old->pairs[side];
    const uint32_t       *start = list->span.data[ERGI_SPAN_START];
    const void           *others = list->entry.data[ERGI_ENTRY_OTHER];
    const uint8_t        *touching = list->entry.data[ERGI_ENTRY_TOUCHING];
    for (uint32_t e = start[owner]; e < start[owner + 1]; e++)
        if (ergi_partner(others, side, owner, e) == other) return touching[e] ? e : UINT32_MAX;
    return UINT32_MAX;
}

static void copy_history(const ergi_table *to, uint32_t e, const ergi_table *from, uint32_t f,
                         bool swapped)
{
    ((uint8_t *)to->data[ERGI_ENTRY_TOUCHING])[e] = 1;
    int    column = ERGI_ENTRY_HISTORY;
    size_t bytes = to->row_bytes[column];
    if (bytes == 0) return;
    char *row = (char *)to->data[column] + e * bytes;
    memcpy(row, (const char *)from->data[column] + f * bytes, bytes);
    if (!swapped) return;
    const ergi_column *c = &to->column[column];
    ergi_history_swap(&(ergi_history){c->width, c->type, ERGI_ON_SWAP_NEGATE}, row);
}

static void carry_history(const build *b, ergi_table *entry, uint32_t e, uint32_t i, uint32_t j)
{
    const ergi_lists *old = b->old;
    uint32_t          wi = b->was ? b->was[i] : i, wj = b->was ? b->was[j] : j;
    if (wi >= (uint32_t)old->spheres || wj >= (uint32_t)old->spheres) return;
    ergi_list_kind side = ergi_list_kind_of(wi, wj);
    uint32_t       f = find_old(old, side, wi, wj);
    bool           swapped = f == UINT32_MAX;
    if (swapped) f = find_old(old, side, wj, wi);
    if (f != UINT32_MAX) copy_history(entry, e, &old->pairs[side].entry, f, swapped);
}

static void clear_entries(ergi_table *entry, size_t begin, size_t end)
{
    for (int c = ERGI_ENTRY_TOUCHING; c <= ERGI_ENTRY_HISTORY; c++) {
        size_t bytes = entry->row_bytes[c];
        if (bytes && end > begin)
            memset((char *)entry->data[c] + begin * bytes, 0, (end - begin) * bytes);
    }
}

static void store_partner(void *other, ergi_list_kind side, uint32_t e, uint32_t partner)
{
    if (side == ERGI_INNER)
        ((uint16_t *)other)[e] = (uint16_t)(4 * (partner % ERGI_CHUNK));
    else
        ((uint32_t *)other)[e] = 4 * partner;
}

static const uint32_t *partners_of(const build *b, erg_index i)
{
    return b->found->partner + b->found->first[i];
}

static void count_inner(void *ctx, erg_index begin, erg_index end, int chunk)
{
    (void)chunk;
    const build *b = ctx;
    for (erg_index i = begin; i < end; i++) {
        const uint32_t *partner = partners_of(b, i);
        uint32_t        inner = 0;
        for (uint32_t n = b->found->count[i]; n > 0; n--, partner++)
            inner += ergi_list_kind_of((uint32_t)i, *partner) == ERGI_INNER;
        b->inner[i] = inner;
    }
}

static void fill_chunk(void *ctx, erg_index begin, erg_index end, int chunk)
{
    (void)chunk;
    const build *b = ctx;
    uint32_t     at[ERGI_LIST_KINDS];
    for (int side = 0; side < ERGI_LIST_KINDS; side++) {
        ergi_pair_list *l = &b->lists->pairs[side];
        const uint32_t *start = l->span.data[ERGI_SPAN_START];
        at[side] = start[begin];
        clear_entries(&l->entry, start[begin], start[end]);
    }
    for (erg_index i = begin; i < end; i++) {
        const uint32_t *partner = partners_of(b, i);
        for (uint32_t n = b->found->count[i]; n > 0; n--, partner++) {
            ergi_list_kind side = ergi_list_kind_of((uint32_t)i, *partner);
            ergi_table    *entry = &b->lists->pairs[side].entry;
            uint32_t       e = at[side]++;
            ((uint16_t *)entry->data[ERGI_ENTRY_OWNER])[e] = (uint16_t)(4 * (i - begin));
            store_partner(entry->data[ERGI_ENTRY_OTHER], side, e, *partner);
            if (b->old->spheres) carry_history(b, entry, e, (uint32_t)i, *partner);
        }
    }
}

// ---- Building ----------------------------------------------------------------------------------
// Lists the outer entries by partner, with a counting sort.
static erg_status index_incoming(ergi_lists *lists, erg_error *err)
{
    const ergi_table *entry = &lists->pairs[ERGI_OUTER].entry;
    size_t            n = (size_t)lists->spheres, m = entry->rows;
    erg_status        status = ergi_table_reset(&lists->incoming, m, err);
    if (status == ERG_OK) status = ergi_table_reset(&lists->incoming_span, n + 1, err);
    if (status != ERG_OK) return status;
    uint32_t *start = lists->incoming_span.data[ERGI_SPAN_START];
    uint32_t *incoming = lists->incoming.data[ERGI_INCOMING_ENTRY],
             *sphere = lists->incoming.data[ERGI_INCOMING_SPHERE];
    const uint32_t *other = entry->data[ERGI_ENTRY_OTHER];
    memset(start, 0, (n + 1) * sizeof *start);
    for (size_t e = 0; e < m; e++) start[other[e] / 4]++;
    uint32_t sum = 0;
    for (size_t i = 0; i <= n; i++) {
        uint32_t here = start[i];
        start[i] = sum += here;
    }
    for (size_t e = m; e-- > 0;) {
        uint32_t at = --start[other[e] / 4];
        incoming[at] = (uint32_t)e;
        sphere[at] = other[e] / 4;
    }
    return ERG_OK;
}

static erg_status index_sources(ergi_lists *lists, erg_error *err)
{
    const ergi_pair_list *outer = &lists->pairs[ERGI_OUTER];
    const uint32_t       *start = outer->span.data[ERGI_SPAN_START],
                   *other = outer->entry.data[ERGI_ENTRY_OTHER];
    size_t     chunks = (size_t)ergi_chunk_count(lists->spheres, ERGI_CHUNK);
    erg_status status = ergi_table_reset(&lists->source, chunks, err);
    if (status != ERG_OK) return status;
    uint32_t *first = lists->source.data[ERGI_SOURCE_FIRST],
             *last = lists->source.data[ERGI_SOURCE_LAST];
    for (size_t k = 0; k < 2 * chunks; k++) {
        first[k] = UINT32_MAX;
        last[k] = 0;
    }
    for (uint32_t i = 0; i < (uint32_t)lists->spheres; i++)
        for (uint32_t e = start[i]; e < start[i + 1]; e++) {
            uint32_t from = i / ERGI_CHUNK, to = other[e] / 4 / ERGI_CHUNK;
            size_t   k = 2 * (size_t)to + (from >= chunks / 2);
            if (from < first[k]) first[k] = from;
            if (from > last[k]) last[k] = from;
        }
    return ERG_OK;
}

erg_status ergi_lists_index(ergi_lists *lists, erg_error *err)
{
    erg_status status = index_incoming(lists, err);
    return status == ERG_OK ? index_sources(lists, err) : status;
}

static uint32_t count_of(const build *b, ergi_list_kind side, size_t i)
{
    uint32_t inner = b->inner[i];
    return side == ERGI_INNER ? inner : b->found->count[i] - inner;
}

static erg_status reserve(const build *b, ergi_list_kind side, size_t n, erg_error *err)
{
    ergi_pair_list *list = &b->lists->pairs[side];
    size_t          total = 0;
    for (size_t i = 0; i < n; i++) total += count_of(b, side, i);
    if (total >= UINT32_MAX)
        return ergi_fail(err, ERG_NO_MEMORY,
                         "%zu neighbour pairs are more than one process can hold", total);
    erg_status status = ergi_table_reset(&list->span, n + 1, err);
    if (status == ERG_OK) status = ergi_table_reset(&list->entry, total, err);
    if (status != ERG_OK) return status;
    uint32_t *start = list->span.data[ERGI_SPAN_START], sum = 0;
    for (size_t i = 0; i < n; i++) {
        start[i] = sum;
        sum += count_of(b, side, i);
    }
    start[n] = sum;
    return ERG_OK;
}

erg_status ergi_lists_build(ergi_lists *lists, const ergi_lists *old, const uint32_t *was,
                            erg_index spheres, const ergi_candidates *found, uint32_t *inner,
                            const ergi_threads *threads, erg_error *err)
{
    build      b = {lists, old, was, found, inner};
    erg_status status = ERG_OK;
    ergi_parallel_for(threads, spheres, ERGI_CHUNK, count_inner, &b);
    for (int side = 0; side < ERGI_LIST_KINDS && status == ERG_OK; side++)
        status = reserve(&b, (ergi_list_kind)side, (size_t)spheres, err);
    if (status != ERG_OK) return status;
    lists->spheres = spheres;
    ergi_parallel_for(threads, spheres, ERGI_CHUNK, fill_chunk, &b);
    return ergi_lists_index(lists, err);
}
