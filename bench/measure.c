#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRIAL = 10, LEAST = 20 }; // steps

double bench_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

erg_status bench_window(erg_world *world, uint64_t steps, double *seconds, erg_error *err)
{
    double     before = bench_clock();
    erg_status status = erg_world_step(world, steps, err);
    *seconds = bench_clock() - before;
    return status;
}

erg_status bench_window_steps(erg_world *world, double seconds, uint64_t *steps, erg_error *err)
{
    double     trial[3];
    erg_status status = ERG_OK;
    for (int k = 0; k < 3 && status == ERG_OK; k++)
        status = bench_window(world, TRIAL, &trial[k], err);
    if (status != ERG_OK) return status;
    double wanted = TRIAL * seconds / bench_median(trial, 3);
    *steps = wanted > LEAST ? (uint64_t)(wanted / 10) * 10 : LEAST;
    return ERG_OK;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(const double *values, int count)
{
    double sorted[BENCH_MAX_REPEATS];
    memcpy(sorted, values, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    return 0.5 * (sorted[(count - 1) / 2] + sorted[count / 2]);
}

double bench_least(const double *values, int count)
{
    double least = values[0];
    for (int i = 1; i < count; i++) least = fmin(least, values[i]);
    return least;
}
