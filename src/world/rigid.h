// What a wall has when it is a body: mass, and the balls by which it touches walls and other
// bodies. (Inside the engine "bodies" are the grains; these are rigids.)
#ifndef ERGI_RIGID_H
#define ERGI_RIGID_H

#include "erg/body.h"
#include "geom/inscribed.h"
#include "geom/vec3.h"

// Shared by bodies of the same mesh; in the mesh's frame.
typedef struct ergi_rigid_shape {
    const erg_mesh           *mesh; // held
    double                    rounding;
    double                    volume;  // [m^3]
    erg_vec3                  centre;  // of mass [m]
    ergi_mat3                 inertia; // about the centre, of density 1 [m^5]
    double                    reach;   // from the centre to the farthest vertex [m]
    ergi_inscribed_list       balls;
    double                    sphere_radius; // as asked for
    struct ergi_sphere_cloud *cloud;         // ERG_BODY_SPHERES: what grains feel; else NULL
} ergi_rigid_shape;

typedef struct ergi_rigid {
    bool      exists; // else: a plain wall
    bool      free;
    uint32_t  shape;           // number in the world's shapes
    double    mass;            // [kg]
    double    inverse_mass;    // 0 unless free [1/kg]
    double    radius;          // of a ball of the same volume: how stiff its contacts are [m]
    double    reach;           // from its centre to the farthest point [m]
    erg_quat  start;           // rotation of the mesh's axes at t = 0
    erg_vec3  centre;          // of mass at t = 0 [m]
    ergi_mat3 inertia;         // about the centre, mesh's axes [kg m^2]
    ergi_mat3 inverse_inertia; // of a free one, else zero [1/(kg m^2)]
} ergi_rigid;

// Mass, volume and spheres of the mesh. `name` opens the sentence.
erg_status ergi_rigid_shape_make(ergi_rigid_shape *shape, const erg_body_def *def, const char *name,
                                 erg_error *err);
// Its balls, unless they are there; needed where some body is free. `name` opens the sentence.
erg_status ergi_rigid_shape_inscribe(ergi_rigid_shape *shape, const char *name, erg_error *err);
bool       ergi_rigid_shape_fits(const ergi_rigid_shape *shape, const erg_body_def *def);
void       ergi_rigid_shape_free(ergi_rigid_shape *shape);

// Numbers of the definition alone. `name` opens the sentence.
erg_status ergi_rigid_check(const erg_body_def *def, const char *name, erg_error *err);

// `density`: of the material.
erg_status ergi_rigid_make(ergi_rigid *rigid, const erg_body_def *def,
                           const ergi_rigid_shape *shape, double density, const char *name,
                           erg_error *err);

// A vector of angular momentum or torque, to the spin or change of spin it makes, for mesh's axes
// turned by q: q I^-1 q^-1 l.
static inline erg_vec3 ergi_rigid_spin(const ergi_rigid *rigid, erg_quat q, erg_vec3 l)
{
    return ergi_quat_rotate(q, ergi_mat3_mul(rigid->inverse_inertia, ergi_quat_unrotate(q, l)));
}

static inline erg_vec3 ergi_rigid_momentum(const ergi_rigid *rigid, erg_quat q, erg_vec3 spin)
{
    return ergi_quat_rotate(q, ergi_mat3_mul(rigid->inertia, ergi_quat_unrotate(q, spin)));
}

#endif
