#include "world/motion.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/vec3.h"

#include <string.h>

erg_motion_def erg_motion_def_default(erg_motion_kind kind)
{
    return (erg_motion_def){.kind = kind,
                            .stop = HUGE_VAL,
                            .axis = {0.0, 0.0, 1.0},
                            .frequency = 1.0,
                            .smooth = true,
                            .direction = {0.0, 0.0, -1.0},
                            .range = {-HUGE_VAL, HUGE_VAL}};
}

ergi_pose ergi_pose_identity(void)
{
    return (ergi_pose){.rotation = {0.0, 0.0, 0.0, 1.0}};
}

ergi_motion_state ergi_motion_state_initial(void)
{
    return (ergi_motion_state){.pose = ergi_pose_identity()};
}

// ---- Checking ----------------------------------------------------------------------------------
typedef struct part_name {
    const char *owner;
    int         index;
    erg_error  *err;
} part_name;

static const char *colon(const char *owner)
{
    return *owner ? ": " : "";
}

// `what` is the member's name in the message, `field` that in the struct.
static erg_status bad(part_name name, const char *field, const char *what, const char *wanted,
                      double got)
{
    return ergi_fail_at(name.err, field, ergi_code_of(got), "%s%smotion %d: %s must be %s, got %g",
                        name.owner, colon(name.owner), name.index, what, wanted, got);
}

static erg_status bad_vector(part_name name, const char *field, const char *what,
                             const char *wanted, erg_vec3 got)
{
    return ergi_fail_at(name.err, field, ergi_code_of(got.x + got.y + got.z),
                        "%s%smotion %d: %s must be %s, got (%g, %g, %g)", name.owner,
                        colon(name.owner), name.index, what, wanted, got.x, got.y, got.z);
}

static erg_status check_finite(part_name name, const char *what, erg_vec3 v)
{
    return ergi_finite(v) ? ERG_OK : bad_vector(name, what, what, "finite", v);
}

static erg_status check_direction(part_name name, const char *what, erg_vec3 v)
{
    if (ergi_finite(v) && ergi_norm(v) > 0.0 && isfinite(ergi_norm(v))) return ERG_OK;
    return bad_vector(name, what, what, "a finite direction, not zero", v);
}

static erg_status check_above_zero(part_name name, const char *what, const char *wanted, double x)
{
    return x > 0.0 && isfinite(x) ? ERG_OK : bad(name, what, what, wanted, x);
}

static erg_status check_periodic(part_name name, const erg_motion_def *def)
{
    if (check_above_zero(name, "frequency", "above 0 Hz", def->frequency)) return ERG_BAD_INPUT;
    return isfinite(def->phase) ? ERG_OK : bad(name, "phase", "phase", "finite", def->phase);
}

// Unless `first`, key[-1] is the key before it.
static erg_status check_key(part_name name, const erg_keyframe *key, bool first)
{
    erg_quat q = key->rotation;
    double   norm = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (!(key->time >= 0.0) || !isfinite(key->time))
        return bad(name, "time", "time of a keyframe", "at least 0 s", key->time);
    if (!first && !(key->time > key[-1].time))
        return bad(name, "time", "time of a keyframe", "later than the one before", key->time);
    if (!ergi_finite(key->position))
        return bad_vector(name, "position", "position of a keyframe", "finite", key->position);
    if (!(fabs(norm - 1.0) < 1e-6))
        return bad(name, "rotation", "length of a keyframe's quaternion", "1", norm);
    return ERG_OK;
}

static erg_status check_keys(part_name name, const erg_motion_def *def)
{
    erg_status status = ERG_OK;
    if (def->key_count < 1 || !def->keys)
        return bad(name, "keys", "number of keyframes", "at least 1", def->key_count);
    for (int i = 0; i < def->key_count && status == ERG_OK; i++)
        status = ergi_fail_within(name.err, check_key(name, &def->keys[i], i == 0), "keys[%d]", i);
    return status;
}

static erg_status check_servo(part_name name, const erg_motion_def *def)
{
    if (check_direction(name, "direction", def->direction)) return ERG_BAD_INPUT;
    if (check_above_zero(name, "force", "above 0 N", def->force)) return ERG_BAD_INPUT;
    if (check_above_zero(name, "max_speed", "above 0 m/s", def->max_speed)) return ERG_BAD_INPUT;
    if (!(def->gain >= 0.0) || !isfinite(def->gain))
        return bad(name, "gain", "gain", "at least 0 m/(s N)", def->gain);
    return ERG_OK;
}

static erg_status check_servo_torque(part_name name, const erg_motion_def *def)
{
    if (check_direction(name, "axis", def->axis)) return ERG_BAD_INPUT;
    if (check_above_zero(name, "torque", "above 0 N m", def->torque)) return ERG_BAD_INPUT;
    if (check_above_zero(name, "max_rate", "above 0 rad/s", def->max_rate)) return ERG_BAD_INPUT;
    if (!(def->gain >= 0.0) || !isfinite(def->gain))
        return bad(name, "gain", "gain", "at least 0 rad/(s N m)", def->gain);
    return ERG_OK;
}

bool ergi_joint_key_allowed(char key)
{
    return (key >= 'a' && key <= 'z' && !strchr("wasdqeh", key)) || (key >= '4' && key <= '9');
}

static erg_status check_joint_keys(part_name name, const erg_motion_def *def)
{
    const char keys[2] = {def->key_up, def->key_down};
    if (!keys[0] && !keys[1]) return ERG_OK;
    for (int k = 0; k < 2; k++) {
        const char *field = k ? "key_down" : "key_up";
        if (!keys[k])
            return ergi_fail_at(name.err, field, ERG_ERROR_MISSING,
                                "%s%smotion %d: a joint has two keys or none, got one", name.owner,
                                colon(name.owner), name.index);
        if (!ergi_joint_key_allowed(keys[k]))
            return ergi_fail_at(
                name.err, field, ERG_ERROR_OUT_OF_RANGE,
                "%s%smotion %d: a key of a joint must be " ERGI_JOINT_KEYS ", got '%c'", name.owner,
                colon(name.owner), name.index, keys[k] >= ' ' && keys[k] <= '~' ? keys[k] : '?');
    }
    if (keys[0] != keys[1]) return ERG_OK;
    return ergi_fail_at(name.err, "key_down", ERG_ERROR_CONFLICT,
                        "%s%smotion %d: the two keys of a joint must differ, both are '%c'",
                        name.owner, colon(name.owner), name.index, keys[0]);
}

static erg_status check_joint(part_name name, const erg_motion_def *def)
{
    const double *range = def->range;
    if (def->joint == ERG_JOINT_NONE) {
        if (!def->key_up && !def->key_down) return ERG_OK;
        return ergi_fail_at(name.err, "joint", ERG_ERROR_CONFLICT,
                            "%s%smotion %d: only a joint has keys: make it a hinge or a slide",
                            name.owner, colon(name.owner), name.index);
    }
    if (def->joint == ERG_JOINT_HINGE) {
        if (check_direction(name, "axis", def->axis)) return ERG_BAD_INPUT;
        if (check_above_zero(name, "max_rate", "above 0 rad/s", def->max_rate))
            return ERG_BAD_INPUT;
    } else if (def->joint == ERG_JOINT_SLIDE) {
        if (check_direction(name, "direction", def->direction)) return ERG_BAD_INPUT;
        if (check_above_zero(name, "max_speed", "above 0 m/s", def->max_speed))
            return ERG_BAD_INPUT;
    } else {
        return ergi_fail_at(name.err, "joint", ERG_ERROR_UNKNOWN, "%s%smotion %d: unknown joint %d",
                            name.owner, colon(name.owner), name.index, (int)def->joint);
    }
    if (!(range[0] <= 0.0 && range[1] >= 0.0 && range[0] < range[1]))
        return ergi_fail_at(name.err, "range", ergi_code_of(range[0] + range[1]),
                            "%s%smotion %d: range must ascend and contain 0, where the joint is at "
                            "t = 0, got [%g, %g]",
                            name.owner, colon(name.owner), name.index, range[0], range[1]);
    return check_joint_keys(name, def);
}

erg_status ergi_motion_check(const erg_motion_def *def, const char *owner, int index,
                             erg_error *err)
{
    part_name name = {owner, index, err};
    if (!isfinite(def->start)) return bad(name, "start", "start", "finite", def->start);
    if (!(def->stop > def->start)) return bad(name, "stop", "stop", "after start", def->stop);
    switch (def->kind) {
    case ERG_MOTION_VELOCITY: return check_finite(name, "velocity", def->velocity);
    case ERG_MOTION_SPIN:
        if (!isfinite(def->rate)) return bad(name, "rate", "rate", "finite", def->rate);
        return check_direction(name, "axis", def->axis);
    case ERG_MOTION_OSCILLATION:
        if (check_finite(name, "amplitude", def->amplitude)) return ERG_BAD_INPUT;
        return check_periodic(name, def);
    case ERG_MOTION_ROCKING:
        if (check_direction(name, "axis", def->axis)) return ERG_BAD_INPUT;
        if (!isfinite(def->angle)) return bad(name, "angle", "angle", "finite", def->angle);
        return check_periodic(name, def);
    case ERG_MOTION_KEYFRAMES: return check_keys(name, def);
    case ERG_MOTION_SERVO: return check_servo(name, def);
    case ERG_MOTION_SERVO_TORQUE: return check_servo_torque(name, def);
    case ERG_MOTION_USER: return check_joint(name, def);
    }
    return ergi_fail_at(err, "kind", ERG_ERROR_UNKNOWN, "%s%smotion %d: unknown kind %d", owner,
                        colon(owner), index, (int)def->kind);
}

// Parts of which a motion may have at most one: those that respond to forces, or to torques.
typedef struct exclusive {
    const char *what;
    int         count, last;
} exclusive;

static void count_exclusive(exclusive *l, bool counts, int index)
{
    l->count += counts;
    if (counts) l->last = index;
}

static erg_status check_exclusive(const exclusive *l, const char *owner, erg_error *err)
{
    if (l->count <= 1) return ERG_OK;
    erg_status status = ergi_fail_code(err, ERG_ERROR_CONFLICT,
                                       "%s%snumber of %s motions must be at most 1, got %d", owner,
                                       colon(owner), l->what, l->count);
    return ergi_fail_within(err, status, "motion[%d]", l->last);
}

erg_status ergi_motions_check(const erg_motion_def *parts, int count, const char *owner,
                              erg_error *err)
{
    exclusive  pushed = {.what = "servo and user"}, turned = {.what = "servo_torque and user"};
    erg_status status = ERG_OK;
    if (count < 0 || count > ERG_WALL_MOTIONS)
        return ergi_fail_at(err, "motion_count", ERG_ERROR_OUT_OF_RANGE,
                            "%s%snumber of motions must be 0 to %d, got %d", owner, colon(owner),
                            (int)ERG_WALL_MOTIONS, count);
    for (int i = 0; i < count && status == ERG_OK; i++) {
        erg_motion_kind kind = parts[i].kind;
        status =
            ergi_fail_within(err, ergi_motion_check(&parts[i], owner, i, err), "motion[%d]", i);
        count_exclusive(&pushed, kind == ERG_MOTION_SERVO || kind == ERG_MOTION_USER, i);
        count_exclusive(&turned, kind == ERG_MOTION_SERVO_TORQUE || kind == ERG_MOTION_USER, i);
    }
    if (status == ERG_OK) status = check_exclusive(&pushed, owner, err);
    return status == ERG_OK ? check_exclusive(&turned, owner, err) : status;
}

// ---- Owning ------------------------------------------------------------------------------------
erg_status ergi_motion_init(ergi_motion *motion, const erg_motion_def *parts, int count,
                            erg_error *err)
{
    *motion = (ergi_motion){0};
    for (int i = 0; i < count; i++) {
        erg_motion_def part = parts[i];
        part.axis = ergi_normalize(part.axis);
        part.direction = ergi_normalize(part.direction);
        if (part.kind == ERG_MOTION_SERVO && part.gain == 0.0)
            part.gain = part.max_speed / part.force;
        if (part.kind == ERG_MOTION_SERVO_TORQUE && part.gain == 0.0)
            part.gain = part.max_rate / part.torque;
        if (part.kind == ERG_MOTION_KEYFRAMES) {
            size_t        keys = (size_t)part.key_count;
            erg_keyframe *copy = ergi_memory_new(keys, sizeof *copy, "keyframes", err);
            if (!copy) {
                ergi_motion_free(motion);
                return ERG_NO_MEMORY;
            }
            for (size_t k = 0; k < keys; k++) {
                copy[k] = part.keys[k];
                copy[k].rotation = ergi_quat_normalize(copy[k].rotation);
            }
            part.keys = copy;
        } else {
            part.keys = NULL;
        }
        motion->part[i] = part;
        motion->count = i + 1;
    }
    return ERG_OK;
}

void ergi_motion_free(ergi_motion *motion)
{
    for (int i = 0; i < motion->count; i++) ergi_memory_free((void *)motion->part[i].keys);
    *motion = (ergi_motion){0};
}

bool ergi_motion_moves(const ergi_motion *motion)
{
    return motion->count > 0;
}

bool ergi_motion_dynamic(const ergi_motion *motion)
{
    for (int i = 0; i < motion->count; i++) {
        erg_motion_kind kind = motion->part[i].kind;
        if (kind == ERG_MOTION_SERVO || kind == ERG_MOTION_SERVO_TORQUE || kind == ERG_MOTION_USER)
            return true;
    }
    return false;
}

const erg_motion_def *ergi_motion_joint(const ergi_motion *motion)
{
    for (int i = 0; i < motion->count; i++)
        if (motion->part[i].kind == ERG_MOTION_USER && motion->part[i].joint != ERG_JOINT_NONE)
            return &motion->part[i];
    return NULL;
}

// ---- Scripted parts ----------------------------------------------------------------------------
// Value and rate of sin(2 pi f t + phase) - sin(phase).
static void wave_at(const erg_motion_def *part, double t, double *value, double *rate)
{
    double omega = 2.0 * ERGI_PI * part->frequency;
    *value = sin(omega * t + part->phase) - sin(part->phase);
    *rate = omega * cos(omega * t + part->phase);
}

// The last key at or before t, by bisection; t lies between the first and the last.
static int key_before(const erg_keyframe *keys, int count, double t)
{
    int low = 0, high = count - 1;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (keys[middle].time <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void keyframes_at(const erg_motion_def *part, double t, ergi_pose *out)
{
    const erg_keyframe *first = &part->keys[0], *last = &part->keys[part->key_count - 1];
    if (!(t >= first->time && t < last->time)) {
        const erg_keyframe *held = t < first->time ? first : last;
        out->position = held->position;
        out->rotation = held->rotation;
        return;
    }
    const erg_keyframe *a = &part->keys[key_before(part->keys, part->key_count, t)], *b = a + 1;
    double              span = b->time - a->time;
    double              u = (t - a->time) / span, rate = 1.0 / span;
    if (part->smooth) { // 3u^2 - 2u^3: at rest at both ends
        rate *= 6.0 * u * (1.0 - u);
        u = u * u * (3.0 - 2.0 * u);
    }
    erg_vec3 move = ergi_sub(b->position, a->position);
    out->position = ergi_madd(a->position, u, move);
    out->velocity = ergi_scale(move, rate);

    // Rotation from a to b about a constant axis, by the smaller angle.
    erg_quat turn = ergi_quat_mul(b->rotation, ergi_quat_conjugate(a->rotation));
    if (turn.w < 0.0) turn = (erg_quat){-turn.x, -turn.y, -turn.z, -turn.w};
    erg_vec3 axis = {turn.x, turn.y, turn.z};
    double   sine = ergi_norm(axis);
    erg_vec3 angle = sine > 0.0 ? ergi_scale(axis, 2.0 * atan2(sine, turn.w) / sine) : axis;
    out->rotation = ergi_quat_mul(ergi_quat_exp(ergi_scale(angle, u)), a->rotation);
    out->spin = ergi_scale(angle, rate);
}

// Time since start, held at stop.
static double part_time(const erg_motion_def *part, double t)
{
    if (t < part->start) return 0.0;
    return (t < part->stop ? t : part->stop) - part->start;
}

static bool part_runs(const erg_motion_def *part, double t)
{
    return t >= part->start && t < part->stop;
}

static void part_at(const erg_motion_def *part, double t, ergi_pose *out)
{
    double tau = part_time(part, t), value, rate;
    *out = ergi_pose_identity();
    switch (part->kind) {
    case ERG_MOTION_VELOCITY:
        out->position = ergi_scale(part->velocity, tau);
        out->velocity = part->velocity;
        break;
    case ERG_MOTION_SPIN:
        out->rotation = ergi_quat_from_axis_angle(part->axis, part->rate * tau);
        out->spin = ergi_scale(part->axis, part->rate);
        break;
    case ERG_MOTION_OSCILLATION:
        wave_at(part, tau, &value, &rate);
        out->position = ergi_scale(part->amplitude, value);
        out->velocity = ergi_scale(part->amplitude, rate);
        break;
    case ERG_MOTION_ROCKING:
        wave_at(part, tau, &value, &rate);
        out->rotation = ergi_quat_from_axis_angle(part->axis, part->angle * value);
        out->spin = ergi_scale(part->axis, part->angle * rate);
        break;
    case ERG_MOTION_KEYFRAMES: keyframes_at(part, tau, out); break;
    case ERG_MOTION_SERVO:
    case ERG_MOTION_SERVO_TORQUE:
    case ERG_MOTION_USER: break;
    }
    if (!part_runs(part, t)) out->velocity = out->spin = (erg_vec3){0.0, 0.0, 0.0};
}

// Applies `outer` to the frame of `inner`.
static void compose(const ergi_pose *outer, ergi_pose *inner)
{
    inner->position = ergi_add(inner->position, outer->position);
    inner->velocity = ergi_add(inner->velocity, outer->velocity);
    inner->spin = ergi_add(outer->spin, ergi_quat_rotate(outer->rotation, inner->spin));
    inner->rotation = ergi_quat_mul(outer->rotation, inner->rotation);
}

void ergi_motion_at(const ergi_motion *motion, double t, ergi_pose *out)
{
    *out = ergi_pose_identity();
    for (int i = 0; i < motion->count; i++) {
        ergi_pose part;
        part_at(&motion->part[i], t, &part);
        compose(&part, out);
    }
}

// ---- Dynamic parts -----------------------------------------------------------------------------
void ergi_motion_pose(const ergi_motion *motion, const ergi_motion_state *state, double t,
                      ergi_pose *out)
{
    ergi_motion_at(motion, t, out);
    if (state) compose(&state->pose, out);
}

// Speed or angular rate, proportional to the missing force or torque.
static double servo_speed(double gain, double target, double resistance, double most)
{
    double speed = gain * (target - resistance);
    if (speed > most) return most;
    return speed < -most ? -most : speed;
}

// Share of the commanded velocity under the opposing force: 1 up to half the limit, 0 at the limit,
// -1 from 1.5 times the limit on.
static double user_share(double limit, erg_vec3 velocity, erg_vec3 force)
{
    double speed = ergi_norm(velocity);
    if (!(limit > 0) || !(speed > 0)) return 1;
    double share = 2 * (1 + ergi_dot(force, velocity) / (speed * limit));
    return share > 1 ? 1 : share < -1 ? -1 : share;
}

void ergi_pose_carry(const ergi_pose *carrier, erg_vec3 carrier_pivot, erg_vec3 pivot,
                     ergi_pose *pose)
{
    erg_vec3 before = ergi_sub(ergi_add(pivot, pose->position), carrier_pivot);
    erg_vec3 arm = ergi_quat_rotate(carrier->rotation, before);
    erg_vec3 own = ergi_quat_rotate(carrier->rotation, pose->velocity);
    pose->position = ergi_add(ergi_add(pose->position, carrier->position), ergi_sub(arm, before));
    pose->velocity = ergi_add(ergi_add(carrier->velocity, ergi_cross(carrier->spin, arm)), own);
    pose->spin = ergi_add(carrier->spin, ergi_quat_rotate(carrier->rotation, pose->spin));
    pose->rotation = ergi_quat_mul(carrier->rotation, pose->rotation);
}

ergi_pose ergi_joint_pose(const erg_motion_def *joint, double value)
{
    ergi_pose pose = ergi_pose_identity();
    if (joint->joint == ERG_JOINT_HINGE)
        pose.rotation = ergi_quat_from_axis_angle(joint->axis, value);
    else
        pose.position = ergi_scale(joint->direction, value);
    return pose;
}

// A joint moves by the commanded component, and from the end of its range only back.
static void step_joint(const erg_motion_def *joint, ergi_motion_state *state, double dt,
                       double limit, erg_vec3 force, bool runs)
{
    bool     hinge = joint->joint == ERG_JOINT_HINGE;
    erg_vec3 along = hinge ? joint->axis : joint->direction;
    double   most = hinge ? joint->max_rate : joint->max_speed;
    double   rate = ergi_dot(hinge ? state->user_spin : state->user_velocity, along);
    rate = rate > most ? most : rate < -most ? -most : rate;
    if (!hinge) rate *= user_share(limit, ergi_scale(along, rate), force);
    if (!runs) rate = 0.0;
    double next = state->joint + dt * rate, low = joint->range[0], high = joint->range[1];
    double end = next > high ? high : next < low ? low : next;
    if (end != next) rate = (end - state->joint) / dt;
    state->joint = end;
    state->pose = ergi_joint_pose(joint, end);
    if (hinge)
        state->pose.spin = ergi_scale(along, rate);
    else
        state->pose.velocity = ergi_scale(along, rate);
}

void ergi_motion_step(const ergi_motion *motion, ergi_motion_state *state, double t, double dt,
                      erg_vec3 force, erg_vec3 torque)
{
    erg_vec3              velocity = {0.0, 0.0, 0.0}, spin = {0.0, 0.0, 0.0};
    const erg_motion_def *joint = ergi_motion_joint(motion);
    if (joint) { // the only dynamic part
        step_joint(joint, state, dt, motion->user_force, force, part_runs(joint, t));
        return;
    }
    for (int i = 0; i < motion->count; i++) {
        const erg_motion_def *part = &motion->part[i];
        if (!part_runs(part, t)) continue;
        if (part->kind == ERG_MOTION_SERVO) {
            double speed = servo_speed(part->gain, part->force, -ergi_dot(force, part->direction),
                                       part->max_speed);
            velocity = ergi_madd(velocity, speed, part->direction);
        } else if (part->kind == ERG_MOTION_SERVO_TORQUE) {
            double rate = servo_speed(part->gain, part->torque, -ergi_dot(torque, part->axis),
                                      part->max_rate);
            spin = ergi_madd(spin, rate, part->axis);
        } else if (part->kind == ERG_MOTION_USER) {
            velocity =
                ergi_madd(velocity, user_share(motion->user_force, state->user_velocity, force),
                          state->user_velocity);
            spin = ergi_add(spin, state->user_spin);
        }
    }
    ergi_pose *pose = &state->pose;
    pose->velocity = velocity;
    pose->spin = spin;
    pose->position = ergi_madd(pose->position, dt, velocity);
    pose->rotation =
        ergi_quat_normalize(ergi_quat_mul(ergi_quat_exp(ergi_scale(spin, dt)), pose->rotation));
}
