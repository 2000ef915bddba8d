// Heaps: they stay as poured, and have the shape that DEM gives them.
#include "heap.h"
#include "realtime_check.h"

#include <math.h>

enum { SEEDS = 3 };

static const double ROLLING = 0.1, RESTITUTION = 0.65;
static const double REST = 2; // after pouring, before the shape is measured [s]

// ---- At rest -----------------------------------------------------------------------------------
// Slope 5 s and 60 s after pouring stops.
erg_status check_heap_rest(check_run *run, erg_error *err)
{
    heap_def   def = {ERG_SOLVER_PBD, 0.5, ROLLING, RESTITUTION, run->count, 1, run->threads};
    heap_shape early, late;
    erg_world *world = NULL;
    erg_status status = heap_pour(&def, 5, &world, err);
    if (status == ERG_OK) status = heap_measure(world, &early, err);
    if (status == ERG_OK) status = erg_world_run(world, heap_pouring(&def) + 60, NULL, NULL, err);
    if (status == ERG_OK) status = heap_measure(world, &late, err);
    erg_world_destroy(world);
    if (status == ERG_OK)
        status = check_below(run, "change of slope from 5 to 60 s [degrees]",
                             fabs(late.angle - early.angle), 0.5, err);
    if (status == ERG_OK)
        status = check_below(run, "kinetic energy per grain after 60 s [m g d]", late.kinetic, 1e-9,
                             err);
    return status;
}

// ---- Against DEM -------------------------------------------------------------------------------
// Means over the seeds.
static erg_status mean_heap(const check_run *run, erg_solver solver, double friction,
                            heap_shape *mean, erg_error *err)
{
    erg_status status = ERG_OK;
    *mean = (heap_shape){0};
    for (uint64_t seed = 1; seed <= SEEDS && status == ERG_OK; seed++) {
        heap_def   def = {solver, friction, ROLLING, RESTITUTION, run->count, seed, run->threads};
        heap_shape shape;
        erg_world *world = NULL;
        status = heap_pour(&def, REST, &world, err);
        if (status == ERG_OK) status = heap_measure(world, &shape, err);
        erg_world_destroy(world);
        if (status != ERG_OK) return status;
        bench_say("  %s, friction %g, seed %d: %.2f degrees, centre of mass at %.3f d",
                  erg_solver_name(solver), friction, (int)seed, shape.angle, shape.height);
        mean->angle += shape.angle / SEEDS;
        mean->height += shape.height / SEEDS;
    }
    return status;
}

erg_status check_heap_dem(check_run *run, erg_error *err)
{
    static const struct {
        double      friction;
        const char *angle, *height;
    } CASES[] = {{0.3, "angle off DEM's, friction 0.3 [degrees]",
                  "height of the centre of mass off DEM's, friction 0.3 [%]"},
                 {0.5, "angle off DEM's, friction 0.5 [degrees]",
                  "height of the centre of mass off DEM's, friction 0.5 [%]"}};
    erg_status status = ERG_OK;
    for (int k = 0; k < 2 && status == ERG_OK; k++) {
        heap_shape dem, pbd;
        status = mean_heap(run, ERG_SOLVER_PBD, CASES[k].friction, &pbd, err);
        if (status == ERG_OK) status = mean_heap(run, ERG_SOLVER_DEM, CASES[k].friction, &dem, err);
        if (status == ERG_OK)
            status = check_below(run, CASES[k].angle, fabs(pbd.angle - dem.angle), 4, err);
        if (status == ERG_OK)
            status =
                check_below(run, CASES[k].height, 100 * fabs(pbd.height / dem.height - 1), 5, err);
    }
    return status;
}

// ---- More friction, steeper heaps --------------------------------------------------------------
erg_status check_heap_friction(check_run *run, erg_error *err)
{
    static const struct {
        erg_solver  solver;
        const char *quantity;
    } CASES[] = {{ERG_SOLVER_PBD, "pbd: angle at friction 0.6, above that at 0.15 [degrees]"},
                 {ERG_SOLVER_DEM, "dem: angle at friction 0.6, above that at 0.15 [degrees]"}};
    erg_status status = ERG_OK;
    for (int k = 0; k < 2 && status == ERG_OK; k++) {
        heap_shape low, high;
        status = mean_heap(run, CASES[k].solver, 0.15, &low, err);
        if (status == ERG_OK) status = mean_heap(run, CASES[k].solver, 0.6, &high, err);
        if (status == ERG_OK)
            status = check_add(run, CASES[k].quantity, high.angle, low.angle,
                               high.angle > low.angle, err);
    }
    return status;
}
