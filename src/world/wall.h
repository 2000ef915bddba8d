// A wall: a surface at its place at t = 0, moved by a pose. The question asked millions of times a
// step is ergi_wall_hits; ask ergi_wall_far when lists are built.
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
    const erg_mesh *mesh;      // whose triangles the surface is, held; else NULL
    bool            spherical; // looks the same however it is turned about its centre
    erg_vec3        pivot;     // at t = 0 [m]
    ergi_motion     motion;
} ergi_wall;

// Sizes, side, bumps and motion; the material is for the world to check. The sentence begins with
// the wall's name.
erg_status ergi_wall_check(const erg_wall_def *def, erg_error *err);

// The same without the wall's name, neither looked at nor in the sentence.
erg_status ergi_wall_problem(const erg_wall_def *def, erg_error *err);

// Checks, then makes. On failure *wall is empty.
erg_status ergi_wall_init(ergi_wall *wall, const erg_wall_def *def, erg_error *err);
void       ergi_wall_free(ergi_wall *wall);

// All features of the wall nearer to the centre than reach; see ergi_surface_hits.
int ergi_wall_hits(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 centre, double reach,
                   ergi_wall_hit hits[ERGI_WALL_MAX_HITS]);

// True: ergi_wall_hits would find nothing.
bool ergi_wall_far(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 centre, double reach);

// Whether the point is past a signed mesh, however deep: there ergi_wall_hits finds nothing. Always
// false for other surfaces, where it does.
bool ergi_wall_buries(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 point);

// True: no ball of this radius with its centre in the box is clear of the wall. May answer false
// when in doubt.
bool ergi_wall_blocks(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 low, erg_vec3 high,
                      double radius);

// The box along the world's axes that holds the wall; false and all of space for a plane.
bool ergi_wall_bounds(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 *lower,
                      erg_vec3 *upper);

// Upper bound on how much the distance to the wall changed between two poses, anywhere within
// `far_distance` of the pivot (that matters for planes only) [m]. Zero to rounding when the motion
// maps the surface onto itself: a smooth drum spinning about its axis, a smooth plane sliding in
// itself.
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
