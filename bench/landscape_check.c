// Checks of the landscape bench: heaps, craters and a ball in sand as columns that wake, compared
// with the same sand as grains alone.
#include "landscape.h"

#include "landscape_sand.h"
#include "measure.h"

#include <math.h>
#include <string.h>

#define D SAND_DIAMETER

typedef struct check_run {
    const char          *name;
    const bench_options *options;
    bench_rows          *rows;
    int                  failed;
} check_run;

typedef struct check {
    const char *name;
    erg_status (*run)(check_run *run, erg_error *err);
} check;

static erg_status add(check_run *run, const char *quantity, double measured, double full,
                      double allowed, bool pass, erg_error *err)
{
    bench_row *row = bench_rows_add(run->rows);
    if (!row) return bench_fail(err, ERG_NO_MEMORY, "out of memory");
    bench_row_text(row, "name", run->name);
    bench_row_number(row, "measured", measured);
    bench_row_number(row, "full", full);
    bench_row_number(row, "allowed", allowed);
    bench_row_flag(row, "pass", pass);
    bench_row_text(row, "quantity", quantity);
    bench_say("%-8s %10.4g %10.4g %10.4g  %s  %s", run->name, measured, full, allowed,
              pass ? "pass" : "FAIL", quantity);
    run->failed += !pass;
    return ERG_OK;
}

// ---- Heaps -------------------------------------------------------------------------------------
enum { SEEDS = 3, HEAP = 6000 };
static const double RATE = 4000, REST = 1.5;

static erg_status pour(sand_kind kind, uint64_t seed, sand_profile *p, erg_error *err)
{
    sand_def   def = {.kind = kind, .threads = 1, .seed = seed, .speed = 2};
    erg_world *world = NULL;
    double     begun = bench_cpu_seconds();
    erg_status status = sand_plate(&def, HEAP, RATE, &world, err);
    if (status == ERG_OK) status = erg_world_run(world, HEAP / RATE + REST, NULL, NULL, err);
    if (status == ERG_OK) status = sand_measure(world, 48 * D, p, err);
    bench_say("heap of %d grains, %s, seed %d: %.0f s", HEAP, kind ? "hybrid" : "full", (int)seed,
              bench_cpu_seconds() - begun);
    erg_world_destroy(world);
    return status;
}

// Root mean square distance, by area.
static double distance_of(const sand_profile *a, const sand_profile *b)
{
    double sum = 0, area = 0;
    for (int k = 0; k < a->rings; k++) {
        double ring = 2 * k + 1, high = fmax(a->height[k], b->height[k]);
        if (high < 0.5 * D) continue; // the bare plate
        sum += ring * (a->height[k] - b->height[k]) * (a->height[k] - b->height[k]);
        area += ring;
    }
    return area > 0 ? sqrt(sum / area) : 0;
}

static erg_status check_heap(check_run *run, erg_error *err)
{
    sand_profile full[SEEDS], mean = {0}, hybrid;
    double       between = 0, angle = 0;
    erg_status   status = pour(SAND_HYBRID, 1, &hybrid, err);
    for (int n = 0; n < SEEDS && status == ERG_OK; n++) {
        status = pour(SAND_GRAINS, (uint64_t)n + 1, &full[n], err);
        if (status == ERG_OK) angle += sand_angle(&full[n]) / SEEDS;
    }
    if (status != ERG_OK) return status;
    mean.rings = hybrid.rings;
    for (int k = 0; k < mean.rings; k++)
        for (int n = 0; n < SEEDS; n++) mean.height[k] += full[n].height[k] / SEEDS;
    for (int n = 0; n < SEEDS; n++)
        between = fmax(between, distance_of(&full[n], &full[(n + 1) % SEEDS]));
    double far = distance_of(&hybrid, &mean), turned = sand_angle(&hybrid);
    status = add(run, "distance of the profile from the mean of three, RMS [d]", far / D,
                 between / D, between / D + 1, far <= between + D, err);
    return status == ERG_OK ? add(run, "angle of repose [degrees]", turned, angle, 2,
                                  fabs(turned - angle) <= 2, err)
                            : status;
}

// ---- Balls -------------------------------------------------------------------------------------
typedef struct impact {
    int    width, depth;           // of the tile [d]
    double radius, density, speed; // of the ball [d] [kg/m^3] [m/s]
    double time;                   // [s]
} impact;

typedef struct crater {
    double depth, rim; // [d]
} crater;

static erg_status read_crater(const erg_world *world, erg_id ball, const impact *of, double surface,
                              crater *c, erg_error *err)
{
    erg_body_state state;
    sand_profile   p;
    erg_status     status = erg_world_body_state(world, ball, &state, err);
    if (status == ERG_OK) status = sand_measure(world, (of->width - 2) * D, &p, err);
    if (status != ERG_OK) return status;
    c->depth = (surface - state.centre.z) / D + of->radius;
    c->rim = -HUGE_VAL;
    for (int k = 1; k + 1 < p.rings; k++) // of three rings, since a ring has few grains
        c->rim = fmax(c->rim, (p.height[k - 1] + p.height[k] + p.height[k + 1]) / 3);
    c->rim = (c->rim - surface) / D;
    return ERG_OK;
}

static erg_status strike(check_run *run, sand_kind kind, const impact *of, crater *c,
                         erg_error *err)
{
    sand_def   def = {.kind = kind,
                      .threads = 1,
                      .seed = 1,
                      .speed = of->speed,
                      .width = of->width,
                      .depth = of->depth,
                      .cache = run->options->cache};
    erg_world *world = NULL;
    erg_id     ball = 0;
    double     surface, begun = bench_cpu_seconds();
    erg_status status = sand_bed(&def, &world, &surface, err);
    if (status == ERG_OK)
        status = sand_add_ball(world, surface, of->radius, of->density, of->speed, &ball, err);
    if (status == ERG_OK) status = erg_world_run(world, of->time, NULL, NULL, err);
    if (status == ERG_OK) status = read_crater(world, ball, of, surface, c, err);
    bench_say("%s, %s: %.0f s", run->name, kind ? "hybrid" : "full", bench_cpu_seconds() - begun);
    erg_world_destroy(world);
    return status;
}

static erg_status compare(check_run *run, const impact *of, erg_error *err)
{
    crater     c[2];
    erg_status status = strike(run, SAND_HYBRID, of, &c[SAND_HYBRID], err);
    if (status == ERG_OK) status = strike(run, SAND_GRAINS, of, &c[SAND_GRAINS], err);
    if (status != ERG_OK) return status;
    status = add(run, "penetration [d], allowed 15 %", c[1].depth, c[0].depth, 0.15 * c[0].depth,
                 fabs(c[1].depth - c[0].depth) <= 0.15 * c[0].depth, err);
    return status == ERG_OK
               ? add(run, "height of the rim [d], allowed 15 %", c[1].rim, c[0].rim,
                     0.15 * c[0].rim, fabs(c[1].rim - c[0].rim) <= 0.15 * c[0].rim, err)
               : status;
}

static erg_status check_ball(check_run *run, erg_error *err)
{
    const impact of = {
        .width = 16, .depth = 16, .radius = 4, .density = 2500, .speed = 2, .time = 0.6};
    return compare(run, &of, err);
}

static erg_status check_crater(check_run *run, erg_error *err)
{
    const impact of = {
        .width = 20, .depth = 16, .radius = 4, .density = 2500, .speed = 3, .time = 0.5};
    return compare(run, &of, err);
}

// ------------------------------------------------------------------------------------------------
static const check CHECKS[] = {
    {"heap", check_heap}, {"ball", check_ball}, {"crater", check_crater}, {0}};

const char *landscape_check_name(int k)
{
    return CHECKS[k].name;
}

static bool is_wanted(const bench_options *options, const char *name)
{
    bool named = false;
    for (int k = 0; k < options->check_count; k++) {
        if (strcmp(options->checks[k], name) == 0) return true;
        named |= strcmp(options->checks[k], "landscape") != 0;
    }
    return !named;
}

erg_status landscape_check(const bench_options *options, bench_rows *rows, erg_error *err)
{
    check_run  run = {.options = options, .rows = rows};
    erg_status status = ERG_OK;
    for (const check *c = CHECKS; c->name && status == ERG_OK; c++) {
        if (!is_wanted(options, c->name)) continue;
        run.name = c->name;
        status = c->run(&run, err);
    }
    if (status == ERG_OK && run.failed)
        status = bench_fail(err, ERG_BAD_PHYSICS, "%d of %zu values are not within their bounds",
                            run.failed, rows->count);
    return status;
}
