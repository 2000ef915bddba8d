#include "record.h"

#include "bench.h"
#include "matter.h"

#include <math.h>

static void add_speed(bench_row *row, const erg_stats *now, int threads, const bench_times *times)
{
    double work = (double)times->steps * (double)now->spheres;
    double wall = bench_median(times->wall, times->count);
    bench_row_count(row, "n", now->spheres);
    bench_row_count(row, "threads", (uint64_t)threads);
    bench_row_count(row, "steps", times->steps);
    bench_row_number(row, "wall_s", wall);
    bench_row_number(row, "particle_steps_per_s", work / wall);
    bench_row_number(row, "grain_steps_per_s", (double)times->steps * (double)now->grains / wall);
    bench_row_number(row, "best_particle_steps_per_s",
                     work / bench_least(times->wall, times->count));
    bench_row_count(row, "repeats", (uint64_t)times->count);
    bench_row_number(row, "cpu_s", bench_median(times->cpu, times->count));
}

void record_phases(bench_row *row, const erg_stats *before, const erg_stats *after)
{
    double sort = after->sort_s - before->sort_s, lists = after->lists_s - before->lists_s;
    double forces = after->forces_s - before->forces_s;
    double integrate = after->integrate_s - before->integrate_s;
    double all = sort + lists + forces + integrate;
    bench_row_number(row, "sort_share", sort / all);
    bench_row_number(row, "lists_share", lists / all);
    bench_row_number(row, "forces_share", forces / all);
    bench_row_number(row, "integrate_share", integrate / all);
}

erg_status record_row(bench_rows *rows, const char *name, const erg_world *world, int threads,
                      const bench_times *times, const erg_stats *before, erg_error *err)
{
    erg_stats  now;
    erg_status status = erg_world_stats(world, &now, err);
    if (status != ERG_OK) return status;
    bench_row *row = bench_rows_add(rows);
    if (!row) return bench_fail(err, ERG_NO_MEMORY, "out of memory");
    bench_row_text(row, "name", name);
    add_speed(row, &now, threads, times);
    bench_row_text(row, "isa", erg_world_isa(world));
    bench_row_number(row, "coordination", matter_coordination(&now));
    bench_row_number(row, "kinetic_per_mgd", matter_kinetic(&now));
    bench_row_number(row, "dt", erg_world_dt(world));
    bench_row_number(row, "skin", erg_world_skin(world));
    bench_row_count(row, "rebuilds", now.rebuilds - before->rebuilds);
    bench_row_number(row, "bytes_per_particle", (double)now.bytes / (double)now.spheres);
    bench_row_number(row, "most_bytes_per_particle", (double)now.most_bytes / (double)now.spheres);
    record_phases(row, before, &now);
    return ERG_OK;
}

void record_settled(bench_row *row, const erg_world *world)
{
    erg_stats now;
    erg_error ignored;
    double    kinetic = (double)NAN;
    if (erg_world_stats(world, &now, &ignored) == ERG_OK) kinetic = matter_kinetic(&now);
    bench_row_flag(row, "settled", kinetic < MATTER_QUIET);
    if (!(kinetic < MATTER_QUIET))
        bench_say(
            "note: not quite at rest: %.1e m g d of kinetic energy per grain, expected below %.0e",
            kinetic, MATTER_QUIET);
}
