// How the time of a frame grows with the number of grains (lr) and of fine particles (hr), and the
// largest numbers that meet 60 Hz. A bed 12 diameters deep is stirred by plates; there is a plate
// for every so many grains, so that beds of all sizes move alike.
//
//      |    ||        ||        ||    |      || plates that swing sideways, half-way into the bed
//      |o o o||o o o o||o o o o ||o o |
//      |o_o_o_o_o_o_o_o_o_o_o_o_o_o_o_|
#include "frames.h"
#include "realtime.h"

#include "erg/upsample.h"

#include <math.h>
#include <stdio.h>

static const double DIAMETER = 0.02; // of a grain [m]
static const double DEPTH = 12;      // of the bed [diameters]
static const double FILLED = 0.6;    // volume fraction of the bed
static const double SPACING = 27;    // of the plates [diameters]
static const double SPEED = 0.2;     // largest, of the plates [m/s]
static const double STIR = 0.5;      // when the plates begin to move and fine particles exist [s]
static const double READY = 1;       // when the frames begin [s]
static const double LR_OF_HR = 0.01; // grains of the hr rows over those of the largest lr row
static const double HR_OVER_LR = 10; // largest hr row over the largest lr row
enum { FRAMES = 60, MOST = 1000000, ROWS = 7, TRIES = 3 };

typedef struct bed {
    size_t lr, hr;
    int    threads, frames;
} bed;

// One series of rows.
typedef struct series {
    bool   fine; // hr grows, not lr
    size_t most; // largest lr row
    int    threads, frames;
} series;

// ---- Worlds ------------------------------------------------------------------------------------
static double side_of(size_t grains)
{
    double volume = (double)grains * 0.5236 / FILLED;
    return DIAMETER * fmax(6, sqrt(volume / DEPTH));
}

static erg_status add_plate(erg_world *world, erg_id material, double side, int plates, int k,
                            erg_error *err)
{
    double          gap = side / plates, swing = 0.2 * gap, d = DIAMETER;
    erg_wall_def    plate = erg_wall_def_default(ERG_WALL_BOX);
    erg_motion_def *motion = &plate.motion[0];
    plate.material = material;
    plate.side = ERG_SIDE_OUTSIDE;
    plate.box.min = (erg_vec3){(k + 0.5) * gap - d / 2, 1.5 * d, 0.5 * DEPTH * d};
    plate.box.max = (erg_vec3){(k + 0.5) * gap + d / 2, side - 1.5 * d, 1.5 * DEPTH * d};
    plate.motion_count = 1;
    *motion = erg_motion_def_default(ERG_MOTION_OSCILLATION);
    motion->amplitude.x = swing;
    motion->frequency = SPEED / (2 * 3.14159265358979 * swing);
    motion->start = STIR;
    return erg_world_add_wall(world, &plate, NULL, err);
}

static erg_status add_walls(erg_world *world, erg_id material, double side, erg_error *err)
{
    erg_wall_def box = erg_wall_def_default(ERG_WALL_BOX);
    int          plates = (int)fmax(1, floor(side / (SPACING * DIAMETER)));
    box.material = material;
    box.box.max = (erg_vec3){side, side, 4 * DEPTH * DIAMETER};
    box.box.open = ERG_FACE_Z_MAX;
    erg_status status = erg_world_add_wall(world, &box, NULL, err);
    for (int k = 0; k < plates && status == ERG_OK; k++)
        status = add_plate(world, material, side, plates, k, err);
    return status;
}

static erg_status add_grains(erg_world *world, const bed *b, erg_id material, double side,
                             erg_error *err)
{
    erg_grain_def grain = erg_grain_def_default();
    erg_fill_def  fill = erg_fill_def_default();
    grain.material = material;
    grain.sizes =
        (erg_sizes){.law = ERG_SIZE_UNIFORM, .min = 0.45 * DIAMETER, .max = 0.5 * DIAMETER};
    fill.count = b->lr;
    fill.region = (erg_region){.shape = ERG_REGION_BOX, .b = {side, side, 4 * DEPTH * DIAMETER}};
    erg_status status = erg_world_add_grain_kind(world, &grain, &fill.grain, err);
    return status == ERG_OK ? erg_world_fill(world, &fill, NULL, err) : status;
}

static erg_status add_fine(erg_world *world, const bed *b, erg_error *err)
{
    erg_upsample_def fine = erg_upsample_def_default();
    fine.count = b->hr;
    fine.ratio = fmin(1, fmax(0.1, cbrt((double)b->lr / (double)b->hr)));
    fine.start = STIR;
    return erg_world_set_upsample(world, &fine, err);
}

static erg_status build(const bed *b, erg_world **world, erg_error *err)
{
    erg_world_def    def = erg_world_def_default();
    erg_material_def sand = erg_material_def_default();
    erg_id           material;
    double           side = side_of(b->lr);
    def.solver = ERG_SOLVER_PBD;
    def.threads = b->threads;
    def.fixed_threads = true;
    erg_status status = erg_world_create(&def, world, err);
    if (status == ERG_OK) status = erg_world_add_material(*world, &sand, &material, err);
    if (status == ERG_OK) status = add_walls(*world, material, side, err);
    if (status == ERG_OK) status = add_grains(*world, b, material, side, err);
    if (status == ERG_OK && b->hr) status = add_fine(*world, b, err);
    return status;
}

// ---- Measuring ---------------------------------------------------------------------------------
static erg_status measure(const bed *b, const char *name, bench_rows *rows, double *ms,
                          erg_error *err)
{
    erg_world   *world = NULL;
    bench_frames frames = {0};
    bench_say("realtime: %s on %d thread%s", name, b->threads, b->threads > 1 ? "s" : "");
    erg_status status = build(b, &world, err);
    if (status == ERG_OK) status = frames_measure(world, READY, b->frames, &frames, err);
    if (status == ERG_OK) status = frames_row(rows, name, world, b->threads, &frames, err);
    if (status == ERG_OK) {
        bench_row    *row = &rows->row[rows->count - 1];
        const double *part = b->hr ? frames.fine : frames.wall;
        double        all = 0;
        for (int k = 0; k < frames.count; k++) all += part[k];
        bench_row_number(row, "ns_per_particle_and_frame",
                         1e9 * all / frames.count / (double)(b->hr ? b->hr : b->lr));
        *ms = frames_median_ms(&frames);
    }
    erg_world_destroy(world);
    return status;
}

static erg_status measure_size(const series *s, size_t size, const char *suffix, bench_rows *rows,
                               double *ms, erg_error *err)
{
    size_t lr = (size_t)(LR_OF_HR * (double)s->most);
    bed    b = {s->fine ? lr : size, s->fine ? size : 0, s->threads, s->frames};
    char   name[64];
    snprintf(name, sizeof name, "%s-%zu%s", s->fine ? "hr" : "lr", size, suffix);
    return measure(&b, name, rows, ms, err);
}

// Approaches the largest size that meets 60 Hz from the sizes just below and above the limit; time
// grows about linearly.
static erg_status find_largest(const series *s, double size, double slope, double ms,
                               bench_rows *rows, erg_error *err)
{
    erg_status status = ERG_OK;
    for (int k = 0; k < TRIES && status == ERG_OK; k++) {
        double before = ms;
        size += (0.98 * FRAMES_BUDGET_MS - before) / slope;
        if (size < 100) break;
        status = measure_size(s, (size_t)size, "-at-60-hz", rows, &ms, err);
        if (status == ERG_OK && ms <= FRAMES_BUDGET_MS && ms > 0.9 * FRAMES_BUDGET_MS) break;
    }
    return status;
}

static erg_status grow(const series *s, bench_rows *rows, erg_error *err)
{
    double     ms[ROWS], size[ROWS];
    double     most = s->fine ? HR_OVER_LR * (double)s->most : (double)s->most;
    int        first = s->fine ? -4 : -6, fits = -1; // in half decades below the largest
    erg_status status = ERG_OK;
    for (int k = first; k <= 0 && status == ERG_OK; k++) {
        int i = k - first;
        size[i] = most * pow(10, k / 2) * (k % 2 ? 0.3 : 1);
        status = measure_size(s, (size_t)(size[i] + 0.5), "", rows, &ms[i], err);
        if (status == ERG_OK && ms[i] <= FRAMES_BUDGET_MS) fits = i;
    }
    if (status != ERG_OK || fits < 0 || fits == -first) return status;
    double slope = (ms[fits + 1] - ms[fits]) / (size[fits + 1] - size[fits]);
    return find_largest(s, size[fits], slope, ms[fits], rows, err);
}

// On the larger number of threads only: these rows take long.
erg_status realtime_headroom(const bench_options *options, bench_rows *rows, erg_error *err)
{
    series s = {.most = options->count_given ? options->count : MOST,
                .threads = options->threads[options->threads[1] ? 1 : 0],
                .frames = FRAMES};
    if (options->window_given) s.frames = (int)(60 * options->window + 0.5);
    if (s.frames < 1 || s.frames > FRAMES_MOST)
        return bench_fail(err, ERG_BAD_INPUT, "--window must be from 1/60 to %d s for realtime",
                          FRAMES_MOST / 60);
    erg_status status = grow(&s, rows, err);
    s.fine = true;
    return status == ERG_OK ? grow(&s, rows, err) : status;
}
