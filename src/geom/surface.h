// Surfaces (query_surface.h): making them, and asking them from sources that are compiled once. The
// answers are those of query.h.
#ifndef ERGI_SURFACE_H
#define ERGI_SURFACE_H

#include "geom/query_surface.h"

// Sets origin, ez and two directions across it.
void ergi_surface_place(ergi_surface *surface, erg_vec3 origin, erg_vec3 ez);

// All features nearer to the centre than reach, in a fixed order. Past a signed surface of
// revolution or mesh, or the outside of a box, only the nearest; past a mesh by more than reach,
// none. Were there ever more than ERGI_SURFACE_MAX_HITS, the nearest stay.
int ergi_surface_hits(const ergi_surface *surface, erg_vec3 centre, double reach,
                      ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS]);

// The nearest point of the smooth surface, without its bumps, however far: its gap is the distance,
// negative past a signed surface. Of a cloud: of the mesh that it stands for.
ergi_surface_hit ergi_surface_nearest(const ergi_surface *surface, erg_vec3 point);

// Whether hits of this surface may carry that feature.
bool ergi_surface_has_feature(const ergi_surface *surface, uint32_t feature);

// True: ergi_surface_hits would find nothing. Cheap, and may answer false when in doubt.
bool ergi_surface_far(const ergi_surface *surface, erg_vec3 centre, double reach);

// Half sizes of the box along ex, ey, ez, and its centre, that hold the surface with its bumps;
// false: unbounded.
bool ergi_surface_box(const ergi_surface *surface, erg_vec3 *centre, double half[3]);

// The origin, but for a mesh: the middle of its box.
erg_vec3 ergi_surface_middle(const ergi_surface *surface);

// No point of the surface is farther than this from its middle; HUGE_VAL for a plane [m].
double ergi_surface_extent(const ergi_surface *surface);

#endif
