// One substep, which is one step of the world.
#include <math.h>

#include "base/clock.h"
#include "pbd/pbd.h"
#include "solver/solver.h"
#include "world/sources.h"
#include "world/walls.h"

#define FLOW_EVERY 8 // substeps between checks for leaving grains, if grains can leave
#define MOST_ITERATIONS 64

void ergi_pbd_add_time(erg_world *world, ergi_pbd_phase phase, double *mark)
{
    double now = ergi_clock_seconds();
    ergi_pbd_of(world)->phase[phase] += now - *mark;
    *mark = now;
}

static bool grains_can_leave(const erg_world *world)
{
    const erg_world_def *d = &world->def;
    bool bounded = isfinite(d->lower.x) || isfinite(d->lower.y) || isfinite(d->lower.z) ||
                   isfinite(d->upper.x) || isfinite(d->upper.y) || isfinite(d->upper.z);
    return bounded || world->sinks > 0;
}

// Rebuilds invalid lists, and removes leaving grains.
static erg_status renew_lists(erg_world *world, erg_error *err)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    if (world->clock.dirty || !pbd->coloured) return ergi_pbd_remove_and_rebuild(world, err);
    if (!grains_can_leave(world) || world->clock.steps % FLOW_EVERY != 0) return ERG_OK;
    const uint8_t *leaves = NULL;
    erg_status     status = ergi_sources_mark_leaving(world, &leaves, err);
    return status == ERG_OK && leaves ? ergi_pbd_rebuild(world, leaves, err) : status;
}

static void move_walls(erg_world *world, double dt, double next)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    for (size_t w = 0; w < world->walls; w++) pbd->pose_before[w] = world->wall_state[w].pose;
    ergi_walls_drive(world, world->clock.time, dt);
    ergi_walls_pose(world, next);
}

static void solve(erg_world *world, const ergi_pbd_pass *pass, double dt)
{
    ergi_pbd_sweep sweep[MOST_ITERATIONS + 6];
    int            count = 0, iterations = ergi_pbd_iterations(world);
    if (ergi_pbd_of(world)->bodies == 0) {
        sweep[count++] = ERGI_PBD_FIND_STABILISE;
    } else { // the contacts of bodies are counted in between
        sweep[count++] = ERGI_PBD_FIND;
        sweep[count++] = ERGI_PBD_STABILISE;
    }
    sweep[count++] = ERGI_PBD_FREEZE;
    for (int k = 1; k < iterations && k < MOST_ITERATIONS; k++) sweep[count++] = ERGI_PBD_SOLVE;
    sweep[count++] = ERGI_PBD_SOLVE_LAST;
    sweep[count++] = ERGI_PBD_ADVANCE;
    if (pass->rebound) sweep[count++] = ERGI_PBD_REBOUND;
    sweep[count++] = ERGI_PBD_FINISH;
    ergi_pbd_sweeps(world, pass, dt, sweep, count);
}

// Counts contacts and updates the largest overlap.
static void book(erg_world *world)
{
    ergi_pbd *pbd = ergi_pbd_of(world);
    uint64_t  contacts = 0;
    pbd->deepest = 0;
    for (size_t t = 0; t < pbd->tasks; t++) {
        const ergi_pbd_task *k = &pbd->task[t];
        if (k->groups && k->deepest > pbd->deepest) pbd->deepest = k->deepest;
        for (size_t g = 0; g < k->groups && !k->walls; g++)
            contacts += (uint64_t)__builtin_popcount(pbd->group[k->group + g].touched);
    }
    world->clock.contacts = contacts;
    world->clock.max_overlap_ratio = fmax(world->clock.max_overlap_ratio, (double)pbd->deepest);
}

erg_status ergi_pbd_step(erg_world *world, bool more, double *took, erg_error *err)
{
    (void)more;
    ergi_pbd  *pbd = ergi_pbd_of(world);
    double     mark = ergi_clock_seconds();
    erg_status status = ergi_pbd_reserve(world, err);
    if (status != ERG_OK) return status;
    double dt = ergi_pbd_substep_length(world, ergi_pbd_max_speed(world));
    double next = ergi_solver_time_after(world, dt);
    world->clock.dt = dt;
    status = renew_lists(world, err);
    if (status != ERG_OK) return status;
    mark = ergi_clock_seconds();
    move_walls(world, dt, next);
    bool holds = ergi_pbd_predict(world, dt);
    ergi_pbd_add_time(world, ERGI_PBD_PHASE_MOTION, &mark);
    if (!holds) {
        status = ergi_pbd_remove_and_rebuild(world, err);
        if (status != ERG_OK) return status;
        (void)ergi_pbd_predict(world, dt);
        mark = ergi_clock_seconds();
    }
    if (ergi_pbd_walls_stale(world)) {
        status = ergi_pbd_list_walls(world, err);
        if (status != ERG_OK) return status;
        (void)ergi_pbd_walls_stale(world);
        (void)ergi_pbd_predict(world, dt);
        ergi_pbd_add_time(world, ERGI_PBD_PHASE_LISTS, &mark);
    }
    ergi_pbd_body_predict(world, dt, next);
    status = ergi_pbd_find_walls(world, dt, err);
    if (status == ERG_OK) status = ergi_pbd_body_find(world, dt, err);
    if (status != ERG_OK) return status;
    ergi_pbd_pass pass = ergi_pbd_pass_of(world, dt);
    if (world->def.pbd.variant == ERG_PBD_SOMMER)
        status = ergi_pbd_sommer(world, &pass, dt, err);
    else
        solve(world, &pass, dt);
    if (status == ERG_OK) status = ergi_pbd_store_wall_history(world, dt, err);
    if (status == ERG_OK) status = ergi_pbd_body_store_history(world, dt, err);
    if (status != ERG_OK) return status;
    ergi_pbd_body_finish(world, dt);
    pbd->iterations += (uint64_t)ergi_pbd_iterations(world);
    if (world->def.pbd.variant != ERG_PBD_SOMMER) {
        book(world);
        ergi_pbd_adapt_iterations(world, dt);
    }
    pbd->state.dt = dt;
    ergi_pbd_add_time(world, ERGI_PBD_PHASE_CONTACTS, &mark);
    if (ergi_pbd_find_bad_grain(world, dt, err) || ergi_pbd_body_bad(world, dt, err))
        return ERG_BAD_PHYSICS;
    *took = dt;
    return ERG_OK;
}
