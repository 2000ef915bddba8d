// Where a sphere touches a triangle mesh.
//
// Every triangle within reach has a closest point. Those on an edge or a corner count only when no
// triangle that shares it is nearer (the centre is then nearest to that edge on all its faces), so
// that a sphere rolls over the edges within a plane without feeling them, and round a sharp one
// without a kick. What is left are places at a distance from each other, as the sides of a groove.
// Of two that push in nearly the same direction, the deeper one stands for both: the flat sides of
// a round hollow would otherwise push twice wherever they meet.
#include "geom/surface.h"

#include "geom/solid.h"

#include <math.h>

#define SAME 1e-9 // of the reach: a difference that is none

enum { MOST_NEAR = 256 };

static bool comes_before(const ergi_bvh_hit *a, const ergi_bvh_hit *b)
{
    return a->distance < b->distance || (a->distance == b->distance && a->triangle < b->triangle);
}

// Of more than there is room for, the nearest; in order, nearest first.
static size_t near_points(const ergi_solid *mesh, erg_vec3 p, double reach, ergi_bvh_hit *near)
{
    size_t count = ergi_bvh_near_points(&mesh->bvh, p, reach, near, MOST_NEAR);
    if (count > MOST_NEAR) {
        // Triangles much smaller than the sphere: the nearest one leads to fewer of them. Those
        // that are as near as it, as around the tip of a cone, are as good as each other.
        ergi_bvh_hit nearest = ergi_bvh_closest(&mesh->bvh, p, reach);
        double       spare = reach - nearest.distance, least = SAME * reach;
        for (; count > MOST_NEAR && spare > least; spare *= 0.5) {
            reach = nearest.distance + 0.5 * spare;
            count = ergi_bvh_near_points(&mesh->bvh, p, reach, near, MOST_NEAR);
        }
        if (count > MOST_NEAR || count == 0) {
            count = count ? MOST_NEAR : 1;
            near[0] = nearest;
        }
    }
    for (size_t i = 1; i < count; i++) {
        ergi_bvh_hit hit = near[i];
        size_t       k = i;
        for (; k > 0 && comes_before(&hit, &near[k - 1]); k--) near[k] = near[k - 1];
        near[k] = hit;
    }
    return count;
}

static bool has_corner(ergi_triangle t, uint32_t v)
{
    return t.v[0] == v || t.v[1] == v || t.v[2] == v;
}

// Whether triangle `other` has the edge or corner of `t` that `part` names.
static bool shares_part(const ergi_mesh *mesh, uint32_t t, ergi_part part, uint32_t other)
{
    const ergi_triangle *of = &mesh->triangle[t];
    if (part >= ERGI_PART_CORNER_0)
        return has_corner(mesh->triangle[other], of->v[part - ERGI_PART_CORNER_0]);
    int k = (int)part - ERGI_PART_EDGE_0;
    return has_corner(mesh->triangle[other], of->v[k]) &&
           has_corner(mesh->triangle[other], of->v[(k + 1) % 3]);
}

static bool belongs_to_nearer(const ergi_mesh *mesh, const ergi_bvh_hit *near, size_t i)
{
    if (near[i].part == ERGI_PART_FACE) return false;
    for (size_t k = 0; k < i; k++)
        if (shares_part(mesh, near[i].triangle, near[i].part, near[k].triangle)) return true;
    return false;
}

static bool pushes_alike(const ergi_hit_list *list, int first, erg_vec3 normal)
{
    for (int k = first; k < list->count; k++)
        if (ergi_dot(list->hits[k].normal, normal) > ERGI_SMOOTH_COSINE) return true;
    return false;
}

// Named after the direction in which it pushes, in the mesh's frame: hits of one sphere differ by
// 25 degrees, and a cell of directions, 1/5 wide, is smaller than that. No name depends on which of
// several hits is the deepest, as it would swap with the next one while a grain that is wedged
// between them trembles.
static uint32_t feature_of(erg_vec3 normal)
{
    // From 0 to 1; the middle of a cell lies on each axis.
    enum { CELLS = ERGI_MESH_CELLS, ACROSS = ERGI_MESH_DIRECTIONS };
    uint32_t x = (uint32_t)lround(CELLS * (1.0 + normal.x)),
             y = (uint32_t)lround(CELLS * (1.0 + normal.y)),
             z = (uint32_t)lround(CELLS * (1.0 + normal.z));
    return (x * ACROSS + y) * ACROSS + z;
}

void ergi_mesh_hits(const ergi_surface *surface, const ergi_surface_query *query,
                    ergi_hit_list *list)
{
    const ergi_solid *mesh = surface->mesh;
    ergi_bvh_hit      near[MOST_NEAR];
    size_t            count = near_points(mesh, query->p, query->reach, near);
    int               first = list->count;
    double            out = surface->side == ERGI_SIDE_INSIDE ? -1.0 : 1.0;
    for (size_t i = 0; i < count; i++) {
        erg_vec3 d = ergi_sub(query->p, near[i].point);
        erg_vec3 outward = ergi_scale(ergi_solid_normal(mesh, near[i].triangle, near[i].part), out);
        bool     behind = surface->side != ERGI_SIDE_BOTH && ergi_dot(d, outward) < 0.0;
        erg_vec3 normal = near[i].distance > 0.0
                              ? ergi_scale(d, (behind ? -1.0 : 1.0) / near[i].distance)
                              : outward;
        // Past the surface only the way back counts; in front of it, nothing that faces away.
        if (behind && i > 0) continue;
        if (belongs_to_nearer(&mesh->mesh, near, i)) continue;
        erg_vec3 world = ergi_surface_turn(surface, normal);
        if (pushes_alike(list, first, world)) continue;
        ergi_hit_list_add(
            list, (ergi_surface_hit){.feature = feature_of(normal),
                                     .gap = behind ? -near[i].distance : near[i].distance,
                                     .normal = world,
                                     .point = ergi_add(surface->origin,
                                                       ergi_surface_turn(surface, near[i].point))});
        if (behind) return;
    }
}
