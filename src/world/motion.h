// How a wall moves. Scripted parts are closed forms in t: nothing accumulates, so a pose can be
// asked for at any time and a resumed run sees the same bits. Servo and user parts depend on what
// happened; what they have moved so far is a small plain state that is advanced once a step and
// checkpointed.
#ifndef ERGI_MOTION_H
#define ERGI_MOTION_H

#include "erg/wall.h"

// Displacement of a wall from its place at t = 0: a point p of it goes to
// pivot + position + rotation (p - pivot).
typedef struct ergi_pose {
    erg_vec3 position; // [m]
    erg_quat rotation;
    erg_vec3 velocity; // of the pivot [m/s]
    erg_vec3 spin;     // [rad/s]
} ergi_pose;

// Parts as in the definition, with unit directions and keys of our own.
typedef struct ergi_motion {
    int            count;
    erg_motion_def part[ERG_WALL_MOTIONS];
    // Of user parts, as last commanded: the commands on record say it, no state holds it [N].
    double user_force; // 0: no limit
} ergi_motion;

// What servo and user parts have done so far; of a free body, all its motion.
typedef struct ergi_motion_state {
    ergi_pose pose;
    erg_vec3  user_velocity, user_spin; // as last commanded
    erg_vec3  angular_momentum;         // of a free body, about its centre [kg m^2/s]
    // On a free body, as last commanded; the torque about its centre, axes of the world [N] [N m].
    erg_vec3 applied_force, applied_torque;
} ergi_motion_state;

ergi_pose ergi_pose_identity(void);

// `owner` opens the sentence, as in "wall 'lid'"; may be "". Checks one part; `index` names it.
erg_status ergi_motion_check(const erg_motion_def *def, const char *owner, int index,
                             erg_error *err);

// All parts of a motion, each and together: what is driven by a servo is not the user's as well.
erg_status ergi_motions_check(const erg_motion_def *parts, int count, const char *owner,
                              erg_error *err);

// Copies `count` parts that ergi_motions_check accepts, keys included.
erg_status ergi_motion_init(ergi_motion *motion, const erg_motion_def *parts, int count,
                            erg_error *err);
void       ergi_motion_free(ergi_motion *motion);

bool ergi_motion_moves(const ergi_motion *motion);   // has any part
bool ergi_motion_dynamic(const ergi_motion *motion); // has a servo or user part: needs a state

// The scripted parts alone. Velocity and spin are the exact time derivatives; at start they are
// those just after it, at stop zero.
void ergi_motion_at(const ergi_motion *motion, double t, ergi_pose *out);

ergi_motion_state ergi_motion_state_initial(void);

// Scripted and dynamic parts together; `state` may be NULL for motions that are not dynamic.
void ergi_motion_pose(const ergi_motion *motion, const ergi_motion_state *state, double t,
                      ergi_pose *out);

// Advances servo and user parts from t to t + dt, against what grains and bodies did to the wall at
// t: their force [N], and their torque about its pivot [N m].
void ergi_motion_step(const ergi_motion *motion, ergi_motion_state *state, double t, double dt,
                      erg_vec3 force, erg_vec3 torque);

#endif
