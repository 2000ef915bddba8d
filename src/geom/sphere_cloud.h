// Builds the spheres that represent a surface (query_cloud.h).
#ifndef ERGI_SPHERE_CLOUD_H
#define ERGI_SPHERE_CLOUD_H

#include "geom/query_cloud.h"
#include "geom/solid.h"

// An even cover of the surface from within: the spheres touch it and none protrudes.
erg_status ergi_sphere_cloud_make(const ergi_solid *solid, double radius, ergi_sphere_cloud **out,
                                  erg_error *err);
void       ergi_sphere_cloud_free(ergi_sphere_cloud *cloud); // accepts NULL
size_t     ergi_sphere_cloud_bytes(const ergi_sphere_cloud *cloud);

#endif
