// The bench `quiet`: the pack long after it came to rest, when any time spent on neighbour lists
// and sorting is wasted.
#include "record.h"
#include "scene.h"

enum { LATER = 3000 }; // steps before measuring

static erg_status measure(size_t grains, const bench_options *options, int threads,
                          bench_rows *rows, erg_error *err)
{
    erg_world  *world = NULL;
    erg_stats   before;
    bench_times times;
    bench_say("quiet: %zu grains on %d thread%s", grains, threads, threads > 1 ? "s" : "");
    erg_status status = scene_open(&SCENE_PACK, grains, options->cache, threads, &world, err);
    if (status == ERG_OK) status = erg_world_step(world, LATER, err);
    if (status == ERG_OK)
        status = bench_measure(world, options->window, options->repeats, &times, &before, err);
    if (status == ERG_OK) status = record_row(rows, "quiet", world, threads, &times, &before, err);
    if (status == ERG_OK) {
        bench_row *row = &rows->row[rows->count - 1];
        double     steps = (double)times.steps * (double)times.count;
        erg_stats  after;
        status = erg_world_stats(world, &after, err);
        if (status == ERG_OK)
            bench_row_number(row, "rebuilds_per_1000_steps",
                             1000 * (double)(after.rebuilds - before.rebuilds) / steps);
        record_settled(row, world);
    }
    erg_world_destroy(world);
    return status;
}

erg_status bench_quiet(const bench_options *options, bench_rows *rows, erg_error *err)
{
    erg_status status = ERG_OK;
    size_t     grains = SCENE_PACK.grains(options->count);
    for (int k = 0; k < 2 && options->threads[k] && status == ERG_OK; k++)
        status = measure(grains, options, options->threads[k], rows, err);
    return status;
}
