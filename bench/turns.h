// Measures several worlds alternately, one window each, so that disturbances by other processes
// affect all equally.
#ifndef ERG_BENCH_TURNS_H
#define ERG_BENCH_TURNS_H

#include "scene.h"

// A scene of one size on one number of threads, and its measurements.
typedef struct entrant {
    size_t      grains;
    int         threads;
    erg_world  *world; // only while it is measured
    erg_stats   before;
    bench_times times;
} entrant;

// Adds a row for each, in their order.
erg_status turns_measure(const bench_scene *scene, const bench_options *options, entrant *e,
                         int entrants, bench_rows *rows, erg_error *err);

// Median over the rounds of the time per step, relative to the other's.
double turns_over(const entrant *e, const entrant *other);

#endif
