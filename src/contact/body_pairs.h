// Which bodies may touch each other or a wall, where their inscribed spheres are, and which rows of
// a contact history belong to a pair. Shared by the solvers.
#ifndef ERGI_BODY_PAIRS_H
#define ERGI_BODY_PAIRS_H

#include "world/world.h"

// Bounding box of a wall (every body is also a wall).
typedef struct ergi_wall_box {
    erg_vec3 low, high;
    uint32_t wall;
} ergi_wall_box;

// Calls fn for each pair of boxes that meet and of which one is a free body, by sweep and prune
// along x; the terrain is left out, it acts on bodies by ground_force. Sorts the boxes. Ends early
// when fn fails. The order of the pairs depends on positions.
typedef erg_status ergi_body_pair_fn(void *user, uint32_t a, uint32_t b, erg_error *err);
erg_status         ergi_body_pairs_find(const erg_world *world, ergi_wall_box *box, size_t count,
                                        ergi_body_pair_fn *fn, void *user, erg_error *err);

// The rows *begin .. *end - 1 of a history table that belong to walls a and b. `walls`: two per
// row, sorted.
void ergi_body_pair_rows(const uint32_t *walls, size_t rows, uint32_t a, uint32_t b, size_t *begin,
                         size_t *end);

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

// Where a point of the mesh of a body is now. [m]
static inline erg_vec3 ergi_body_point_at(const ergi_world_wall *w, const ergi_body_shape *shape,
                                          const ergi_pose *pose, erg_vec3 point)
{
    erg_vec3 from = ergi_quat_rotate(w->body.start, ergi_sub(point, shape->centre));
    erg_vec3 at = ergi_sub(ergi_add(w->body.centre, from), w->wall.pivot); // at t = 0
    return ergi_add(ergi_add(w->wall.pivot, pose->position), ergi_quat_rotate(pose->rotation, at));
}

// Centre of inscribed sphere k of a body. [m]
static inline erg_vec3 ergi_body_ball_at(const ergi_world_wall *w, const ergi_body_shape *shape,
                                         const ergi_pose *pose, uint32_t k)
{
    return ergi_body_point_at(w, shape, pose, shape->balls.ball[k].centre);
}

#endif
