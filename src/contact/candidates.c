#include "contact/candidates.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

typedef struct finding {
    const ergi_grid       *grid;
    const ergi_spheres_in *in;
    ergi_earlier_fn       *earlier;
    ergi_grid_partners_fn *partners;
    ergi_candidates       *out;
} finding;

ergi_owner_ranges ergi_earlier_in_memory(uint32_t i, erg_index count)
{
    (void)count;
    return (ergi_owner_ranges){0, {0, i + 1}};
}

// Finds the partners of the spheres of one block of items. A block whose buffer is full continues
// to count, so that the caller knows how much is needed.
static void find_block(void *ctx, erg_index begin, erg_index end, int block)
{
    const finding   *f = ctx;
    ergi_candidates *c = f->out;
    size_t           at = (size_t)block * c->block_room, used = 0;
    ergi_grid_around around;
    ergi_grid_around_init(&around);
    for (erg_index k = begin; k < end; k++) {
        uint32_t          i = f->grid->item[k];
        size_t            room = used < c->block_room ? c->block_room - used : 0;
        uint32_t         *partner = c->partner + at + (room ? used : 0);
        ergi_owner_ranges earlier = f->earlier(i, f->in->count);
        size_t n = f->partners(f->grid, f->in, (erg_index)i, earlier, &around, partner, room);
        c->first[i] = at + used;
        c->count[i] = (uint32_t)n;
        used += n;
    }
    c->total[block] = used;
}

erg_status ergi_candidates_find(ergi_candidates *c, const ergi_grid *grid,
                                const ergi_spheres_in *in, ergi_earlier_fn *earlier,
                                const ergi_threads *threads, erg_error *err)
{
    static const char what[] = "neighbour lists";
    finding           f = {grid, in, earlier, ergi_grid_choose_partners(), c};
    int               blocks = ergi_chunk_count(in->count, ERGI_CANDIDATE_BLOCK);
    if (in->count > ERGI_MOST_SPHERES)
        return ergi_fail(err, ERG_NO_MEMORY,
                         "%lld spheres are more than the neighbour lists of one process can hold",
                         (long long)in->count);
    if (c->block_room == 0) c->block_room = ERGI_CANDIDATE_BLOCK * 4;
    erg_status status =
        ergi_memory_grow(&c->count, &c->count_room, (size_t)in->count, sizeof *c->count, what, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&c->first, &c->first_room, (size_t)in->count, sizeof *c->first,
                                  what, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&c->total, &c->total_room, (size_t)blocks, sizeof *c->total, what,
                                  err);
    for (bool fits = false; status == ERG_OK && !fits;) {
        status = ergi_memory_grow(&c->partner, &c->partner_room, (size_t)blocks * c->block_room,
                                  sizeof *c->partner, what, err);
        if (status != ERG_OK) break;
        ergi_parallel_for(threads, in->count, ERGI_CANDIDATE_BLOCK, find_block, &f);
        size_t most = 0;
        for (int b = 0; b < blocks; b++)
            if (c->total[b] > most) most = c->total[b];
        fits = most <= c->block_room;
        if (!fits) c->block_room = most + most / 4;
    }
    return status;
}

void ergi_candidates_free(ergi_candidates *c)
{
    ergi_memory_free(c->partner);
    ergi_memory_free(c->count);
    ergi_memory_free(c->first);
    ergi_memory_free(c->total);
    memset(c, 0, sizeof *c);
}

size_t ergi_candidates_bytes(const ergi_candidates *c)
{
    return c->partner_room * sizeof *c->partner + c->count_room * sizeof *c->count +
           c->first_room * sizeof *c->first + c->total_room * sizeof *c->total;
}
