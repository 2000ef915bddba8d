// A wall: a surface, defined at t = 0 and moved by a pose. ergi_wall_hits is called millions of
// times per step; ergi_wall_far is the cheap test for building lists.
#ifndef ERGI_WALL_H
#define ERGI_WALL_H

#include "erg/wall.h"
#include "geom/surface.h"
#include "geom/vec3.h"
#include "world/motion.h"

enum { ERGI_WALL_NAME = 64, ERGI_WALL_MAX_HITS = ERGI_SURFACE_MAX_HITS };

typedef ergi_surface_hit ergi_wall_hit;

typedef struct ergi_wall {
    char            name[ERGI_WALL_NAME]; // "": none
    erg_id          material;
    ergi_surface    surface;   // at t = 0
    const erg_mesh *mesh;      // of a mesh wall, reference counted; else NULL
    bool            spherical; // unchanged by rotations about its centre
    erg_vec3        pivot;     // at t = 0 [m]
    ergi_motion     motion;
} ergi_wall;

// Checks sizes, side, bumps and motion; the world checks the material. Messages begin with the
// wall's name.
erg_status ergi_wall_check(const erg_wall_def *def, erg_error *err);

// The same without the wall's name, which is neither checked nor part of the message.
erg_status ergi_wall_check_unnamed(const erg_wall_def *def, erg_error *err);

// Checks the definition, then creates the wall. On failure *wall is empty.
erg_status ergi_wall_init(ergi_wall *wall, const erg_wall_def *def, erg_error *err);
void       ergi_wall_free(ergi_wall *wall);

// All features of the wall closer to `centre` than `reach`; see ergi_surface_hits.
int ergi_wall_hits(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 centre, double reach,
                   ergi_wall_hit hits[ERGI_WALL_MAX_HITS]);

// True if ergi_wall_hits would find nothing.
bool ergi_wall_far(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 centre, double reach);
// Whether a sphere of that reach may touch the wall: as !ergi_wall_far, but by the distance to the
// triangles of a mesh instead of that to its box. *distance: that distance, or 0 where the wall is
// not such a mesh [m].
bool ergi_wall_within(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 centre, double reach,
                      double *distance);

// Whether the point is on the wrong side of a signed mesh, at any depth; deep inside,
// ergi_wall_hits finds nothing. Always false for other surfaces, where ergi_wall_hits works at any
// depth.
bool ergi_wall_encloses(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 point);

// True if no sphere of this radius with its centre in the box is clear of the wall; false when in
// doubt.
bool ergi_wall_blocks(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 low, erg_vec3 high,
                      double radius);

// The axis-aligned bounding box of the wall; false and all of space for a plane.
bool ergi_wall_bounds(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 *lower,
                      erg_vec3 *upper);

// Upper bound on how much the distance to the wall changed between two poses, anywhere within
// `far_distance` of the pivot (that matters for planes only) [m]. Zero to rounding when the motion
// maps the surface onto itself: a smooth drum spinning about its axis, a smooth plane sliding in
// itself. Zero for a height field, whose surface moves without its pose.
double ergi_wall_sweep(const ergi_wall *wall, const ergi_pose *a, const ergi_pose *b,
                       double far_distance);

// Velocity of the wall's material at a point [m/s].
static inline erg_vec3 ergi_wall_velocity(const ergi_wall *wall, const ergi_pose *pose,
                                          erg_vec3 point)
{
    erg_vec3 arm = ergi_sub(ergi_sub(point, wall->pivot), pose->position);
    return ergi_add(pose->velocity, ergi_cross(pose->spin, arm));
}

// 1/R* of a sphere on a wall, 1/radius + curvature, kept between 1/10 and 10 times 1/radius: a
// sphere in a hollow of its own size, or on a tip, still has a stiffness [1/m].
static inline double ergi_wall_contact_curvature(double radius, double curvature)
{
    double k = 1.0 / radius + curvature, least = 0.1 / radius, most = 10.0 / radius;
    return k < least ? least : k > most ? most : k;
}

#endif
