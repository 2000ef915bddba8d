// A bounding volume hierarchy over the triangles of a mesh: finds the closest point in a few
// microseconds.
//
// Queries neither allocate nor modify anything, so any number of threads may query at once. Of
// equally near triangles the lowest index wins, whatever the order of traversal.
#ifndef ERGI_QUERY_BVH_H
#define ERGI_QUERY_BVH_H

#include "geom/query_triangle.h"

enum { ERGI_BVH_STACK = 80 }; // traversal stack, bounded by the tree depth that bvh.c guarantees

typedef struct ergi_bvh_node {
    float    low[3], high[3]; // rounded outwards
    uint32_t first;           // first triangle, or first of two children
    uint32_t count;           // triangles; 0: inner node
} ergi_bvh_node;

typedef struct ergi_bvh_triangle {
    erg_vec3 p[3];
    uint32_t index; // in the mesh
} ergi_bvh_triangle;

typedef struct ergi_bvh {
    ergi_bvh_node     *node; // [0] is the root
    ergi_bvh_triangle *triangle;
    size_t             nodes, triangles;
} ergi_bvh;

typedef struct ergi_bvh_hit {
    uint32_t  triangle; // UINT32_MAX: nothing within reach
    ergi_part part;
    erg_vec3  point;    // [m]
    double    distance; // [m]
} ergi_bvh_hit;

ERG_INLINE double ergi_bvh_beyond(double x, float low, float high)
{
    double below = (double)low - x, above = x - (double)high;
    double d = below > above ? below : above;
    return d > 0.0 ? d : 0.0;
}

// Squared distance from p to the box of a node.
ERG_INLINE double ergi_bvh_to_box(const ergi_bvh_node *n, erg_vec3 p)
{
    double x = ergi_bvh_beyond(p.x, n->low[0], n->high[0]);
    double y = ergi_bvh_beyond(p.y, n->low[1], n->high[1]);
    double z = ergi_bvh_beyond(p.z, n->low[2], n->high[2]);
    return x * x + y * y + z * z;
}

typedef struct ergi_bvh_visit {
    uint32_t node;
    double   d2;
} ergi_bvh_visit;

ERG_INLINE ergi_bvh_visit ergi_bvh_visit_of(const ergi_bvh *bvh, uint32_t node, erg_vec3 p)
{
    ergi_bvh_visit visit = {node, ergi_bvh_to_box(&bvh->node[node], p)};
    return visit;
}

ERG_INLINE void ergi_bvh_look_at(const ergi_bvh_triangle *t, erg_vec3 p, double *best,
                                 ergi_bvh_hit *hit)
{
    ergi_part part;
    erg_vec3  c = ergi_closest(t->p[0], t->p[1], t->p[2], p, &part), d = ergi_sub(p, c);
    double    d2 = ergi_dot(d, d);
    if (d2 < *best || (d2 == *best && t->index < hit->triangle)) {
        *best = d2;
        hit->triangle = t->index;
        hit->part = part;
        hit->point = c;
    }
}

// The closest point within `reach` (HUGE_VAL: anywhere).
ERG_INLINE ergi_bvh_hit ergi_bvh_closest(const ergi_bvh *bvh, erg_vec3 p, double reach)
{
    ergi_bvh_hit   hit = {UINT32_MAX, ERGI_PART_FACE, {0.0, 0.0, 0.0}, HUGE_VAL};
    double         best = reach * reach;
    ergi_bvh_visit stack[ERGI_BVH_STACK], at = ergi_bvh_visit_of(bvh, 0, p);
    int            top = 0;
    for (;;) {
        // A box as far as the best hit may hold an equally near triangle of lower index.
        if (at.d2 <= best) {
            const ergi_bvh_node *n = &bvh->node[at.node];
            if (n->count == 0) {
                ergi_bvh_visit a = ergi_bvh_visit_of(bvh, n->first, p);
                ergi_bvh_visit b = ergi_bvh_visit_of(bvh, n->first + 1, p);
                bool           swap = b.d2 < a.d2;
                stack[top++] = swap ? a : b;
                at = swap ? b : a;
                continue;
            }
            for (uint32_t i = 0; i < n->count; i++)
                ergi_bvh_look_at(&bvh->triangle[n->first + i], p, &best, &hit);
        }
        if (top == 0) break;
        at = stack[--top];
    }
    if (hit.triangle != UINT32_MAX) hit.distance = sqrt(best);
    return hit;
}

// The closest points of all triangles nearer to p than `reach`, in tree order. Returns their
// number; the first `room` of them are written to `found`.
ERG_INLINE size_t ergi_bvh_near_points(const ergi_bvh *bvh, erg_vec3 p, double reach,
                                       ergi_bvh_hit *found, size_t room)
{
    uint32_t stack[ERGI_BVH_STACK];
    int      top = 0;
    size_t   count = 0;
    double   limit = reach * reach;
    stack[top++] = 0;
    while (top > 0) {
        const ergi_bvh_node *n = &bvh->node[stack[--top]];
        if (ergi_bvh_to_box(n, p) >= limit) continue;
        if (n->count == 0) {
            stack[top++] = n->first + 1;
            stack[top++] = n->first;
        }
        for (uint32_t i = 0; i < n->count; i++) {
            const ergi_bvh_triangle *t = &bvh->triangle[n->first + i];
            ergi_bvh_hit             hit = {t->index, ERGI_PART_FACE, {0.0, 0.0, 0.0}, 0.0};
            hit.point = ergi_closest(t->p[0], t->p[1], t->p[2], p, &hit.part);
            erg_vec3 d = ergi_sub(p, hit.point);
            double   d2 = ergi_dot(d, d);
            if (d2 >= limit) continue;
            hit.distance = sqrt(d2);
            if (count < room) found[count] = hit;
            count++;
        }
    }
    return count;
}

#endif
