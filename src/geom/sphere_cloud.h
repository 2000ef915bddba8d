// Equal spheres that stand for a surface (Bell et al. 2005), to be asked who touches them.
#ifndef ERGI_SPHERE_CLOUD_H
#define ERGI_SPHERE_CLOUD_H

#include "geom/points.h"
#include "geom/solid.h"

typedef struct ergi_sphere_cloud {
    double      radius; // [m]
    erg_vec3   *centre; // in the mesh's frame [m]
    size_t      count;
    ergi_points grid;
} ergi_sphere_cloud;

// An even cover of the surface from within: the spheres touch it, none sticks out.
erg_status ergi_sphere_cloud_make(const ergi_solid *solid, double radius, ergi_sphere_cloud **out,
                                  erg_error *err);
void       ergi_sphere_cloud_free(ergi_sphere_cloud *cloud); // takes NULL
size_t     ergi_sphere_cloud_bytes(const ergi_sphere_cloud *cloud);

#endif
