// Bodies at one moment as a .vtp file: posed triangles for ParaView, and a table of poses from
// which erg redraws the bodies with the meshes of the scene.
#ifndef ERGI_BODIES_FILE_H
#define ERGI_BODIES_FILE_H

#include "erg/body.h"

// One body. The triangles belong to the caller.
typedef struct ergi_posed_body {
    erg_body_pose   pose;
    uint32_t        material;
    const double   *vertices; // x, y, z of each, in the mesh's frame [m]
    const uint32_t *triangles;
    size_t          vertex_count, triangle_count;
    erg_vec3        centre;         // of mass [m]
    erg_vec3        velocity, spin; // [m/s] [rad/s]
    erg_vec3        force, torque;  // [N] [N m]
} ergi_posed_body;

// Points are stored as float, poses as double. Cell data: body, material. Field data, one row per
// body: body_id, body_position, body_rotation (x, y, z, w), body_centre, body_velocity, body_spin,
// body_force, body_torque.
erg_status ergi_bodies_write(const char *path, double time, const ergi_posed_body *bodies,
                             size_t count, erg_error *err);

// Reads the poses from a file of ergi_bodies_write; the caller frees them with ergi_memory_free.
erg_status ergi_bodies_read(const char *path, erg_body_pose **poses, size_t *count, erg_error *err);

#endif
