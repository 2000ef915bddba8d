// A displaced surface: its point p is now at pivot + position + rotation (p - pivot).
#ifndef ERGI_QUERY_PLACED_H
#define ERGI_QUERY_PLACED_H

#include "geom/query_surface.h"

typedef struct ergi_placement {
    erg_vec3 pivot;    // in the surface's initial placement [m]
    erg_vec3 position; // displacement [m]
    erg_quat rotation;
} ergi_placement;

// Maps p back into the surface's initial placement.
ERG_INLINE erg_vec3 ergi_placement_before(const ergi_placement *at, erg_vec3 p)
{
    erg_vec3 d = ergi_sub(ergi_sub(p, at->pivot), at->position);
    return ergi_add(at->pivot, ergi_quat_unrotate(at->rotation, d));
}

// The current position of the surface's initial point p.
ERG_INLINE erg_vec3 ergi_placement_now(const ergi_placement *at, erg_vec3 p)
{
    erg_vec3 d = ergi_quat_rotate(at->rotation, ergi_sub(p, at->pivot));
    return ergi_add(ergi_add(at->pivot, at->position), d);
}

// False for most surfaces; a translation then suffices in both directions.
ERG_INLINE bool ergi_quat_turns(erg_quat q)
{
    return q.x != 0.0 || q.y != 0.0 || q.z != 0.0;
}

// Queries use the initial placement; these move the hits to the current one.
ERG_INLINE void ergi_hits_shift(ergi_surface_hit *hits, int count, erg_vec3 position)
{
    for (int i = 0; i < count; i++) hits[i].point = ergi_add(hits[i].point, position);
}

ERG_INLINE void ergi_hits_move(ergi_surface_hit *hits, int count, const ergi_placement *at)
{
    for (int i = 0; i < count; i++) {
        hits[i].point = ergi_placement_now(at, hits[i].point);
        hits[i].normal = ergi_quat_rotate(at->rotation, hits[i].normal);
    }
}

#endif
