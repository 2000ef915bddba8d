// Contacts of a sphere with a triangle mesh.
//
// Every triangle within reach has a closest point. One on an edge or a corner counts only when no
// triangle that shares it is nearer, so a sphere rolls over the edges within a plane without a
// bump, and round a sharp one without a kick. What remains are separate contacts, such as the two
// sides of a groove. Of two contacts that push in nearly the same direction only the deeper one
// counts: the facets of a round hollow would otherwise push twice wherever they meet.
#ifndef ERGI_QUERY_MESH_H
#define ERGI_QUERY_MESH_H

#include "geom/query_bvh.h"
#include "geom/query_surface.h"

// The part of a triangle mesh that queries read; ergi_solid owns the arrays.
typedef struct ergi_mesh_view {
    ergi_bvh             bvh;
    const ergi_triangle *triangle;
    const uint32_t      *edge;        // of each half-edge 3 t + k, from corner k to k + 1
    const erg_vec3      *face_normal; // unit; zero without area
    const erg_vec3      *edge_normal; // of each edge
    const erg_vec3 *vertex_normal; // of each vertex; edge and vertex normals are not unit vectors
    erg_vec3        low, high;     // bounding box [m]
    size_t          triangles, edges, vertices; // array sizes; there are 3 * triangles half-edges
} ergi_mesh_view;

// Edges with a smaller angle between normals are smooth: a pipe with 16 or more sides is round.
#define ERGI_SMOOTH_COSINE 0.906 // cosine of 25 degrees

// A mesh contact is identified by the cell of its direction, below ERGI_MESH_FEATURES.
enum { ERGI_MESH_CELLS = 5, ERGI_MESH_DIRECTIONS = 2 * ERGI_MESH_CELLS + 1 };
enum { ERGI_MESH_FEATURES = ERGI_MESH_DIRECTIONS * ERGI_MESH_DIRECTIONS * ERGI_MESH_DIRECTIONS };

// Triangles within reach of one sphere that are examined, at most.
enum { ERGI_MESH_MOST_NEAR = 256 };

// ---- Distance ----------------------------------------------------------------------------------
// The sign is that of (p - c).n with the closest point c and the pseudo-normal n of the part of the
// mesh on which c lies: the normal of a face, the sum of two normals on an edge, the sum of normals
// weighted by angles at a vertex. That sign is right for every closed, consistently oriented mesh
// without crossings, however sharp or thin (Baerentzen and Aanaes, Signed distance computation
// using the angle weighted pseudonormal, IEEE Trans. Vis. Comput. Graphics 11 (2005) 243).
typedef struct ergi_nearest {
    uint32_t  triangle; // UINT32_MAX: nothing within reach
    ergi_part part;
    erg_vec3  point;    // closest point of the surface [m]
    erg_vec3  normal;   // unit pseudo-normal there
    double    distance; // below 0 inside [m]
} ergi_nearest;

// The unit pseudo-normal of a part of triangle t.
ERG_INLINE erg_vec3 ergi_mesh_normal(const ergi_mesh_view *mesh, uint32_t t, ergi_part part)
{
    erg_vec3 n = mesh->face_normal[t];
    if (part >= ERGI_PART_CORNER_0)
        n = mesh->vertex_normal[mesh->triangle[t].v[part - ERGI_PART_CORNER_0]];
    else if (part >= ERGI_PART_EDGE_0)
        n = mesh->edge_normal[mesh->edge[3 * t + (uint32_t)(part - ERGI_PART_EDGE_0)]];
    // the normals of two faces back to back cancel
    return ergi_dot(n, n) > 0.0 ? ergi_normalize(n) : mesh->face_normal[t];
}

// The closest point within `reach` (HUGE_VAL: anywhere).
ERG_INLINE ergi_nearest ergi_mesh_nearest(const ergi_mesh_view *mesh, erg_vec3 p, double reach)
{
    ergi_bvh_hit hit = ergi_bvh_closest(&mesh->bvh, p, reach);
    ergi_nearest near = {hit.triangle, hit.part, hit.point, {0.0, 0.0, 0.0}, hit.distance};
    if (hit.triangle == UINT32_MAX) return near;
    near.normal = ergi_mesh_normal(mesh, hit.triangle, hit.part);
    if (ergi_dot(ergi_sub(p, hit.point), near.normal) < 0.0) near.distance = -hit.distance;
    return near;
}

// ---- Hits --------------------------------------------------------------------------------------
ERG_INLINE bool ergi_mesh_comes_before(const ergi_bvh_hit *a, const ergi_bvh_hit *b)
{
    return a->distance < b->distance || (a->distance == b->distance && a->triangle < b->triangle);
}

// Sorted, nearest first. When there are more than ERGI_MESH_MOST_NEAR, the nearest are kept.
ERG_INLINE size_t ergi_mesh_near_points(const ergi_mesh_view *mesh, erg_vec3 p, double reach,
                                        ergi_bvh_hit *near)
{
    size_t count = ergi_bvh_near_points(&mesh->bvh, p, reach, near, ERGI_MESH_MOST_NEAR);
    if (count > ERGI_MESH_MOST_NEAR) {
        // Triangles much smaller than the sphere: halve the search distance beyond the nearest one.
        // Triangles equally near, as around the tip of a cone, are interchangeable.
        ergi_bvh_hit nearest = ergi_bvh_closest(&mesh->bvh, p, reach);
        double       spare = reach - nearest.distance, least = 1e-9 * reach;
        for (; count > ERGI_MESH_MOST_NEAR && spare > least; spare *= 0.5) {
            reach = nearest.distance + 0.5 * spare;
            count = ergi_bvh_near_points(&mesh->bvh, p, reach, near, ERGI_MESH_MOST_NEAR);
        }
        if (count > ERGI_MESH_MOST_NEAR || count == 0) {
            count = count ? ERGI_MESH_MOST_NEAR : 1;
            near[0] = nearest;
        }
    }
    for (size_t i = 1; i < count; i++) {
        ergi_bvh_hit hit = near[i];
        size_t       k = i;
        for (; k > 0 && ergi_mesh_comes_before(&hit, &near[k - 1]); k--) near[k] = near[k - 1];
        near[k] = hit;
    }
    return count;
}

ERG_INLINE bool ergi_triangle_has_corner(ergi_triangle t, uint32_t v)
{
    return t.v[0] == v || t.v[1] == v || t.v[2] == v;
}

// True when triangle `other` has the edge or corner `part` of triangle `t`.
ERG_INLINE bool ergi_mesh_shares_part(const ergi_mesh_view *mesh, uint32_t t, ergi_part part,
                                      uint32_t other)
{
    const ergi_triangle *of = &mesh->triangle[t];
    if (part >= ERGI_PART_CORNER_0)
        return ergi_triangle_has_corner(mesh->triangle[other], of->v[part - ERGI_PART_CORNER_0]);
    int k = (int)part - ERGI_PART_EDGE_0;
    return ergi_triangle_has_corner(mesh->triangle[other], of->v[k]) &&
           ergi_triangle_has_corner(mesh->triangle[other], of->v[(k + 1) % 3]);
}

ERG_INLINE bool ergi_mesh_belongs_to_nearer(const ergi_mesh_view *mesh, const ergi_bvh_hit *near,
                                            size_t i)
{
    if (near[i].part == ERGI_PART_FACE) return false;
    for (size_t k = 0; k < i; k++)
        if (ergi_mesh_shares_part(mesh, near[i].triangle, near[i].part, near[k].triangle))
            return true;
    return false;
}

ERG_INLINE bool ergi_mesh_pushes_alike(const ergi_hit_list *list, int first, erg_vec3 normal)
{
    for (int k = first; k < list->count; k++)
        if (ergi_dot(list->hits[k].normal, normal) > ERGI_SMOOTH_COSINE) return true;
    return false;
}

// Identified by the push direction in the mesh's frame: hits of one sphere differ by at least 25
// degrees, and a cell of directions, 1/5 wide, is smaller than that. Ranking by depth would not
// work, since two hits swap ranks while a grain wedged between them trembles.
ERG_INLINE uint32_t ergi_mesh_feature_of(erg_vec3 normal)
{
    // Each component maps to 0 .. 10; the axes pass through cell centres.
    enum { CELLS = ERGI_MESH_CELLS, ACROSS = ERGI_MESH_DIRECTIONS };
    uint32_t x = (uint32_t)lround(CELLS * (1.0 + normal.x)),
             y = (uint32_t)lround(CELLS * (1.0 + normal.y)),
             z = (uint32_t)lround(CELLS * (1.0 + normal.z));
    return (x * ACROSS + y) * ACROSS + z;
}

ERG_INLINE void ergi_mesh_hits(const ergi_surface *surface, const ergi_surface_query *query,
                               ergi_hit_list *list)
{
    const ergi_mesh_view *mesh = surface->mesh;
    ergi_bvh_hit          near[ERGI_MESH_MOST_NEAR];
    size_t                count = ergi_mesh_near_points(mesh, query->p, query->reach, near);
    int                   first = list->count;
    double                out = surface->side == ERGI_SIDE_INSIDE ? -1.0 : 1.0;
    for (size_t i = 0; i < count; i++) {
        erg_vec3 d = ergi_sub(query->p, near[i].point);
        erg_vec3 outward = ergi_scale(ergi_mesh_normal(mesh, near[i].triangle, near[i].part), out);
        bool     behind = surface->side != ERGI_SIDE_BOTH && ergi_dot(d, outward) < 0.0;
        erg_vec3 normal = near[i].distance > 0.0
                              ? ergi_scale(d, (behind ? -1.0 : 1.0) / near[i].distance)
                              : outward;
        // Past the surface, only the nearest point counts; in front of it, nothing that faces away.
        if (behind && i > 0) continue;
        if (ergi_mesh_belongs_to_nearer(mesh, near, i)) continue;
        erg_vec3 world = ergi_surface_turn(surface, normal);
        if (ergi_mesh_pushes_alike(list, first, world)) continue;
        ergi_hit_list_add(list, ergi_hit_make(ergi_mesh_feature_of(normal),
                                              behind ? -near[i].distance : near[i].distance, world,
                                              0.0, ergi_surface_to_world(surface, near[i].point)));
        if (behind) return;
    }
}

// The nearest point, at any distance, as a hit.
ERG_INLINE ergi_surface_hit ergi_mesh_nearest_hit(const ergi_surface       *surface,
                                                  const ergi_surface_query *query)
{
    ergi_nearest near = ergi_mesh_nearest(surface->mesh, query->p, HUGE_VAL);
    double       out = surface->side == ERGI_SIDE_INSIDE ? -1.0 : 1.0;
    double       gap = surface->side == ERGI_SIDE_BOTH ? fabs(near.distance) : out * near.distance;
    erg_vec3     normal = ergi_scale(near.normal, out);
    if (gap > 0.0 || gap < 0.0) normal = ergi_scale(ergi_sub(query->p, near.point), 1.0 / gap);
    return ergi_hit_make(ergi_mesh_feature_of(normal), gap, ergi_surface_turn(surface, normal), 0.0,
                         ergi_surface_to_world(surface, near.point));
}

ERG_INLINE bool ergi_mesh_far(const ergi_mesh_view *mesh, erg_vec3 p, double reach)
{
    return p.x < mesh->low.x - reach || p.y < mesh->low.y - reach || p.z < mesh->low.z - reach ||
           p.x > mesh->high.x + reach || p.y > mesh->high.y + reach || p.z > mesh->high.z + reach;
}

#endif
