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
// Where a ball strikes a single bed, grains that happen to lie there change the depth by 5 % or so
// and the rim by a third: both are means over beds of several seeds, --repeats of them.
enum { BEDS = 6 };

typedef struct impact {
    int    width, depth;           // of the tile [d]
    double radius, density, speed; // of the ball [d] [kg/m^3] [m/s]
    double time;                   // [s]
} impact;

typedef struct crater {
    double depth;            // [d]
    double rise[SAND_RINGS]; // of the surface, in rings [d]
    int    rings;
} crater;

static int beds_of(const bench_options *options)
{
    return options->repeats_given ? options->repeats : BEDS;
}

static erg_status add_crater(const erg_world *world, erg_id ball, const impact *of, double surface,
                             const sand_profile *before, int beds, crater *c, erg_error *err)
{
    erg_body_state state;
    sand_profile   p;
    erg_status     status = erg_world_body_state(world, ball, &state, err);
    if (status == ERG_OK) status = sand_measure(world, (of->width - 2) * D, &p, err);
    if (status != ERG_OK) return status;
    c->depth += ((surface - state.centre.z) / D + of->radius) / beds;
    c->rings = p.rings;
    for (int k = 0; k < p.rings; k++) c->rise[k] += (p.height[k] - before->height[k]) / D / beds;
    return ERG_OK;
}

static double rim_height(const crater *c)
{
    double most = -HUGE_VAL;
    for (int k = 1; k + 1 < c->rings; k++) // of three rings, since a ring has few grains
        most = fmax(most, (c->rise[k - 1] + c->rise[k] + c->rise[k + 1]) / 3);
    return most;
}

static double rim_volume(const crater *c) // [d^3]
{
    double sum = 0;
    for (int k = 0; k < c->rings; k++) sum += 3.14159265358979 * (2 * k + 1) * fmax(c->rise[k], 0);
    return sum;
}

static erg_status strike(check_run *run, sand_kind kind, uint64_t seed, const impact *of, crater *c,
                         erg_error *err)
{
    sand_def     def = {.kind = kind,
                        .threads = 1,
                        .seed = seed,
                        .speed = of->speed,
                        .width = of->width,
                        .depth = of->depth,
                        .cache = run->options->cache};
    erg_world   *world = NULL;
    erg_id       ball = 0;
    sand_profile before;
    double       surface, begun = bench_cpu_seconds();
    erg_status   status = sand_bed(&def, &world, &surface, err);
    if (status == ERG_OK)
        status = sand_add_ball(world, surface, of->radius, of->density, of->speed, &ball, err);
    if (status == ERG_OK) status = sand_measure(world, (of->width - 2) * D, &before, err);
    if (status == ERG_OK) status = erg_world_run(world, of->time, NULL, NULL, err);
    if (status == ERG_OK)
        status = add_crater(world, ball, of, surface, &before, beds_of(run->options), c, err);
    bench_say("%s, %s, seed %d: %.0f s", run->name, kind ? "hybrid" : "full", (int)seed,
              bench_cpu_seconds() - begun);
    erg_world_destroy(world);
    return status;
}

static erg_status compare(check_run *run, const impact *of, erg_error *err)
{
    crater     c[2] = {0};
    erg_status status = ERG_OK;
    int        beds = beds_of(run->options);
    for (uint64_t seed = 1; seed <= (uint64_t)beds && status == ERG_OK; seed++) {
        status = strike(run, SAND_HYBRID, seed, of, &c[SAND_HYBRID], err);
        if (status == ERG_OK) status = strike(run, SAND_GRAINS, seed, of, &c[SAND_GRAINS], err);
    }
    if (status != ERG_OK) return status;
    double rim[2] = {rim_height(&c[0]), rim_height(&c[1])};
    bench_say("%s: means of %d beds; volume above the old surface: hybrid %.0f d^3, full %.0f d^3",
              run->name, beds, rim_volume(&c[1]), rim_volume(&c[0]));
    for (int k = 0; k < c[0].rings; k++)
        bench_say("%s: ring at %4.1f d rose by %6.2f d, full %6.2f d", run->name, k + 0.5,
                  c[1].rise[k], c[0].rise[k]);
    status = add(run, "penetration, mean of all beds [d], allowed 15 %", c[1].depth, c[0].depth,
                 0.15 * c[0].depth, fabs(c[1].depth - c[0].depth) <= 0.15 * c[0].depth, err);
    return status == ERG_OK
               ? add(run, "height of the rim, mean of all beds and three rings [d], allowed 15 %",
                     rim[1], rim[0], 0.15 * rim[0], fabs(rim[1] - rim[0]) <= 0.15 * rim[0], err)
               : status;
}

static erg_status check_ball(check_run *run, erg_error *err)
{
    const impact of = {
        .width = 24, .depth = 20, .radius = 5, .density = 2500, .speed = 4, .time = 0.3};
    return compare(run, &of, err);
}

static erg_status check_crater(check_run *run, erg_error *err)
{
    const impact of = {
        .width = 24, .depth = 20, .radius = 6, .density = 2500, .speed = 6, .time = 0.35};
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
