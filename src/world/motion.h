// Motion of a wall. Scripted parts are closed forms in t: nothing accumulates, so the pose can be
// computed for any time and a resumed run gets the same bits. Servo and user parts depend on the
// past; their accumulated motion is a small plain state that is advanced once per step and saved in
// checkpoints.
#ifndef ERGI_MOTION_H
#define ERGI_MOTION_H

#include "erg/wall.h"

// Displacement of a wall since t = 0: a point p of it moves to
//     pivot + position + rotation (p - pivot).
typedef struct ergi_pose {
    erg_vec3 position; // [m]
    erg_quat rotation;
    erg_vec3 velocity; // of the pivot [m/s]
    erg_vec3 spin;     // [rad/s]
} ergi_pose;

// Parts as in the definition, with unit directions and owned copies of the keys.
typedef struct ergi_motion {
    int            count;
    erg_motion_def part[ERG_WALL_MOTIONS];
    // Largest force of user parts, as last commanded. Not part of the state: it is restored from
    // the recorded commands [N].
    double user_force; // 0: no limit
} ergi_motion;

// Accumulated motion of servo and user parts; for a free body, all its motion.
typedef struct ergi_motion_state {
    ergi_pose pose;
    erg_vec3  user_velocity, user_spin; // as last commanded
    erg_vec3  angular_momentum;         // of a free body, about its centre [kg m^2/s]
    // On a free body, as last commanded; the torque about its centre, axes of the world [N] [N m].
    erg_vec3 applied_force, applied_torque;
    // Of the terrain on a body or wall until its next tick; the torque about the centre of a body,
    // or about the pivot of a wall, axes of the world [N] [N m].
    erg_vec3 ground_force, ground_torque;
    double   joint; // angle or displacement of a user part that is a joint [rad] or [m]
} ergi_motion_state;

ergi_pose ergi_pose_identity(void);

// Checks part `index` of a motion. `owner` begins the message, as in "wall 'lid'"; may be "".
erg_status ergi_motion_check(const erg_motion_def *def, const char *owner, int index,
                             erg_error *err);

// Checks all parts of a motion and their combination: at most one part may respond to forces, and
// at most one to torques.
erg_status ergi_motions_check(const erg_motion_def *parts, int count, const char *owner,
                              erg_error *err);

// Copies `count` parts that ergi_motions_check accepts, keys included.
erg_status ergi_motion_init(ergi_motion *motion, const erg_motion_def *parts, int count,
                            erg_error *err);
void       ergi_motion_free(ergi_motion *motion);

bool ergi_motion_moves(const ergi_motion *motion);   // has any part
bool ergi_motion_dynamic(const ergi_motion *motion); // has a servo or user part: needs a state

// The user part that is a joint; NULL: none.
const erg_motion_def *ergi_motion_joint(const ergi_motion *motion);

// The pose of a joint at `value`, at rest.
ergi_pose ergi_joint_pose(const erg_motion_def *joint, double value);

// Whether the window offers this key to joints.
bool ergi_joint_key_allowed(char key);
#define ERGI_JOINT_KEYS "a letter other than w, a, s, d, q, e and h, or a digit from 4 to 9"

// The scripted parts alone. Velocity and spin are the exact time derivatives; at start they are
// those just after it, at stop zero.
void ergi_motion_at(const ergi_motion *motion, double t, ergi_pose *out);

ergi_motion_state ergi_motion_state_initial(void);

// Scripted and dynamic parts together; `state` may be NULL for motions that are not dynamic.
void ergi_motion_pose(const ergi_motion *motion, const ergi_motion_state *state, double t,
                      ergi_pose *out);

// Moves `pose`, of a wall with this pivot, with the wall that carries it.
void ergi_pose_carry(const ergi_pose *carrier, erg_vec3 carrier_pivot, erg_vec3 pivot,
                     ergi_pose *pose);

// Advances servo and user parts from t to t + dt. `force` [N] and `torque` about the pivot [N m]
// are those of grains and bodies on the wall at t, in the frame of the wall that carries it.
void ergi_motion_step(const ergi_motion *motion, ergi_motion_state *state, double t, double dt,
                      erg_vec3 force, erg_vec3 torque);

#endif
