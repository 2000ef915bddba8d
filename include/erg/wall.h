// Walls: surfaces that grains collide with, and their motion. docs/walls.md has drawings and
// formulas.
//
//     erg_wall_def drum = erg_wall_def_default(ERG_WALL_CYLINDER);
//     drum.material = steel;
//     drum.cylinder = (erg_wall_cylinder){.a = {0, -0.1, 0}, .b = {0, 0.1, 0}, .radius = 0.2,
//                                         .cap_a = true, .cap_b = true};
//     drum.motion[0] = erg_motion_def_default(ERG_MOTION_SPIN);
//     drum.motion[0].axis = (erg_vec3){0, 1, 0};
//     drum.motion[0].rate = 1.5;
//     drum.motion_count = 1;
//
// Positions are world coordinates at t = 0.
#ifndef ERG_WALL_H
#define ERG_WALL_H

#include "erg/base.h"
#include "erg/material.h"
#include "erg/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Motion ------------------------------------------------------------------------------------
// A wall's motion is the sum of up to ERG_WALL_MOTIONS parts, each of one kind, each between its
// own start and stop. Before start a part has no effect; after stop it stays where it arrived.
// Displacements add. Rotations are about the wall's pivot, the first part innermost: a drum (part
// 0, spin) on a rocking frame (part 1, rocking) spins about its own, rocked, axis.
typedef enum erg_motion_kind {
    ERG_MOTION_VELOCITY,    // velocity
    ERG_MOTION_SPIN,        // axis, rate
    ERG_MOTION_OSCILLATION, // amplitude, frequency, phase: linear shaking
    ERG_MOTION_ROCKING,     // axis, angle, frequency, phase: rotating back and forth
    ERG_MOTION_KEYFRAMES,   // keys, key_count, smooth
    ERG_MOTION_SERVO,       // direction, force, max_speed, gain: a piston that holds a force
    ERG_MOTION_USER, // velocity and spin set by ERG_COMMAND_WALL_VELOCITY; at rest until then; as a
                     // joint: axis and max_rate, or direction and max_speed; range, keys
    ERG_MOTION_SERVO_TORQUE // axis, torque, max_rate, gain: a motor that holds a torque
} erg_motion_kind;

// What a user part may do. A joint follows the component of the commanded velocity or spin along
// its own direction, up to its largest speed, and stops exactly at the ends of its range.
typedef enum erg_joint {
    ERG_JOINT_NONE,  // any velocity and spin
    ERG_JOINT_HINGE, // rotates about `axis`, through the pivot, at most at max_rate
    ERG_JOINT_SLIDE  // moves along `direction`, at most at max_speed
} erg_joint;

// Pose of a wall at one time: displacement and rotation since t = 0.
typedef struct erg_keyframe {
    double   time;     // after the part's start; each key later than the one before [s]
    erg_vec3 position; // displacement [m]
    erg_quat rotation; // about the pivot; length 1 to within 1e-6
} erg_keyframe;

typedef struct erg_motion_def {
    erg_motion_kind kind;
    double          start; // default 0 [s]
    double          stop;  // default infinity, after start [s]

    erg_vec3 velocity; // velocity [m/s]

    erg_vec3 axis; // spin, rocking, servo torque, hinge: direction, any length above 0; default z
    double   rate; // spin: right-handed about the axis [rad/s]

    // x(t) = amplitude (sin(2 pi frequency (t - start) + phase) - sin(phase)): no jump at the
    // start.
    erg_vec3 amplitude; // oscillation [m]
    double   angle;     // rocking: amplitude [rad]
    double   frequency; // above 0, default 1 [Hz]
    double   phase;     // default 0: starts at full speed; pi/2: starts from rest [rad]

    // Before the first key the wall has the first key's pose, after the last key the last one's.
    const erg_keyframe *keys; // owned by the caller, copied when the wall is added
    int                 key_count;
    bool smooth; // come to rest at every key (default) instead of constant speed between

    // The wall moves along `direction` with speed gain (force - resistance), at most max_speed in
    // either direction; resistance is the opposing force of grains and bodies.
    erg_vec3 direction; // servo, slide: any length above 0; default -z
    double   force;     // servo: target, above 0 [N]
    double   max_speed; // servo: above 0 [m/s]
    double   gain;      // servo [m/(s N)]; 0 (default): max_speed / force

    // The wall rotates about `axis`, through its pivot, at gain (torque - resistance), at most
    // max_rate in either direction; resistance is the opposing torque of grains and bodies about
    // the axis.
    double torque;   // servo torque: target, above 0 [N m]
    double max_rate; // servo torque: above 0 [rad/s]; gain [rad/(s N m)], 0: max_rate / torque

    // User: a joint. Its value, the angle [rad] or displacement [m] since t = 0, stays within
    // `range`, which contains 0.
    erg_joint joint;    // default ERG_JOINT_NONE
    double    range[2]; // lowest and highest; default: no limits
    // Keys of the window that move it up and down its range while they are held: a lower-case
    // letter other than w, a, s, d, q, e and h, or a digit from 4 to 9; both or none (default, 0).
    char key_up, key_down;
} erg_motion_def;

ERG_API erg_motion_def erg_motion_def_default(erg_motion_kind kind);

// ---- Shapes ------------------------------------------------------------------------------------
typedef enum erg_wall_shape {
    ERG_WALL_PLANE,
    ERG_WALL_BOX,
    ERG_WALL_SPHERE,
    ERG_WALL_CYLINDER,
    ERG_WALL_CONE,
    ERG_WALL_FUNNEL,
    ERG_WALL_HOURGLASS,
    ERG_WALL_CAPSULE,
    ERG_WALL_MESH
} erg_wall_shape;

// Which side grains may be on. On the wrong side of a signed wall (inside, outside) grains are
// pushed back however deep they are; a thin shell (both) pushes to whichever side the sphere's
// centre is on. Shapes with an opening are always thin shells, so that grains that have fallen out
// can pass behind them.
typedef enum erg_wall_side {
    ERG_SIDE_AUTO,    // plane and closed mesh: outside; other closed shapes: inside; open: both
    ERG_SIDE_INSIDE,  // closed shapes only: a container
    ERG_SIDE_OUTSIDE, // closed shapes: a solid obstacle; plane: the side the normal points to
    ERG_SIDE_BOTH     // a thin shell, open or closed
} erg_wall_side;

// Unbounded; the normal points to the grains.
typedef struct erg_wall_plane {
    erg_vec3 point;  // any point of it; the lattice of bumps starts here [m]
    erg_vec3 normal; // any length above 0; default z
} erg_wall_plane;

enum {
    ERG_FACE_X_MIN = 1,
    ERG_FACE_X_MAX = 2,
    ERG_FACE_Y_MIN = 4,
    ERG_FACE_Y_MAX = 8,
    ERG_FACE_Z_MIN = 16,
    ERG_FACE_Z_MAX = 32,
    ERG_FACE_ALL = 63
};

// Aligned with the axes at t = 0.
typedef struct erg_wall_box {
    erg_vec3 min, max; // corners [m]
    uint32_t open;     // ERG_FACE_ bits of the faces that are missing; default 0: closed
} erg_wall_box;

typedef struct erg_wall_sphere {
    erg_vec3 centre; // [m]
    double   radius; // [m]
} erg_wall_sphere;

typedef struct erg_wall_cylinder {
    erg_vec3 a, b;         // ends of the axis [m]
    double   radius;       // [m]
    bool     cap_a, cap_b; // closed at that end; default both
} erg_wall_cylinder;

// A frustum; one radius may be 0 (a tip).
typedef struct erg_wall_cone {
    erg_vec3 a, b;               // ends of the axis [m]
    double   radius_a, radius_b; // [m]
    bool     cap_a, cap_b;       // closed at that end; default neither
} erg_wall_cone;

// From the outlet along the axis: a straight stem of length `stem` at outlet_radius, a cone of
// `height` up to top_radius, a straight rim of length `rim`. Height 0 is a flat floor with a hole;
// a silo has a rim. Open at both ends.
typedef struct erg_wall_funnel {
    erg_vec3 outlet; // centre of the lower opening [m]
    erg_vec3 axis;   // from the outlet to the top, any length above 0; default z
    double   outlet_radius;
    double   top_radius;        // above outlet_radius [m]
    double   height, stem, rim; // each at least 0 [m]
} erg_wall_funnel;

// Two bulbs: cones of cone_height on either side of the neck, then cylinders up to height/2.
typedef struct erg_wall_hourglass {
    erg_vec3 centre;       // of the neck [m]
    erg_vec3 axis;         // from the lower (a) to the upper (b) end, any length above 0; default z
    double   neck_radius;  // of the opening [m]
    double   bulb_radius;  // above neck_radius [m]
    double   cone_height;  // of each cone [m]
    double   height;       // total, at least 2 cone_height [m]
    double   rounding;     // radius of the neck's rounded edge; 0 (default): sharp [m]
    bool     cap_a, cap_b; // closed at that end; default both
} erg_wall_hourglass;

typedef struct erg_wall_capsule {
    erg_vec3 a, b;   // centres of the round ends [m]
    double   radius; // [m]
} erg_wall_capsule;

// Triangles, closed or open; the world keeps a reference to the mesh. Spheres touch the triangles
// themselves. A signed mesh pushes grains back only from depths up to their own radius.
typedef struct erg_wall_mesh {
    const erg_mesh *mesh;
    erg_vec3        position; // of the mesh's origin [m]
    erg_quat        rotation; // of its axes; length 1 to within 1e-6
} erg_wall_mesh;

// Bumps: spheres centred on the surface, in a lattice that moves with the wall. They are computed,
// not stored. The lattice is square on planes and boxes and consists of rings on the other shapes;
// meshes cannot have bumps.
typedef struct erg_rough {
    double spacing; // between neighbouring centres, at least 2 radius [m]; 0 (default): smooth
    double radius;  // of the bumps [m]
} erg_rough;

enum { ERG_WALL_MOTIONS = 4 };

typedef struct erg_wall_def {
    const char    *name; // optional, unique, at most 63 bytes; copied
    erg_id         material;
    erg_wall_shape shape; // selects which of the following is read
    erg_wall_side  side;  // default ERG_SIDE_AUTO

    erg_wall_plane     plane;
    erg_wall_box       box;
    erg_wall_sphere    sphere;
    erg_wall_cylinder  cylinder;
    erg_wall_cone      cone;
    erg_wall_funnel    funnel;
    erg_wall_hourglass hourglass;
    erg_wall_capsule   capsule;
    erg_wall_mesh      mesh;

    erg_rough rough;

    erg_motion_def motion[ERG_WALL_MOTIONS];
    int            motion_count; // default 0: at rest
    bool has_pivot; // default false: rotate about the shape's own centre (plane: its point, funnel:
                    // its outlet, hourglass: its neck, mesh: its position, the origin of its
                    // vertices)
    erg_vec3 pivot; // [m]

    // A wall, or a body that is not free, that carries this one; it must have been added before. 0
    // (default): none. This wall then moves with it, and its own motion and pivot act in the frame
    // of that wall. Positions and directions are as at t = 0, in world coordinates.
    erg_id attach;
} erg_wall_def;

// Sizes of the shape are 0 and must be set, axes are z, caps are as described above.
ERG_API erg_wall_def erg_wall_def_default(erg_wall_shape shape);

#ifdef __cplusplus
}
#endif
#endif
