// Bodies that are free in some axes of the world and driven in the others. The pose of such a body
// is in its motion state, as for any free body; in driven axes it is overwritten by the prescribed
// motion in every step.
#ifndef ERGI_BODY_AXES_H
#define ERGI_BODY_AXES_H

#include "world/world.h"

// Whether some axes are free and some are driven.
static inline bool ergi_body_partly_free(const ergi_body *body)
{
    return body->free && body->free_axes != ERG_AXIS_ALL;
}

static inline erg_vec3 ergi_axes_part(uint32_t x, uint32_t y, uint32_t z, erg_vec3 v)
{
    return ergi_vec3(x ? v.x : 0, y ? v.y : 0, z ? v.z : 0);
}

// Components along free or driven axes: of a velocity or force, and of a spin or torque.
static inline erg_vec3 ergi_free_move(uint32_t axes, erg_vec3 v)
{
    return ergi_axes_part(axes & ERG_AXIS_X, axes & ERG_AXIS_Y, axes & ERG_AXIS_Z, v);
}

static inline erg_vec3 ergi_free_turn(uint32_t axes, erg_vec3 v)
{
    return ergi_axes_part(axes & ERG_AXIS_RX, axes & ERG_AXIS_RY, axes & ERG_AXIS_RZ, v);
}

static inline erg_vec3 ergi_driven_move(uint32_t axes, erg_vec3 v)
{
    return ergi_free_move(~axes, v);
}

static inline erg_vec3 ergi_driven_turn(uint32_t axes, erg_vec3 v)
{
    return ergi_free_turn(~axes, v);
}

// Checks the axes of a definition, and that it has no initial velocity in driven ones. `name`
// begins the message; may be "".
erg_status ergi_body_axes_check(const erg_body_def *def, const char *name, erg_error *err);

// Checks that the motion of a body with one free rotation rotates it about no other axis.
erg_status ergi_body_hinge_check(const erg_body_def *def, const char *name, erg_error *err);

// Removes driven rotations from the inverse inertia of a free body.
void ergi_body_hold_rotation(ergi_body *body);

// The pose that the motion prescribes at `next`, for a body in state `s` at `now`.
void ergi_body_prescribed(const ergi_motion *motion, const ergi_wall_state *s, double now,
                          double next, ergi_pose *out);

// Overwrites the driven components of a pose.
void ergi_body_impose(uint32_t axes, const ergi_pose *given, ergi_pose *pose);

#endif
