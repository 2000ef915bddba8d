// Is there room here? Balls in hashed cells, for placing grains among those that are there.
#ifndef ERGI_CROWD_H
#define ERGI_CROWD_H

#include "erg/base.h"

typedef struct ergi_crowd {
    double   *ball; // x y z radius
    uint32_t *next; // chain within a cell, UINT32_MAX at its end
    uint32_t *head;
    size_t    count, room, heads;
    double    cell; // side, at least twice the largest radius [m]
} ergi_crowd;

// For balls no larger than `largest`, about `expected` of them.
erg_status ergi_crowd_init(ergi_crowd *crowd, double largest, size_t expected, erg_error *err);
void       ergi_crowd_free(ergi_crowd *crowd);
erg_status ergi_crowd_add(ergi_crowd *crowd, erg_vec3 centre, double radius, erg_error *err);
bool       ergi_crowd_is_free(const ergi_crowd *crowd, erg_vec3 centre, double radius);

#endif
