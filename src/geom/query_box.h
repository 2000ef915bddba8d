// A box wall: solid from inside, from outside, or a thin shell, of which some faces may be missing.
#ifndef ERGI_QUERY_BOX_H
#define ERGI_QUERY_BOX_H

#include "geom/query_bumps.h"
#include "geom/query_surface.h"

// Each face, edge and corner is identified by -1, 0 or 1 per axis: the planes of the box it lies
// in. Of the 27 combinations the middle one (the interior) is unused.
ERG_INLINE uint32_t ergi_box_feature(const int side[3])
{
    return (uint32_t)((side[0] + 1) + 3 * (side[1] + 1) + 9 * (side[2] + 1));
}

ERG_INLINE bool ergi_box_has_face(const ergi_surface *surface, int axis, int side)
{
    return surface->faces >> (2 * axis + (side > 0)) & 1u;
}

ERG_INLINE void ergi_box_add_hit(const ergi_surface *surface, ergi_hit_list *list,
                                 const int feature[3], double gap, const double normal[3],
                                 const double point[3])
{
    erg_vec3 n = {normal[0], normal[1], normal[2]}, q = {point[0], point[1], point[2]};
    erg_vec3 world = ergi_sub(ergi_surface_to_world(surface, n), surface->origin);
    ergi_hit_list_add(list, ergi_hit_make(ergi_box_feature(feature), gap, world, 0.0,
                                          ergi_surface_to_world(surface, q)));
}

// The inside of a closed box is six half spaces.
ERG_INLINE void ergi_box_inside_hits(const ergi_surface *surface, const double p[3], double reach,
                                     ergi_hit_list *list)
{
    for (int k = 0; k < 3; k++) {
        for (int side = -1; side <= 1; side += 2) {
            double gap = surface->half[k] - side * p[k];
            if (!(gap < reach)) continue;
            int    feature[3] = {0, 0, 0};
            double normal[3] = {0.0, 0.0, 0.0}, point[3] = {p[0], p[1], p[2]};
            feature[k] = side;
            normal[k] = -side;
            point[k] = side * surface->half[k];
            ergi_box_add_hit(surface, list, feature, gap, normal, point);
        }
    }
}

// For each axis, the side of the box's slab on which the centre lies; also the nearest point of the
// solid box.
ERG_INLINE void ergi_box_sides(const ergi_surface *surface, const double p[3], int side[3],
                               double nearest[3])
{
    for (int k = 0; k < 3; k++) {
        double h = surface->half[k];
        side[k] = p[k] > h ? 1 : p[k] < -h ? -1 : 0;
        nearest[k] = side[k] ? side[k] * h : p[k];
    }
}

ERG_INLINE void ergi_box_outside_hits(const ergi_surface *surface, const double p[3], double reach,
                                      ergi_hit_list *list)
{
    int    side[3];
    double nearest[3], normal[3] = {0.0, 0.0, 0.0};
    ergi_box_sides(surface, p, side, nearest);
    if (side[0] || side[1] || side[2]) {
        double d[3] = {p[0] - nearest[0], p[1] - nearest[1], p[2] - nearest[2]};
        double gap = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        if (!(gap < reach)) return;
        for (int k = 0; k < 3; k++) normal[k] = d[k] / gap;
        ergi_box_add_hit(surface, list, side, gap, normal, nearest);
        return;
    }
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (surface->half[k] - fabs(p[k]) < surface->half[axis] - fabs(p[axis])) axis = k;
    side[axis] = p[axis] < 0.0 ? -1 : 1;
    nearest[axis] = side[axis] * surface->half[axis];
    normal[axis] = side[axis];
    ergi_box_add_hit(surface, list, side, fabs(p[axis]) - surface->half[axis], normal, nearest);
}

// True when (axis, side) is the first existing face that shares this edge or corner, and the edge
// is the nearest point on all those faces. Reports a shared edge once.
ERG_INLINE bool ergi_box_owns_edge(const ergi_surface *surface, const int side[3],
                                   const int feature[3], int axis)
{
    for (int k = 0; k < 3; k++) {
        if (k == axis || !feature[k] || !ergi_box_has_face(surface, k, feature[k])) continue;
        if (k < axis || side[axis] != feature[axis]) return false;
    }
    return true;
}

// A thin box with possibly missing faces: each face is a rectangle.
ERG_INLINE void ergi_box_shell_hits(const ergi_surface *surface, const double p[3], double reach,
                                    ergi_hit_list *list)
{
    int    side[3];
    double nearest[3];
    ergi_box_sides(surface, p, side, nearest);
    for (int k = 0; k < 3; k++) {
        for (int s = -1; s <= 1; s += 2) {
            if (!ergi_box_has_face(surface, k, s)) continue;
            if (!(fabs(p[k] - s * surface->half[k]) < reach)) continue;
            int    feature[3] = {side[0], side[1], side[2]};
            double point[3] = {nearest[0], nearest[1], nearest[2]}, normal[3];
            feature[k] = s;
            point[k] = s * surface->half[k];
            double d[3] = {p[0] - point[0], p[1] - point[1], p[2] - point[2]};
            double gap = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            if (!(gap < reach) || !ergi_box_owns_edge(surface, side, feature, k)) continue;
            for (int i = 0; i < 3; i++)
                normal[i] = gap > 0.0 ? d[i] / gap : i == k ? (double)-s : 0.0;
            ergi_box_add_hit(surface, list, feature, gap, normal, point);
        }
    }
}

// The nearest point of all existing faces; a shell has at most one hit per face.
ERG_INLINE ergi_surface_hit ergi_box_nearest(const ergi_surface       *surface,
                                             const ergi_surface_query *query)
{
    enum { FACES = 6 };
    const double     p[3] = {query->p.x, query->p.y, query->p.z};
    ergi_surface_hit hits[FACES];
    ergi_hit_list    list = {0, hits};
    int              nearest = 0;
    hits[0] =
        ergi_hit_make(0, HUGE_VAL, surface->ez, 0.0, surface->origin); // result when no face exists
    if (surface->side == ERGI_SIDE_BOTH)
        ergi_box_shell_hits(surface, p, HUGE_VAL, &list);
    else
        ergi_box_outside_hits(surface, p, HUGE_VAL, &list);
    for (int i = 1; i < list.count; i++)
        if (hits[i].gap < hits[nearest].gap) nearest = i;
    if (surface->side == ERGI_SIDE_INSIDE) {
        hits[nearest].gap = -hits[nearest].gap;
        hits[nearest].normal = ergi_scale(hits[nearest].normal, -1.0);
    }
    return hits[nearest];
}

ERG_INLINE void ergi_box_hits(const ergi_surface *surface, const ergi_surface_query *query,
                              ergi_hit_list *list)
{
    const double p[3] = {query->p.x, query->p.y, query->p.z};
    if (surface->side == ERGI_SIDE_INSIDE)
        ergi_box_inside_hits(surface, p, query->reach, list);
    else if (surface->side == ERGI_SIDE_OUTSIDE)
        ergi_box_outside_hits(surface, p, query->reach, list);
    else
        ergi_box_shell_hits(surface, p, query->reach, list);
    if (surface->bump_spacing > 0.0) {
        bool outside = false;
        for (int k = 0; k < 3; k++) outside = outside || fabs(p[k]) > surface->half[k];
        if (surface->side == ERGI_SIDE_BOTH || outside == (surface->side == ERGI_SIDE_OUTSIDE))
            ergi_bumps_on_box(surface, query, list);
    }
}

ERG_INLINE bool ergi_box_far(const ergi_surface *surface, const double p[3], double reach)
{
    bool outside = false, inside = true;
    for (int k = 0; k < 3; k++) {
        double depth = surface->half[k] - fabs(p[k]);
        outside = outside || -depth > reach;
        inside = inside && depth > reach;
    }
    if (surface->side == ERGI_SIDE_INSIDE) return inside;
    if (surface->side == ERGI_SIDE_OUTSIDE) return outside;
    return outside || inside;
}

#endif
