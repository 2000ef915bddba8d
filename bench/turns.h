// Worlds that are measured by turns, a window each, so that what else the machine does meets all
// alike.
#ifndef ERG_BENCH_TURNS_H
#define ERG_BENCH_TURNS_H

#include "scene.h"

// A scene in one size on one number of threads, and what is found about it.
typedef struct entrant {
    size_t      grains;
    int         threads;
    erg_world  *world; // while it is measured
    erg_stats   before;
    bench_times times;
} entrant;

// A row for each, in their order.
erg_status turns_measure(const bench_scene *scene, const bench_options *options, entrant *e,
                         int entrants, bench_rows *rows, erg_error *err);

// Median over the turns of the time a step took over that of the other.
double turns_over(const entrant *e, const entrant *other);

#endif
