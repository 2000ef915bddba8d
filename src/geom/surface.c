#include "geom/surface.h"

#include "geom/solid.h"
#include "geom/sphere_cloud.h"

void ergi_surface_place(ergi_surface *surface, erg_vec3 origin, erg_vec3 ez)
{
    surface->origin = origin;
    surface->ez = ergi_normalize(ez);
    surface->ex = ergi_perpendicular(surface->ez);
    surface->ey = ergi_cross(surface->ez, surface->ex);
}

void ergi_hit_list_replace(ergi_hit_list *list, ergi_surface_hit hit)
{
    int farthest = 0;
    for (int i = 1; i < list->count; i++)
        if (list->hits[i].gap > list->hits[farthest].gap) farthest = i;
    if (hit.gap < list->hits[farthest].gap) list->hits[farthest] = hit;
}

static erg_vec3 to_world(const ergi_surface *surface, erg_vec3 local)
{
    return ergi_add(surface->origin, ergi_surface_turn(surface, local));
}

// ---- Plane -------------------------------------------------------------------------------------
static void plane_hits(const ergi_surface *surface, const ergi_surface_query *query,
                       erg_vec3 centre, ergi_hit_list *list)
{
    double height = query->p.z;
    double sign = surface->side == ERGI_SIDE_BOTH && height < 0.0 ? -1.0 : 1.0;
    if (sign * height < query->reach)
        ergi_hit_list_add(list,
                          (ergi_surface_hit){.feature = 0,
                                             .gap = sign * height,
                                             .normal = ergi_scale(surface->ez, sign),
                                             .point = ergi_madd(centre, -height, surface->ez)});
    if (surface->bump_spacing > 0.0 && sign * height >= 0.0)
        ergi_bumps_on_plane(surface, query, list);
}

// ---- Box ---------------------------------------------------------------------------------------
// Faces, edges and corners are named by -1, 0 or 1 for each axis: which planes of the box they lie
// in. That makes 27 names, the middle one (inside) unused.
static uint32_t box_feature(const int side[3])
{
    return (uint32_t)((side[0] + 1) + 3 * (side[1] + 1) + 9 * (side[2] + 1));
}

static bool box_has_face(const ergi_surface *surface, int axis, int side)
{
    return surface->faces >> (2 * axis + (side > 0)) & 1u;
}

static void box_add(const ergi_surface *surface, ergi_hit_list *list, const int feature[3],
                    double gap, const double normal[3], const double point[3])
{
    erg_vec3 n = {normal[0], normal[1], normal[2]}, q = {point[0], point[1], point[2]};
    erg_vec3 world = ergi_sub(to_world(surface, n), surface->origin);
    ergi_hit_list_add(list, (ergi_surface_hit){.feature = box_feature(feature),
                                               .gap = gap,
                                               .normal = world,
                                               .point = to_world(surface, q)});
}

// The inside of a closed box is six half spaces.
static void box_inside_hits(const ergi_surface *surface, const double p[3], double reach,
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
            box_add(surface, list, feature, gap, normal, point);
        }
    }
}

// Which side of the box's slab the centre is on, axis by axis, and the nearest point of the solid
// box.
static void box_sides(const ergi_surface *surface, const double p[3], int side[3],
                      double nearest[3])
{
    for (int k = 0; k < 3; k++) {
        double h = surface->half[k];
        side[k] = p[k] > h ? 1 : p[k] < -h ? -1 : 0;
        nearest[k] = side[k] ? side[k] * h : p[k];
    }
}

static void box_outside_hits(const ergi_surface *surface, const double p[3], double reach,
                             ergi_hit_list *list)
{
    int    side[3];
    double nearest[3], normal[3] = {0.0, 0.0, 0.0};
    box_sides(surface, p, side, nearest);
    if (side[0] || side[1] || side[2]) {
        double d[3] = {p[0] - nearest[0], p[1] - nearest[1], p[2] - nearest[2]};
        double gap = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        if (!(gap < reach)) return;
        for (int k = 0; k < 3; k++) normal[k] = d[k] / gap;
        box_add(surface, list, side, gap, normal, nearest);
        return;
    }
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (surface->half[k] - fabs(p[k]) < surface->half[axis] - fabs(p[axis])) axis = k;
    side[axis] = p[axis] < 0.0 ? -1 : 1;
    nearest[axis] = side[axis] * surface->half[axis];
    normal[axis] = side[axis];
    box_add(surface, list, side, fabs(p[axis]) - surface->half[axis], normal, nearest);
}

// Of the faces that share this edge or corner, is (axis, side) the first that exists, and is the
// centre nearest to the edge on all of them?
static bool box_owns_edge(const ergi_surface *surface, const int side[3], const int feature[3],
                          int axis)
{
    for (int k = 0; k < 3; k++) {
        if (k == axis || !feature[k] || !box_has_face(surface, k, feature[k])) continue;
        if (k < axis || side[axis] != feature[axis]) return false;
    }
    return true;
}

// A thin box, some faces perhaps missing: each face is a rectangle.
static void box_shell_hits(const ergi_surface *surface, const double p[3], double reach,
                           ergi_hit_list *list)
{
    int    side[3];
    double nearest[3];
    box_sides(surface, p, side, nearest);
    for (int k = 0; k < 3; k++) {
        for (int s = -1; s <= 1; s += 2) {
            if (!box_has_face(surface, k, s)) continue;
            if (!(fabs(p[k] - s * surface->half[k]) < reach)) continue;
            int    feature[3] = {side[0], side[1], side[2]};
            double point[3] = {nearest[0], nearest[1], nearest[2]}, normal[3];
            feature[k] = s;
            point[k] = s * surface->half[k];
            double d[3] = {p[0] - point[0], p[1] - point[1], p[2] - point[2]};
            double gap = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            if (!(gap < reach) || !box_owns_edge(surface, side, feature, k)) continue;
            for (int i = 0; i < 3; i++)
                normal[i] = gap > 0.0 ? d[i] / gap : i == k ? (double)-s : 0.0;
            box_add(surface, list, feature, gap, normal, point);
        }
    }
}

static void box_hits(const ergi_surface *surface, const ergi_surface_query *query,
                     ergi_hit_list *list)
{
    const double p[3] = {query->p.x, query->p.y, query->p.z};
    if (surface->side == ERGI_SIDE_INSIDE)
        box_inside_hits(surface, p, query->reach, list);
    else if (surface->side == ERGI_SIDE_OUTSIDE)
        box_outside_hits(surface, p, query->reach, list);
    else
        box_shell_hits(surface, p, query->reach, list);
    if (surface->bump_spacing > 0.0) {
        bool outside = false;
        for (int k = 0; k < 3; k++) outside = outside || fabs(p[k]) > surface->half[k];
        if (surface->side == ERGI_SIDE_BOTH || outside == (surface->side == ERGI_SIDE_OUTSIDE))
            ergi_bumps_on_box(surface, query, list);
    }
}

// ---- Surface of revolution ---------------------------------------------------------------------
enum { SLOT_VERTEX = 8, SLOT_OPPOSITE = 32 };

// `p` is the centre in the half plane, or its mirror image at negative r with `radial` turned
// round. `allowed` is -1 when the centre is past a signed surface.
static void revolved_add(const ergi_surface *surface, ergi_hit_list *list, uint32_t slot,
                         const ergi_piece *piece, ergi_piece_near at, ergi_rz p, erg_vec3 radial,
                         double allowed)
{
    double  distance = sqrt(at.distance2);
    ergi_rz n;
    if (distance > 0.0) {
        double scale = allowed / distance;
        n = (ergi_rz){scale * (p.r - at.point.r), scale * (p.z - at.point.z)};
    } else {
        double sign = surface->side == ERGI_SIDE_OUTSIDE ? 1.0 : -1.0;
        n = ergi_piece_outward(piece, at.point);
        n = (ergi_rz){sign * n.r, sign * n.z};
    }
    // Around the axis the surface bends like a circle through the point whose centre is where the
    // normal meets the axis; along the piece like the piece itself.
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
    ergi_hit_list_add(list, (ergi_surface_hit){.feature = slot,
                                               .gap = allowed * distance,
                                               .normal = normal,
                                               .curvature = 0.5 * (around + along),
                                               .point = point});
}

// A vertex counts when it is the nearest point of every piece that ends there.
static bool vertex_counts(const ergi_profile *profile, const ergi_piece_near *near, int vertex)
{
    if (vertex > 0 && near[vertex - 1].end != ERGI_AT_B) return false;
    if (vertex < profile->count && near[vertex].end != ERGI_AT_A) return false;
    return true;
}

// Past a thin solid its far side may be within reach too; the centre must be in front of a piece.
static bool in_front(const ergi_surface *surface, const ergi_piece *piece, ergi_rz at, ergi_rz p)
{
    if (surface->side == ERGI_SIDE_BOTH) return true;
    ergi_rz out = ergi_piece_outward(piece, at);
    bool    outside = (p.r - at.r) * out.r + (p.z - at.z) * out.z > 0.0;
    return outside == (surface->side == ERGI_SIDE_OUTSIDE);
}

// A sphere as wide as a neck or a tip touches it on both sides of the axis. The far side is looked
// for from the mirror image of the centre; it counts where the axis is on the same side of the
// surface as the centre.
static bool opposite_faces(const ergi_piece *piece, ergi_piece_near at, ergi_rz p, ergi_rz mirror)
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

static void opposite_hits(const ergi_surface *surface, const ergi_surface_query *query,
                          ergi_hit_list *list)
{
    const ergi_profile *profile = &surface->profile;
    double              reach2 = query->reach * query->reach;
    ergi_rz             p = {query->r, query->p.z}, mirror = {-query->r, query->p.z};
    erg_vec3            radial = ergi_scale(query->radial, -1.0);
    ergi_piece_near     near[ERGI_PROFILE_PIECES];
    for (int i = 0; i < profile->count; i++) {
        const ergi_piece *piece = &profile->piece[i];
        near[i] = ergi_piece_nearest(piece, mirror);
        if (near[i].end != ERGI_BETWEEN || !(near[i].distance2 < reach2)) continue;
        if (opposite_faces(piece, near[i], p, mirror) &&
            in_front(surface, piece, near[i].point, mirror))
            revolved_add(surface, list, SLOT_OPPOSITE + piece->slot, piece, near[i], mirror, radial,
                         1.0);
    }
    for (int j = 0; j <= profile->count; j++) {
        if (!vertex_counts(profile, near, j)) continue;
        int i = j < profile->count ? j : j - 1;
        if (!(near[i].distance2 < reach2) || near[i].point.r == 0.0) continue;
        if (opposite_faces(&profile->piece[i], near[i], p, mirror))
            revolved_add(surface, list, (uint32_t)(SLOT_OPPOSITE + SLOT_VERTEX + j),
                         &profile->piece[i], near[i], mirror, radial, 1.0);
    }
}

// Pieces and vertices on the side of the centre.
static void near_hits(const ergi_surface *surface, const ergi_surface_query *query,
                      const ergi_piece_near *near, int nearest, ergi_hit_list *list)
{
    const ergi_profile *profile = &surface->profile;
    double              reach2 = query->reach * query->reach;
    ergi_rz             p = {query->r, query->p.z};
    for (int i = 0; i < profile->count; i++) {
        const ergi_piece *piece = &profile->piece[i];
        if (near[i].end != ERGI_BETWEEN || !(near[i].distance2 < reach2)) continue;
        if (i == nearest || in_front(surface, piece, near[i].point, p))
            revolved_add(surface, list, piece->slot, piece, near[i], p, query->radial, 1.0);
    }
    for (int j = 0; j <= profile->count; j++) {
        int i = j < profile->count ? j : j - 1;
        if (near[i].distance2 < reach2 && vertex_counts(profile, near, j))
            revolved_add(surface, list, (uint32_t)(SLOT_VERTEX + j), &profile->piece[i], near[i], p,
                         query->radial, 1.0);
    }
}

static void revolved_hits(const ergi_surface *surface, const ergi_surface_query *query,
                          ergi_hit_list *list)
{
    const ergi_profile *profile = &surface->profile;
    double              reach2 = query->reach * query->reach;
    ergi_rz             p = {query->r, query->p.z};
    ergi_piece_near     near[ERGI_PROFILE_PIECES];
    int                 nearest = 0;
    near[0] = ergi_piece_nearest(&profile->piece[0], p); // there is always one
    for (int i = 1; i < profile->count; i++) {
        near[i] = ergi_piece_nearest(&profile->piece[i], p);
        if (near[i].distance2 < near[nearest].distance2) nearest = i;
    }
    if (surface->side != ERGI_SIDE_BOTH && near[nearest].distance2 > 0.0) {
        bool outside = ergi_profile_is_outside(profile, near, nearest, p);
        if (outside != (surface->side == ERGI_SIDE_OUTSIDE)) {
            uint32_t slot = profile->piece[nearest].slot;
            if (near[nearest].end != ERGI_BETWEEN)
                slot = (uint32_t)(SLOT_VERTEX + nearest + (near[nearest].end == ERGI_AT_B));
            revolved_add(surface, list, slot, &profile->piece[nearest], near[nearest], p,
                         query->radial, -1.0);
            return;
        }
    }
    if (near[nearest].distance2 < reach2) near_hits(surface, query, near, nearest, list);
    if (query->r < query->reach && surface->side != ERGI_SIDE_OUTSIDE)
        opposite_hits(surface, query, list);
    if (surface->bump_spacing > 0.0) ergi_bumps_on_profile(surface, query, list);
}

// ---- Names of features -------------------------------------------------------------------------
bool ergi_surface_has_feature(const ergi_surface *surface, uint32_t feature)
{
    if (feature & ERGI_BUMP_FEATURE) return surface->bump_spacing > 0.0 && feature != UINT32_MAX;
    switch (surface->kind) {
    case ERGI_SURFACE_PLANE: return feature == 0;
    case ERGI_SURFACE_BOX: return feature < 27 && feature != 13;
    case ERGI_SURFACE_REVOLVED: return feature < 2 * SLOT_OPPOSITE;
    case ERGI_SURFACE_MESH: return feature < ERGI_MESH_FEATURES;
    case ERGI_SURFACE_CLOUD: return feature < surface->cloud->count;
    }
    return false;
}

// ---- All ---------------------------------------------------------------------------------------
static ergi_surface_query make_query(const ergi_surface *surface, erg_vec3 centre, double reach)
{
    erg_vec3           d = ergi_sub(centre, surface->origin);
    ergi_surface_query query = {.reach = reach};
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

int ergi_surface_hits(const ergi_surface *surface, erg_vec3 centre, double reach,
                      ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS])
{
    ergi_surface_query query = make_query(surface, centre, reach);
    ergi_hit_list      list = {0, hits};
    switch (surface->kind) {
    case ERGI_SURFACE_PLANE: plane_hits(surface, &query, centre, &list); break;
    case ERGI_SURFACE_BOX: box_hits(surface, &query, &list); break;
    case ERGI_SURFACE_REVOLVED: revolved_hits(surface, &query, &list); break;
    case ERGI_SURFACE_MESH: ergi_mesh_hits(surface, &query, &list); break;
    case ERGI_SURFACE_CLOUD: ergi_cloud_hits(surface, &query, &list); break;
    }
    return list.count;
}

static bool box_far(const ergi_surface *surface, const double p[3], double reach)
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

static bool revolved_far(const ergi_surface *surface, const ergi_surface_query *query, double reach)
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

static bool mesh_far(const ergi_solid *mesh, erg_vec3 p, double reach)
{
    return p.x < mesh->low.x - reach || p.y < mesh->low.y - reach || p.z < mesh->low.z - reach ||
           p.x > mesh->high.x + reach || p.y > mesh->high.y + reach || p.z > mesh->high.z + reach;
}

bool ergi_surface_far(const ergi_surface *surface, erg_vec3 centre, double reach)
{
    ergi_surface_query query = make_query(surface, centre, reach);
    reach += surface->bump_radius;
    if (surface->kind == ERGI_SURFACE_REVOLVED) return revolved_far(surface, &query, reach);
    if (ergi_surface_is_mesh(surface)) return mesh_far(surface->mesh, query.p, reach);
    if (surface->kind == ERGI_SURFACE_BOX) {
        const double p[3] = {query.p.x, query.p.y, query.p.z};
        return box_far(surface, p, reach);
    }
    return (surface->side == ERGI_SIDE_BOTH ? fabs(query.p.z) : query.p.z) > reach;
}

erg_vec3 ergi_surface_middle(const ergi_surface *surface)
{
    if (!ergi_surface_is_mesh(surface)) return surface->origin;
    return to_world(surface, ergi_scale(ergi_add(surface->mesh->low, surface->mesh->high), 0.5));
}

bool ergi_surface_box(const ergi_surface *surface, erg_vec3 *centre, double half[3])
{
    if (surface->kind == ERGI_SURFACE_PLANE) return false;
    *centre = surface->origin;
    for (int k = 0; k < 3; k++) half[k] = surface->half[k] + surface->bump_radius;
    if (surface->kind == ERGI_SURFACE_REVOLVED) {
        const ergi_profile *profile = &surface->profile;
        *centre = ergi_madd(surface->origin, 0.5 * (profile->z_min + profile->z_max), surface->ez);
        half[0] = half[1] = profile->r_max + surface->bump_radius;
        half[2] = 0.5 * (profile->z_max - profile->z_min) + surface->bump_radius;
    }
    if (ergi_surface_is_mesh(surface)) {
        erg_vec3 size = ergi_sub(surface->mesh->high, surface->mesh->low);
        *centre = ergi_surface_middle(surface);
        half[0] = 0.5 * size.x;
        half[1] = 0.5 * size.y;
        half[2] = 0.5 * size.z;
    }
    return true;
}

double ergi_surface_extent(const ergi_surface *surface)
{
    if (surface->kind == ERGI_SURFACE_PLANE) return HUGE_VAL;
    const double *half = surface->half;
    double        radius2 = half[0] * half[0] + half[1] * half[1] + half[2] * half[2];
    if (surface->kind == ERGI_SURFACE_REVOLVED) {
        const ergi_profile *profile = &surface->profile;
        double              z = fmax(fabs(profile->z_min), fabs(profile->z_max));
        radius2 = profile->r_max * profile->r_max + z * z;
    }
    if (ergi_surface_is_mesh(surface)) {
        erg_vec3 size = ergi_sub(surface->mesh->high, surface->mesh->low);
        radius2 = 0.25 * ergi_dot(size, size);
    }
    return sqrt(radius2) + surface->bump_radius;
}
