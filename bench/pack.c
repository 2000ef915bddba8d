// The bench `pack`: particle-steps a second of a bed at rest, where nothing but contacts costs
// time.
#include "pack.h"

#include <math.h>
#include <stdlib.h>

// ---- What kind of pack it is -------------------------------------------------------------------
static const double DIAMETER = 2 * PACK_RADIUS;
static const double VOLUME = 4.0 / 3 * 3.14159265358979 * PACK_RADIUS * PACK_RADIUS * PACK_RADIUS;

// Counts the centres in an inner box: three diameters from walls and floor, where they order the
// spheres, and below nine tenths of the mean surface.
static double volume_fraction(const pack *p, const erg_vec3 *position)
{
    double mean = 0, low = p->low + 3 * DIAMETER;
    for (size_t i = 0; i < p->count; i++) mean += position[i].z / (double)p->count;
    double bottom = 3 * DIAMETER, top = 0.9 * 2 * mean;
    double high_x = p->high_x - 3 * DIAMETER, high_y = p->high_y - 3 * DIAMETER;
    if (high_x - low < DIAMETER || high_y - low < DIAMETER || top - bottom < DIAMETER)
        return (double)NAN;

    double inside = 0;
    for (size_t i = 0; i < p->count; i++) {
        erg_vec3 x = position[i];
        inside +=
            x.x > low && x.x < high_x && x.y > low && x.y < high_y && x.z > bottom && x.z < top;
    }
    return inside * VOLUME / ((high_x - low) * (high_y - low) * (top - bottom));
}

erg_status pack_look(const pack *p, const erg_world *world, pack_quality *quality, erg_error *err)
{
    erg_stats stats;
    erg_vec3 *position = malloc(p->count * sizeof *position);
    if (!position) return bench_fail(err, ERG_NO_MEMORY, "out of memory for %zu spheres", p->count);
    erg_status status = erg_world_stats(world, &stats, err);
    if (status == ERG_OK)
        status = erg_world_read(world, ERG_FIELD_POSITION, NULL, p->count, position, err);
    if (status == ERG_OK) {
        double pairs = (double)(stats.contacts - stats.wall_contacts);
        quality->coordination = 2 * pairs / (double)stats.spheres;
        quality->volume_fraction = volume_fraction(p, position);
        quality->kinetic =
            (stats.kinetic + stats.rotational) / (stats.mass * PACK_GRAVITY * DIAMETER);
    }
    free(position);
    return status;
}

// ---- The row -----------------------------------------------------------------------------------
erg_status pack_row(bench_rows *rows, const pack *p, const erg_world *world, int threads,
                    const bench_times *times, uint64_t rebuilds, erg_error *err)
{
    erg_stats    stats;
    pack_quality quality;
    erg_status   status = pack_look(p, world, &quality, err);
    if (status == ERG_OK) status = erg_world_stats(world, &stats, err);
    if (status != ERG_OK) return status;
    bench_row *row = bench_rows_add(rows);
    if (!row) return bench_fail(err, ERG_NO_MEMORY, "out of memory");

    double work = (double)times->steps * (double)p->count;
    double wall = bench_median(times->wall, times->count);
    bench_row_text(row, "name", "pack");
    bench_row_count(row, "n", p->count);
    bench_row_count(row, "threads", (uint64_t)threads);
    bench_row_count(row, "steps", times->steps);
    bench_row_number(row, "wall_s", wall);
    bench_row_number(row, "particle_steps_per_s", work / wall);
    bench_row_number(row, "grain_steps_per_s", work / wall);
    bench_row_number(row, "best_particle_steps_per_s",
                     work / bench_least(times->wall, times->count));
    bench_row_count(row, "repeats", (uint64_t)times->count);
    bench_row_number(row, "cpu_s", bench_median(times->cpu, times->count));
    bench_row_number(row, "coordination", quality.coordination);
    bench_row_number(row, "volume_fraction", quality.volume_fraction);
    bench_row_number(row, "kinetic_per_mgd", quality.kinetic);
    bench_row_number(row, "dt", erg_world_dt(world));
    bench_row_number(row, "skin", erg_world_skin(world));
    bench_row_count(row, "rebuilds", rebuilds);
    bench_row_number(row, "bytes_per_particle", (double)stats.bytes / (double)p->count);
    return ERG_OK;
}

// ---- The bench ---------------------------------------------------------------------------------
static erg_status measure(const pack *p, const bench_options *options, int threads,
                          bench_rows *rows, erg_error *err)
{
    erg_world  *world = NULL;
    erg_stats   before, after;
    bench_times times;
    bench_say("%zu spheres on %d thread%s", p->count, threads, threads > 1 ? "s" : "");
    erg_status status = pack_world(p, options->cache, threads, &world, err);
    if (status == ERG_OK) status = bench_windows(world, options->window, &times, err);
    if (status == ERG_OK) status = erg_world_stats(world, &before, err);
    for (int k = 0; k < options->repeats && status == ERG_OK; k++)
        status = bench_window(world, &times, err);
    if (status == ERG_OK) status = erg_world_stats(world, &after, err);
    if (status == ERG_OK)
        status = pack_row(rows, p, world, threads, &times, after.rebuilds - before.rebuilds, err);
    erg_world_destroy(world);
    return status;
}

erg_status bench_pack(const bench_options *options, bench_rows *rows, erg_error *err)
{
    pack       p;
    erg_status status = pack_get(options->count, options->cache, &p, err);
    if (status != ERG_OK) return status;
    for (int k = 0; k < 2 && options->threads[k] && status == ERG_OK; k++)
        status = measure(&p, options, options->threads[k], rows, err);
    pack_free(&p);
    return status;
}
