// Rigid bodies: closed meshes with a mass. A free body moves under gravity and its contacts with
// grains, walls and other bodies; one that is not free rests or follows a prescribed motion, like a
// wall. A body can also be free in some axes and driven in the others. See docs/bodies.md.
//
//     erg_body_def ball = erg_body_def_default();
//     ball.material = steel;
//     ball.mesh = mesh;                 // erg_mesh_primitive, erg_mesh_read
//     ball.position = (erg_vec3){0, 0, 0.5};
//     erg_world_add_body(world, &ball, &id, &err);
//
// A body is also a wall of the world: its id is a wall id, which probes, commands and
// erg_world_wall_surface accept.
#ifndef ERG_BODY_H
#define ERG_BODY_H

#include "erg/wall.h"

#ifdef __cplusplus
extern "C" {
#endif

// The surface of a body that grains touch.
typedef enum erg_body_contact {
    ERG_BODY_EXACT,  // its triangles: flat faces, sharp edges
    ERG_BODY_SPHERES // spheres on its surface (Bell et al. 2005): bumpy, edges rounded by a radius
} erg_body_contact;

// Axes of the world: translation of the centre of mass along them, rotation about them through it.
enum {
    ERG_AXIS_X = 1,
    ERG_AXIS_Y = 2,
    ERG_AXIS_Z = 4,
    ERG_AXIS_RX = 8,
    ERG_AXIS_RY = 16,
    ERG_AXIS_RZ = 32,
    ERG_AXIS_MOVES = 7,  // all translations
    ERG_AXIS_TURNS = 56, // all rotations
    ERG_AXIS_ALL = 63
};

typedef struct erg_body_def {
    const char     *name; // optional, unique among walls and bodies, at most 63 bytes; copied
    erg_id          material;
    const erg_mesh *mesh;     // must be solid (erg_mesh_report); the world keeps a reference
    erg_vec3        position; // of the mesh's origin at t = 0 [m]
    erg_quat        rotation; // of its axes at t = 0; length 1 to within 1e-6

    bool free; // default true
    // ERG_AXIS_ bits of the axes in which a free body follows forces; default ERG_AXIS_ALL. In the
    // others it follows its motion, or is held. Of the rotations none, one or all may be free; one
    // free rotation is a hinge, and the motion may then rotate the body about no other axis.
    uint32_t free_axes;
    double   mass;    // 0 (default): density times volume [kg]
    double   density; // 0 (default): the material's [kg/m^3]
    // At t = 0, only in free axes; velocity of the centre of mass [m/s] [rad/s]
    erg_vec3 velocity, spin;

    // As for walls, unless the body is free in all axes; in free axes the motion has no effect.
    // Without a pivot the body rotates about its centre of mass; a pivot only if not free.
    erg_motion_def motion[ERG_WALL_MOTIONS];
    int            motion_count;
    bool           has_pivot;
    erg_vec3       pivot; // [m]
    erg_id attach; // the wall or driven body that carries this one, as for walls; 0 (default): none

    erg_body_contact contact;
    double           sphere_radius; // for ERG_BODY_SPHERES; 0: cube root of its volume over 20 [m]
    // Radius of its edges and corners in contacts with walls and other bodies; 0 (default): 1/25 of
    // the shortest side of its bounding box [m].
    double rounding;
} erg_body_def;

ERG_API erg_body_def erg_body_def_default(void); // free, at the origin, not rotated

typedef struct erg_body_state {
    double   mass;          // [kg]
    erg_vec3 centre;        // of mass [m]
    erg_quat rotation;      // of the mesh's axes
    erg_vec3 velocity;      // of the centre of mass [m/s]
    erg_vec3 spin;          // [rad/s]
    erg_vec3 force, torque; // of all contacts, last step; about the centre of mass [N] [N m]
    bool     free;          // in at least one axis
    uint32_t free_axes;     // ERG_AXIS_ bits; 0 if not free
} erg_body_state;

// Position and rotation of a body's mesh, for pictures and snapshots.
typedef struct erg_body_pose {
    erg_id   body;
    erg_vec3 position; // of the mesh's origin [m]
    erg_quat rotation; // of its axes
} erg_body_pose;

#ifdef __cplusplus
}
#endif
#endif
