// Bodies: closed meshes with a mass. A free one is pushed by grains, walls and other bodies and
// pushes back; one that is not free stands still or moves as told, like a wall. docs/bodies.md has
// more.
//
//     erg_body_def ball = erg_body_def_default();
//     ball.material = steel;
//     ball.mesh = mesh;                 // erg_mesh_primitive, erg_mesh_read
//     ball.position = (erg_vec3){0, 0, 0.5};
//     erg_world_add_body(world, &ball, &id, &err);
//
// A body is a wall of the world, too: its id is that of a wall, and probes, commands and
// erg_world_wall_surface take it.
#ifndef ERG_BODY_H
#define ERG_BODY_H

#include "erg/wall.h"

#ifdef __cplusplus
extern "C" {
#endif

// How grains feel a body.
typedef enum erg_body_contact {
    ERG_BODY_EXACT,  // its triangles: flat faces are flat, edges sharp
    ERG_BODY_SPHERES // spheres on its surface (Bell et al. 2005): bumpy, and rounded by a radius
} erg_body_contact;

typedef struct erg_body_def {
    const char     *name; // optional, unique among walls and bodies, at most 63 bytes; copied
    erg_id          material;
    const erg_mesh *mesh;     // its report must say solid; the world holds it
    erg_vec3        position; // of the mesh's origin at t = 0 [m]
    erg_quat        rotation; // of its axes at t = 0; unit to 1e-6

    bool     free;           // default true
    double   mass;           // 0 (default): density times volume [kg]
    double   density;        // 0 (default): the material's [kg/m^3]
    erg_vec3 velocity, spin; // of a free body at t = 0, of its centre of mass [m/s] [rad/s]

    // Of a body that is not free; as of walls. Without a pivot it turns about its centre of mass.
    erg_motion_def motion[ERG_WALL_MOTIONS];
    int            motion_count;
    bool           has_pivot;
    erg_vec3       pivot; // [m]

    erg_body_contact contact;
    double           sphere_radius; // of ERG_BODY_SPHERES; 0: a twentieth of its size [m]
    // Against walls and other bodies its edges and corners are round.
    double
        rounding; // their radius; 0 (default): a twenty-fifth of the smallest side of its box [m]
} erg_body_def;

ERG_API erg_body_def erg_body_def_default(void); // free, at the origin, not turned

typedef struct erg_body_state {
    double   mass;          // [kg]
    erg_vec3 centre;        // of mass [m]
    erg_quat rotation;      // of the mesh's axes
    erg_vec3 velocity;      // of the centre of mass [m/s]
    erg_vec3 spin;          // [rad/s]
    erg_vec3 force, torque; // of all contacts in the last step, about the centre of mass [N] [N m]
    bool     free;
} erg_body_state;

// Where the mesh of a body stands: what pictures and snapshots need.
typedef struct erg_body_pose {
    erg_id   body;
    erg_vec3 position; // of the mesh's origin [m]
    erg_quat rotation; // of its axes
} erg_body_pose;

#ifdef __cplusplus
}
#endif
#endif
