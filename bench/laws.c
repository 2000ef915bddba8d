// The bench `laws`: the cost of each contact law. Starts from a bed at rest and a flow for each
// size distribution. Rows of law, sizes and rolling resistance are measured alternately with the
// reference, Hertz and Mindlin with spheres of one size in the same kind of state.
#include "law_state.h"
#include "measure.h"
#include "record.h"

#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 10000 }; // spheres by default

static const char *const NORMAL[] = {"linear", "hertz-plain", "hertz-constant", "hertz"};
static const char *const TANGENTIAL[] = {"viscous", "coulomb",      "regularised", "spring",
                                         "bell",    "lee-herrmann", "mindlin",     "yasuda"};
static const char *const SIZES[] = {"one-size", "10%", "1:2"};

// A row to measure. Rolling resistance and Yasuda's law do more work per contact.
typedef struct law_row {
    law_sizes  sizes;
    law_choice laws;
} law_row;

#define H ERG_NORMAL_HERTZ
#define M ERG_TANGENTIAL_MINDLIN
#define THREE_SIZES(...)                                                                           \
    {SIZES_ONE, __VA_ARGS__}, {SIZES_TENTH, __VA_ARGS__},                                          \
    {                                                                                              \
        SIZES_DOUBLE, __VA_ARGS__                                                                  \
    }
static const law_row ROWS[] = {
    THREE_SIZES({H, M, .rolling = false}), // the first is the reference
    THREE_SIZES({H, M, .rolling = true}),
    THREE_SIZES({ERG_NORMAL_LINEAR, ERG_TANGENTIAL_SPRING, .rolling = false}),
    THREE_SIZES({ERG_NORMAL_LINEAR, ERG_TANGENTIAL_SPRING, .rolling = true}),
    THREE_SIZES({H, ERG_TANGENTIAL_YASUDA, .rolling = false}),
    THREE_SIZES({H, ERG_TANGENTIAL_YASUDA, .rolling = true}),
    {SIZES_TENTH, {H, ERG_TANGENTIAL_SPRING, .rolling = false}},
    {SIZES_TENTH, {H, ERG_TANGENTIAL_BELL, .rolling = false}},
    {SIZES_TENTH, {H, ERG_TANGENTIAL_LEE_HERRMANN, .rolling = false}},
    {SIZES_TENTH, {H, ERG_TANGENTIAL_REGULARISED, .rolling = false}},
    {SIZES_TENTH, {H, ERG_TANGENTIAL_COULOMB, .rolling = false}},
    {SIZES_TENTH, {H, ERG_TANGENTIAL_VISCOUS, .rolling = false}},
    {SIZES_TENTH, {ERG_NORMAL_LINEAR, M, .rolling = false}},
    {SIZES_TENTH, {ERG_NORMAL_HERTZ_PLAIN, M, .rolling = false}},
    {SIZES_TENTH, {ERG_NORMAL_HERTZ_CONSTANT, M, .rolling = false}},
    {SIZES_TENTH, {H, M, .cohesion = true}},
    {SIZES_TENTH, {H, M, .rolling = true, .cohesion = true}},
    {SIZES_ONE, {H, M, .precision = ERG_DOUBLE}},
    {SIZES_DOUBLE, {H, M, .rolling = true, .precision = ERG_DOUBLE}},
};
#undef THREE_SIZES
#undef H
#undef M
enum { ROW_COUNT = sizeof ROWS / sizeof *ROWS };

// The required ratio of particle-steps per second to the first row; 0: no requirement.
static double bar_of(const law_row *row)
{
    if (row->laws.precision == ERG_DOUBLE) return 0;
    return row->laws.rolling || row->laws.tangential == ERG_TANGENTIAL_YASUDA ? 0.6 : 0.7;
}

typedef struct contender {
    erg_world  *world;
    erg_stats   before;
    bench_times times;
} contender;

// ---- Measuring ---------------------------------------------------------------------------------
static erg_status open_all(const bench_options *options, size_t count, bool flows, int threads,
                           contender *c, erg_error *err)
{
    law_state  state[3] = {{0}};
    erg_status status = ERG_OK;
    for (int s = 0; s < 3 && status == ERG_OK; s++)
        status = law_state_get((law_sizes)s, flows, count, options->cache, &state[s], err);
    for (size_t k = 0; k < ROW_COUNT && status == ERG_OK; k++)
        status = law_state_world(&state[ROWS[k].sizes], ROWS[k].sizes, flows, ROWS[k].laws, threads,
                                 &c[k].world, err);
    for (int s = 0; s < 3; s++) law_state_free(&state[s]);
    return status;
}

// All windows have the same number of steps, so that all worlds cover the same simulated time.
static erg_status take_turns(const bench_options *options, contender *c, erg_error *err)
{
    erg_status status = bench_windows(c[0].world, options->window, &c[0].times, err);
    for (size_t k = 0; k < ROW_COUNT && status == ERG_OK; k++) {
        c[k].times = c[0].times;
        status = erg_world_stats(c[k].world, &c[k].before, err);
    }
    for (int turn = 0; turn < options->repeats; turn++)
        for (size_t k = 0; k < ROW_COUNT && status == ERG_OK; k++)
            status = bench_window(c[k].world, &c[k].times, err);
    return status;
}

// ---- Rows --------------------------------------------------------------------------------------
// Median over the rounds of the reference's processor time over this row's.
static double relative_to(const contender *first, const contender *c)
{
    double over[BENCH_MAX_REPEATS];
    for (int k = 0; k < c->times.count; k++) over[k] = first->times.cpu[k] / c->times.cpu[k];
    return bench_median(over, c->times.count);
}

static void name_row(const law_row *r, bool flows, char *name, size_t room)
{
    snprintf(name, room, "%s %s-%s %s%s%s%s", flows ? "flow" : "bed", NORMAL[r->laws.normal],
             TANGENTIAL[r->laws.tangential], SIZES[r->sizes], r->laws.rolling ? " rolling" : "",
             r->laws.cohesion ? " cohesion" : "", r->laws.precision == ERG_DOUBLE ? " double" : "");
}

static erg_status add_row(const law_row *r, bool flows, int threads, const contender *first,
                          const contender *c, bench_rows *rows, erg_error *err)
{
    char      name[128];
    erg_stats now;
    name_row(r, flows, name, sizeof name);
    erg_status status = record_row(rows, name, c->world, threads, &c->times, &c->before, err);
    if (status == ERG_OK) status = erg_world_stats(c->world, &now, err);
    if (status != ERG_OK) return status;
    bench_row *row = &rows->row[rows->count - 1];
    double     relative = relative_to(first, c), bar = bar_of(r),
           cpu = bench_median(c->times.cpu, c->times.count);
    bench_row_text(row, "state", flows ? "flow" : "bed");
    bench_row_text(row, "normal", NORMAL[r->laws.normal]);
    bench_row_text(row, "tangential", TANGENTIAL[r->laws.tangential]);
    bench_row_text(row, "sizes", SIZES[r->sizes]);
    bench_row_flag(row, "rolling", r->laws.rolling);
    bench_row_flag(row, "cohesion", r->laws.cohesion);
    bench_row_flag(row, "double", r->laws.precision == ERG_DOUBLE);
    bench_row_count(row, "contacts", now.contacts);
    bench_row_number(row, "ns_per_contact",
                     1e9 * cpu / ((double)c->times.steps * (double)now.contacts));
    bench_row_number(row, "relative", relative);
    bench_row_number(row, "bar", bar > 0 ? bar : (double)NAN);
    if (relative < bar) bench_say("below its limit: %s, %.3f, limit %.1f", name, relative, bar);
    return ERG_OK;
}

static erg_status measure(const bench_options *options, bool flows, int threads, bench_rows *rows,
                          erg_error *err)
{
    size_t     count = options->count_given ? options->count : COUNT;
    contender *c = calloc(ROW_COUNT, sizeof *c);
    if (!c) return bench_fail(err, ERG_NO_MEMORY, "out of memory");
    bench_say("laws: %s of %zu spheres on %d thread%s, %d laws", flows ? "flow" : "bed", count,
              threads, threads > 1 ? "s" : "", (int)ROW_COUNT);
    erg_status status = open_all(options, count, flows, threads, c, err);
    if (status == ERG_OK) status = take_turns(options, c, err);
    for (size_t k = 0; k < ROW_COUNT && status == ERG_OK; k++)
        status = add_row(&ROWS[k], flows, threads, &c[0], &c[k], rows, err);
    for (size_t k = 0; k < ROW_COUNT; k++) erg_world_destroy(c[k].world);
    free(c);
    return status;
}

// One number of threads only: all laws share the work among threads in the same way.
erg_status bench_laws(const bench_options *options, bench_rows *rows, erg_error *err)
{
    erg_status status = measure(options, false, options->threads[0], rows, err);
    return status == ERG_OK ? measure(options, true, options->threads[0], rows, err) : status;
}
