// Rigid bodies: closed meshes with a mass. A free body moves under gravity and its contacts with
// grains, walls and other bodies; one that is not free rests or follows a prescribed motion, like a
// wall. See docs/bodies.md.
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

typedef struct erg_body_def {
    const char     *name; // optional, unique among walls and bodies, at most 63 bytes; copied
    erg_id          material;
    const erg_mesh *mesh;     // must be solid (erg_mesh_report); the world keeps a reference
    erg_vec3        position; // of the mesh's origin at t = 0 [m]
    erg_quat        rotation; // of its axes at t = 0; length 1 to within 1e-6

    bool     free;           // default true
    double   mass;           // 0 (default): density times volume [kg]
    double   density;        // 0 (default): the material's [kg/m^3]
    erg_vec3 velocity, spin; // at t = 0, only if free; velocity of the centre of mass [m/s] [rad/s]

    // Only if not free, as for walls. Without a pivot the body rotates about its centre of mass.
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
    bool     free;
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
