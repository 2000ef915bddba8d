#include "realtime.h"

#include "frames.h"

#include <string.h>

// Sommer et al. 2022, on an i9-9980HK with 8 cores: time per frame of 1/60 s.
const realtime_scene REALTIME_SCENES[] = {
    {"sandcastle", "sandcastle", 1.6, 5, 17.1},
    {"excavator", "excavator", 1.2, 5, 32.6},
    {"hourglass", "hourglass-fine", 2, 5, 95.9},
    {"squirrel", "squirrel", 0.25, 1.25, 48.8},
    {0},
};

enum { FRAMES = 300, RUNS = 3 };

// ---- Worlds ------------------------------------------------------------------------------------
static void set_threads(void *user, erg_world_def *def)
{
    def->threads = *(int *)user;
    def->fixed_threads = true;
}

erg_status realtime_build(const char *file, erg_solver solver, int threads, erg_world **world,
                          erg_error *err)
{
    char        path[4096];
    erg_scene  *scene = NULL;
    const char *set = solver == ERG_SOLVER_PBD ? "solver=pbd" : "solver=dem";
    erg_status  status = erg_scene_find(file, path, sizeof path, err);
    if (status == ERG_OK) status = erg_scene_load(path, &set, 1, &scene, err);
    if (status == ERG_OK) status = erg_scene_build(scene, set_threads, &threads, world, err);
    erg_scene_destroy(scene);
    return status;
}

// ---- Measuring ---------------------------------------------------------------------------------
static erg_status measure_pass(const realtime_scene *scene, int threads, int count,
                               bench_frames *frames, erg_world **world, erg_error *err)
{
    erg_world_destroy(*world);
    *world = NULL;
    erg_status status = realtime_build(scene->file, ERG_SOLVER_PBD, threads, world, err);
    if (status == ERG_OK) status = frames_measure(*world, scene->time, count, frames, err);
    if (status == ERG_OK && erg_world_fine_count(*world) == 0)
        status = bench_fail(err, ERG_BAD_INPUT,
                            "scene %s has no fine particles at %g s: give it an `upsample` that "
                            "starts earlier",
                            scene->file, scene->time);
    return status;
}

static erg_status measure_once(const realtime_scene *scene, int threads, int count,
                               bench_frames *frames, erg_world **world, erg_error *err)
{
    int        moving = (int)(60 * scene->moving + 0.5);
    erg_status status = ERG_OK;
    bench_say("realtime: %s on %d thread%s", scene->name, threads, threads > 1 ? "s" : "");
    *frames = (bench_frames){0};
    while (frames->count < count && status == ERG_OK) {
        int left = count - frames->count;
        status = measure_pass(scene, threads, left < moving ? left : moving, frames, world, err);
    }
    return status;
}

// The fastest of several runs, each from the beginning of the scene.
static erg_status measure(const realtime_scene *scene, const bench_options *options, int threads,
                          bench_rows *rows, erg_error *err)
{
    int          count = options->window_given ? (int)(60 * options->window + 0.5) : FRAMES;
    int          runs = options->repeats_given ? options->repeats : RUNS;
    erg_world   *world = NULL;
    erg_status   status = ERG_OK;
    bench_frames best = {0}, frames;
    if (count < 1 || count > FRAMES_MOST)
        return bench_fail(err, ERG_BAD_INPUT, "--window must be from 1/60 to %d s for realtime",
                          FRAMES_MOST / 60);
    for (int run = 0; run < runs && status == ERG_OK; run++) {
        status = measure_once(scene, threads, count, &frames, &world, err);
        if (status == ERG_OK && (run == 0 || frames_median_ms(&frames) < frames_median_ms(&best)))
            best = frames;
    }
    if (status == ERG_OK) status = frames_row(rows, scene->name, world, threads, &best, err);
    if (status == ERG_OK) {
        bench_row *row = &rows->row[rows->count - 1];
        bench_row_number(row, "paper_ms", scene->paper_ms);
        bench_row_number(row, "paper_ratio", scene->paper_ms / frames_median_ms(&best));
        bench_row_count(row, "runs", (uint64_t)runs);
    }
    erg_world_destroy(world);
    return status;
}

// Looks for all scenes first, so that none is missed after minutes.
static erg_status find_scenes(const char *only, erg_error *err)
{
    char       path[4096];
    erg_status status = ERG_OK;
    for (const realtime_scene *s = REALTIME_SCENES; s->name && status == ERG_OK; s++)
        if (!only || strcmp(only, s->name) == 0)
            status = erg_scene_find(s->file, path, sizeof path, err);
    return status;
}

static erg_status measure_scenes(const bench_options *options, bench_rows *rows, erg_error *err)
{
    const char *only = options->realtime_scene;
    erg_status  status = find_scenes(only, err);
    for (const realtime_scene *s = REALTIME_SCENES; s->name; s++)
        for (int k = 0; k < 2 && options->threads[k] && status == ERG_OK; k++)
            if (!only || strcmp(only, s->name) == 0)
                status = measure(s, options, options->threads[k], rows, err);
    return status;
}

erg_status bench_realtime(const bench_options *options, bench_rows *rows, erg_error *err)
{
    if (options->check) return realtime_check(options, rows, err);
    if (options->headroom) return realtime_headroom(options, rows, err);
    return measure_scenes(options, rows, err);
}
