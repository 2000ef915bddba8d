#include "contact/lists.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#define GRAIN 512 // spheres a chunk

void ergi_lists_init(ergi_lists *lists, int memory_width, int wall_slots, bool coef_per_entry,
                     ergi_type real)
{
    const ergi_column span[] = {{"start", ERGI_U32, 1}, {"incoming", ERGI_U32, 1}};
    const ergi_column entry[] = {{"other", ERGI_U32, 1},
                                 {"touching", ERGI_U8, 1},
                                 {"memory", ERGI_REAL, memory_width},
                                 {"push", ERGI_REAL, 8},
                                 {"coef", ERGI_REAL, coef_per_entry ? 4 : 0}};
    const ergi_column incoming[] = {{"entry", ERGI_U32, 1}};
    const ergi_column near[] = {{"sphere", ERGI_U32, 1}, {"start", ERGI_U32, 1}};
    const ergi_column wall[] = {{"wall", ERGI_U32, 1},
                                {"feature", ERGI_U32, wall_slots},
                                {"memory", ERGI_REAL, wall_slots * (memory_width + 3)},
                                {"push", ERGI_REAL, wall_slots * 3}};
    memset(lists, 0, sizeof *lists);
    ergi_table_init(&lists->span, "lists/span", span, ERGI_SPAN_COLUMNS, real);
    ergi_table_init(&lists->entry, "lists/entry", entry, ERGI_ENTRY_COLUMNS, real);
    ergi_table_init(&lists->incoming, "lists/incoming", incoming, ERGI_INCOMING_COLUMNS, real);
    ergi_table_init(&lists->near, "lists/near", near, ERGI_NEAR_COLUMNS, real);
    ergi_table_init(&lists->wall_entry, "lists/wall", wall, ERGI_WALL_ENTRY_COLUMNS, real);
    lists->memory_width = memory_width;
}

void ergi_lists_free(ergi_lists *lists)
{
    ergi_table_free(&lists->span);
    ergi_table_free(&lists->entry);
    ergi_table_free(&lists->incoming);
    ergi_table_free(&lists->near);
    ergi_table_free(&lists->wall_entry);
    lists->spheres = 0;
}

void ergi_list_scratch_free(ergi_list_scratch *scratch)
{
    ergi_memory_free(scratch->partner);
    ergi_memory_free(scratch->found);
    ergi_memory_free(scratch->total);
    memset(scratch, 0, sizeof *scratch);
}

// ---- Finding -----------------------------------------------------------------------------------
typedef struct build {
    ergi_lists            *lists;
    const ergi_lists      *old;
    const uint32_t        *was;
    const ergi_grid       *grid;
    const ergi_spheres_in *in;
    ergi_list_scratch     *scratch;
} build;

// Partners of a chunk's spheres, one after the other, into the chunk's part of the scratch. A chunk
// that runs out of room goes on counting, so that the caller knows how much is needed.
static void find_chunk(void *ctx, erg_index begin, erg_index end, int chunk)
{
    build             *b = ctx;
    ergi_list_scratch *s = b->scratch;
    uint32_t          *out = s->partner + (size_t)chunk * s->chunk_room;
    size_t             used = 0;
    for (erg_index i = begin; i < end; i++) {
        size_t room = used < s->chunk_room ? s->chunk_room - used : 0;
        size_t n = ergi_grid_partners(b->grid, b->in, i, out + (room ? used : 0), room);
        s->found[i] = (uint32_t)n;
        used += n;
    }
    s->total[chunk] = used;
}

static erg_status find_partners(build *b, const ergi_threads *threads, int chunks, erg_error *err)
{
    ergi_list_scratch *s = b->scratch;
    size_t             n = (size_t)b->in->count;
    if (s->chunk_room == 0) s->chunk_room = GRAIN * 8;
    erg_status status =
        ergi_memory_grow(&s->found, &s->sphere_room, n, sizeof *s->found, "neighbour lists", err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&s->total, &s->chunk_count_room, (size_t)chunks, sizeof *s->total,
                                  "neighbour lists", err);
    for (bool fits = false; status == ERG_OK && !fits;) {
        status = ergi_memory_grow(&s->partner, &s->partner_room, (size_t)chunks * s->chunk_room,
                                  sizeof *s->partner, "neighbour lists", err);
        if (status != ERG_OK) break;
        ergi_parallel_for(threads, b->in->count, GRAIN, find_chunk, b);
        size_t most = 0;
        for (int c = 0; c < chunks; c++)
            if (s->total[c] > most) most = s->total[c];
        fits = most <= s->chunk_room;
        if (!fits) s->chunk_room = most + most / 4;
    }
    return status;
}

// ---- Carrying the memory over ------------------------------------------------------------------
// The old entry in which `owner` listed `other` and they touched, or UINT32_MAX.
static uint32_t find_old(const ergi_lists *old, uint32_t owner, uint32_t other)
{
    const uint32_t *start = old->span.data[ERGI_SPAN_START];
    const uint32_t *others = old->entry.data[ERGI_ENTRY_OTHER];
    const uint8_t  *touching = old->entry.data[ERGI_ENTRY_TOUCHING];
    for (uint32_t e = start[owner]; e < start[owner + 1]; e++)
        if (others[e] == other) return touching[e] ? e : UINT32_MAX;
    return UINT32_MAX;
}

static void carry(const ergi_table *to, uint32_t e, const ergi_table *from, uint32_t f, bool turned)
{
    ((uint8_t *)to->data[ERGI_ENTRY_TOUCHING])[e] = 1;
    // The push is not carried: the forces of this step write it anew for every pair that touches.
    int    column = ERGI_ENTRY_MEMORY;
    size_t bytes = to->row_bytes[column];
    if (bytes == 0) return;
    char *row = (char *)to->data[column] + e * bytes;
    memcpy(row, (const char *)from->data[column] + f * bytes, bytes);
    if (!turned) return;
    int width = to->column[column].width;
    if (to->column[column].type == ERGI_F64)
        for (int k = 0; k < width; k++) ((double *)(void *)row)[k] = -((double *)(void *)row)[k];
    else
        for (int k = 0; k < width; k++) ((float *)(void *)row)[k] = -((float *)(void *)row)[k];
}

static void fill_chunk(void *ctx, erg_index begin, erg_index end, int chunk)
{
    build            *b = ctx;
    const uint32_t   *start = b->lists->span.data[ERGI_SPAN_START];
    ergi_table       *entry = &b->lists->entry;
    uint32_t         *other = entry->data[ERGI_ENTRY_OTHER];
    const uint32_t   *in = b->scratch->partner + (size_t)chunk * b->scratch->chunk_room;
    const ergi_lists *old = b->old;
    if (start[end] == start[begin]) return;
    memcpy(other + start[begin], in, (start[end] - start[begin]) * sizeof *other);
    for (int c = ERGI_ENTRY_TOUCHING; c <= ERGI_ENTRY_PUSH; c++) {
        size_t bytes = entry->row_bytes[c];
        if (bytes)
            memset((char *)entry->data[c] + start[begin] * bytes, 0,
                   (start[end] - start[begin]) * bytes);
    }
    if (old->spheres == 0) return;
    for (erg_index i = begin; i < end; i++) {
        uint32_t wi = b->was ? b->was[i] : (uint32_t)i;
        if (wi >= (uint32_t)old->spheres) continue;
        for (uint32_t e = start[i]; e < start[i + 1]; e++) {
            uint32_t wj = b->was ? b->was[other[e]] : other[e];
            if (wj >= (uint32_t)old->spheres) continue;
            uint32_t f = find_old(old, wi, wj);
            if (f != UINT32_MAX) {
                carry(entry, e, &old->entry, f, false);
            } else {
                f = find_old(old, wj, wi);
                if (f != UINT32_MAX) carry(entry, e, &old->entry, f, true);
            }
        }
    }
}

// ---- Building ----------------------------------------------------------------------------------
// Which entries name each sphere as partner: a counting sort of the entries by partner.
static erg_status index_incoming(ergi_lists *lists, erg_error *err)
{
    erg_status status = ergi_table_reset(&lists->incoming, lists->entry.rows, err);
    if (status != ERG_OK) return status;
    uint32_t       *start = lists->span.data[ERGI_SPAN_INCOMING];
    uint32_t       *incoming = lists->incoming.data[ERGI_INCOMING_ENTRY];
    const uint32_t *other = lists->entry.data[ERGI_ENTRY_OTHER];
    size_t          n = (size_t)lists->spheres, m = lists->entry.rows;
    memset(start, 0, (n + 1) * sizeof *start);
    for (size_t e = 0; e < m; e++) start[other[e]]++;
    uint32_t sum = 0;
    for (size_t i = 0; i <= n; i++) {
        uint32_t here = start[i];
        start[i] = sum += here;
    }
    for (size_t e = m; e-- > 0;) incoming[--start[other[e]]] = (uint32_t)e;
    return ERG_OK;
}

erg_status ergi_lists_build(ergi_lists *lists, const ergi_lists *old, const uint32_t *was,
                            const ergi_grid *grid, const ergi_spheres_in *in,
                            const ergi_threads *threads, ergi_list_scratch *scratch, erg_error *err)
{
    build      b = {lists, old, was, grid, in, scratch};
    int        chunks = ergi_chunk_count(in->count, GRAIN);
    erg_status status = find_partners(&b, threads, chunks, err);
    if (status != ERG_OK) return status;

    size_t total = 0;
    for (int c = 0; c < chunks; c++) total += scratch->total[c];
    if (total >= UINT32_MAX)
        return ergi_fail(err, ERG_NO_MEMORY,
                         "%zu neighbour pairs are more than one process can list", total);
    status = ergi_table_reset(&lists->span, (size_t)in->count + 1, err);
    if (status == ERG_OK) status = ergi_table_reset(&lists->entry, total, err);
    if (status != ERG_OK) return status;

    lists->spheres = in->count;
    uint32_t *start = lists->span.data[ERGI_SPAN_START], sum = 0;
    for (erg_index i = 0; i < in->count; i++) {
        start[i] = sum;
        sum += scratch->found[i];
    }
    start[in->count] = sum;
    ergi_parallel_for(threads, in->count, GRAIN, fill_chunk, &b);
    return index_incoming(lists, err);
}
