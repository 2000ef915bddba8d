// The spheres of grains, clumps included: a row of the table of grains has the radius of a single
// sphere only.
#ifndef ERGI_GRAIN_SPHERES_H
#define ERGI_GRAIN_SPHERES_H

#include <string.h>

#include "geom/vec3.h"
#include "world/world.h"

static inline const ergi_shape *ergi_grain_shape(const erg_world *world, size_t i)
{
    return &world->kind[ERGI_GRAIN(world, KIND, uint32_t)[i]].shape;
}

// About its centre of mass [m].
static inline double ergi_grain_bounding_radius(const erg_world *world, size_t i)
{
    double r = ERGI_GRAIN(world, POSITION, double)[4 * i + 3];
    return r > 0 ? r
                 : ERGI_GRAIN(world, SIZE, double)[i] * ergi_grain_shape(world, i)->bounding_radius;
}

static inline int ergi_grain_spheres(const erg_world *world, size_t i)
{
    return ERGI_GRAIN(world, POSITION, double)[4 * i + 3] > 0 ? 1
                                                              : ergi_grain_shape(world, i)->count;
}

// x y z radius of sphere k of grain i [m].
static inline void ergi_grain_sphere(const erg_world *world, size_t i, int k, double s[4])
{
    const double *at = ERGI_GRAIN(world, POSITION, double) + 4 * i;
    memcpy(s, at, 4 * sizeof *s);
    if (s[3] > 0) return;
    const ergi_shape *shape = ergi_grain_shape(world, i);
    const double *q = ERGI_GRAIN(world, ORIENTATION, double) + 4 * i, *o = shape->offset + 3 * k;
    double        size = ERGI_GRAIN(world, SIZE, double)[i];
    erg_vec3      arm = ergi_quat_rotate((erg_quat){q[0], q[1], q[2], q[3]},
                                         ergi_vec3(size * o[0], size * o[1], size * o[2]));
    s[0] += arm.x;
    s[1] += arm.y;
    s[2] += arm.z;
    s[3] = size * shape->radius[k];
}

#endif
