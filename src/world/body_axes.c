#include "world/body_axes.h"

#include "base/error.h"
#include "world/motion.h"

// ---- Checks ------------------------------------------------------------------------------------
static const char *colon(const char *name)
{
    return name[0] ? ": " : "";
}

// Unit vector of the only free rotation; zero if none or all are free.
static erg_vec3 hinge_of(uint32_t axes)
{
    switch (axes & ERG_AXIS_TURNS) {
    case ERG_AXIS_RX: return ergi_vec3(1, 0, 0);
    case ERG_AXIS_RY: return ergi_vec3(0, 1, 0);
    case ERG_AXIS_RZ: return ergi_vec3(0, 0, 1);
    default: return ergi_vec3(0, 0, 0);
    }
}

// "x", "y" or "z": the first axis along which v is not 0.
static const char *axis_of(erg_vec3 v)
{
    return v.x != 0 ? "x" : v.y != 0 ? "y" : "z";
}

erg_status ergi_body_axes_check(const erg_body_def *def, const char *name, erg_error *err)
{
    uint32_t axes = def->free_axes, turns = axes & ERG_AXIS_TURNS;
    if (!def->free) return ERG_OK;
    if (axes == 0 || axes > ERG_AXIS_ALL)
        return ergi_fail_at(err, "free_axes", ERG_ERROR_OUT_OF_RANGE,
                            "%s%sfree_axes of a free body must be ERG_AXIS_ bits, got %u; a body "
                            "with no free axis is not free",
                            name, colon(name), axes);
    if (__builtin_popcount(turns) == 2)
        return ergi_fail_at(err, "free_axes", ERG_ERROR_CONFLICT,
                            "%s%sfree contains two rotations, expected none, one or all of rx, ry "
                            "and rz",
                            name, colon(name));
    erg_vec3 v = ergi_driven_move(axes, def->velocity), spin = ergi_driven_turn(axes, def->spin);
    if (ergi_norm(v) > 0)
        return ergi_fail_at(err, "velocity", ERG_ERROR_CONFLICT,
                            "%s%sinitial velocity along %s, which is not free: add %s to free, or "
                            "move the body by a motion",
                            name, colon(name), axis_of(v), axis_of(v));
    if (ergi_norm(spin) > 0)
        return ergi_fail_at(err, "spin", ERG_ERROR_CONFLICT,
                            "%s%sinitial spin about %s, which is not free: add r%s to free, or "
                            "rotate the body by a motion",
                            name, colon(name), axis_of(spin), axis_of(spin));
    return ERG_OK;
}

static bool is_along(erg_vec3 v, erg_vec3 axis)
{
    return ergi_norm(ergi_cross(v, axis)) <= 1e-9 * ergi_norm(v);
}

// Whether the part rotates about `axis` at most.
static bool turns_about(const erg_motion_def *part, erg_vec3 axis)
{
    bool turns = part->kind == ERG_MOTION_SPIN || part->kind == ERG_MOTION_ROCKING ||
                 part->kind == ERG_MOTION_SERVO_TORQUE;
    if (turns) return is_along(part->axis, axis);
    for (int k = 0; part->kind == ERG_MOTION_KEYFRAMES && k < part->key_count; k++) {
        erg_quat q = part->keys[k].rotation;
        if (!is_along(ergi_vec3(q.x, q.y, q.z), axis)) return false;
    }
    return true;
}

erg_status ergi_body_hinge_check(const erg_body_def *def, const char *name, erg_error *err)
{
    erg_vec3 hinge = hinge_of(def->free_axes);
    if (!def->free || ergi_norm(hinge) == 0) return ERG_OK;
    for (int k = 0; k < def->motion_count; k++) {
        if (turns_about(&def->motion[k], hinge)) continue;
        erg_status status = ergi_fail_code(
            err, ERG_ERROR_CONFLICT,
            "%s%sits rotation about %s is free, and motion %d rotates it about another axis: give "
            "the body no free rotation, or the motion no rotation",
            name, colon(name), axis_of(hinge), k);
        return ergi_fail_within(err, status, "motion[%d]", k);
    }
    return ERG_OK;
}

// ---- Inertia -----------------------------------------------------------------------------------
// About a hinge a the inverse is a a^T/(a . I a), in the mesh's axes at t = 0. Rotation about the
// hinge does not change it.
void ergi_body_hold_rotation(ergi_body *body)
{
    uint32_t turns = body->free_axes & ERG_AXIS_TURNS;
    if (turns == ERG_AXIS_TURNS) return;
    body->inverse_inertia = (ergi_mat3){{{0}}};
    if (turns == 0) return;
    erg_vec3     a = ergi_quat_unrotate(body->start, hinge_of(turns));
    double       inertia = ergi_dot(a, ergi_mat3_mul(body->inertia, a));
    const double v[3] = {a.x, a.y, a.z};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) body->inverse_inertia.m[i][k] = v[i] * v[k] / inertia;
}

// ---- Motion ------------------------------------------------------------------------------------
// What servo and user parts have accumulated is the difference between the pose and the scripted
// parts.
void ergi_body_prescribed(const ergi_motion *motion, const ergi_wall_state *s, double now,
                          double next, ergi_pose *out)
{
    ergi_motion_at(motion, next, out);
    if (!ergi_motion_dynamic(motion)) return;
    ergi_pose         scripted;
    ergi_motion_state rest = s->motion;
    ergi_motion_at(motion, now, &scripted);
    rest.pose.position = ergi_sub(s->motion.pose.position, scripted.position);
    rest.pose.rotation =
        ergi_quat_mul(s->motion.pose.rotation, ergi_quat_conjugate(scripted.rotation));
    erg_vec3 force = {s->force[0], s->force[1], s->force[2]},
             torque = {s->torque[0], s->torque[1], s->torque[2]};
    ergi_motion_step(motion, &rest, now, next - now, ergi_add(force, s->motion.ground_force),
                     ergi_add(torque, s->motion.ground_torque));
    ergi_motion_pose(motion, &rest, next, out);
}

void ergi_body_impose(uint32_t axes, const ergi_pose *given, ergi_pose *pose)
{
    pose->position =
        ergi_add(ergi_free_move(axes, pose->position), ergi_driven_move(axes, given->position));
    pose->velocity =
        ergi_add(ergi_free_move(axes, pose->velocity), ergi_driven_move(axes, given->velocity));
    if (axes & ERG_AXIS_TURNS) return;
    pose->rotation = given->rotation;
    pose->spin = given->spin;
}
