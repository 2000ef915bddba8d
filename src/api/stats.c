// Sums over a world: energies, counts, times.
#include "api/memory.h"
#include "base/error.h"
#include "erg/world.h"
#include "geom/vec3.h"
#include "solver/solver.h"
#include "world/body_axes.h"

#include <math.h>
#include <string.h>

static void sum_grains(const erg_world *world, erg_stats *s)
{
    ergi_type     real = ergi_world_real(world);
    const double *x = ERGI_GRAIN(world, POSITION, double);
    for (size_t i = 0; i < world->grains.rows; i++) {
        double v2 = 0, mass = ergi_grain_mass(world, (erg_index)i), inertia[3];
        double v[3], w[3];
        ergi_get3(world->grains.data[ERGI_GRAIN_MOTION], real, i, ERGI_VELOCITY, v);
        ergi_get3(world->grains.data[ERGI_GRAIN_MOTION], real, i, ERGI_SPIN, w);
        for (size_t a = 0; a < 3; a++) {
            v2 += v[a] * v[a];
            s->potential -= mass * world->clock.gravity[a] * x[4 * i + a];
        }
        const double *o = ERGI_GRAIN(world, ORIENTATION, double) + 4 * i;
        erg_vec3      b =
            ergi_quat_unrotate((erg_quat){o[0], o[1], o[2], o[3]}, ergi_vec3(w[0], w[1], w[2]));
        ergi_grain_inertia(world, (erg_index)i, inertia);
        s->mass += mass;
        s->kinetic += 0.5 * mass * v2;
        s->rotational +=
            0.5 * (inertia[0] * b.x * b.x + inertia[1] * b.y * b.y + inertia[2] * b.z * b.z);
        s->max_speed = fmax(s->max_speed, sqrt(v2));
    }
}

static void sum_bodies(const erg_world *world, erg_stats *s)
{
    const double *g = world->clock.gravity;
    for (size_t w = 0; w < world->walls; w++) {
        const ergi_body *body = &world->wall[w].body;
        const ergi_pose *pose = &world->wall_state[w].pose;
        if (!body->free) continue;
        erg_vec3 centre = ergi_add(body->centre, pose->position);
        erg_vec3 v = ergi_free_move(body->free_axes, pose->velocity); // driven axes do not count
        s->kinetic += 0.5 * body->mass * ergi_dot(v, v);
        s->rotational += 0.5 * ergi_dot(pose->spin, world->wall_state[w].motion.angular_momentum);
        s->potential -=
            body->mass *
            ergi_dot(ergi_free_move(body->free_axes, ergi_vec3(g[0], g[1], g[2])), centre);
        s->max_speed = fmax(s->max_speed, ergi_norm(pose->velocity));
    }
}

erg_status erg_world_stats(const erg_world *world, erg_stats *s, erg_error *err)
{
    if (!world || !s) return ergi_fail_null(err, __func__);
    memset(s, 0, sizeof *s);
    sum_grains(world, s);
    sum_bodies(world, s);
    s->threads = ergi_thread_tuning_most_used(&world->thread_tuning);
    s->grains = world->grains.rows;
    s->spheres = erg_world_sphere_count(world);
    s->contacts = erg_world_touching_count(world);
    s->wall_contacts = s->contacts - world->clock.contacts;
    s->max_overlap_ratio = world->clock.max_overlap_ratio;
    s->emitted = world->clock.emitted;
    s->removed = world->clock.removed;
    s->lost = world->clock.lost;
    s->bytes = s->most_bytes = ergi_world_bytes(world);
    if (world->solver->stats) world->solver->stats(world, s);
    return ERG_OK;
}
