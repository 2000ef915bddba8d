// Timed windows of a world that is under way, and what several of them say.
#ifndef ERG_BENCH_MEASURE_H
#define ERG_BENCH_MEASURE_H

#include "erg/world.h"

enum { BENCH_MAX_REPEATS = 99 };

double bench_clock(void); // [s], from any moment on

// How many steps take about `seconds`.
erg_status bench_window_steps(erg_world *world, double seconds, uint64_t *steps, erg_error *err);

// Wall time of so many steps.
erg_status bench_window(erg_world *world, uint64_t steps, double *seconds, erg_error *err);

double bench_median(const double *values, int count);
double bench_least(const double *values, int count);

#endif
