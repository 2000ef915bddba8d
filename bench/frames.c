#include "frames.h"

#include "bench.h"
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FRAME = 1.0 / 60; // [s]
// Where in a frame of the fine particles a timed frame begins; not at a boundary of steps, as these
// are fractions of a frame.
static const double PHASE = 0.47;

// ---- Timing ------------------------------------------------------------------------------------
static erg_status fine_seconds(const erg_world *world, double *seconds, erg_error *err)
{
    erg_fine_stats fine = {0};
    erg_status     status = ERG_OK;
    if (erg_world_has_upsample(world)) status = erg_world_fine_stats(world, &fine, err);
    *seconds = fine.total_s;
    return status;
}

static erg_status measure_frame(erg_world *world, double end, bench_frames *f, erg_error *err)
{
    double     fine[2], wall = bench_wall_seconds(), cpu = bench_cpu_seconds();
    erg_status status = fine_seconds(world, &fine[0], err);
    if (status == ERG_OK) status = erg_world_run(world, end, NULL, NULL, err);
    if (status == ERG_OK) status = fine_seconds(world, &fine[1], err);
    if (status != ERG_OK) return status;
    f->cpu[f->count] = bench_cpu_seconds() - cpu;
    f->wall[f->count] = bench_wall_seconds() - wall;
    f->fine[f->count] = fine[1] - fine[0];
    status = erg_world_stats(world, &f->after, err);
    f->speed[f->count++] = sqrt(2 * f->after.kinetic / f->after.mass);
    return status;
}

static void add_phases(const erg_stats *before, bench_frames *f)
{
    const erg_stats *after = &f->after;
    f->rebuilds += after->rebuilds - before->rebuilds;
    f->iterations += after->iterations - before->iterations;
    f->search += after->sort_s - before->sort_s + after->lists_s - before->lists_s;
    f->solver += after->forces_s - before->forces_s;
    f->motion += after->integrate_s - before->integrate_s;
}

erg_status frames_measure(erg_world *world, double time, int count, bench_frames *f, erg_error *err)
{
    double     start = (floor(time / FRAME + 1e-6) + PHASE) * FRAME;
    erg_stats  before;
    erg_status status = erg_world_run(world, start, NULL, NULL, err);
    if (status == ERG_OK) status = erg_world_stats(world, &before, err);
    uint64_t steps = erg_world_steps(world);
    for (int k = 1; k <= count && status == ERG_OK; k++)
        status = measure_frame(world, start + k * FRAME, f, err);
    if (status != ERG_OK) return status;
    f->steps += erg_world_steps(world) - steps;
    add_phases(&before, f);
    return ERG_OK;
}

// ---- The row -----------------------------------------------------------------------------------
static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Below it lies `share` of the values.
static double quantile(const double *values, int count, double share)
{
    double sorted[FRAMES_MOST], at = share * (count - 1);
    memcpy(sorted, values, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    int low = (int)at, high = low + 1 < count ? low + 1 : low;
    return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
}

static double quantile_ms(const double *seconds, int count, double share)
{
    return 1e3 * quantile(seconds, count, share);
}

double frames_median(const double *values, int count)
{
    return quantile(values, count, 0.5);
}

double frames_median_ms(const bench_frames *f)
{
    return quantile_ms(f->wall, f->count, 0.5);
}

static double sum(const double *values, int count)
{
    double all = 0;
    for (int k = 0; k < count; k++) all += values[k];
    return all;
}

static void add_times(bench_row *row, const bench_frames *f)
{
    double coarse[FRAMES_MOST];
    for (int k = 0; k < f->count; k++) coarse[k] = f->wall[k] - f->fine[k];
    bench_row_number(row, "frame_ms", frames_median_ms(f));
    bench_row_number(row, "lr_ms", quantile_ms(coarse, f->count, 0.5));
    bench_row_number(row, "hr_ms", quantile_ms(f->fine, f->count, 0.5));
    bench_row_number(row, "cpu_ms", quantile_ms(f->cpu, f->count, 0.5));
    bench_row_number(row, "p95_ms", quantile_ms(f->wall, f->count, 0.95));
    bench_row_number(row, "largest_ms", quantile_ms(f->wall, f->count, 1));
    bench_row_flag(row, "meets_60_hz", frames_median_ms(f) <= FRAMES_BUDGET_MS);
}

// Shares of the wall time of all frames. What is missing to 1 is the loop around the solver.
static void add_shares(bench_row *row, const bench_frames *f)
{
    double wall = sum(f->wall, f->count);
    bench_row_number(row, "hr_share", sum(f->fine, f->count) / wall);
    bench_row_number(row, "search_share", f->search / wall);
    bench_row_number(row, "solver_share", f->solver / wall);
    bench_row_number(row, "motion_share", f->motion / wall);
}

erg_status frames_row(bench_rows *rows, const char *name, const erg_world *world, int threads,
                      const bench_frames *f, erg_error *err)
{
    bench_row *row = bench_rows_add(rows);
    if (!row) return bench_fail(err, ERG_NO_MEMORY, "out of memory");
    double wall = sum(f->wall, f->count), steps = (double)f->steps;
    bench_row_text(row, "name", name);
    bench_row_count(row, "n", f->after.spheres);
    bench_row_count(row, "threads", (uint64_t)threads);
    bench_row_count(row, "steps", f->steps);
    bench_row_number(row, "wall_s", wall);
    bench_row_number(row, "particle_steps_per_s", steps * (double)f->after.spheres / wall);
    bench_row_number(row, "grain_steps_per_s", steps * (double)f->after.grains / wall);
    bench_row_count(row, "lr", f->after.grains);
    bench_row_count(row, "hr", erg_world_fine_count(world));
    add_times(row, f);
    add_shares(row, f);
    bench_row_number(row, "speed", quantile(f->speed, f->count, 0.5));
    bench_row_count(row, "frames", (uint64_t)f->count);
    bench_row_number(row, "steps_per_frame", steps / f->count);
    bench_row_number(row, "iterations", (double)f->iterations / steps);
    bench_row_count(row, "rebuilds", f->rebuilds);
    bench_row_text(row, "isa", erg_world_isa(world));
    return ERG_OK;
}
