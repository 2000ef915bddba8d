// What the contacts do to each sphere: force, coordination, stress.
#ifndef ERGI_SPHERE_FORCES_H
#define ERGI_SPHERE_FORCES_H

#include "erg/world.h"

// Fills force, coordination and stress of the `count` rows of `view`, those that it asks for.
// `first`: the row of the first sphere of each grain.
void ergi_sphere_forces(const erg_world *world, const uint32_t *first, size_t count,
                        const erg_sphere_view *view);

#endif
