// Contact force, coordination number and stress of each sphere.
#ifndef ERGI_SPHERE_FORCES_H
#define ERGI_SPHERE_FORCES_H

#include "erg/world.h"

// Fills those of force, coordination and stress that are not NULL, for the `count` rows of `view`.
// `first`: row of the first sphere of each grain.
void ergi_sphere_forces(const erg_world *world, const uint32_t *first, size_t count,
                        const erg_sphere_view *view);

#endif
