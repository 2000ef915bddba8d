// Bodies in a step: motion, neighbour lists, and contacts with each other and with walls. Contacts
// of grains with bodies are wall contacts (wall_pass.h).
#ifndef ERGI_DEM_BODY_H
#define ERGI_DEM_BODY_H

#include "dem/dem.h"

// First kick and drift of all free bodies, from time `now` to `next`. Afterwards poses are those at
// the end of the step, velocities those at mid-step; in driven axes both are those of the motion.
void ergi_body_start(erg_world *world, double now, double next);
// Second kick, with the forces on the bodies' walls.
void ergi_body_finish(erg_world *world);

// Rebuilds the lists of near inscribed spheres if a body has moved beyond the skin.
erg_status ergi_body_update_lists(erg_world *world, erg_error *err);

// Evaluates contacts between bodies, and of bodies with walls, at the current poses. Forces and
// torques are added to those of the walls.
erg_status ergi_body_contacts(erg_world *world, erg_error *err);

// Guards: true, with a message in `err`, if a body is too fast, or too deep in a wall or another
// body.
bool ergi_body_too_fast(const erg_world *world, double dt, erg_error *err);
bool ergi_body_too_deep(const erg_world *world, double dt, erg_error *err);

// Hits of an inscribed sphere on a wall. Bodies always collide with triangles, even with a body
// that grains collide with as a cloud of spheres.
static inline int ergi_body_hits(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 centre,
                                 double reach, ergi_wall_hit hits[ERGI_WALL_MAX_HITS])
{
    if (wall->surface.kind != ERGI_SURFACE_CLOUD)
        return ergi_wall_hits(wall, pose, centre, reach, hits);
    ergi_wall exact = *wall;
    exact.surface.kind = ERGI_SURFACE_MESH;
    return ergi_wall_hits(&exact, pose, centre, reach, hits);
}

// Current centre of inscribed sphere k of a body. [m]
static inline erg_vec3 ergi_body_ball_at(const ergi_world_wall *w, const ergi_body_shape *shape,
                                         const ergi_pose *pose, uint32_t k)
{
    erg_vec3 from =
        ergi_quat_rotate(w->body.start, ergi_sub(shape->balls.ball[k].centre, shape->centre));
    erg_vec3 at = ergi_sub(ergi_add(w->body.centre, from), w->wall.pivot); // at t = 0
    return ergi_add(ergi_add(w->wall.pivot, pose->position), ergi_quat_rotate(pose->rotation, at));
}

#endif
