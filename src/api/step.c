// Stepping, and going back to the last good step when the next one is not physics.
#include <math.h>

#include "api/command.h"
#include "base/clock.h"
#include "base/error.h"
#include "dem/step.h"
#include "erg/world.h"
#include "world/keep.h"
#include "world/world.h"

#define KEEP_EVERY 512 // steps between copies of the state: at most so many are taken again

erg_status erg_world_prepare(erg_world *world, erg_error *err)
{
    if (!world) return ergi_fail_null(err, __func__);
    if (world->prepared) return ERG_OK;
    erg_status status = ergi_dem_prepare(world, err);
    return status == ERG_OK ? ergi_command_restore_laws(world, err) : status;
}

static bool keep_is_due(const erg_world *world, uint64_t step)
{
    return !ergi_keep_valid(world) || step >= ergi_keep_step(world) + KEEP_EVERY;
}

// Whether the step after this one follows with nothing in between.
static bool goes_on_alone(const erg_world *world)
{
    uint64_t next = world->clock.steps + 1;
    return !keep_is_due(world, next) && !ergi_command_due(world, next) && world->emitters == 0;
}

static erg_status step_once(erg_world *world, bool last, erg_error *err)
{
    bool       due = ergi_command_due(world, world->clock.steps);
    erg_status status = due ? ergi_dem_settle(world, err) : ERG_OK;
    if (status == ERG_OK) status = ergi_command_apply(world, err);
    return status == ERG_OK ? ergi_dem_step(world, !last && goes_on_alone(world), err) : status;
}

static erg_status one_step(erg_world *world, erg_error *err)
{
    return step_once(world, false, err);
}

static erg_status last_step(erg_world *world, erg_error *err)
{
    return step_once(world, true, err);
}

// Brings the world to `step`, from the state kept before it. On failure the world is what was kept,
// and *err tells what the step on the way that was not physics had to say.
static erg_status go_back(erg_world *world, uint64_t step, erg_error *err)
{
    erg_error  ignored;
    erg_status status = ergi_keep_restore(world, &ignored);
    if (status == ERG_OK) status = ergi_command_restore_laws(world, &ignored);
    world->worst_overlap =
        (ergi_report){0}; // that of the bad step, and nothing to do with this one
    world->speed_ratio = 0;
    if (status == ERG_OK) ergi_dem_advance(world, ERGI_PLACE_SPHERES);
    while (status == ERG_OK && world->clock.steps < step) {
        status = last_step(world, err);
        if (status == ERG_OK) status = ergi_dem_settle(world, err);
    }
    if (status != ERG_OK) (void)ergi_keep_restore(world, &ignored);
    return status;
}

// What was found to be wrong after step `good` may have gone wrong in it already.
static void return_to_last_good(erg_world *world, uint64_t good, erg_error *err)
{
    erg_error ignored;
    if (go_back(world, good, err) != ERG_OK && good > ergi_keep_step(world))
        (void)go_back(world, good - 1, &ignored);
}

static erg_status keep_now_and_then(erg_world *world, erg_error *err)
{
    if (!keep_is_due(world, world->clock.steps)) return ERG_OK;
    erg_status status = ergi_dem_settle(world, err);
    return status == ERG_OK ? ergi_keep_take(world, err) : status;
}

static erg_status guarded(erg_world *world, erg_status (*act)(erg_world *, erg_error *),
                          erg_error *err)
{
    uint64_t   good = world->clock.steps;
    erg_status status = act(world, err);
    if (status != ERG_OK && ergi_keep_valid(world)) return_to_last_good(world, good, err);
    return status;
}

// `last`: somebody looks at the world after it.
static erg_status guarded_step(erg_world *world, bool last, erg_error *err)
{
    erg_status status = guarded(world, keep_now_and_then, err);
    if (status == ERG_OK) status = guarded(world, last ? last_step : one_step, err);
    ergi_team_step(&world->team);
    world->threads.count = world->team.count;
    return status;
}

erg_status erg_world_step(erg_world *world, uint64_t steps, erg_error *err)
{
    if (!world) return ergi_fail_null(err, __func__);
    erg_status status = erg_world_prepare(world, err);
    for (uint64_t k = 0; k < steps && status == ERG_OK; k++)
        status = guarded_step(world, k + 1 == steps, err);
    return status == ERG_OK ? guarded(world, ergi_dem_settle, err) : status;
}

erg_status erg_world_run(erg_world *world, double time, erg_progress_fn progress, void *user,
                         erg_error *err)
{
    if (!world) return ergi_fail_null(err, __func__);
    if (isnan(time)) return ergi_fail(err, ERG_BAD_INPUT, "the time to run to is not a number");
    erg_status status = erg_world_prepare(world, err);
    // With an infinite end it runs until it is cancelled.
    if (status == ERG_OK && isfinite(time) && time > world->clock.time &&
        !(time + world->clock.dt > time))
        return ergi_fail(err, ERG_BAD_INPUT,
                         "a step of %.3g s does not move the clock at t = %g s, so it cannot be "
                         "reached",
                         world->clock.dt, time);
    double asked = ergi_clock_seconds();
    while (status == ERG_OK && world->clock.time < time) {
        double now = ergi_clock_seconds();
        bool   ask = progress && now - asked >= 0.1;
        // Two steps early rather than one late: where the end lies is a matter of rounding.
        bool last = ask || world->clock.time + 2 * world->clock.dt >= time;
        status = guarded_step(world, last, err);
        if (!ask || status != ERG_OK) continue;
        asked = now;
        status = guarded(world, ergi_dem_settle, err);
        if (status == ERG_OK && !progress(user, world))
            return ergi_fail(err, ERG_CANCELLED, "stopped at step %llu, t = %g s",
                             (unsigned long long)world->clock.steps, world->clock.time);
    }
    return status == ERG_OK ? guarded(world, ergi_dem_settle, err) : status;
}

double erg_world_time(const erg_world *world)
{
    if (!world) return 0;
    return world->clock.time;
}
uint64_t erg_world_steps(const erg_world *world)
{
    if (!world) return 0;
    return world->clock.steps;
}
double erg_world_dt(const erg_world *world)
{
    if (!world) return 0;
    return world->clock.dt;
}
const char *erg_world_dt_reason(const erg_world *world)
{
    if (!world) return "";
    return world->dt_reason;
}

const char *erg_world_isa(const erg_world *world)
{
    if (!world) return "";
    return ergi_dem_isa(world->kernels);
}

double erg_world_skin(const erg_world *world)
{
    if (!world) return 0;
    return world->skin;
}
