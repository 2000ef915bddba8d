// A plane wall, one-sided or two-sided.
#ifndef ERGI_QUERY_PLANE_H
#define ERGI_QUERY_PLANE_H

#include "geom/query_bumps.h"
#include "geom/query_surface.h"

ERG_INLINE ergi_surface_hit ergi_plane_nearest(const ergi_surface       *surface,
                                               const ergi_surface_query *query, erg_vec3 centre)
{
    double height = query->p.z;
    double sign = surface->side == ERGI_SIDE_BOTH && height < 0.0 ? -1.0 : 1.0;
    return ergi_hit_make(0, sign * height, ergi_scale(surface->ez, sign), 0.0,
                         ergi_madd(centre, -height, surface->ez));
}

ERG_INLINE void ergi_plane_hits(const ergi_surface *surface, const ergi_surface_query *query,
                                erg_vec3 centre, ergi_hit_list *list)
{
    ergi_surface_hit hit = ergi_plane_nearest(surface, query, centre);
    if (hit.gap < query->reach) ergi_hit_list_add(list, hit);
    if (surface->bump_spacing > 0.0 && hit.gap >= 0.0) ergi_bumps_on_plane(surface, query, list);
}

ERG_INLINE bool ergi_plane_far(const ergi_surface *surface, const ergi_surface_query *query,
                               double reach)
{
    return (surface->side == ERGI_SIDE_BOTH ? fabs(query->p.z) : query->p.z) > reach;
}

#endif
