// Parallel loops. `omp parallel` is used in threads.c and nowhere else.
//
// A loop is split into chunks of `chunk_size` elements whose boundaries depend only on n and
// chunk_size. To make a sum independent of the number of threads, each chunk writes its part to
// parts[chunk] and the caller adds the parts in order.
//
// Processes with other busy threads should set OMP_WAIT_POLICY=passive before start: idle OpenMP
// threads spin by default, and a library cannot change that.
#ifndef ERGI_THREADS_H
#define ERGI_THREADS_H

#include "erg/base.h"

typedef void (*ergi_range_fn)(void *ctx, erg_index begin, erg_index end, int chunk);

typedef struct ergi_threads {
    int count; // at least 1
    // The caller's scheduler: runs task(arg, 0 .. tasks-1), returns when all are done. NULL: our
    // own.
    void (*hook)(void *user, void (*task)(void *arg, int index), void *arg, int tasks);
    void *hook_user;
} ergi_threads;

// Calls fn for every chunk of 0 .. n-1. Each thread takes consecutive chunks until its own share is
// done, then steals (base/work_queue.h). `chunk_size` must be above 0. A nested call from fn runs
// on the calling thread only.
void ergi_parallel_for(const ergi_threads *threads, erg_index n, erg_index chunk_size,
                       ergi_range_fn fn, void *ctx);

// Calls fn once for each of `parts`, at most one per thread; fn divides the work itself.
typedef void (*ergi_part_fn)(void *ctx, int part);
void ergi_parallel_parts(const ergi_threads *threads, int parts, ergi_part_fn fn, void *ctx);

int ergi_chunk_count(erg_index n, erg_index chunk_size);

int ergi_threads_default_count(void); // processors this process may use

#endif
