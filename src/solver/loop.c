#include "solver/loop.h"

#include <math.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/times.h"
#include "solver/command.h"
#include "solver/solver.h"
#include "terrain/terrain.h"
#include "upsample/upsample.h"
#include "world/material_pairs.h"
#include "world/rollback.h"
#include "world/sources.h"

#define COPY_EVERY 512 // steps between rollback copies: at most this many are repeated

erg_status ergi_loop_prepare(erg_world *world, erg_error *err)
{
    if (world->prepared) return ERG_OK;
    erg_status status = ergi_material_pairs_make(world, err);
    if (status == ERG_OK) status = world->solver->prepare(world, err);
    if (status == ERG_OK) status = ergi_terrain_prepare(world, err);
    if (status == ERG_OK) status = ergi_upsample_prepare(world, err);
    if (status == ERG_OK) world->prepared = world->was_prepared = true;
    return status == ERG_OK ? ergi_command_restore_laws(world, err) : status;
}

static erg_status sync(erg_world *world, erg_error *err)
{
    return world->solver->sync ? world->solver->sync(world, err) : ERG_OK;
}

// ---- One step ----------------------------------------------------------------------------------
static bool rollback_copy_is_due(const erg_world *world, uint64_t step)
{
    return !ergi_rollback_valid(world) || step >= ergi_rollback_step(world) + COPY_EVERY;
}

// Whether the next step follows with no rollback copy, command or emitter in between.
static bool next_step_follows(const erg_world *world)
{
    uint64_t next = world->clock.steps + 1;
    return !rollback_copy_is_due(world, next) && !ergi_command_due(world, next) &&
           world->emitters == 0 &&
           !ergi_terrain_due(world, world->clock.time + 1.001 * world->clock.dt) &&
           !ergi_upsample_due(world, world->clock.time + 1.001 * world->clock.dt);
}

// Emitters add grains between two steps.
static erg_status emit_grains(erg_world *world, erg_error *err)
{
    erg_status status = ergi_sources_due(world) ? sync(world, err) : ERG_OK;
    if (status == ERG_OK) status = ergi_sources_emit(world, err);
    return status == ERG_OK && world->clock.dirty ? sync(world, err) : status;
}

// The terrain gives way to bodies, and exchanges grains with the world.
static erg_status tick_terrain(erg_world *world, erg_error *err)
{
    if (!ergi_terrain_due(world, world->clock.time)) return ERG_OK;
    size_t     asleep = 0;
    erg_status status = sync(world, err);
    if (status == ERG_OK) status = ergi_terrain_tick(world, &asleep, err);
    return status == ERG_OK && asleep > 0 ? world->solver->remove(world, err) : status;
}

// Fine particles follow what the step did.
static erg_status follow(erg_world *world, erg_error *err)
{
    if (!ergi_upsample_due(world, world->clock.time)) return ERG_OK;
    erg_status status = sync(world, err);
    return status == ERG_OK ? ergi_upsample_frames(world, err) : status;
}

static void move_clock(erg_world *world, double dt)
{
    world->clock.time = ergi_solver_time_after(world, dt);
    world->clock.steps++;
}

static erg_status step_once(erg_world *world, bool last, erg_error *err)
{
    bool       due = ergi_command_due(world, world->clock.steps);
    double     dt = 0;
    erg_status status = due ? sync(world, err) : ERG_OK;
    if (status == ERG_OK) status = ergi_command_apply(world, err);
    if (status == ERG_OK) status = emit_grains(world, err);
    if (status == ERG_OK)
        status = world->solver->step(world, !last && next_step_follows(world), &dt, err);
    if (status == ERG_OK) move_clock(world, dt);
    if (status == ERG_OK) status = tick_terrain(world, err);
    return status == ERG_OK ? follow(world, err) : status;
}

static erg_status one_step(erg_world *world, erg_error *err)
{
    return step_once(world, false, err);
}

static erg_status last_step(erg_world *world, erg_error *err)
{
    return step_once(world, true, err);
}

// ---- Rollback ----------------------------------------------------------------------------------
static erg_status restore(erg_world *world, erg_error *err)
{
    erg_error  ignored;
    erg_status status = ergi_rollback_restore(world, err);
    if (status == ERG_OK) status = ergi_command_restore_laws(world, err);
    if (status == ERG_OK) status = ergi_terrain_restored(world, err);
    if (status == ERG_OK) return ergi_solver_changed(world, ERGI_CHANGED_RESTORED, err);
    world->clock.dirty = true;
    (void)ergi_solver_changed(world, ERGI_CHANGED_LOST, &ignored);
    return status;
}

// Brings the world to `step` by repeating the steps from the rollback copy. If one of them fails,
// the world is left at the copy, and *err describes that step.
static erg_status return_to_step(erg_world *world, uint64_t step, erg_error *err)
{
    erg_error  ignored;
    erg_status status = restore(world, &ignored);
    while (status == ERG_OK && world->clock.steps < step) {
        status = last_step(world, err);
        if (status == ERG_OK) status = sync(world, err);
    }
    if (status != ERG_OK) (void)restore(world, &ignored);
    return status;
}

// An error found after step `good` may have been caused by that step: then goes back one more.
static void return_to_last_good(erg_world *world, uint64_t good, erg_error *err)
{
    erg_error       ignored;
    erg_continue_fn keep_going = world->def.keep_going;
    world->def.keep_going = NULL; // repeated steps are not cancelled
    if (return_to_step(world, good, err) != ERG_OK && good > ergi_rollback_step(world))
        (void)return_to_step(world, good - 1, &ignored);
    world->def.keep_going = keep_going;
}

static erg_status copy_if_due(erg_world *world, erg_error *err)
{
    if (!rollback_copy_is_due(world, world->clock.steps)) return ERG_OK;
    erg_status status = sync(world, err);
    return status == ERG_OK ? ergi_rollback_take(world, err) : status;
}

// Emitters undo what they did when they are cancelled, so that no steps need to be repeated unless
// a command was applied before.
static erg_status guarded(erg_world *world, erg_status (*act)(erg_world *, erg_error *),
                          erg_error *err)
{
    uint64_t   good = world->clock.steps, commands = world->clock.commands_done;
    erg_status status = act(world, err);
    bool       undone = status == ERG_CANCELLED && world->clock.commands_done == commands;
    if (status != ERG_OK && !undone && ergi_rollback_valid(world))
        return_to_last_good(world, good, err);
    return status;
}

// `last`: the world is read after this step, so nothing may be deferred.
static erg_status guarded_step(erg_world *world, bool last, erg_error *err)
{
    erg_status status = guarded(world, copy_if_due, err);
    if (status == ERG_OK) status = guarded(world, last ? last_step : one_step, err);
    ergi_thread_tuning_step(&world->thread_tuning);
    world->threads.count = world->thread_tuning.count;
    return status;
}

// ---- Many steps --------------------------------------------------------------------------------
static erg_status begin(erg_world *world, erg_error *err)
{
    erg_status status = ergi_loop_prepare(world, err);
    return status == ERG_OK ? ergi_upsample_begin(world, err) : status;
}

erg_status ergi_loop_steps(erg_world *world, uint64_t steps, erg_error *err)
{
    erg_status status = begin(world, err);
    for (uint64_t k = 0; k < steps && status == ERG_OK; k++)
        status = guarded_step(world, k + 1 == steps, err);
    return status == ERG_OK ? guarded(world, sync, err) : status;
}

erg_status ergi_loop_run(erg_world *world, double time, erg_progress_fn progress, void *user,
                         erg_error *err)
{
    erg_status status = begin(world, err);
    // With an infinite end it runs until it is cancelled.
    if (status == ERG_OK && isfinite(time) && time > world->clock.time &&
        !(time + world->clock.dt > time))
        return ergi_fail(err, ERG_BAD_INPUT,
                         "a step of %.3g s is too short to advance the clock at t = %g s, so this "
                         "time cannot be reached",
                         world->clock.dt, time);
    double asked = ergi_clock_seconds();
    while (status == ERG_OK && !ergi_time_reached(world->clock.time, time)) {
        double now = ergi_clock_seconds();
        bool   ask = progress && now - asked >= 0.1;
        // Rounding can move the end by one step, so the last two steps count as last.
        bool last = ask || world->clock.time + 2 * world->clock.dt >= time;
        status = guarded_step(world, last, err);
        if (!ask || status != ERG_OK) continue;
        asked = now;
        status = guarded(world, sync, err);
        if (status == ERG_OK && !progress(user, world))
            return ergi_fail(err, ERG_CANCELLED, "stopped at step %llu, t = %g s",
                             (unsigned long long)world->clock.steps, world->clock.time);
    }
    return status == ERG_OK ? guarded(world, sync, err) : status;
}
