#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRIAL = 10, LEAST = 20 }; // steps

static double seconds_of(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_wall_seconds(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double bench_cpu_seconds(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

erg_status bench_window(erg_world *world, bench_times *times, erg_error *err)
{
    double     wall = bench_wall_seconds(), cpu = bench_cpu_seconds();
    erg_status status = erg_world_step(world, times->steps, err);
    times->cpu[times->count] = bench_cpu_seconds() - cpu;
    times->wall[times->count++] = bench_wall_seconds() - wall;
    return status;
}

erg_status bench_windows(erg_world *world, double seconds, bench_times *times, erg_error *err)
{
    bench_times trial = {.steps = TRIAL};
    erg_status  status = ERG_OK;
    for (int k = 0; k < 3 && status == ERG_OK; k++) status = bench_window(world, &trial, err);
    if (status != ERG_OK) return status;
    double wanted = TRIAL * seconds / bench_median(trial.wall, 3);
    *times = (bench_times){.steps = wanted > LEAST ? (uint64_t)(wanted / 10) * 10 : LEAST};
    return ERG_OK;
}

erg_status bench_measure(erg_world *world, double seconds, int repeats, bench_times *times,
                         erg_stats *before, erg_error *err)
{
    erg_status status = bench_windows(world, seconds, times, err);
    if (status == ERG_OK) status = erg_world_stats(world, before, err);
    for (int k = 0; k < repeats && status == ERG_OK; k++) status = bench_window(world, times, err);
    return status;
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
