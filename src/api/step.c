// Stepping and time.
#include <math.h>

#include "base/error.h"
#include "erg/world.h"
#include "solver/loop.h"
#include "solver/solver.h"

erg_status erg_world_prepare(erg_world *world, erg_error *err)
{
    if (!world) return ergi_fail_null(err, __func__);
    return ergi_loop_prepare(world, err);
}

erg_status erg_world_step(erg_world *world, uint64_t steps, erg_error *err)
{
    if (!world) return ergi_fail_null(err, __func__);
    return ergi_loop_steps(world, steps, err);
}

erg_status erg_world_run(erg_world *world, double time, erg_progress_fn progress, void *user,
                         erg_error *err)
{
    if (!world) return ergi_fail_null(err, __func__);
    if (isnan(time)) return ergi_fail(err, ERG_BAD_INPUT, "the time to run to is not a number");
    return ergi_loop_run(world, time, progress, user, err);
}

double erg_world_time(const erg_world *world)
{
    return world ? world->clock.time : 0;
}

uint64_t erg_world_steps(const erg_world *world)
{
    return world ? world->clock.steps : 0;
}

double erg_world_dt(const erg_world *world)
{
    return world ? world->clock.dt : 0;
}

const char *erg_world_dt_reason(const erg_world *world)
{
    return world ? world->dt_reason : "";
}

const char *erg_world_isa(const erg_world *world)
{
    if (!world) return "";
    return world->solver->isa ? world->solver->isa(world) : "scalar";
}

double erg_world_skin(const erg_world *world)
{
    return world && world->solver->skin ? world->solver->skin(world) : 0;
}
