// How free bodies move: kick, drift, kick, as grains do. The angular momentum is the state, so that
// it is conserved to rounding; the spin follows from it and from how the body is turned.
#include <math.h>

#include "base/error.h"
#include "dem/rigid.h"

#define MAX_WAY 0.5 // of its radius in one step: beyond it contacts are missed

static void kick(const erg_world *world, const ergi_rigid *rigid, ergi_wall_state *s, double dt)
{
    const double *g = world->clock.gravity;
    erg_vec3      force = {s->force[0], s->force[1], s->force[2]};
    erg_vec3      torque = {s->torque[0], s->torque[1], s->torque[2]};
    erg_vec3      a = ergi_madd(ergi_vec3(g[0], g[1], g[2]), rigid->inverse_mass, force);
    ergi_pose    *pose = &s->motion.pose;
    pose->velocity = ergi_madd(pose->velocity, dt, a);
    s->motion.angular_momentum = ergi_madd(s->motion.angular_momentum, dt, torque);
}

static erg_vec3 spin_of(const ergi_rigid *rigid, const ergi_motion_state *m, erg_quat rotation)
{
    return ergi_rigid_spin(rigid, ergi_quat_mul(rotation, rigid->start), m->angular_momentum);
}

static erg_quat turned(erg_quat q, erg_vec3 spin, double dt)
{
    return ergi_quat_normalize(ergi_quat_mul(ergi_quat_exp(ergi_scale(spin, dt)), q));
}

// The spin of the middle of the step turns the body, to second order in dt.
static void drift(const ergi_rigid *rigid, ergi_motion_state *m, double dt)
{
    ergi_pose *pose = &m->pose;
    erg_quat   middle = turned(pose->rotation, spin_of(rigid, m, pose->rotation), 0.5 * dt);
    pose->position = ergi_madd(pose->position, dt, pose->velocity);
    pose->rotation = turned(pose->rotation, spin_of(rigid, m, middle), dt);
    pose->spin = spin_of(rigid, m, pose->rotation);
}

static double kick_share(const erg_world *world)
{
    return world->def.integrator == ERG_EULER ? 1.0 : 0.5;
}

void ergi_rigid_start(erg_world *world)
{
    double dt = world->clock.dt;
    if (world->free_rigids == 0) return;
    for (size_t w = 0; w < world->walls; w++) {
        const ergi_rigid *rigid = &world->wall[w].rigid;
        if (!rigid->free) continue;
        kick(world, rigid, &world->wall_state[w], kick_share(world) * dt);
        drift(rigid, &world->wall_state[w].motion, dt);
    }
}

void ergi_rigid_finish(erg_world *world)
{
    double dt = world->clock.dt;
    if (world->free_rigids == 0) return;
    for (size_t w = 0; w < world->walls; w++) {
        const ergi_rigid *rigid = &world->wall[w].rigid;
        ergi_wall_state  *s = &world->wall_state[w];
        if (!rigid->free) continue;
        kick(world, rigid, s, (1 - kick_share(world)) * dt);
        s->motion.pose.spin = spin_of(rigid, &s->motion, s->motion.pose.rotation);
        s->pose = s->motion.pose;
    }
}

bool ergi_rigid_bad(const erg_world *world, double dt, erg_error *err)
{
    for (size_t w = 0; w < world->walls && world->free_rigids; w++) {
        const ergi_rigid *rigid = &world->wall[w].rigid;
        const ergi_pose  *pose = &world->wall_state[w].motion.pose;
        double            way =
            world->clock.dt * (ergi_norm(pose->velocity) + rigid->radius * ergi_norm(pose->spin));
        if (!rigid->free || way <= MAX_WAY * rigid->radius) continue;
        const char *name = world->wall[w].name;
        ergi_fail(err, ERG_BAD_PHYSICS,
                  "step %llu, t = %.6g s: body %s%s%s (wall %zu) %s (%.3g, %.3g, %.3g) m/s; it was "
                  "probably placed inside another body or a wall, or dt is too large",
                  (unsigned long long)world->clock.steps + (dt > 0), world->clock.time + dt,
                  name[0] ? "'" : "", name, name[0] ? "'" : "", w + 1,
                  isnan(way) ? "has no number for a velocity:" : "runs away with", pose->velocity.x,
                  pose->velocity.y, pose->velocity.z);
        return true;
    }
    return false;
}
