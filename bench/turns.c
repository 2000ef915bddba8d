#include "turns.h"

static erg_status enter(const bench_scene *scene, const bench_options *options, entrant *e,
                        erg_error *err)
{
    bench_say("%s: %zu grains on %d thread%s", scene->name, e->grains, e->threads,
              e->threads > 1 ? "s" : "");
    erg_status status = scene_open(scene, e->grains, options->cache, e->threads, &e->world, err);
    if (status == ERG_OK) status = bench_windows(e->world, options->window, &e->times, err);
    if (status == ERG_OK) status = erg_world_stats(e->world, &e->before, err);
    return status;
}

static erg_status take_turns(entrant *e, int entrants, int repeats, erg_error *err)
{
    erg_status status = ERG_OK;
    for (int turn = 0; turn < repeats; turn++)
        for (int k = 0; k < entrants && status == ERG_OK; k++)
            status = bench_window(e[k].world, &e[k].times, err);
    return status;
}

erg_status turns_measure(const bench_scene *scene, const bench_options *options, entrant *e,
                         int entrants, bench_rows *rows, erg_error *err)
{
    erg_status status = ERG_OK;
    for (int k = 0; k < entrants && status == ERG_OK; k++)
        status = enter(scene, options, &e[k], err);
    if (status == ERG_OK) status = take_turns(e, entrants, options->repeats, err);
    for (int k = 0; k < entrants && status == ERG_OK; k++)
        status = scene_row(scene, e[k].grains, e[k].world, e[k].threads, &e[k].times, &e[k].before,
                           rows, err);
    for (int k = 0; k < entrants; k++) {
        erg_world_destroy(e[k].world);
        e[k].world = NULL;
    }
    return status;
}

double turns_over(const entrant *e, const entrant *other)
{
    double over[BENCH_MAX_REPEATS], steps = (double)other->times.steps / (double)e->times.steps;
    for (int k = 0; k < e->times.count; k++)
        over[k] = steps * e->times.wall[k] / other->times.wall[k];
    return bench_median(over, e->times.count);
}
