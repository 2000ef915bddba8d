#include "base/threads.h"

#include <assert.h>

#include "base/work_queue.h"

#if defined(ERG_WITH_OPENMP) && ERG_WITH_OPENMP
#define USE_OPENMP 1
#include <omp.h>
#else
#define USE_OPENMP 0
#include <unistd.h>
#endif

enum { MOST_SHARES = 256 }; // threads beyond this number get no work in these loops

typedef struct loop {
    ergi_range_fn    fn;
    void            *ctx;
    erg_index        n, chunk_size;
    int              chunks, parts;
    ergi_work_queue *shares;
} loop;

int ergi_chunk_count(erg_index n, erg_index chunk_size)
{
    assert(chunk_size > 0);
    return n <= 0 ? 0 : (int)(((int64_t)n + chunk_size - 1) / chunk_size);
}

int ergi_threads_default_count(void)
{
#if USE_OPENMP
    int count = omp_get_num_procs(); // respects the affinity mask
#else
    int count = (int)sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return count < 1 ? 1 : count;
}

static void run_chunk(const loop *l, int chunk)
{
    int64_t begin = (int64_t)chunk * l->chunk_size;
    int64_t end = begin + l->chunk_size < l->n ? begin + l->chunk_size : l->n;
    l->fn(l->ctx, (erg_index)begin, (erg_index)end, chunk);
}

static void run_share(void *arg, int part)
{
    const loop *l = arg;
    for (int chunk; (chunk = ergi_work_queues_take(l->shares, l->parts, part, 0)) >= 0;)
        run_chunk(l, chunk);
}

void ergi_parallel_for(const ergi_threads *threads, erg_index n, erg_index chunk_size,
                       ergi_range_fn fn, void *ctx)
{
    ergi_work_queue shares[MOST_SHARES];
    loop            l = {.fn = fn,
                         .ctx = ctx,
                         .n = n,
                         .chunk_size = chunk_size,
                         .chunks = ergi_chunk_count(n, chunk_size),
                         .shares = shares};
    l.parts = threads->count < l.chunks ? threads->count : l.chunks;
    if (l.parts > MOST_SHARES) l.parts = MOST_SHARES;
    if (l.parts > 1) {
        ergi_work_queues_fill(shares, l.parts, l.chunks);
        ergi_parallel_parts(threads, l.parts, run_share, &l);
        return;
    }
    for (int chunk = 0; chunk < l.chunks; chunk++) run_chunk(&l, chunk);
}

void ergi_parallel_parts(const ergi_threads *threads, int parts, ergi_part_fn fn, void *ctx)
{
    assert(parts <= threads->count);
    if (parts > 1 && threads->hook) {
        threads->hook(threads->hook_user, fn, ctx, parts);
        return;
    }
#if USE_OPENMP
    if (parts > 1) {
        // always the same team, even for fewer parts: libgomp ends and restarts threads otherwise
#pragma omp parallel for schedule(static) num_threads(threads->count)
        for (int part = 0; part < parts; part++) fn(ctx, part);
        return;
    }
#endif
    for (int part = 0; part < parts; part++) fn(ctx, part);
}
