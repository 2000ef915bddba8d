#include "scene.h"

#include "record.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// To raise when scenes are made in another way, so that old states are not used.
enum { VERSION = 7 };

// Threads to settle on: a small scene spends more time waiting for the others than working.
static int settling_threads(size_t grains)
{
    return grains < 10000 ? 1 : 0;
}

// A state that another build of erg stored in a form of its own is made again.
static bool load(erg_world *world, const char *path)
{
    erg_error ignored;
    return access(path, R_OK) == 0 && erg_world_load(world, path, &ignored) == ERG_OK;
}

static erg_status make_and_keep(const bench_scene *scene, size_t grains, const char *cache,
                                const char *path, int threads, erg_world **world, erg_error *err)
{
    erg_error  ignored;
    erg_status status = scene->define(grains, threads, world, err);
    if (status == ERG_OK) status = scene->make(grains, cache, *world, err);
    if (status == ERG_OK && erg_world_save(*world, path, NULL, NULL, &ignored) != ERG_OK)
        bench_say("this state is not kept for the next time: %s", ignored.text);
    return status;
}

// Lists that were read took no memory to make. Who writes positions voids them, and the next step
// makes new ones; a bed at rest then steps until it has given back what that took.
static erg_status make_own_lists(const bench_scene *scene, erg_world *world, erg_error *err)
{
    size_t    grains = erg_world_grain_count(world);
    erg_vec3 *position = malloc(grains * sizeof *position);
    if (!position) return bench_fail(err, ERG_NO_MEMORY, "out of memory");
    erg_status status = erg_world_read(world, ERG_FIELD_POSITION, NULL, grains, position, err);
    if (status == ERG_OK)
        status = erg_world_write(world, ERG_FIELD_POSITION, NULL, grains, position, err);
    free(position);
    return status == ERG_OK ? erg_world_step(world, scene->at_rest ? 250 : 1, err) : status;
}

static erg_status load_or_make(const bench_scene *scene, size_t grains, const char *cache,
                               int threads, erg_world **world, erg_error *err)
{
    char path[4300];
    snprintf(path, sizeof path, "%s/%s-%zu-v%d.h5", cache, scene->name, grains, VERSION);
    *world = NULL;
    erg_status status = scene->define(grains, threads, world, err);
    if (status != ERG_OK || load(*world, path)) return status;

    // What is not there is made on all processors, then read on the threads asked for, so that all
    // rows begin alike.
    erg_world *made = NULL;
    status = make_and_keep(scene, grains, cache, path, settling_threads(grains), &made, err);
    erg_world_destroy(made);
    erg_world_destroy(*world);
    *world = NULL;
    if (status == ERG_OK) status = scene->define(grains, threads, world, err);
    if (status != ERG_OK || load(*world, path)) return status;
    bench_say("making it once more, on the threads that are measured");
    return scene->make(grains, cache, *world, err);
}

erg_status scene_open(const bench_scene *scene, size_t grains, const char *cache, int threads,
                      erg_world **world, erg_error *err)
{
    erg_status status = load_or_make(scene, grains, cache, threads, world, err);
    return status == ERG_OK ? make_own_lists(scene, *world, err) : status;
}

erg_status scene_row(const bench_scene *scene, size_t grains, const erg_world *world, int threads,
                     const bench_times *times, const erg_stats *before, bench_rows *rows,
                     erg_error *err)
{
    erg_status status = record_row(rows, scene->name, world, threads, times, before, err);
    if (status != ERG_OK) return status;
    bench_row *row = &rows->row[rows->count - 1];
    if (scene->volume_fractions) {
        double inner, whole;
        status = scene->volume_fractions(grains, world, &inner, &whole, err);
        if (status == ERG_OK) bench_row_number(row, "volume_fraction", inner);
        if (status == ERG_OK) bench_row_number(row, "whole_volume_fraction", whole);
    }
    if (scene->at_rest) record_settled(row, world);
    return status;
}

// ---- Rows of a scene ---------------------------------------------------------------------------
// The scene on one number of threads.
typedef struct entrant {
    int         threads;
    erg_world  *world;
    erg_stats   before;
    bench_times times;
} entrant;

static erg_status enter(const bench_scene *scene, size_t grains, const bench_options *options,
                        entrant *e, erg_error *err)
{
    bench_say("%s: %zu grains on %d thread%s", scene->name, grains, e->threads,
              e->threads > 1 ? "s" : "");
    erg_status status = scene_open(scene, grains, options->cache, e->threads, &e->world, err);
    if (status == ERG_OK) status = bench_windows(e->world, options->window, &e->times, err);
    if (status == ERG_OK) status = erg_world_stats(e->world, &e->before, err);
    return status;
}

// Median over the turns of the speed of one over that of the other.
static double speed_over(const entrant *e, const entrant *other)
{
    double ratio[BENCH_MAX_REPEATS], steps = (double)e->times.steps / (double)other->times.steps;
    for (int k = 0; k < e->times.count; k++)
        ratio[k] = steps * other->times.wall[k] / e->times.wall[k];
    return bench_median(ratio, e->times.count);
}

// By turns, so that what else the machine does meets all alike.
static erg_status take_turns(entrant *e, int entrants, int repeats, erg_error *err)
{
    erg_status status = ERG_OK;
    for (int turn = 0; turn < repeats; turn++)
        for (int k = 0; k < entrants && status == ERG_OK; k++)
            status = bench_window(e[k].world, &e[k].times, err);
    return status;
}

erg_status scene_measure(const bench_scene *scene, const bench_options *options, bench_rows *rows,
                         erg_error *err)
{
    erg_status status = ERG_OK;
    size_t     grains = scene->grains(options->count);
    entrant    e[2] = {{.threads = options->threads[0]}, {.threads = options->threads[1]}};
    int        entrants = e[0].threads && e[1].threads ? 2 : 1;
    for (int k = 0; k < entrants && status == ERG_OK; k++)
        status = enter(scene, grains, options, &e[k], err);
    if (status == ERG_OK) status = take_turns(e, entrants, options->repeats, err);
    for (int k = 0; k < entrants && status == ERG_OK; k++) {
        status = scene_row(scene, grains, e[k].world, e[k].threads, &e[k].times, &e[k].before, rows,
                           err);
        if (status == ERG_OK && k > 0)
            bench_row_number(&rows->row[rows->count - 1], "over_one_thread",
                             speed_over(&e[k], &e[0]));
    }
    for (int k = 0; k < entrants; k++) erg_world_destroy(e[k].world);
    return status;
}
