#include "dem/step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "dem/body.h"
#include "geom/vec3.h"
#include "world/sources.h"
#include "world/walls.h"

bool ergi_dem_lists_stale(const erg_world *world, double share)
{
    const ergi_dem *dem = ergi_dem_of(world);
    return world->clock.dirty || !(dem->displacement2 <= share * share);
}

bool ergi_dem_walls_stale(erg_world *world, double share)
{
    ergi_dem *dem = ergi_dem_of(world);
    bool      stale = false;
    for (size_t k = 0; k < world->movers; k++) {
        uint32_t         w = world->mover[k];
        const ergi_wall *wall = &world->wall[w].wall;
        ergi_wall_state *s = &world->wall_state[w];
        double far = dem->state.extent + ergi_norm(wall->pivot) + ergi_norm(s->pose.position);
        if (!ergi_wall_is_terrain(&world->wall[w]))
            s->sweep = ergi_wall_sweep(wall, &s->list_pose, &s->pose, far);
        stale |= !(s->sweep <= share * s->list_skin);
    }
    return stale;
}

void ergi_dem_add_time(erg_world *world, ergi_phase phase, double *mark)
{
    ergi_dem *dem = ergi_dem_of(world);
    double    now = ergi_clock_seconds();
    dem->phase[phase] += now - *mark;
    *mark = now;
}

erg_status ergi_dem_remove_and_rebuild(erg_world *world, erg_error *err)
{
    const uint8_t *leaves = NULL;
    erg_status     status = ergi_sources_mark_leaving(world, &leaves, err);
    if (status == ERG_OK) status = ergi_dem_rebuild(world, leaves, err);
    return status;
}

erg_status ergi_dem_apply_deferred_kick(erg_world *world, erg_error *err)
{
    ergi_dem *dem = ergi_dem_of(world);
    if (!dem->kick_deferred) return ERG_OK;
    double mark = ergi_clock_seconds();
    dem->kick_deferred = false;
    ergi_dem_advance(world, ERGI_SUM_FORCES | ERGI_SECOND_KICK);
    ergi_dem_add_time(world, ERGI_PHASE_INTEGRATE, &mark);
    return ergi_dem_is_unphysical(world, 0, err) ? ERG_BAD_PHYSICS : ERG_OK;
}

void ergi_dem_subtract_wall_work(erg_world *world, double wall_power_before)
{
    ergi_dem *dem = ergi_dem_of(world);
    world->clock.work -= 0.5 * world->clock.dt * (wall_power_before + dem->state.wall_power);
}

// Moves grains to the end of the step, unless the fused pass already did.
static void start_grains(erg_world *world)
{
    ergi_dem *dem = ergi_dem_of(world);
    int       parts = ERGI_FIRST_KICK_AND_DRIFT | (world->clock.dirty ? 0 : ERGI_SET_SPHERES) |
                (dem->kick_deferred ? ERGI_SUM_FORCES | ERGI_SECOND_KICK : 0);
    if (!dem->started_ahead) ergi_dem_advance(world, (ergi_advance)parts);
    dem->kick_deferred = dem->started_ahead = false;
}

erg_status ergi_dem_step(erg_world *world, bool more, double *took, erg_error *err)
{
    ergi_dem  *dem = ergi_dem_of(world);
    erg_status status = world->clock.dirty ? ergi_dem_reserve(world, err) : ERG_OK;
    if (status != ERG_OK) return status;
    if (world->def.integrator == ERG_RKF45) return ergi_runge_step(world, took, err);

    double dt = world->clock.dt, now = world->clock.time, mark = ergi_clock_seconds();
    double next = (double)(world->clock.steps + 1) * dt, wall_power = dem->state.wall_power;

    ergi_walls_drive(world, now, dt);
    ergi_body_start(world, now, next);
    start_grains(world);
    ergi_walls_pose(world, next);
    if (ergi_dem_is_unphysical(world, dt, err) || ergi_body_too_fast(world, dt, err))
        return ERG_BAD_PHYSICS;
    ergi_dem_add_time(world, ERGI_PHASE_INTEGRATE, &mark);
    if (ergi_dem_lists_stale(world, 1)) {
        status = ergi_dem_remove_and_rebuild(world, err);
        if (status != ERG_OK) return status;
        mark = ergi_clock_seconds();
    } else if (ergi_dem_walls_stale(world, 1)) {
        status = ergi_dem_rebuild_wall_lists(world, err);
        if (status != ERG_OK) return status;
        ergi_dem_add_time(world, ERGI_PHASE_LISTS, &mark);
    }
    status = ergi_body_update_lists(world, err);
    if (status != ERG_OK) return status;
    if (more && ergi_dem_can_fuse(world)) {
        ergi_dem_fused_pass(world, wall_power);
        dem->started_ahead = true;
    } else {
        ergi_dem_contacts(world, false, more);
        ergi_dem_subtract_wall_work(world, wall_power);
        dem->kick_deferred = true;
        ergi_dem_add_time(world, ERGI_PHASE_FORCES, &mark);
    }
    status = ergi_body_contacts(world, err);
    if (status != ERG_OK) return status;
    ergi_body_finish(world);
    if (ergi_dem_too_deep(world, dt, err) || ergi_body_too_deep(world, dt, err))
        return ERG_BAD_PHYSICS;
    world->clock.max_overlap_ratio =
        fmax(world->clock.max_overlap_ratio, dem->worst_overlap.overlap_ratio);
    ergi_dem_release_workspace(world);
    *took = dt;
    return ERG_OK;
}
