// The scene hourglass-spheres: grains pass the neck at a constant rate, the same with both solvers.
#include "realtime.h"
#include "realtime_check.h"

#include <math.h>

enum { MOST = 400 };

static const double EVERY = 0.01;              // between two samples [s]
static const double FIRST = 0.15, LAST = 0.75; // shares of the grains that have passed: steady flow
static const double LONGEST = 4;               // after which too few have passed [s]

typedef struct flow {
    double time[MOST], passed[MOST]; // passed: grains below the neck
    int    count;
} flow;

static erg_status count_passed(const erg_world *world, double *passed, erg_error *err)
{
    erg_view   at;
    erg_status status = erg_world_view(world, ERG_FIELD_POSITION, &at, err);
    if (status != ERG_OK) return status;
    *passed = 0;
    for (size_t k = 0; k < at.count; k++)
        *passed += ((const double *)((const char *)at.data + k * at.stride))[2] < 0;
    return ERG_OK;
}

static erg_status measure(erg_world *world, flow *f, erg_error *err)
{
    double     all = (double)erg_world_grain_count(world), passed = 0;
    erg_status status = ERG_OK;
    f->count = 0;
    for (int k = 1; passed < LAST * all && k * EVERY < LONGEST && status == ERG_OK; k++) {
        status = erg_world_run(world, k * EVERY, NULL, NULL, err);
        if (status == ERG_OK) status = count_passed(world, &passed, err);
        if (status != ERG_OK || passed < FIRST * all || f->count == MOST) continue;
        f->time[f->count] = erg_world_time(world);
        f->passed[f->count++] = passed;
    }
    return status;
}

// Least squares: slope [1/s] and R^2.
static double fit(const flow *f, double *r2)
{
    double n = f->count, t = 0, y = 0, tt = 0, ty = 0, yy = 0;
    for (int k = 0; k < f->count; k++) {
        t += f->time[k] / n;
        y += f->passed[k] / n;
    }
    for (int k = 0; k < f->count; k++) {
        double a = f->time[k] - t, b = f->passed[k] - y;
        tt += a * a;
        ty += a * b;
        yy += b * b;
    }
    *r2 = f->count > 2 ? ty * ty / (tt * yy) : 0;
    return ty / tt;
}

static erg_status rate_of(const check_run *run, erg_solver solver, double *rate, double *r2,
                          erg_error *err)
{
    erg_world *world = NULL;
    flow       f;
    erg_status status = realtime_build("hourglass-spheres", solver, run->threads, &world, err);
    if (status == ERG_OK) status = measure(world, &f, err);
    erg_world_destroy(world);
    if (status != ERG_OK) return status;
    *rate = fit(&f, r2);
    bench_say("  %s: %.0f grains per second, R^2 %.5f", erg_solver_name(solver), *rate, *r2);
    return ERG_OK;
}

erg_status check_hourglass(check_run *run, erg_error *err)
{
    double     pbd, dem, r2[2];
    erg_status status = rate_of(run, ERG_SOLVER_PBD, &pbd, &r2[0], err);
    if (status == ERG_OK) status = rate_of(run, ERG_SOLVER_DEM, &dem, &r2[1], err);
    if (status == ERG_OK)
        status = check_add(run, "pbd: R^2 of mass over time", r2[0], 0.99, r2[0] > 0.99, err);
    if (status == ERG_OK)
        status = check_add(run, "dem: R^2 of mass over time", r2[1], 0.99, r2[1] > 0.99, err);
    if (status == ERG_OK)
        status = check_below(run, "flow rate off DEM's [%]", 100 * fabs(pbd / dem - 1), 20, err);
    return status;
}
