// Data of walls that are bodies: mass, and the inscribed spheres that touch walls and other bodies.
#ifndef ERGI_BODY_H
#define ERGI_BODY_H

#include "erg/body.h"
#include "geom/inscribed.h"
#include "geom/vec3.h"

// Shared by bodies with the same mesh; in the frame of the mesh.
typedef struct ergi_body_shape {
    const erg_mesh           *mesh; // reference counted
    double                    rounding;
    double                    volume;  // [m^3]
    erg_vec3                  centre;  // of mass [m]
    ergi_mat3                 inertia; // about the centre, of density 1 [m^5]
    double                    reach;   // from the centre to the farthest vertex [m]
    ergi_inscribed_list       balls;
    double                    sphere_radius; // as in the definition
    struct ergi_sphere_cloud *cloud;         // ERG_BODY_SPHERES: what grains touch; else NULL
} ergi_body_shape;

typedef struct ergi_body {
    bool      exists;       // false: a plain wall
    bool      free;         // in at least one axis
    uint32_t  free_axes;    // ERG_AXIS_ bits; 0 unless free
    uint32_t  shape;        // index in the world's shapes
    double    mass;         // [kg]
    double    inverse_mass; // 0 unless free [1/kg]
    double    radius;       // of a sphere of the same volume; sets its contact stiffness [m]
    double    reach;        // from its centre to the farthest point [m]
    erg_quat  start;        // rotation of the mesh's axes at t = 0
    erg_vec3  centre;       // of mass at t = 0 [m]
    ergi_mat3 inertia;      // about the centre, mesh's axes [kg m^2]
    // Zero if no rotation is free; about a hinge 1/I of that axis alone (a tensor of rank one)
    // [1/(kg m^2)]
    ergi_mat3 inverse_inertia;
} ergi_body;

// Computes mass, volume and spheres of the mesh. `name` begins error messages.
erg_status ergi_body_shape_make(ergi_body_shape *shape, const erg_body_def *def, const char *name,
                                erg_error *err);
// Computes the inscribed spheres if not done yet; needed if some body is free.
erg_status ergi_body_shape_inscribe(ergi_body_shape *shape, const char *name, erg_error *err);
bool       ergi_body_shape_fits(const ergi_body_shape *shape, const erg_body_def *def);
void       ergi_body_shape_free(ergi_body_shape *shape);

// Checks the definition by itself.
erg_status ergi_body_check(const erg_body_def *def, const char *name, erg_error *err);

// `density` is that of the material.
erg_status ergi_body_make(ergi_body *body, const erg_body_def *def, const ergi_body_shape *shape,
                          double density, const char *name, erg_error *err);

// Spin for an angular momentum l, or rate of change of spin for a torque l, with mesh axes rotated
// by q: q I^-1 q^-1 l.
static inline erg_vec3 ergi_body_spin(const ergi_body *body, erg_quat q, erg_vec3 l)
{
    return ergi_quat_rotate(q, ergi_mat3_mul(body->inverse_inertia, ergi_quat_unrotate(q, l)));
}

static inline erg_vec3 ergi_body_momentum(const ergi_body *body, erg_quat q, erg_vec3 spin)
{
    return ergi_quat_rotate(q, ergi_mat3_mul(body->inertia, ergi_quat_unrotate(q, spin)));
}

#endif
