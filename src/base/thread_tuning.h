// How many threads pay? A small world on a busy machine runs faster on one thread than on all,
// since every pass waits for the slowest. The answer does not depend on the number, so it may
// follow the clock: now and then some steps are timed on one thread and on all, and the faster
// stays.
#ifndef ERGI_THREAD_TUNING_H
#define ERGI_THREAD_TUNING_H

#include "erg/base.h"

typedef struct ergi_thread_tuning {
    int      most;            // threads available; 1: nothing to choose
    int      count;           // to use for the next step
    bool     fixed;           // the caller named the number
    int      trial;           // 0: all threads, 1: one thread, 2: settled
    int      steps;           // in this trial
    double   since;           // its start, by the clock [s]
    double   cost[2];         // seconds per step in the last trials
    uint64_t alone, together; // steps on one thread and on all
} ergi_thread_tuning;

ergi_thread_tuning ergi_thread_tuning_make(int most, bool fixed);

// After every step; sets `count` for the next.
void ergi_thread_tuning_step(ergi_thread_tuning *tuning);

int ergi_thread_tuning_most_used(
    const ergi_thread_tuning *tuning); // the number of threads used in most steps

#endif
