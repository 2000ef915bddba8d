#include "base/threads.h"

#include <assert.h>

#if defined(ERG_WITH_OPENMP) && ERG_WITH_OPENMP
#define USE_OPENMP 1
#include <omp.h>
#else
#define USE_OPENMP 0
#include <unistd.h>
#endif

typedef struct loop {
    ergi_range_fn fn;
    void         *ctx;
    erg_index     n, grain;
    int           chunks, tasks;
} loop;

int ergi_chunk_count(erg_index n, erg_index grain)
{
    assert(grain > 0);
    return n <= 0 ? 0 : (int)(((int64_t)n + grain - 1) / grain);
}

int ergi_threads_default_count(void)
{
#if USE_OPENMP
    int count = omp_get_num_procs(); // heeds the affinity mask
#else
    int count = (int)sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return count < 1 ? 1 : count;
}

static void run_chunk(const loop *l, int chunk)
{
    int64_t begin = (int64_t)chunk * l->grain;
    int64_t end = begin + l->grain < l->n ? begin + l->grain : l->n;
    l->fn(l->ctx, (erg_index)begin, (erg_index)end, chunk);
}

// Task i of the caller's scheduler: its share of consecutive chunks.
static void run_task(void *arg, int index)
{
    const loop *l = arg;
    int         first = (int)((int64_t)l->chunks * index / l->tasks);
    int         last = (int)((int64_t)l->chunks * (index + 1) / l->tasks);
    for (int chunk = first; chunk < last; chunk++) run_chunk(l, chunk);
}

void ergi_parallel_for(const ergi_threads *threads, erg_index n, erg_index grain, ergi_range_fn fn,
                       void *ctx)
{
    loop l = {.fn = fn, .ctx = ctx, .n = n, .grain = grain, .chunks = ergi_chunk_count(n, grain)};
    l.tasks = threads->count < l.chunks ? threads->count : l.chunks;
    if (l.tasks > 1 && threads->hook) {
        threads->hook(threads->hook_user, run_task, &l, l.tasks);
        return;
    }
#if USE_OPENMP
    if (l.tasks > 1) {
        // always the same team, even for fewer chunks: libgomp ends and restarts threads otherwise
#pragma omp parallel for schedule(static) num_threads(threads->count)
        for (int chunk = 0; chunk < l.chunks; chunk++) run_chunk(&l, chunk);
        return;
    }
#endif
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
#pragma omp parallel for schedule(static) num_threads(threads->count)
        for (int part = 0; part < parts; part++) fn(ctx, part);
        return;
    }
#endif
    for (int part = 0; part < parts; part++) fn(ctx, part);
}
