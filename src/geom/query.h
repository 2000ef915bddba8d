// Queries on surfaces: contact points of a sphere, nearest point, quick rejection. Inline functions
// over flat data, for C, C++ and CUDA compilers; nothing is allocated, and stacks are bounded.
// Library sources call the compiled copies in surface.c.
#ifndef ERGI_QUERY_H
#define ERGI_QUERY_H

#include "geom/query_box.h"
#include "geom/query_cloud.h"
#include "geom/query_heights.h"
#include "geom/query_mesh.h"
#include "geom/query_placed.h"
#include "geom/query_plane.h"
#include "geom/query_revolved.h"

// See ergi_surface_hits.
ERG_INLINE int ergi_query_hits(const ergi_surface *surface, erg_vec3 centre, double reach,
                               ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS])
{
    ergi_surface_query query = ergi_surface_ask(surface, centre, reach);
    ergi_hit_list      list = {0, hits};
    switch (surface->kind) {
    case ERGI_SURFACE_PLANE: ergi_plane_hits(surface, &query, centre, &list); break;
    case ERGI_SURFACE_BOX: ergi_box_hits(surface, &query, &list); break;
    case ERGI_SURFACE_REVOLVED: ergi_revolved_hits(surface, &query, &list); break;
    case ERGI_SURFACE_MESH: ergi_mesh_hits(surface, &query, &list); break;
    case ERGI_SURFACE_CLOUD: ergi_cloud_hits(surface, &query, &list); break;
    case ERGI_SURFACE_HEIGHTS: ergi_heights_hits(surface->heights, centre, reach, &list); break;
    }
    return list.count;
}

// See ergi_surface_nearest.
ERG_INLINE ergi_surface_hit ergi_query_nearest(const ergi_surface *surface, erg_vec3 point)
{
    ergi_surface_query query = ergi_surface_ask(surface, point, HUGE_VAL);
    if (surface->kind == ERGI_SURFACE_REVOLVED) return ergi_revolved_nearest(surface, &query);
    if (surface->kind == ERGI_SURFACE_HEIGHTS) return ergi_heights_nearest(surface->heights, point);
    if (ergi_surface_is_mesh(surface)) return ergi_mesh_nearest_hit(surface, &query);
    if (surface->kind == ERGI_SURFACE_BOX) return ergi_box_nearest(surface, &query);
    return ergi_plane_nearest(surface, &query, point);
}

// See ergi_surface_far.
ERG_INLINE bool ergi_query_far(const ergi_surface *surface, erg_vec3 centre, double reach)
{
    if (surface->kind == ERGI_SURFACE_HEIGHTS)
        return ergi_heights_far(surface->heights, centre, reach);
    ergi_surface_query query = ergi_surface_ask(surface, centre, reach);
    reach += surface->bump_radius;
    if (surface->kind == ERGI_SURFACE_REVOLVED) return ergi_revolved_far(surface, &query, reach);
    if (ergi_surface_is_mesh(surface)) return ergi_mesh_far(surface->mesh, query.p, reach);
    if (surface->kind == ERGI_SURFACE_BOX) {
        const double p[3] = {query.p.x, query.p.y, query.p.z};
        return ergi_box_far(surface, p, reach);
    }
    return ergi_plane_far(surface, &query, reach);
}

// ---- Moved surfaces ----------------------------------------------------------------------------
ERG_INLINE int ergi_query_placed_hits(const ergi_surface *surface, const ergi_placement *at,
                                      erg_vec3 centre, double reach,
                                      ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS])
{
    bool     turned = ergi_quat_turns(at->rotation);
    erg_vec3 p = turned ? ergi_placement_before(at, centre) : ergi_sub(centre, at->position);
    int      count = ergi_query_hits(surface, p, reach, hits);
    if (turned)
        ergi_hits_move(hits, count, at);
    else
        ergi_hits_shift(hits, count, at->position);
    return count;
}

ERG_INLINE ergi_surface_hit ergi_query_placed_nearest(const ergi_surface   *surface,
                                                      const ergi_placement *at, erg_vec3 point)
{
    ergi_surface_hit hit = ergi_query_nearest(surface, ergi_placement_before(at, point));
    ergi_hits_move(&hit, 1, at);
    return hit;
}

ERG_INLINE bool ergi_query_placed_far(const ergi_surface *surface, const ergi_placement *at,
                                      erg_vec3 centre, double reach)
{
    return ergi_query_far(surface, ergi_placement_before(at, centre), reach);
}

#endif
