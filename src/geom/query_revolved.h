// A surface of revolution: its profile turned about the axis ez.
#ifndef ERGI_QUERY_REVOLVED_H
#define ERGI_QUERY_REVOLVED_H

#include "geom/query_bumps.h"
#include "geom/query_surface.h"

// Feature numbers: pieces by slot from 0, then the vertices between them; the same again for the
// opposite side of the axis.
enum { ERGI_SLOT_VERTEX = 8, ERGI_SLOT_OPPOSITE = 32 };

// `p` is the centre in the half plane, or its mirror image at negative r with `radial` reversed.
// `allowed` is -1 when the centre is past a signed surface.
ERG_INLINE void ergi_revolved_add(const ergi_surface *surface, ergi_hit_list *list, uint32_t slot,
                                  const ergi_piece *piece, ergi_piece_near at, ergi_rz p,
                                  erg_vec3 radial, double allowed)
{
    double  distance = sqrt(at.distance2);
    ergi_rz n;
    if (distance > 0.0) {
        double scale = allowed / distance;
        n = ergi_rz_make(scale * (p.r - at.point.r), scale * (p.z - at.point.z));
    } else {
        double sign = surface->side == ERGI_SIDE_OUTSIDE ? 1.0 : -1.0;
        n = ergi_piece_outward(piece, at.point);
        n = ergi_rz_make(sign * n.r, sign * n.z);
    }
    // Curvature around the axis is that of a circle through the point, centred where the normal
    // meets the axis; along the piece it is the piece's own.
    double along = 0.0;
    if (piece->round && at.end == ERGI_BETWEEN) {
        double outward =
            (at.point.r - piece->centre.r) * n.r + (at.point.z - piece->centre.z) * n.z;
        along = (outward > 0.0 ? 1.0 : -1.0) / piece->radius;
    }
    double least = 1e-9 * surface->profile.r_max;
    double around = n.r / (at.point.r > least ? at.point.r : least);
    if (piece->round && at.point.r <= least) around = along;

    erg_vec3 normal = ergi_madd(ergi_scale(radial, n.r), n.z, surface->ez);
    erg_vec3 point =
        ergi_madd(ergi_madd(surface->origin, at.point.r, radial), at.point.z, surface->ez);
    ergi_hit_list_add(
        list, ergi_hit_make(slot, allowed * distance, normal, 0.5 * (around + along), point));
}

// A vertex counts only when it is the nearest point of every piece that ends there.
ERG_INLINE bool ergi_revolved_vertex_counts(const ergi_profile    *profile,
                                            const ergi_piece_near *near, int vertex)
{
    if (vertex > 0 && near[vertex - 1].end != ERGI_AT_B) return false;
    if (vertex < profile->count && near[vertex].end != ERGI_AT_A) return false;
    return true;
}

// The centre must be in front of the piece: past a thin solid its far side may be within reach too.
ERG_INLINE bool ergi_revolved_in_front(const ergi_surface *surface, const ergi_piece *piece,
                                       ergi_rz at, ergi_rz p)
{
    if (surface->side == ERGI_SIDE_BOTH) return true;
    ergi_rz out = ergi_piece_outward(piece, at);
    bool    outside = (p.r - at.r) * out.r + (p.z - at.z) * out.z > 0.0;
    return outside == (surface->side == ERGI_SIDE_OUTSIDE);
}

// A sphere as wide as a neck or a tip touches it on both sides of the axis. The opposite side is
// searched from the mirror image of the centre; it counts where centre and axis are on the same
// side of the surface.
ERG_INLINE bool ergi_revolved_opposite_faces(const ergi_piece *piece, ergi_piece_near at, ergi_rz p,
                                             ergi_rz mirror)
{
    if (at.end != ERGI_BETWEEN) return p.r < at.point.r;
    ergi_rz from = piece->round ? piece->centre : piece->a;
    ergi_rz u = {p.r - from.r, p.z - from.z}, v = {mirror.r - from.r, mirror.z - from.z};
    if (piece->round) {
        double radius2 = piece->radius * piece->radius;
        return (u.r * u.r + u.z * u.z > radius2) == (v.r * v.r + v.z * v.z > radius2);
    }
    ergi_rz n = ergi_piece_outward(piece, at.point);
    return (u.r * n.r + u.z * n.z) * (v.r * n.r + v.z * n.z) > 0.0;
}

ERG_INLINE void ergi_revolved_opposite_hits(const ergi_surface       *surface,
                                            const ergi_surface_query *query, ergi_hit_list *list)
{
    const ergi_profile *profile = &surface->profile;
    double              reach2 = query->reach * query->reach;
    ergi_rz             p = {query->r, query->p.z}, mirror = {-query->r, query->p.z};
    erg_vec3            radial = ergi_scale(query->radial, -1.0);
    ergi_piece_near     near[ERGI_PROFILE_PIECES];
    (void)ergi_profile_nearest(profile, mirror, near);
    for (int i = 0; i < profile->count; i++) {
        const ergi_piece *piece = &profile->piece[i];
        if (near[i].end != ERGI_BETWEEN || !(near[i].distance2 < reach2)) continue;
        if (ergi_revolved_opposite_faces(piece, near[i], p, mirror) &&
            ergi_revolved_in_front(surface, piece, near[i].point, mirror))
            ergi_revolved_add(surface, list, ERGI_SLOT_OPPOSITE + piece->slot, piece, near[i],
                              mirror, radial, 1.0);
    }
    for (int j = 0; j <= profile->count; j++) {
        if (!ergi_revolved_vertex_counts(profile, near, j)) continue;
        int i = j < profile->count ? j : j - 1;
        if (!(near[i].distance2 < reach2) || near[i].point.r == 0.0) continue;
        if (ergi_revolved_opposite_faces(&profile->piece[i], near[i], p, mirror))
            ergi_revolved_add(surface, list, (uint32_t)(ERGI_SLOT_OPPOSITE + ERGI_SLOT_VERTEX + j),
                              &profile->piece[i], near[i], mirror, radial, 1.0);
    }
}

// Pieces and vertices on the same side of the axis as the centre.
ERG_INLINE void ergi_revolved_near_hits(const ergi_surface       *surface,
                                        const ergi_surface_query *query,
                                        const ergi_piece_near *near, int nearest,
                                        ergi_hit_list *list)
{
    const ergi_profile *profile = &surface->profile;
    double              reach2 = query->reach * query->reach;
    ergi_rz             p = {query->r, query->p.z};
    for (int i = 0; i < profile->count; i++) {
        const ergi_piece *piece = &profile->piece[i];
        if (near[i].end != ERGI_BETWEEN || !(near[i].distance2 < reach2)) continue;
        if (i == nearest || ergi_revolved_in_front(surface, piece, near[i].point, p))
            ergi_revolved_add(surface, list, piece->slot, piece, near[i], p, query->radial, 1.0);
    }
    for (int j = 0; j <= profile->count; j++) {
        int i = j < profile->count ? j : j - 1;
        if (near[i].distance2 < reach2 && ergi_revolved_vertex_counts(profile, near, j))
            ergi_revolved_add(surface, list, (uint32_t)(ERGI_SLOT_VERTEX + j), &profile->piece[i],
                              near[i], p, query->radial, 1.0);
    }
}

// True when p is on the forbidden side of a signed surface.
ERG_INLINE bool ergi_revolved_is_past(const ergi_surface *surface, const ergi_piece_near *near,
                                      int nearest, ergi_rz p)
{
    if (surface->side == ERGI_SIDE_BOTH || !(near[nearest].distance2 > 0.0)) return false;
    bool outside = ergi_profile_is_outside(&surface->profile, near, nearest, p);
    return outside != (surface->side == ERGI_SIDE_OUTSIDE);
}

ERG_INLINE void ergi_revolved_add_nearest(const ergi_surface       *surface,
                                          const ergi_surface_query *query,
                                          const ergi_piece_near *near, int nearest, double allowed,
                                          ergi_hit_list *list)
{
    const ergi_piece *piece = &surface->profile.piece[nearest];
    uint32_t          slot = piece->slot;
    if (near[nearest].end != ERGI_BETWEEN)
        slot = (uint32_t)(ERGI_SLOT_VERTEX + nearest + (near[nearest].end == ERGI_AT_B));
    ergi_revolved_add(surface, list, slot, piece, near[nearest], ergi_rz_make(query->r, query->p.z),
                      query->radial, allowed);
}

ERG_INLINE ergi_surface_hit ergi_revolved_nearest(const ergi_surface       *surface,
                                                  const ergi_surface_query *query)
{
    ergi_rz          p = {query->r, query->p.z};
    ergi_piece_near  near[ERGI_PROFILE_PIECES];
    int              nearest = ergi_profile_nearest(&surface->profile, p, near);
    ergi_surface_hit hit;
    ergi_hit_list    list = {0, &hit};
    ergi_revolved_add_nearest(surface, query, near, nearest,
                              ergi_revolved_is_past(surface, near, nearest, p) ? -1.0 : 1.0, &list);
    return hit;
}

ERG_INLINE void ergi_revolved_hits(const ergi_surface *surface, const ergi_surface_query *query,
                                   ergi_hit_list *list)
{
    const ergi_profile *profile = &surface->profile;
    double              reach2 = query->reach * query->reach;
    ergi_rz             p = {query->r, query->p.z};
    ergi_piece_near     near[ERGI_PROFILE_PIECES];
    int                 nearest = ergi_profile_nearest(profile, p, near);
    if (ergi_revolved_is_past(surface, near, nearest, p)) {
        ergi_revolved_add_nearest(surface, query, near, nearest, -1.0, list);
        return;
    }
    if (near[nearest].distance2 < reach2)
        ergi_revolved_near_hits(surface, query, near, nearest, list);
    if (query->r < query->reach && surface->side != ERGI_SIDE_OUTSIDE)
        ergi_revolved_opposite_hits(surface, query, list);
    if (surface->bump_spacing > 0.0) ergi_bumps_on_profile(surface, query, list);
}

ERG_INLINE bool ergi_revolved_far(const ergi_surface *surface, const ergi_surface_query *query,
                                  double reach)
{
    const ergi_profile *profile = &surface->profile;
    ergi_rz             p = {query->r, query->p.z};
    bool                outside = p.r > profile->r_max + reach || p.z > profile->z_max + reach ||
                   p.z < profile->z_min - reach;
    if (outside) return surface->side != ERGI_SIDE_INSIDE;
    double distance = ergi_profile_distance(profile, p);
    if (surface->side == ERGI_SIDE_INSIDE) return -distance > reach;
    return (surface->side == ERGI_SIDE_BOTH ? fabs(distance) : distance) > reach;
}

#endif
