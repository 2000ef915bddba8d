// Thread tuning: one thread or all? A small world on a busy machine runs faster on one, since every
// pass waits for the slowest thread. Results do not depend on the number of threads, so the choice
// may depend on the clock: from time to time some steps are timed on the number in use and then,
// for no longer than these took, on the other; the faster is used.
#ifndef ERGI_THREAD_TUNING_H
#define ERGI_THREAD_TUNING_H

#include "erg/base.h"

typedef enum ergi_thread_trial {
    ERGI_TRIAL_OF_CURRENT, // the number in use is timed
    ERGI_TRIAL_OF_OTHER,   // the other is timed
    ERGI_TRIAL_NONE,       // the faster is in use
} ergi_thread_trial;

typedef struct ergi_thread_tuning {
    int               most;  // threads available; 1: nothing to choose
    int               count; // to use for the next step
    bool              fixed; // the caller wants exactly this number: no tuning
    ergi_thread_trial trial;
    int               steps;           // since the trial, or the choice, began
    double            since;           // its start, by the clock [s]
    int               current_steps;   // of the trial of the number in use
    double            current_time;    // its length [s]
    double            rest;            // from the choice to the next trial [s]
    uint64_t          alone, together; // steps on one thread and on all
} ergi_thread_tuning;

ergi_thread_tuning ergi_thread_tuning_make(int most, bool fixed);

// Call after every step; sets `count` for the next.
void ergi_thread_tuning_step(ergi_thread_tuning *tuning);

// The same at the time `now` of the clock. [s]
void ergi_thread_tuning_step_at(ergi_thread_tuning *tuning, double now);

int ergi_thread_tuning_most_used(
    const ergi_thread_tuning *tuning); // the number of threads used in most steps

#endif
