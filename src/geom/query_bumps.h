// The lattice of spheres (bumps) on a rough surface; only those near the centre are computed. The
// lattice is square on planes and box faces. On a surface of revolution it consists of rings along
// each piece, each with as many bumps as fit at the requested spacing.
#ifndef ERGI_QUERY_BUMPS_H
#define ERGI_QUERY_BUMPS_H

#include "geom/query_surface.h"

// Candidates along one direction of the lattice, at most; the nearest are kept. Bumps are at least
// a diameter apart, so even a sphere many times larger touches no more.
enum { ERGI_BUMPS_ALONG = 16 };

// Identified by surface part and lattice position: neighbours always differ, and numbers repeat
// only after 16384 bumps.
ERG_INLINE uint32_t ergi_bump_feature(int part, int64_t i, int64_t j)
{
    return ERGI_BUMP_FEATURE | (uint32_t)part << 28 | ((uint32_t)i & 0x3fffu) << 14 |
           ((uint32_t)j & 0x3fffu);
}

// `bump` is its centre in the surface's frame.
ERG_INLINE void ergi_bump_add(const ergi_surface *surface, const ergi_surface_query *query,
                              ergi_hit_list *list, uint32_t feature, erg_vec3 bump)
{
    erg_vec3 offset = ergi_sub(query->p, bump);
    double   distance = ergi_norm(offset), gap = distance - surface->bump_radius;
    if (!(gap < query->reach)) return;
    erg_vec3 n = distance > 0.0 ? ergi_scale(offset, 1.0 / distance) : ergi_vec3(0.0, 0.0, 1.0);
    erg_vec3 q = ergi_madd(bump, surface->bump_radius, n), normal, point;
    normal = ergi_madd(ergi_madd(ergi_scale(surface->ex, n.x), n.y, surface->ey), n.z, surface->ez);
    point = ergi_madd(ergi_madd(surface->origin, q.x, surface->ex), q.y, surface->ey);
    point = ergi_madd(point, q.z, surface->ez);
    ergi_hit_list_add(list, ergi_hit_make(feature, gap, normal, 1.0 / surface->bump_radius, point));
}

// Whole numbers in [middle - width, middle + width], at most ERGI_BUMPS_ALONG of them.
typedef struct ergi_bump_range {
    int64_t first, last;
} ergi_bump_range;

ERG_INLINE ergi_bump_range ergi_bump_range_make(int64_t first, int64_t last)
{
    ergi_bump_range r = {first, last};
    return r;
}

ERG_INLINE ergi_bump_range ergi_bump_range_around(double middle, double width)
{
    if (!(fabs(middle) < 1e15)) return ergi_bump_range_make(0, -1);
    width = fmin(width, 0.5 * ERGI_BUMPS_ALONG);
    return ergi_bump_range_make((int64_t)ceil(middle - width), (int64_t)floor(middle + width));
}

ERG_INLINE ergi_bump_range ergi_bump_range_cut(ergi_bump_range r, int64_t count)
{
    return ergi_bump_range_make(r.first > 0 ? r.first : 0, r.last < count - 1 ? r.last : count - 1);
}

// Rounded down, with tolerance for decimal fractions; at least one.
ERG_INLINE int64_t ergi_bump_whole(double count)
{
    if (!(count > 1.0)) return 1;
    return count < 1e15 ? (int64_t)floor(count + 1e-9) : (int64_t)1e15;
}

// As many as fit into a length at the requested spacing.
ERG_INLINE int64_t ergi_bump_fit(double length, double spacing)
{
    return ergi_bump_whole(length / spacing);
}

ERG_INLINE void ergi_bumps_on_plane(const ergi_surface *surface, const ergi_surface_query *query,
                                    ergi_hit_list *list)
{
    double step = surface->bump_spacing, reach = query->reach + surface->bump_radius;
    double across2 = reach * reach - query->p.z * query->p.z;
    if (!(across2 > 0.0)) return;
    double          width = sqrt(across2) / step;
    ergi_bump_range u = ergi_bump_range_around(query->p.x / step, width),
                    v = ergi_bump_range_around(query->p.y / step, width);
    for (int64_t i = u.first; i <= u.last; i++)
        for (int64_t j = v.first; j <= v.last; j++)
            ergi_bump_add(surface, query, list, ergi_bump_feature(0, i, j),
                          ergi_vec3((double)i * step, (double)j * step, 0.0));
}

ERG_INLINE void ergi_bumps_on_face(const ergi_surface *surface, const ergi_surface_query *query,
                                   ergi_hit_list *list, int axis, int side)
{
    const double p[3] = {query->p.x, query->p.y, query->p.z}, *half = surface->half;
    int          a = (axis + 1) % 3, b = (axis + 2) % 3;
    double       reach = query->reach + surface->bump_radius, height = p[axis] - side * half[axis];
    double       across2 = reach * reach - height * height;
    if (!(across2 > 0.0)) return;
    double  across = sqrt(across2);
    int64_t na = ergi_bump_fit(2.0 * half[a], surface->bump_spacing),
            nb = ergi_bump_fit(2.0 * half[b], surface->bump_spacing);
    double          step_a = 2.0 * half[a] / (double)na, step_b = 2.0 * half[b] / (double)nb;
    ergi_bump_range u = ergi_bump_range_cut(
        ergi_bump_range_around((p[a] + half[a]) / step_a - 0.5, across / step_a), na);
    ergi_bump_range v = ergi_bump_range_cut(
        ergi_bump_range_around((p[b] + half[b]) / step_b - 0.5, across / step_b), nb);
    for (int64_t i = u.first; i <= u.last; i++) {
        for (int64_t j = v.first; j <= v.last; j++) {
            double bump[3];
            bump[axis] = side * half[axis];
            bump[a] = ((double)i + 0.5) * step_a - half[a];
            bump[b] = ((double)j + 0.5) * step_b - half[b];
            ergi_bump_add(surface, query, list, ergi_bump_feature(2 * axis + (side > 0), i, j),
                          ergi_vec3(bump[0], bump[1], bump[2]));
        }
    }
}

ERG_INLINE void ergi_bumps_on_box(const ergi_surface *surface, const ergi_surface_query *query,
                                  ergi_hit_list *list)
{
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2)
            if (surface->faces >> (2 * axis + (side > 0)) & 1u)
                ergi_bumps_on_face(surface, query, list, axis, side);
}

// Number of bumps on a ring whose chords are at least the spacing.
ERG_INLINE int64_t ergi_bump_fit_around(double radius, double spacing)
{
    if (!(2.0 * radius >= spacing)) return 1;
    return ergi_bump_whole(ERGI_PI / asin(spacing / (2.0 * radius)));
}

ERG_INLINE void ergi_bumps_on_ring(const ergi_surface *surface, const ergi_surface_query *query,
                                   ergi_hit_list *list, int part, int64_t ring_index, ergi_rz ring,
                                   double azimuth)
{
    double reach = query->reach + surface->bump_radius, dz = query->p.z - ring.z, r = query->r;
    // Law of cosines: within reach where cos(angle between) > rest / product.
    double product = 2.0 * r * ring.r;
    double rest = dz * dz + r * r + ring.r * ring.r - reach * reach;
    if (!(rest < product)) return;
    double          angle = rest <= -product ? ERGI_PI : acos(rest / product);
    int64_t         count = ergi_bump_fit_around(ring.r, surface->bump_spacing);
    double          step = 2.0 * ERGI_PI / (double)count;
    ergi_bump_range around = ergi_bump_range_around(azimuth / step, angle / step);
    if (around.last - around.first >= count) around.last = around.first + count - 1;
    for (int64_t j = around.first; j <= around.last; j++) {
        int64_t index = ((j % count) + count) % count;
        double  phi = (double)index * step;
        ergi_bump_add(surface, query, list, ergi_bump_feature(part, ring_index, index),
                      ergi_vec3(ring.r * cos(phi), ring.r * sin(phi), ring.z));
    }
}

// Rings of one piece that may be within reach of a point in the half plane, by index.
ERG_INLINE ergi_bump_range ergi_bump_rings_near(const ergi_piece *piece, ergi_rz p, double reach,
                                                double step)
{
    double s = ergi_piece_along(piece, p), width = ERGI_PI * reach;
    if (!piece->round) {
        ergi_rz n = ergi_piece_outward(piece, piece->a);
        double  height = (p.r - piece->a.r) * n.r + (p.z - piece->a.z) * n.z;
        double  across2 = reach * reach - height * height;
        if (!(across2 > 0.0)) return ergi_bump_range_make(0, -1);
        width = sqrt(across2);
    }
    return ergi_bump_range_around(s / step - 0.5, width / step);
}

ERG_INLINE void ergi_bumps_on_profile(const ergi_surface *surface, const ergi_surface_query *query,
                                      ergi_hit_list *list)
{
    const ergi_profile *profile = &surface->profile;
    double              reach = query->reach + surface->bump_radius;
    double              azimuth = atan2(query->p.y, query->p.x);
    for (int i = 0; i < profile->count; i++) {
        const ergi_piece *piece = &profile->piece[i];
        int64_t           rings = ergi_bump_fit(piece->length, surface->bump_spacing);
        double            step = piece->length / (double)rings;
        ergi_bump_range   near =
            ergi_bump_rings_near(piece, ergi_rz_make(query->r, query->p.z), reach, step);
        if (query->r < reach) { // the far side of the rings may be within reach as well
            ergi_bump_range far =
                ergi_bump_rings_near(piece, ergi_rz_make(-query->r, query->p.z), reach, step);
            if (near.last < near.first) near = far;
            if (far.first <= far.last && far.first < near.first) near.first = far.first;
            if (far.first <= far.last && far.last > near.last) near.last = far.last;
        }
        near = ergi_bump_range_cut(near, rings);
        for (int64_t k = near.first; k <= near.last; k++)
            ergi_bumps_on_ring(surface, query, list, i, k,
                               ergi_piece_at(piece, ((double)k + 0.5) * step), azimuth);
    }
}

#endif
