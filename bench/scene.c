#include "scene.h"

#include "record.h"
#include "turns.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Increase it if scenes are made differently, so that cached states are not used.
enum { VERSION = 7 };

// Threads for settling: with several, a small scene would spend more time in synchronisation than
// in work.
static int settling_threads(size_t grains)
{
    return grains < 10000 ? 1 : 0;
}

// False if the state cannot be read, e.g. written by another build of erg: it is made again.
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
        bench_say("this state could not be cached: %s", ignored.text);
    return status;
}

// Rebuilds neighbour lists, so that measured memory includes what building needs: lists read from a
// file did not need it. Writing positions invalidates them and the next step rebuilds them; a bed
// at rest then steps until the memory has been freed.
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

    // Make a missing state on all processors, then read it on the requested threads, so that all
    // rows start alike.
    erg_world *made = NULL;
    status = make_and_keep(scene, grains, cache, path, settling_threads(grains), &made, err);
    erg_world_destroy(made);
    erg_world_destroy(*world);
    *world = NULL;
    if (status == ERG_OK) status = scene->define(grains, threads, world, err);
    if (status != ERG_OK || load(*world, path)) return status;
    bench_say("preparing the state again with the number of threads to be measured");
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

erg_status scene_measure(const bench_scene *scene, const bench_options *options, bench_rows *rows,
                         erg_error *err)
{
    size_t     grains = scene->grains(options->count), from = rows->count;
    entrant    e[2] = {{.grains = grains, .threads = options->threads[0]},
                       {.grains = grains, .threads = options->threads[1]}};
    int        entrants = e[1].threads ? 2 : 1;
    erg_status status = turns_measure(scene, options, e, entrants, rows, err);
    if (status == ERG_OK && entrants == 2)
        bench_row_number(&rows->row[from + 1], "over_one_thread", turns_over(&e[0], &e[1]));
    return status;
}
