// Timed windows of a world that is under way, and what several of them say.
#ifndef ERG_BENCH_MEASURE_H
#define ERG_BENCH_MEASURE_H

#include "erg/world.h"

enum { BENCH_MAX_REPEATS = 99 };

// Windows of equal steps. Processor time counts all threads: where it is less than wall time times
// threads, something else had the machine.
typedef struct bench_times {
    uint64_t steps; // of each
    int      count;
    double   wall[BENCH_MAX_REPEATS], cpu[BENCH_MAX_REPEATS]; // [s]
} bench_times;

// Empty times whose windows take about `seconds`.
erg_status bench_windows(erg_world *world, double seconds, bench_times *times, erg_error *err);

// Steps the world through one more window.
erg_status bench_window(erg_world *world, bench_times *times, erg_error *err);

// All windows of a row; `before` is how the world stood when they began.
erg_status bench_measure(erg_world *world, double seconds, int repeats, bench_times *times,
                         erg_stats *before, erg_error *err);

double bench_wall_seconds(void);
double bench_cpu_seconds(void); // of all threads of this process

double bench_median(const double *values, int count);
double bench_least(const double *values, int count);

#endif
