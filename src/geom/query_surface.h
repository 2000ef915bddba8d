// A surface that spheres touch, as flat data: plane, box, surface of revolution (these smooth or
// covered with a lattice of bumps), triangle mesh, a cloud of spheres, or a height field with
// spheres on it; and the hits found on it.
//
// A surface consists of features (faces, edges, corners, pieces, rims, bumps). At a concave corner
// a sphere touches both faces at once. At a convex one, contact passes from face to edge to face
// without a jump: an edge counts only when it is the nearest point on every face it belongs to. So
// a sphere rolls round an edge without a kick and never touches the same wall twice.
#ifndef ERGI_QUERY_SURFACE_H
#define ERGI_QUERY_SURFACE_H

#include "geom/query_profile.h"
#include "geom/vec3.h"

typedef enum ergi_surface_kind {
    ERGI_SURFACE_PLANE,
    ERGI_SURFACE_BOX,
    ERGI_SURFACE_REVOLVED,
    ERGI_SURFACE_MESH,
    ERGI_SURFACE_CLOUD,  // spheres that represent a mesh
    ERGI_SURFACE_HEIGHTS // in world coordinates: the frame is the identity
} ergi_surface_kind;

typedef enum ergi_surface_side {
    ERGI_SIDE_INSIDE,  // signed; closed surfaces only
    ERGI_SIDE_OUTSIDE, // signed; plane: along its normal
    ERGI_SIDE_BOTH     // thin, unsigned
} ergi_surface_side;

typedef struct ergi_surface {
    ergi_surface_kind kind;
    ergi_surface_side side;
    erg_vec3          origin;     // plane: its point; box: centre; revolved: z = 0 on the axis [m]
    erg_vec3          ex, ey, ez; // orthonormal; plane: ez is the normal; revolved: ez is the axis
    double            half[3];    // box: half sizes [m]
    uint32_t          faces;      // box: bit 2k + (1 if max) for each existing face, k = 0, 1, 2
    ergi_profile      profile;    // revolved
    double            bump_spacing; // 0: smooth [m]
    double            bump_radius;  // [m]
    // Mesh and cloud, in the frame origin, ex, ey, ez; owned by the creator of the surface.
    const struct ergi_mesh_view    *mesh;
    const struct ergi_sphere_cloud *cloud;
    const struct ergi_height_field
        *heights; // owned by the creator; may change while nobody queries
} ergi_surface;

ERG_INLINE bool ergi_surface_is_mesh(const ergi_surface *surface)
{
    return surface->kind == ERGI_SURFACE_MESH || surface->kind == ERGI_SURFACE_CLOUD;
}

// From the surface's frame to the world frame: a direction, and a point.
ERG_INLINE erg_vec3 ergi_surface_turn(const ergi_surface *surface, erg_vec3 local)
{
    erg_vec3 v = ergi_scale(surface->ex, local.x);
    v = ergi_madd(v, local.y, surface->ey);
    return ergi_madd(v, local.z, surface->ez);
}

ERG_INLINE erg_vec3 ergi_surface_to_world(const ergi_surface *surface, erg_vec3 local)
{
    return ergi_add(surface->origin, ergi_surface_turn(surface, local));
}

// ---- Queries -----------------------------------------------------------------------------------
// The centre of a sphere in the surface's own frame.
typedef struct ergi_surface_query {
    erg_vec3 p;      // along ex, ey, ez from the origin
    double   r;      // revolved: distance from the axis
    erg_vec3 radial; // revolved: unit, away from the axis, in world directions
    double   reach;
} ergi_surface_query;

ERG_INLINE ergi_surface_query ergi_surface_ask(const ergi_surface *surface, erg_vec3 centre,
                                               double reach)
{
    erg_vec3           d = ergi_sub(centre, surface->origin);
    ergi_surface_query query = {{0.0, 0.0, 0.0}, 0.0, {0.0, 0.0, 0.0}, reach};
    query.p.z = ergi_dot(d, surface->ez);
    if (surface->kind == ERGI_SURFACE_REVOLVED) {
        erg_vec3 across = ergi_madd(d, -query.p.z, surface->ez);
        query.r = ergi_norm(across);
        query.radial = query.r > 0.0 ? ergi_scale(across, 1.0 / query.r) : surface->ex;
    }
    if (surface->kind == ERGI_SURFACE_BOX || ergi_surface_is_mesh(surface) ||
        surface->bump_spacing > 0.0) {
        query.p.x = ergi_dot(d, surface->ex);
        query.p.y = ergi_dot(d, surface->ey);
    }
    return query;
}

// ---- Hits --------------------------------------------------------------------------------------
enum { ERGI_SURFACE_MAX_HITS = 32 };

typedef struct ergi_surface_hit {
    uint32_t feature;   // the same while the sphere stays on that face, piece, edge or bump; of a
                        // mesh: while it pushes in nearly the same direction
    double   gap;       // from the centre to the surface; negative past a signed one [m]
    erg_vec3 normal;    // unit, from the surface towards the allowed side
    double   curvature; // mean curvature: 0 plane, above 0 convex, below 0 concave; across sharp
                      // edges taken as 0, so that the contact's stiffness does not jump there [1/m]
    erg_vec3 point; // closest point of the surface [m]
    // Where several hits form one contact (cloud): the share of the stiffness that belongs to the
    // other hits, 0 to 1; the gap is then that of the whole contact.
    double others;
} ergi_surface_hit;

ERG_INLINE ergi_surface_hit ergi_hit_make(uint32_t feature, double gap, erg_vec3 normal,
                                          double curvature, erg_vec3 point)
{
    ergi_surface_hit hit = {feature, gap, normal, curvature, point, 0.0};
    return hit;
}

// Features of bumps have this bit, others do not.
#define ERGI_BUMP_FEATURE 0x80000000u

typedef struct ergi_hit_list {
    int               count;
    ergi_surface_hit *hits; // capacity ERGI_SURFACE_MAX_HITS
} ergi_hit_list;

// For a full list: replaces the farthest hit if that is farther.
ERG_INLINE void ergi_hit_list_replace(ergi_hit_list *list, ergi_surface_hit hit)
{
    int farthest = 0;
    for (int i = 1; i < list->count; i++)
        if (list->hits[i].gap > list->hits[farthest].gap) farthest = i;
    if (hit.gap < list->hits[farthest].gap) list->hits[farthest] = hit;
}

ERG_INLINE void ergi_hit_list_add(ergi_hit_list *list, ergi_surface_hit hit)
{
    if (list->count < ERGI_SURFACE_MAX_HITS)
        list->hits[list->count++] = hit;
    else
        ergi_hit_list_replace(list, hit);
}

#endif
