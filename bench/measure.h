// Timed windows of a running world, and their statistics.
#ifndef ERG_BENCH_MEASURE_H
#define ERG_BENCH_MEASURE_H

#include "erg/world.h"

enum { BENCH_MAX_REPEATS = 99 };

// Windows of equal steps. Processor time is the sum over all threads: if it is less than wall time
// times threads, other processes used the machine.
typedef struct bench_times {
    uint64_t steps; // of each
    int      count;
    double   wall[BENCH_MAX_REPEATS], cpu[BENCH_MAX_REPEATS]; // [s]
} bench_times;

// Initialises windows that take about `seconds` each.
erg_status bench_windows(erg_world *world, double seconds, bench_times *times, erg_error *err);

// Steps the world by one more window.
erg_status bench_window(erg_world *world, bench_times *times, erg_error *err);

// All windows of a row; `before` receives the statistics at their start.
erg_status bench_measure(erg_world *world, double seconds, int repeats, bench_times *times,
                         erg_stats *before, erg_error *err);

double bench_wall_seconds(void);
double bench_cpu_seconds(void); // all threads of this process

double bench_median(const double *values, int count);
double bench_least(const double *values, int count);

#endif
