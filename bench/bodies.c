// The bench `bodies`: the cost of 1,000 bodies far from any grain. A bed at rest and a flow out of
// a silo, each without bodies, with fixed bodies high above, and with free bodies falling there;
// measured alternately.
#include "law_state.h"
#include "measure.h"
#include "record.h"

#include "bench.h"

#include "erg/mesh.h"

#include <math.h>
#include <stdio.h>

enum { COUNT = 20000, BODIES = 1000, SHAPES = 3 }; // spheres by default
typedef enum kind { NONE, FIXED, FREE, KINDS } kind;

static const char *const NAME[KINDS] = {"none", "fixed", "free"};
static const double      BAR = 1.10;     // limit for `relative` of fixed bodies
static const double      HEIGHT = 5;     // above the grains; free fall takes 1 s [m]
static const double      RADIUS = 2e-3;  // of a body [m]
static const double      SPACING = 8e-3; // of their lattice, so that they do not touch [m]

typedef struct contender {
    erg_world  *world;
    erg_stats   before;
    bench_times times;
} contender;

// ---- Worlds ------------------------------------------------------------------------------------
static erg_status make_shapes(erg_mesh *mesh[SHAPES], erg_error *err)
{
    static const erg_primitive_kind KIND[SHAPES] = {ERG_PRIMITIVE_BOX, ERG_PRIMITIVE_CYLINDER,
                                                    ERG_PRIMITIVE_CAPSULE};
    erg_status                      status = ERG_OK;
    for (int k = 0; k < SHAPES && status == ERG_OK; k++) {
        erg_primitive shape = erg_primitive_default(KIND[k]);
        shape.size = (erg_vec3){2 * RADIUS, 2 * RADIUS, 2 * RADIUS};
        shape.radius = RADIUS;
        shape.height = 2 * RADIUS;
        shape.segments = 16;
        status = erg_mesh_primitive(&shape, &mesh[k], err);
    }
    return status;
}

// A lattice as wide as the box of the bed, or half as wide as the silo.
static erg_status add_bodies(erg_world *world, erg_mesh *const mesh[SHAPES], bool flows, bool free,
                             size_t count, erg_id material, erg_error *err)
{
    erg_vec3 low = {-0.02, -0.02, 0}, high = {0.02, 0.02, 0};
    if (!flows) law_state_box(SIZES_ONE, count, &low, &high);
    int        columns = (int)fmax(1, floor((high.x - low.x) / SPACING));
    erg_status status = ERG_OK;
    for (int k = 0; k < BODIES && status == ERG_OK; k++) {
        erg_body_def body = erg_body_def_default();
        body.material = material;
        body.mesh = mesh[k % SHAPES];
        body.free = free;
        body.position = (erg_vec3){low.x + SPACING * (0.5 + k % columns),
                                   low.y + SPACING * (0.5 + k / columns % columns),
                                   HEIGHT + SPACING * (k / (columns * columns))};
        status = erg_world_add_body(world, &body, NULL, err);
    }
    return status;
}

static erg_status open_world(const law_state *state, erg_mesh *const mesh[SHAPES], bool flows,
                             kind k, erg_world **world, erg_error *err)
{
    const law_choice laws = {.normal = ERG_NORMAL_HERTZ, .tangential = ERG_TANGENTIAL_MINDLIN};
    erg_id           material;
    erg_status       status =
        law_state_define(SIZES_ONE, flows, state->count, laws, 1, world, &material, err);
    if (status == ERG_OK && k != NONE)
        status = add_bodies(*world, mesh, flows, k == FREE, state->count, material, err);
    return status == ERG_OK ? law_state_fill(state, flows, *world, err) : status;
}

// ---- Measuring ---------------------------------------------------------------------------------
static erg_status open_all(const bench_options *options, size_t count, bool flows, contender *c,
                           erg_error *err)
{
    law_state  state = {0};
    erg_mesh  *mesh[SHAPES] = {NULL};
    erg_status status = law_state_get(SIZES_ONE, flows, count, options->cache, &state, err);
    if (status == ERG_OK) status = make_shapes(mesh, err);
    for (int k = 0; k < KINDS && status == ERG_OK; k++)
        status = open_world(&state, mesh, flows, (kind)k, &c[k].world, err);
    for (int k = 0; k < SHAPES; k++) erg_mesh_destroy(mesh[k]);
    law_state_free(&state);
    return status;
}

// All windows have the same number of steps, so that all worlds cover the same simulated time.
static erg_status take_turns(const bench_options *options, contender *c, erg_error *err)
{
    erg_status status = bench_windows(c[NONE].world, options->window, &c[NONE].times, err);
    for (int k = 0; k < KINDS && status == ERG_OK; k++) {
        c[k].times = c[NONE].times;
        status = erg_world_stats(c[k].world, &c[k].before, err);
    }
    for (int turn = 0; turn < options->repeats; turn++)
        for (int k = 0; k < KINDS && status == ERG_OK; k++)
            status = bench_window(c[k].world, &c[k].times, err);
    return status;
}

// Median over the rounds of processor time, relative to the world without bodies.
static double relative_to(const contender *none, const contender *c)
{
    double over[BENCH_MAX_REPEATS];
    for (int k = 0; k < c->times.count; k++) over[k] = c->times.cpu[k] / none->times.cpu[k];
    return bench_median(over, c->times.count);
}

static erg_status add_row(kind k, bool flows, const contender *none, const contender *c,
                          bench_rows *rows, erg_error *err)
{
    char name[64];
    snprintf(name, sizeof name, "bodies-%s%s", NAME[k], flows ? "-flow" : "");
    erg_status status = record_row(rows, name, c->world, 1, &c->times, &c->before, err);
    if (status != ERG_OK) return status;
    bench_row *row = &rows->row[rows->count - 1];
    double     relative = relative_to(none, c);
    bench_row_text(row, "state", flows ? "flow" : "bed");
    bench_row_count(row, "bodies", k == NONE ? 0 : BODIES);
    bench_row_number(row, "relative", relative);
    bench_row_number(row, "bar", k == FIXED ? BAR : (double)NAN);
    if (k == FIXED && relative > BAR)
        bench_say("above its limit: %s, %.3f, limit %.2f", name, relative, BAR);
    return ERG_OK;
}

static erg_status measure(const bench_options *options, bool flows, bench_rows *rows,
                          erg_error *err)
{
    size_t    count = options->count_given ? options->count : COUNT;
    contender c[KINDS] = {{0}};
    bench_say("bodies: %s of %zu spheres, without and with %d bodies", flows ? "flow" : "bed",
              count, (int)BODIES);
    erg_status status = open_all(options, count, flows, c, err);
    if (status == ERG_OK) status = take_turns(options, c, err);
    for (int k = 0; k < KINDS && status == ERG_OK; k++)
        status = add_row((kind)k, flows, &c[NONE], &c[k], rows, err);
    for (int k = 0; k < KINDS; k++) erg_world_destroy(c[k].world);
    return status;
}

// On one thread, because bodies are processed by one thread.
erg_status bench_bodies(const bench_options *options, bench_rows *rows, erg_error *err)
{
    erg_status status = measure(options, false, rows, err);
    return status == ERG_OK ? measure(options, true, rows, err) : status;
}
