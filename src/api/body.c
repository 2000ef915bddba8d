// Public functions for rigid bodies.
#include "base/error.h"
#include "erg/world.h"
#include "geom/sphere_cloud.h"
#include "geom/vec3.h"
#include "world/walls.h"

size_t erg_world_body_count(const erg_world *world)
{
    if (!world) return 0;
    return world->bodies;
}

const double *erg_world_body_spheres(const erg_world *world, erg_id id, size_t *count,
                                     double *radius)
{
    if (!world || !count || !radius) return NULL;
    const ergi_sphere_cloud *cloud =
        id >= 1 && id <= world->walls ? world->wall[id - 1].wall.surface.cloud : NULL;
    _Static_assert(sizeof(erg_vec3) == 3 * sizeof(double), "centres lie side by side");
    *count = cloud ? cloud->count : 0;
    *radius = cloud ? cloud->radius : 0;
    return cloud ? &cloud->centre[0].x : NULL;
}

erg_status erg_world_body_state(const erg_world *world, erg_id id, erg_body_state *out,
                                erg_error *err)
{
    if (!world || !out) return ergi_fail_null(err, __func__);
    if (id < 1 || id > world->walls || !world->wall[id - 1].body.exists)
        return ergi_fail_code(err, ERG_ERROR_UNKNOWN, "there is no body %u", id);
    const ergi_world_wall *w = &world->wall[id - 1];
    const ergi_wall_state *s = &world->wall_state[id - 1];
    const ergi_pose       *pose = &s->pose;
    // A wall rotates about its pivot and its torque is taken about it; a body reports both about
    // its centre of mass.
    erg_vec3 force, torque;
    ergi_wall_load(w, s, &force, &torque);
    erg_vec3 arm = ergi_quat_rotate(pose->rotation, ergi_sub(w->body.centre, w->wall.pivot));
    *out = (erg_body_state){
        .mass = w->body.mass,
        .centre = ergi_add(ergi_add(w->wall.pivot, pose->position), arm),
        .rotation = ergi_quat_mul(pose->rotation, w->body.start),
        .velocity = ergi_add(pose->velocity, ergi_cross(pose->spin, arm)),
        .spin = pose->spin,
        .force = force,
        .torque = ergi_sub(torque, ergi_cross(arm, force)),
        .free = w->body.free,
        .free_axes = w->body.free_axes,
    };
    return ERG_OK;
}
