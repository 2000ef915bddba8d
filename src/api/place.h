// Where a sphere belongs: names that stay when memory is sorted anew.
#ifndef ERGI_PLACE_H
#define ERGI_PLACE_H

#include "world/world.h"

typedef struct ergi_place {
    erg_gid  grain;
    uint32_t slot; // of the sphere in its grain
} ergi_place;

static inline ergi_place ergi_place_of(const erg_world *world, const ergi_sphere_arrays *s,
                                       uint32_t sphere)
{
    uint32_t body = s->body ? s->body[sphere] : sphere;
    return (ergi_place){ERGI_BODY(world, ID, uint64_t)[body],
                        sphere - ERGI_BODY(world, FIRST, uint32_t)[body]};
}

#endif
