// Surfaces (query_surface.h): setup, and compiled versions of the queries in query.h.
#ifndef ERGI_SURFACE_H
#define ERGI_SURFACE_H

#include "geom/query_heights.h"

// Sets origin and ez, and completes the frame with ex and ey.
void ergi_surface_place(ergi_surface *surface, erg_vec3 origin, erg_vec3 ez);

// All features nearer to the centre than reach, in a fixed order. Past a signed surface of
// revolution or mesh, or the outside of a box, only the nearest; past a mesh by more than reach,
// none. When there are more than ERGI_SURFACE_MAX_HITS, the nearest are kept.
int ergi_surface_hits(const ergi_surface *surface, erg_vec3 centre, double reach,
                      ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS]);

// The nearest point of the smooth surface, without its bumps, at any distance; the gap is negative
// past a signed surface. For a cloud: of the mesh that it represents.
ergi_surface_hit ergi_surface_nearest(const ergi_surface *surface, erg_vec3 point);

// True when hits of this surface may carry that feature.
bool ergi_surface_has_feature(const ergi_surface *surface, uint32_t feature);

// True: ergi_surface_hits would find nothing. Conservative: may be false even so.
bool ergi_surface_far(const ergi_surface *surface, erg_vec3 centre, double reach);

// Of a height field: how far the centre and the surface must move, together, before a hit with a
// gap of 0 is possible; a lower bound, if below `reach`, else reach [m].
double ergi_surface_clearance(const ergi_surface *surface, erg_vec3 centre, double reach);

// Of a height field: true if nothing of it in or below a box is higher than the bottom of the box.
bool ergi_surface_below(const ergi_surface *surface, const double low[3], const double high[3]);

// Of a height field: what a sphere may touch within `touch` while it and the surface move no
// farther than `reach` (query_heights.h).
ergi_heights_near ergi_surface_look(const ergi_surface *surface, erg_vec3 centre, double touch,
                                    double reach, uint32_t *sphere, uint32_t room);

// Of a height field: the hits among some of its spheres and, if `smooth`, of the surface; the same
// as ergi_surface_hits if the rest is out of reach.
int ergi_surface_listed_hits(const ergi_surface *surface, erg_vec3 centre, double reach,
                             const uint32_t *sphere, uint32_t count, bool smooth,
                             ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS]);

// Centre and half sizes, along ex, ey, ez, of the box around the surface with its bumps; false:
// unbounded.
bool ergi_surface_box(const ergi_surface *surface, erg_vec3 *centre, double half[3]);

// The origin; for a mesh or a height field the centre of its bounding box.
erg_vec3 ergi_surface_middle(const ergi_surface *surface);

// No point of the surface is farther than this from its middle; HUGE_VAL for a plane [m].
double ergi_surface_extent(const ergi_surface *surface);

#endif
