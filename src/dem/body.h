// Bodies in a step: how they move, whom they are near, what they do to each other and to walls.
// Grains feel them as walls (wall_pass.h).
#ifndef ERGI_DEM_BODY_H
#define ERGI_DEM_BODY_H

#include "dem/dem.h"

// The kick before the drift, and the drift, of all free bodies; their poses are those of the end of
// the step then, their velocities those of its middle.
void ergi_body_start(erg_world *world);
// The kick after it, under the forces on their walls.
void ergi_body_finish(erg_world *world);

// New lists of near balls when bodies have gone far enough.
erg_status ergi_body_renew(erg_world *world, erg_error *err);

// Contacts between bodies, and of bodies with walls, at the present poses: forces and torques are
// added to those of the walls.
erg_status ergi_body_contacts(erg_world *world, erg_error *err);

// Guards, with the sentence: a body runs away, or is deep in a wall or another body.
bool ergi_body_too_fast(const erg_world *world, double dt, erg_error *err);
bool ergi_body_too_deep(const erg_world *world, double dt, erg_error *err);

// Bodies feel each other's triangles, also where grains feel spheres.
static inline int ergi_body_hits(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 centre,
                                 double reach, ergi_wall_hit hits[ERGI_WALL_MAX_HITS])
{
    if (wall->surface.kind != ERGI_SURFACE_CLOUD)
        return ergi_wall_hits(wall, pose, centre, reach, hits);
    ergi_wall exact = *wall;
    exact.surface.kind = ERGI_SURFACE_MESH;
    return ergi_wall_hits(&exact, pose, centre, reach, hits);
}

// Where the centre of ball k of a body is now.
static inline erg_vec3 ergi_body_ball_at(const ergi_world_wall *w, const ergi_body_shape *shape,
                                         const ergi_pose *pose, uint32_t k)
{
    erg_vec3 from =
        ergi_quat_rotate(w->body.start, ergi_sub(shape->balls.ball[k].centre, shape->centre));
    erg_vec3 at = ergi_sub(ergi_add(w->body.centre, from), w->wall.pivot); // at t = 0
    return ergi_add(ergi_add(w->wall.pivot, pose->position), ergi_quat_rotate(pose->rotation, at));
}

#endif
