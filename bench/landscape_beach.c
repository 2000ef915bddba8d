// The shipped scene `beach`: time per frame while its excavator digs, at a given number of grains
// awake and on beaches of several sizes. Larger grains make fewer of them: their sizes set the
// number.
#include "frames.h"
#include "landscape.h"

#include "erg/scene.h"
#include "erg/terrain.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct beach {
    const char *name;
    double      side;   // of the terrain [m]
    double      radius; // of the grains, in the middle of their sizes [m]
    bool        fine;   // with upsampling
} beach;

static const double FIFTEEN = 0.0151, TWENTY = 0.0135; // about so many thousand grains awake [m]

// All sizes do the same; the first is what the others are compared with.
static const beach BEACHES[] = {
    {"beach-10m", 10, FIFTEEN, false},   {"beach-50m", 50, FIFTEEN, false},
    {"beach", 100, FIFTEEN, false},      {"beach-200m", 200, FIFTEEN, false},
    {"beach-20000", 100, TWENTY, false}, {"beach-fine", 100, FIFTEEN, true},
};

static const double DIGS = 1.7; // the bucket is in the sand [s]
enum { ROWS = sizeof BEACHES / sizeof *BEACHES, SIZES = 4, FRAMES = 300, RUNS = 3 };

// One run, from the beginning of the scene.
typedef struct dig {
    bench_frames      frames;
    double            awake[FRAMES_MOST]; // after each frame
    erg_terrain_stats before, after;
} dig;

// ---- Worlds ------------------------------------------------------------------------------------
static void set_threads(void *user, erg_world_def *def)
{
    def->threads = *(int *)user;
    def->fixed_threads = true;
}

static erg_status build(const beach *b, int threads, erg_world **world, erg_error *err)
{
    char        path[4096], set[4][128];
    const char *sets[4] = {set[0], set[1], set[2], set[3]};
    size_t      count = b->fine ? 4 : 3;
    erg_scene  *scene = NULL;
    double      half = b->side / 2;
    snprintf(set[0], sizeof set[0], "terrain.bounds=[[%g, %g], [%g, %g]]", -half, -half, half,
             half);
    snprintf(set[1], sizeof set[1], "grains.grit.sizes={uniform: {min: %g, max: %g}}",
             b->radius * 14 / 15, b->radius * 16 / 15);
    snprintf(set[2], sizeof set[2], "domain.bounds=[[%g, %g, -1], [%g, %g, 20]]", -half - 10,
             -half - 10, half + 10, half + 10);
    snprintf(set[3], sizeof set[3], "upsample={ratio: 0.4, start: %g}", DIGS - 0.1);
    erg_status status = erg_scene_find("beach", path, sizeof path, err);
    if (status == ERG_OK) status = erg_scene_load(path, sets, count, &scene, err);
    if (status == ERG_OK) status = erg_scene_build(scene, set_threads, &threads, world, err);
    erg_scene_destroy(scene);
    return status;
}

// ---- Measuring ---------------------------------------------------------------------------------
static erg_status dig_frames(erg_world *world, int count, dig *d, erg_error *err)
{
    erg_status status = erg_world_run(world, DIGS, NULL, NULL, err);
    if (status == ERG_OK) status = erg_world_terrain_stats(world, &d->before, err);
    for (int k = 0; k < count && status == ERG_OK; k++) {
        status = frames_measure(world, DIGS + k / 60.0, 1, &d->frames, err);
        if (status == ERG_OK) status = erg_world_terrain_stats(world, &d->after, err);
        d->awake[k] = (double)d->after.awake;
    }
    return status;
}

static double sum(const double *values, int count)
{
    double all = 0;
    for (int k = 0; k < count; k++) all += values[k];
    return all;
}

static erg_status add_row(const beach *b, const erg_world *world, int threads, const dig *d,
                          bench_rows *rows, erg_error *err)
{
    const bench_frames *f = &d->frames;
    erg_status          status = frames_row(rows, b->name, world, threads, f, err);
    if (status != ERG_OK) return status;
    bench_row *row = &rows->row[rows->count - 1];
    double     wall = sum(f->wall, f->count);
    bench_row_number(row, "tick_share", (d->after.tick_s - d->before.tick_s) / wall);
    bench_row_number(row, "exchange_share", (d->after.exchange_s - d->before.exchange_s) / wall);
    bench_row_number(row, "awake", frames_median(d->awake, f->count));
    bench_row_count(row, "frozen", d->after.frozen);
    bench_row_number(row, "grain_radius", b->radius);
    bench_row_count(row, "columns", d->after.columns);
    // Of the terrain itself, and of the world with the rollback copy and the grains
    bench_row_number(row, "bytes_per_column", d->after.bytes / (double)d->after.columns);
    bench_row_number(row, "world_bytes_per_column",
                     (double)f->after.bytes / (double)d->after.columns);
    return ERG_OK;
}

// Keeps the row of the fastest run.
static erg_status measure(const beach *b, int threads, int count, bench_row *best, erg_error *err)
{
    bench_rows rows = {0};
    dig       *d = calloc(1, sizeof *d);
    erg_world *world = NULL;
    bench_say("landscape: %s on %d thread%s", b->name, threads, threads > 1 ? "s" : "");
    erg_status status =
        d ? build(b, threads, &world, err) : bench_fail(err, ERG_NO_MEMORY, "out of memory");
    if (status == ERG_OK) status = dig_frames(world, count, d, err);
    if (status == ERG_OK) status = add_row(b, world, threads, d, &rows, err);
    if (status == ERG_OK && (best->count == 0 || bench_row_find(&rows.row[0], "frame_ms")->number <
                                                     bench_row_find(best, "frame_ms")->number))
        *best = rows.row[0];
    erg_world_destroy(world);
    bench_rows_free(&rows);
    free(d);
    return status;
}

// ---- Rows --------------------------------------------------------------------------------------
static erg_status add_rows(const bench_row *best, int runs, bench_rows *rows, erg_error *err)
{
    for (int k = 0; k < ROWS; k++) {
        bench_row *row = bench_rows_add(rows);
        if (!row) return bench_fail(err, ERG_NO_MEMORY, "out of memory");
        *row = best[k];
        bench_row_count(row, "runs", (uint64_t)runs);
        if (k < SIZES)
            bench_row_number(row, "over_10m",
                             bench_row_find(row, "cpu_ms")->number /
                                 bench_row_find(&best[0], "cpu_ms")->number);
    }
    return ERG_OK;
}

erg_status landscape_beach(const bench_options *options, bench_rows *rows, erg_error *err)
{
    int        count = options->window_given ? (int)(60 * options->window + 0.5) : FRAMES;
    int        runs = options->repeats_given ? options->repeats : RUNS;
    int        threads = options->threads[options->threads[1] ? 1 : 0];
    erg_status status = ERG_OK;
    if (count < 1 || count > FRAMES_MOST)
        return bench_fail(err, ERG_BAD_INPUT, "--window must be from 1/60 to %d s for landscape",
                          FRAMES_MOST / 60);
    bench_row *best = calloc(ROWS, sizeof *best);
    if (!best) return bench_fail(err, ERG_NO_MEMORY, "out of memory");
    // By turns, so that what else the machine does affects all alike.
    for (int run = 0; run < runs; run++)
        for (int k = 0; k < ROWS && status == ERG_OK; k++)
            status = measure(&BEACHES[k], threads, count, &best[k], err);
    if (status == ERG_OK) status = add_rows(best, runs, rows, err);
    free(best);
    return status;
}
