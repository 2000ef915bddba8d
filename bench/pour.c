// The bench `pour`: grains rain into an empty box until it holds N. The speed is that of the whole
// run, including frequent rebuilds of neighbour lists and growth of arrays.
#include "matter.h"
#include "record.h"
#include "settle.h"

#include "bench.h"

#include <math.h>

static const double POURING = 0.15;            // [s]
static const double SPEED = 1.2;               // of the grains as they enter [m/s]
static const double DEEP = 40 * MATTER_RADIUS; // depth of the bed when all grains are in [m]
static const double FILLED = 0.55;             // volume fraction of the bed
enum { COUNT_STEPS = 50 };                     // steps between two counts of the spheres

static double side(size_t count)
{
    double one = 4.0 / 3 * 3.14159265358979 * MATTER_RADIUS * MATTER_RADIUS * MATTER_RADIUS;
    return fmax(10 * MATTER_RADIUS, sqrt((double)count * one / FILLED / DEEP));
}

static erg_status define(size_t count, int threads, erg_world **world, erg_error *err)
{
    double          a = side(count), r = MATTER_RADIUS;
    erg_world_def   def = matter_world(threads);
    erg_emitter_def rain = erg_emitter_def_default();
    erg_id          material;
    def.speed = 2 * SPEED;
    rain.region.shape = ERG_REGION_BOX;
    rain.region.a = (erg_vec3){r, r, 1.5 * DEEP};
    rain.region.b = (erg_vec3){a - r, a - r, 2.5 * DEEP};
    rain.rate = (double)count / POURING;
    rain.velocity = (erg_vec3){0, 0, -SPEED};
    rain.limit = count;
    erg_status status = erg_world_create(&def, world, err);
    if (status == ERG_OK)
        status = matter_define(*world, ERG_SHAPE_SPHERE, &material, &rain.grain, err);
    if (status == ERG_OK)
        status = matter_add_box(*world, material, (erg_vec3){0, 0, 0}, (erg_vec3){a, a, 0}, err);
    if (status == ERG_OK) status = erg_world_add_emitter(*world, &rain, NULL, err);
    return status;
}

// The whole run as one window. Its work is counted in particle-steps and reported as the equivalent
// number of steps with the final number of spheres.
static erg_status measure(const bench_options *options, int threads, bench_rows *rows,
                          erg_error *err)
{
    erg_world  *world = NULL;
    erg_stats   before;
    uint64_t    steps = (uint64_t)lround(POURING / MATTER_DT);
    double      work = 0;
    bench_times all = {.steps = COUNT_STEPS, .count = 1}, part;
    bench_say("pour: %zu grains on %d thread%s", options->count, threads, threads > 1 ? "s" : "");
    erg_status status = define(options->count, threads, &world, err);
    if (status == ERG_OK) status = erg_world_stats(world, &before, err);
    for (uint64_t k = 0; k < steps && status == ERG_OK; k += COUNT_STEPS) {
        part = (bench_times){.steps = COUNT_STEPS};
        status = bench_window(world, &part, err);
        all.wall[0] += part.wall[0];
        all.cpu[0] += part.cpu[0];
        work += (double)COUNT_STEPS * (double)erg_world_sphere_count(world);
    }
    if (status == ERG_OK) {
        double mean = work / (double)erg_world_sphere_count(world);
        all.steps = (uint64_t)lround(mean);
        status = record_row(rows, "pour", world, threads, &all, &before, err);
    }
    if (status == ERG_OK) bench_row_count(&rows->row[rows->count - 1], "steps_taken", steps);
    erg_world_destroy(world);
    return status;
}

erg_status bench_pour(const bench_options *options, bench_rows *rows, erg_error *err)
{
    erg_status status = ERG_OK;
    for (int k = 0; k < 2 && options->threads[k] && status == ERG_OK; k++)
        status = measure(options, options->threads[k], rows, err);
    return status;
}
