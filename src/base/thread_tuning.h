// Thread tuning: one thread or all? A small world on a busy machine runs faster on one, since every
// pass waits for the slowest thread. Results do not depend on the number of threads, so the choice
// may depend on the clock: from time to time some steps are timed on one thread and on all, and the
// faster is used.
#ifndef ERGI_THREAD_TUNING_H
#define ERGI_THREAD_TUNING_H

#include "erg/base.h"

typedef struct ergi_thread_tuning {
    int      most;            // threads available; 1: nothing to choose
    int      count;           // to use for the next step
    bool     fixed;           // the caller set the number: no tuning
    int      trial;           // 0: all threads, 1: one thread, 2: none, the faster is in use
    int      steps;           // in this trial
    double   since;           // its start, by the clock [s]
    double   cost[2];         // seconds per step in the last trials
    uint64_t alone, together; // steps on one thread and on all
} ergi_thread_tuning;

ergi_thread_tuning ergi_thread_tuning_make(int most, bool fixed);

// Call after every step; sets `count` for the next.
void ergi_thread_tuning_step(ergi_thread_tuning *tuning);

int ergi_thread_tuning_most_used(
    const ergi_thread_tuning *tuning); // the number of threads used in most steps

#endif
