// The bench `landscape`: what columns that wake and grains that sleep save, compared with the same
// sand as grains alone.
#include "landscape.h"

#include "calibrate_plate.h"
#include "landscape_sand.h"
#include "measure.h"

#include <stdio.h>

enum { WIDTH = 16, WINDOWS = 3, POURED = 1000 };

static const double RATE = 500;           // of the pour [1/s]
static const double REST = 3;             // after it [s]
static const double SPEED = 0.4;          // of the tool [m/s]
static const double DEEP = 2;             // its lowest point below the surface [d]
static const double WARM[2] = {0.2, 1.0}; // before the measurement, without and with columns [s]
static const double WINDOW = 0.05;        // simulated [s]

// A world and the processor time that it took.
typedef struct racer {
    erg_world *world;
    double     cpu[WINDOWS], sum;
    double     wall; // [s]
    uint64_t   steps;
    uint64_t   builds;    // of neighbour lists, in the windows
    double     simulated; // time in the windows [s]
} racer;

static erg_status advance(racer *r, double time, double *cpu, erg_error *err)
{
    erg_stats  before, after;
    double     start = erg_world_time(r->world);
    erg_status status = erg_world_stats(r->world, &before, err);
    uint64_t   steps = erg_world_steps(r->world);
    double     begun = bench_cpu_seconds(), wall = bench_wall_seconds();
    if (status == ERG_OK) status = erg_world_run(r->world, start + time, NULL, NULL, err);
    *cpu = bench_cpu_seconds() - begun;
    r->wall += bench_wall_seconds() - wall;
    r->steps += erg_world_steps(r->world) - steps;
    if (status == ERG_OK) status = erg_world_stats(r->world, &after, err);
    if (status != ERG_OK) return status;
    r->sum += *cpu;
    r->builds += after.rebuilds - before.rebuilds;
    r->simulated += erg_world_time(r->world) - start;
    return ERG_OK;
}

// ---- Rows --------------------------------------------------------------------------------------
static erg_status add_row(bench_rows *rows, const char *name, const racer r[2], int threads,
                          double speedup, erg_error *err)
{
    erg_stats         stats[2];
    erg_terrain_stats t;
    erg_status        status = erg_world_stats(r[0].world, &stats[0], err);
    if (status == ERG_OK) status = erg_world_stats(r[1].world, &stats[1], err);
    if (status == ERG_OK) status = erg_world_terrain_stats(r[1].world, &t, err);
    bench_row *row = status == ERG_OK ? bench_rows_add(rows) : NULL;
    if (!row) return status == ERG_OK ? bench_fail(err, ERG_NO_MEMORY, "out of memory") : status;
    bench_row_text(row, "name", name);
    bench_row_count(row, "n", stats[0].spheres);
    bench_row_count(row, "threads", (uint64_t)threads);
    bench_row_count(row, "steps", r[1].steps);
    bench_row_number(row, "wall_s", r[1].wall);
    double rate = (double)stats[1].spheres * (double)r[1].steps / r[1].wall; // at the end
    bench_row_number(row, "particle_steps_per_s", rate);
    bench_row_number(row, "grain_steps_per_s", rate);
    bench_row_number(row, "speedup", speedup);
    bench_row_number(row, "full_cpu_s", r[0].sum);
    bench_row_number(row, "hybrid_cpu_s", r[1].sum);
    bench_row_number(row, "simulated_s", r[1].simulated);
    bench_row_count(row, "awake", t.awake);
    bench_row_count(row, "frozen", t.frozen);
    bench_row_number(row, "full_lists_per_s", (double)r[0].builds / r[0].simulated);
    bench_row_number(row, "hybrid_lists_per_s", (double)r[1].builds / r[1].simulated);
    bench_row_number(row, "exchange_s", t.exchange_s);
    bench_say("%-10s speedup %6.2f   %zu grains or %zu awake, %zu frozen", name, speedup,
              (size_t)stats[0].spheres, (size_t)t.awake, (size_t)t.frozen);
    return ERG_OK;
}

static void close(racer r[2])
{
    erg_world_destroy(r[0].world);
    erg_world_destroy(r[1].world);
}

// ---- Beds --------------------------------------------------------------------------------------
static erg_status open_bed(const bench_options *options, int depth, sand_kind kind, racer *r,
                           erg_error *err)
{
    sand_def   def = {.kind = kind,
                      .threads = 1,
                      .seed = 1,
                      .speed = 1,
                      .width = WIDTH,
                      .depth = depth,
                      .cache = options->cache};
    double     surface, cpu;
    erg_status status = sand_bed(&def, &r->world, &surface, err);
    if (status == ERG_OK) status = sand_add_tool(r->world, surface, DEEP, SPEED, err);
    if (status == ERG_OK) status = advance(r, WARM[kind], &cpu, err);
    r->sum = r->wall = r->simulated = 0;
    r->steps = r->builds = 0;
    return status;
}

// Both take turns, so that what else the machine does affects them equally.
static erg_status measure_bed(const bench_options *options, int depth, bench_rows *rows,
                              erg_error *err)
{
    racer r[2] = {0};
    char  name[32];
    snprintf(name, sizeof name, "depth-%d", depth);
    bench_say("landscape: %s", name);
    erg_status status = open_bed(options, depth, SAND_GRAINS, &r[0], err);
    if (status == ERG_OK) status = open_bed(options, depth, SAND_HYBRID, &r[1], err);
    for (int k = 0; k < WINDOWS && status == ERG_OK; k++)
        for (int n = 0; n < 2 && status == ERG_OK; n++)
            status = advance(&r[n], WINDOW, &r[n].cpu[k], err);
    if (status == ERG_OK)
        status = add_row(rows, name, r, 1,
                         bench_median(r[0].cpu, WINDOWS) / bench_median(r[1].cpu, WINDOWS), err);
    close(r);
    return status;
}

// ---- A pour ------------------------------------------------------------------------------------
static erg_status measure_pour(bench_rows *rows, erg_error *err)
{
    racer      r[2] = {0};
    double     time = POURED / RATE + REST, cpu;
    erg_status status = ERG_OK;
    bench_say("landscape: grains-%d", POURED);
    for (int n = 0; n < 2 && status == ERG_OK; n++) {
        sand_def def = {.kind = n ? SAND_HYBRID : SAND_GRAINS, .threads = 1, .seed = 1, .speed = 2};
        status = sand_plate(&def, POURED, RATE, &r[n].world, err);
    }
    for (double at = 0; at < time && status == ERG_OK; at += WINDOW)
        for (int n = 0; n < 2 && status == ERG_OK; n++) status = advance(&r[n], WINDOW, &cpu, err);
    if (status == ERG_OK) status = add_row(rows, "grains-1000", r, 1, r[0].sum / r[1].sum, err);
    close(r);
    return status;
}

erg_status bench_landscape(const bench_options *options, bench_rows *rows, erg_error *err)
{
    static const int depth[] = {5, 10, 20, 40, 80};
    if (options->check) return landscape_check(options, rows, err);
    if (options->calibrate) return calibrate_plate(options, rows, err);
    if (options->landscape_scene) return landscape_beach(options, rows, err);
    erg_status status = measure_pour(rows, err);
    for (size_t k = 0; k < sizeof depth / sizeof *depth && status == ERG_OK; k++)
        status = measure_bed(options, depth[k], rows, err);
    return status == ERG_OK ? landscape_beach(options, rows, err) : status;
}
