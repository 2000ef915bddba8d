// Grain shapes at size 1, and size distributions.
#ifndef ERGI_SHAPE_H
#define ERGI_SHAPE_H

#include "base/random.h"
#include "erg/base.h"
#include "erg/grain.h"

// A grain at size 1: the spheres of a named shape have radius 1; a list of spheres is as given. A
// grain of size s and density rho has
//     mass = rho s^3 volume,  inertia = rho s^5 inertia,  offsets, radii and bounds times s.
// Offsets are in the principal frame, about the centre of mass.
typedef struct ergi_shape {
    int      count;
    double  *offset; // x, y, z of each sphere; owned
    double  *radius; // owned
    double   volume;
    double   inertia[3];      // principal, at density 1
    double   bounding_radius; // about the centre of mass
    double   smallest_radius, largest_radius;
    bool     isotropic;          // all three moments are equal, exactly: no gyroscopic torque
    bool     is_sphere;          // one sphere: no offset either
    erg_vec3 centre;             // of mass, in the frame of the list
    erg_quat principal_to_input; // rotation from the principal frame to that of the list
} ergi_shape;

// `spheres` and `sphere_count` are read for ERG_SHAPE_SPHERES only.
erg_status ergi_shape_make(erg_shape kind, const erg_sphere *spheres, size_t sphere_count,
                           ergi_shape *shape, erg_error *err);
void       ergi_shape_free(ergi_shape *shape);

// ---- Sizes -------------------------------------------------------------------------------------
erg_status ergi_sizes_check(const erg_sizes *sizes, erg_error *err);

// Smallest and largest size that can be drawn. This and all below require valid sizes.
void ergi_sizes_range(const erg_sizes *sizes, double *least, double *most);

double ergi_sizes_mean_cube(const erg_sizes *sizes); // mean of the cubes of the sizes drawn

// Draws the size of one grain; `random` identifies the grain.
double ergi_sizes_draw(const erg_sizes *sizes, ergi_random *random);

#endif
