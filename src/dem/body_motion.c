// Motion of free bodies: kick, drift, kick, as for grains. The angular momentum is the state
// variable, so that it is conserved to rounding; the spin follows from it and the orientation.
// Forces act on free axes only; the others follow the prescribed motion.
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "dem/body.h"
#include "world/body_axes.h"

// Largest displacement of a body's farthest point in one step, over its radius: beyond this,
// contacts could be missed.
#define MAX_DISPLACEMENT 0.5

static erg_vec3 spin_of(const ergi_body *body, const ergi_motion_state *m, erg_quat rotation)
{
    if (!(body->free_axes & ERG_AXIS_TURNS)) return m->pose.spin; // prescribed
    erg_quat q = ergi_quat_mul(rotation, body->start);
    return ergi_free_turn(body->free_axes, ergi_body_spin(body, q, m->angular_momentum));
}

static void kick(erg_world *world, const ergi_body *body, ergi_wall_state *s, double dt)
{
    const double *g = world->clock.gravity;
    uint32_t      axes = body->free_axes;
    erg_vec3      on = ergi_vec3(s->force[0], s->force[1], s->force[2]);
    erg_vec3      about = ergi_vec3(s->torque[0], s->torque[1], s->torque[2]);
    erg_vec3      force = ergi_free_move(axes, ergi_add(on, s->motion.ground_force));
    erg_vec3      torque = ergi_free_turn(axes, ergi_add(about, s->motion.ground_torque));
    erg_vec3      push = ergi_add(force, s->motion.applied_force);
    erg_vec3      twist = ergi_add(torque, s->motion.applied_torque);
    erg_vec3      fall = ergi_vec3(g[0], g[1], g[2]);
    erg_vec3      a = ergi_free_move(axes, ergi_madd(fall, body->inverse_mass, push));
    ergi_pose    *pose = &s->motion.pose;
    erg_vec3      v = pose->velocity, spin = spin_of(body, &s->motion, pose->rotation);
    pose->velocity = ergi_madd(v, dt, a);
    s->motion.angular_momentum =
        ergi_madd(s->motion.angular_momentum, dt, ergi_free_turn(axes, twist));
    pose->spin = spin_of(body, &s->motion, pose->rotation);
    // Work of the contacts and the ground alone: dissipation is computed from it, so applied forces
    // do not count.
    world->clock.body_work += 0.5 * dt *
                              (ergi_dot(force, ergi_add(v, pose->velocity)) +
                               ergi_dot(torque, ergi_add(spin, pose->spin)));
}

static erg_quat turned(erg_quat q, erg_vec3 spin, double dt)
{
    return ergi_quat_normalize(ergi_quat_mul(ergi_quat_exp(ergi_scale(spin, dt)), q));
}

// Rotates the body by the spin at mid-step: second order in dt.
static void drift(const ergi_body *body, ergi_motion_state *m, double dt)
{
    ergi_pose *pose = &m->pose;
    erg_quat   middle = turned(pose->rotation, spin_of(body, m, pose->rotation), 0.5 * dt);
    pose->position = ergi_madd(pose->position, dt, pose->velocity);
    pose->rotation = turned(pose->rotation, spin_of(body, m, middle), dt);
    pose->spin = spin_of(body, m, pose->rotation);
}

static double kick_share(const erg_world *world)
{
    return world->def.integrator == ERG_EULER ? 1.0 : 0.5;
}

void ergi_body_start(erg_world *world, double now, double next)
{
    double dt = world->clock.dt;
    if (world->free_bodies == 0) return;
    for (size_t w = 0; w < world->walls; w++) {
        const ergi_body *body = &world->wall[w].body;
        if (!body->free) continue;
        ergi_wall_state *s = &world->wall_state[w];
        bool             partly = ergi_body_partly_free(body);
        ergi_pose        given;
        if (partly) ergi_body_prescribed(&world->wall[w].wall.motion, s, now, next, &given);
        kick(world, body, s, kick_share(world) * dt);
        drift(body, &s->motion, dt);
        if (partly) ergi_body_impose(body->free_axes, &given, &s->motion.pose);
    }
}

void ergi_body_finish(erg_world *world)
{
    double dt = world->clock.dt;
    if (world->free_bodies == 0) return;
    for (size_t w = 0; w < world->walls; w++) {
        const ergi_body *body = &world->wall[w].body;
        ergi_wall_state *s = &world->wall_state[w];
        if (!body->free) continue;
        kick(world, body, s, (1 - kick_share(world)) * dt);
        s->pose = s->motion.pose;
    }
}

static const char *name_of(const erg_world *world, size_t w, char text[96])
{
    const ergi_world_wall *wall = &world->wall[w];
    const char            *what = wall->body.exists ? "body" : "wall";
    if (wall->name[0])
        snprintf(text, 96, "%s '%s'", what, wall->name);
    else
        snprintf(text, 96, "%s number %zu", what, w + 1);
    return text;
}

bool ergi_body_too_fast(const erg_world *world, double dt, erg_error *err)
{
    const ergi_dem *dem = ergi_dem_of(world);
    for (size_t w = 0; w < world->walls && world->free_bodies; w++) {
        const ergi_body *body = &world->wall[w].body;
        const ergi_pose *pose = &world->wall_state[w].motion.pose;
        double speed = ergi_norm(pose->velocity), tip = body->reach * ergi_norm(pose->spin);
        if (!body->free || world->clock.dt * (speed + tip) <= MAX_DISPLACEMENT * body->radius)
            continue;
        bool                     turns = tip > speed;
        erg_vec3                 v = turns ? pose->spin : pose->velocity;
        char                     name[96];
        const ergi_motion_state *m = &world->wall_state[w].motion;
        bool        pushed = ergi_norm(m->applied_force) > 0 || ergi_norm(m->applied_torque) > 0;
        const char *does = "is too fast, with a velocity of";
        if (turns) does = "spins too fast, at";
        if (isnan(speed + tip)) does = "has a velocity that is not a number:";
        ergi_fail(err, ERG_BAD_PHYSICS,
                  "step %llu, t = %.6g s: %s %s (%.3g, %.3g, %.3g) %s; %s, or dt is too large",
                  (unsigned long long)world->clock.steps + 1, world->clock.time + dt,
                  name_of(world, w, name), does, v.x, v.y, v.z, turns ? "rad/s" : "m/s",
                  pushed ? "commands push it too hard or too long"
                  : dem->start_overlap > 0.01
                      ? "it was probably placed inside another body or a wall"
                      : "it was hit too hard, or was too fast from the start");
        return true;
    }
    return false;
}

bool ergi_body_too_deep(const erg_world *world, double dt, erg_error *err)
{
    const ergi_dem *dem = ergi_dem_of(world);
    if (world->free_bodies == 0 || dem->body_overlap <= world->def.max_overlap) return false;
    const ergi_body_pair *pair = &dem->body_near.pair[dem->body_deepest];
    char                  a[96], b[96];
    ergi_fail(err, ERG_BAD_PHYSICS,
              "step %llu, t = %.6g s: %s and %s overlap by %.3g of a radius, the limit is %g; %s",
              (unsigned long long)world->clock.steps + (dt > 0), world->clock.time + dt,
              name_of(world, pair->a, a), name_of(world, pair->b, b), dem->body_overlap,
              world->def.max_overlap,
              world->clock.steps < 10 && dem->start_overlap > 0.01
                  ? "they were placed inside each other"
                  : "their material is too soft for these speeds or this load (raise young)");
    return true;
}
