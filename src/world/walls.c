#include "world/walls.h"

#include <stdio.h>

#include "base/error.h"
#include "geom/vec3.h"
#include "world/body_axes.h"

// ---- Poses -------------------------------------------------------------------------------------
static void own_pose(const ergi_world_wall *wall, const ergi_motion_state *state, double time,
                     ergi_pose *out)
{
    const ergi_motion *motion = &wall->wall.motion;
    if (!ergi_body_partly_free(&wall->body)) {
        ergi_motion_pose(motion, state, time, out);
        return;
    }
    ergi_pose given;
    *out = state->pose;
    if (ergi_motion_dynamic(motion)) return;
    ergi_motion_at(motion, time, &given);
    ergi_body_impose(wall->body.free_axes, &given, out);
}

void ergi_wall_pose(const ergi_world_wall *walls, const ergi_wall_state *states, size_t w,
                    double time, ergi_pose *out)
{
    erg_vec3 pivot = walls[w].wall.pivot;
    own_pose(&walls[w], &states[w].motion, time, out);
    for (uint32_t c = walls[w].carrier; c; c = walls[c - 1].carrier) {
        ergi_pose carrier;
        ergi_motion_pose(&walls[c - 1].wall.motion, &states[c - 1].motion, time, &carrier);
        ergi_pose_carry(&carrier, walls[c - 1].wall.pivot, pivot, out);
    }
}

void ergi_walls_pose(erg_world *world, double time)
{
    for (size_t k = 0; k < world->movers; k++) {
        uint32_t w = world->mover[k];
        ergi_wall_pose(world->wall, world->wall_state, w, time, &world->wall_state[w].pose);
    }
}

// ---- Servos and users --------------------------------------------------------------------------
typedef struct load {
    erg_vec3 force, torque; // torque about the pivot [N] [N m]
} load;

void ergi_wall_load(const ergi_world_wall *wall, const ergi_wall_state *s, erg_vec3 *force,
                    erg_vec3 *torque)
{
    const ergi_motion_state *m = &s->motion;
    erg_vec3 arm = {0, 0, 0}; // from the pivot to where the ground's torque is taken
    if (wall->body.exists)
        arm = ergi_quat_rotate(s->pose.rotation, ergi_sub(wall->body.centre, wall->wall.pivot));
    *force = ergi_add(ergi_vec3(s->force[0], s->force[1], s->force[2]), m->ground_force);
    *torque = ergi_add(ergi_vec3(s->torque[0], s->torque[1], s->torque[2]),
                       ergi_add(m->ground_torque, ergi_cross(arm, m->ground_force)));
}

static load load_on(const erg_world *world, size_t w)
{
    load on;
    ergi_wall_load(&world->wall[w], &world->wall_state[w], &on.force, &on.torque);
    return on;
}

static bool is_carried_by(const erg_world *world, size_t w, uint32_t number)
{
    uint32_t c = world->wall[w].carrier;
    while (c && c != number) c = world->wall[c - 1].carrier;
    return c != 0;
}

static erg_vec3 pivot_now(const erg_world *world, size_t w)
{
    return ergi_add(world->wall[w].wall.pivot, world->wall_state[w].pose.position);
}

// Load on the wall and on all that it carries, in the frame in which its motion acts.
static load load_below(const erg_world *world, uint32_t w)
{
    load sum = load_on(world, w);
    for (size_t k = 0; world->wall[w].carries && k < world->walls; k++) {
        if (!is_carried_by(world, k, w + 1)) continue;
        load     on = load_on(world, k);
        erg_vec3 arm = ergi_sub(pivot_now(world, k), pivot_now(world, w));
        sum.force = ergi_add(sum.force, on.force);
        sum.torque = ergi_add(sum.torque, ergi_add(on.torque, ergi_cross(arm, on.force)));
    }
    uint32_t carrier = world->wall[w].carrier;
    if (!carrier) return sum;
    erg_quat frame = world->wall_state[carrier - 1].pose.rotation;
    return (load){ergi_quat_unrotate(frame, sum.force), ergi_quat_unrotate(frame, sum.torque)};
}

void ergi_walls_drive(erg_world *world, double time, double dt)
{
    for (size_t k = 0; k < world->movers; k++) {
        uint32_t           w = world->mover[k];
        const ergi_motion *m = &world->wall[w].wall.motion;
        if (!ergi_motion_dynamic(m) || world->wall[w].body.free) continue;
        load on = load_below(world, w);
        ergi_motion_step(m, &world->wall_state[w].motion, time, dt, on.force, on.torque);
    }
}

// ---- Bodies ------------------------------------------------------------------------------------
erg_status ergi_walls_inscribe(erg_world *world, erg_error *err)
{
    erg_status status = ERG_OK;
    if (world->free_bodies == 0) return ERG_OK;
    for (size_t k = 0; k < world->body_shapes && status == ERG_OK; k++) {
        char   name[ERGI_NAME_ROOM + 32];
        size_t w = 0;
        while (!world->wall[w].body.exists || world->wall[w].body.shape != k) w++;
        if (world->wall[w].name[0])
            snprintf(name, sizeof name, "body '%s'", world->wall[w].name);
        else
            snprintf(name, sizeof name, "body number %zu", w + 1);
        status = ergi_body_shape_inscribe(&world->body_shape[k], name, err);
        ergi_fail_within(err, status, "walls[%zu]", w);
    }
    return status;
}
