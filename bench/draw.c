// The bench `draw`: the cost of drawing a heap at both qualities, with and without culling of
// hidden spheres.
#include "bench.h"
#include "erg/erg.h"
#include "matter.h"
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 1280, HEIGHT = 720, MILLION = 1000000 };

// A heap of spheres of 1 mm radius with a slope of 30 degrees and a volume fraction of 0.55: a
// cubic lattice with random displacements, dense enough to hide its inside and full of gaps.
typedef struct heap {
    double  *position, *radius;
    erg_gid *grain;
    size_t   count;
} heap;

static void heap_free(heap *h)
{
    free(h->position);
    free(h->radius);
    free(h->grain);
}

static erg_status make_heap(heap *h, size_t count, erg_error *err)
{
    const double r = 1e-3, slope = 0.57735, step = 2 * r * cbrt(0.5236 / 0.55);
    h->position = malloc(3 * count * sizeof *h->position);
    h->radius = malloc(count * sizeof *h->radius);
    h->grain = malloc(count * sizeof *h->grain);
    if (!h->position || !h->radius || !h->grain)
        return bench_fail(err, ERG_NO_MEMORY, "out of memory for %zu spheres", count);
    double   base = cbrt(3 * (double)count / (3.14159265 * slope)); // radius in lattice steps
    uint64_t state = 1;
    long     reach = lround(ceil(base)) + 1;
    h->count = 0;
    for (long z = 0; h->count < count; z++)
        for (long y = -reach; y <= reach; y++)
            for (long x = -reach; x <= reach && h->count < count; x++) {
                double edge = base - (double)z / slope;
                if (z > 0 && edge < 0 && x == reach && y == reach) edge = base; // last layer
                if (hypot((double)x, (double)y) > edge) continue;
                double *p = h->position + 3 * h->count;
                p[0] = step * ((double)x + 0.15 * matter_shake(&state));
                p[1] = step * ((double)y + 0.15 * matter_shake(&state));
                p[2] = r + step * ((double)z + 0.15 * (matter_shake(&state) + 1));
                h->radius[h->count] = r;
                h->grain[h->count] = h->count + 1;
                h->count++;
            }
    return ERG_OK;
}

static erg_status make_world(int threads, erg_world **world, erg_error *err)
{
    erg_world_def    def = erg_world_def_default();
    erg_material_def sand = erg_material_def_default();
    erg_wall_def     floor = erg_wall_def_default(ERG_WALL_PLANE);
    def.threads = threads;
    def.fixed_threads = true;
    erg_status status = erg_world_create(&def, world, err);
    if (status == ERG_OK) status = erg_world_add_material(*world, &sand, &floor.material, err);
    if (status == ERG_OK) status = erg_world_add_wall(*world, &floor, NULL, err);
    return status;
}

// The larger of the numbers of threads, which by default is that of the machine.
static int threads_of(const bench_options *options)
{
    return options->threads[1] ? options->threads[1] : options->threads[0];
}

static erg_status measure(const bench_options *options, erg_canvas *canvas,
                          const erg_picture *picture, bool fine, bool cull, double take_s,
                          bench_rows *rows, erg_error *err)
{
    double          draw[BENCH_MAX_REPEATS], hide[BENCH_MAX_REPEATS], cpu = 0;
    erg_draw_report report = {0};
    for (int i = -1; i < options->repeats; i++) { // the first is a warm-up and not counted
        erg_status status = erg_canvas_draw(canvas, picture, err);
        if (status != ERG_OK) return status;
        report = erg_canvas_report(canvas);
        if (i < 0) {
            cpu = bench_cpu_seconds();
            continue;
        }
        draw[i] = report.draw_s;
        hide[i] = report.cull_s;
    }
    cpu = (bench_cpu_seconds() - cpu) / options->repeats;
    bench_row *row = bench_rows_add(rows);
    if (!row) return bench_fail(err, ERG_NO_MEMORY, "out of memory");
    bench_row_text(row, "name", "draw");
    bench_row_count(row, "n", report.spheres);
    bench_row_count(row, "threads", (uint64_t)threads_of(options)); // for culling
    bench_row_text(row, "quality", fine ? "fine" : "fast");
    bench_row_flag(row, "culling", cull);
    bench_row_number(row, "draw_s", bench_median(draw, options->repeats));
    bench_row_number(row, "best_draw_s", bench_least(draw, options->repeats));
    bench_row_number(row, "cull_s", bench_median(hide, options->repeats));
    bench_row_number(row, "best_cull_s", bench_least(hide, options->repeats));
    bench_row_number(row, "take_s", take_s);
    bench_row_number(row, "cpu_s", cpu); // of drawing and culling, all threads
    bench_row_count(row, "drawn", report.drawn);
    bench_row_count(row, "shading", report.shading);
    bench_row_count(row, "width", WIDTH);
    bench_row_count(row, "height", HEIGHT);
    bench_row_count(row, "repeats", (uint64_t)options->repeats);
    bench_row_text(row, "device", erg_canvas_device(canvas));
    return ERG_OK;
}

static erg_status measure_all(const bench_options *options, const heap *h, const erg_world *world,
                              erg_canvas *canvas, erg_picture *picture, bench_rows *rows,
                              erg_error *err)
{
    erg_moment moment = {
        .grains = h->count,
        .spheres = {
            .count = h->count, .position = h->position, .radius = h->radius, .grain = h->grain}};
    erg_status status = ERG_OK;
    for (int fine = 0; fine < 2; fine++)
        for (int cull = 1; cull >= 0 && status == ERG_OK; cull--) {
            erg_look look = erg_look_default();
            look.quality = fine ? ERG_QUALITY_FINE : ERG_QUALITY_FAST;
            look.cull = cull;
            bench_say("draw: %zu spheres, %s, %s culling", h->count, fine ? "fine" : "fast",
                      cull ? "with" : "without");
            double start = bench_wall_seconds();
            status = erg_picture_take(picture, &look, world, &moment, err);
            double take_s = bench_wall_seconds() - start;
            if (status == ERG_OK)
                status = measure(options, canvas, picture, fine, cull, take_s, rows, err);
        }
    return status;
}

erg_status bench_draw(const bench_options *options, bench_rows *rows, erg_error *err)
{
    heap         h = {0};
    erg_world   *world = NULL;
    erg_canvas  *canvas = NULL;
    erg_picture *picture = NULL;
    erg_status   status = erg_canvas_create(WIDTH, HEIGHT, &canvas, err);
    if (status == ERG_OK) status = erg_picture_create(&picture, err);
    if (status == ERG_OK) status = make_world(threads_of(options), &world, err);
    if (status == ERG_OK)
        status = make_heap(&h, options->count_given ? options->count : MILLION, err);
    if (status == ERG_OK) status = measure_all(options, &h, world, canvas, picture, rows, err);
    heap_free(&h);
    erg_picture_destroy(picture);
    erg_canvas_destroy(canvas);
    erg_world_destroy(world);
    return status;
}
