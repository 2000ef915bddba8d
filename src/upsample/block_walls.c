#include "upsample/block_walls.h"

#include "geom/surface.h"
#include "geom/vec3.h"

static void to_floats(erg_vec3 v, float out[3])
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

// A new entry, with the motion of the wall; NULL if the list is full.
static ergi_block_wall *new_entry(ergi_block_walls *list, const ergi_fine_wall *w,
                                  const ergi_block_paths *paths)
{
    if (list->count == ERGI_BLOCK_WALLS) return NULL;
    ergi_block_wall *entry = &list->wall[list->count++];
    erg_vec3         arm = ergi_sub(ergi_sub(paths->centre, w->to.pivot), w->to.position);
    *entry = (ergi_block_wall){0};
    to_floats(ergi_add(w->velocity, ergi_cross(w->spin, arm)), entry->velocity);
    to_floats(w->spin, entry->spin);
    return entry;
}

// ---- Planes ------------------------------------------------------------------------------------
// The half-space normal . (x - point) >= 0.
static bool add_plane(ergi_block_walls *list, const ergi_fine_walls *walls, const ergi_fine_wall *w,
                      const ergi_block_paths *paths, erg_vec3 point, erg_vec3 normal)
{
    double gap = ergi_dot(ergi_sub(paths->centre, point), normal);
    double reach = fabs(normal.x) * paths->half[0] + fabs(normal.y) * paths->half[1] +
                   fabs(normal.z) * paths->half[2];
    // Particles farther away than this need no entry; their safe travel is then unknown but for it.
    double far = w->simple ? walls->keep : walls->reach;
    if (gap - reach > far) return true;
    ergi_block_wall *entry = new_entry(list, w, paths);
    if (!entry) return false;
    to_floats(normal, entry->normal);
    entry->offset = (float)gap;
    entry->sets_travel = !w->simple;
    return true;
}

// ---- Boxes -------------------------------------------------------------------------------------
// A box wall as it is placed now, and some bounds along its axes.
typedef struct placed_box {
    erg_vec3 centre, axis[3];
} placed_box;

static placed_box box_now(const ergi_fine_wall *w)
{
    const ergi_surface *s = w->surface;
    return (placed_box){ergi_placement_now(&w->to, s->origin),
                        {ergi_quat_rotate(w->to.rotation, s->ex),
                         ergi_quat_rotate(w->to.rotation, s->ey),
                         ergi_quat_rotate(w->to.rotation, s->ez)}};
}

// Bounds of an axis-aligned box along an axis of the wall, from the wall's centre.
static void along(const placed_box *b, int axis, const ergi_extents *of, double *low, double *high)
{
    erg_vec3 e = b->axis[axis];
    erg_vec3 middle = {0.5 * (of->low[0] + of->high[0]), 0.5 * (of->low[1] + of->high[1]),
                       0.5 * (of->low[2] + of->high[2])};
    double   at = ergi_dot(ergi_sub(middle, b->centre), e);
    double   half =
        0.5 * (fabs(e.x) * (of->high[0] - of->low[0]) + fabs(e.y) * (of->high[1] - of->low[1]) +
               fabs(e.z) * (of->high[2] - of->low[2]));
    *low = at - half;
    *high = at + half;
}

static bool add_face(ergi_block_walls *list, const ergi_fine_walls *walls, const ergi_fine_wall *w,
                     const ergi_block_paths *paths, const placed_box *b, int axis, int side,
                     double inward)
{
    erg_vec3 normal = ergi_scale(b->axis[axis], -side * inward);
    erg_vec3 point = ergi_madd(b->centre, side * w->surface->half[axis], b->axis[axis]);
    return add_plane(list, walls, w, paths, point, normal);
}

// From within, the faces are half-spaces.
static bool add_faces_within(ergi_block_walls *list, const ergi_fine_walls *walls,
                             const ergi_fine_wall *w, const ergi_block_paths *paths,
                             const placed_box *b)
{
    for (int k = 0; k < 3; k++)
        for (int side = -1; side <= 1; side += 2)
            if ((w->surface->side == ERGI_SIDE_INSIDE ||
                 w->surface->faces >> (2 * k + (side > 0)) & 1) &&
                !add_face(list, walls, w, paths, b, k, side, 1))
                return false;
    return true;
}

// All paths begin inside, and leave by no missing face.
static bool begins_within(const ergi_fine_wall *w, const ergi_block_paths *paths,
                          const placed_box *b)
{
    for (int k = 0; k < 3; k++) {
        double half = w->surface->half[k], low, high, both_low, both_high;
        along(b, k, &paths->starts, &low, &high);
        along(b, k, &paths->both, &both_low, &both_high);
        if (!(low > -half && high < half)) return false;
        bool lower = w->surface->faces >> (2 * k) & 1, upper = w->surface->faces >> (2 * k + 1) & 1;
        if ((!lower && !(both_low > -half)) || (!upper && !(both_high < half))) return false;
    }
    return true;
}

static bool add_still_box(ergi_block_walls *list, const ergi_fine_walls *walls,
                          const ergi_fine_wall *w, const ergi_block_paths *paths)
{
    placed_box b = box_now(w);
    int        face = -1, side = 0, across = 0;
    for (int k = 0; k < 3; k++) {
        double half = w->surface->half[k], low, high, both_low, both_high;
        along(&b, k, &paths->both, &both_low, &both_high);
        if (both_low > half + walls->reach || both_high < -half - walls->reach) return true;
        along(&b, k, &paths->starts, &low, &high);
        if (low > half || high < -half) {
            face = k;
            side = low > half ? 1 : -1;
        } else if (both_low > -half && both_high < half)
            across++;
    }
    if (w->surface->side == ERGI_SIDE_BOTH && begins_within(w, paths, &b))
        return add_faces_within(list, walls, w, paths, &b);
    // Outside, in front of one face.
    if (face < 0 || across < 2) return false;
    if (w->surface->side == ERGI_SIDE_BOTH && !(w->surface->faces >> (2 * face + (side > 0)) & 1))
        return false;
    return add_face(list, walls, w, paths, &b, face, side, -1);
}

// ---- Surfaces of revolution --------------------------------------------------------------------
static void pair(ergi_rz p, float out[2])
{
    out[0] = (float)p.r;
    out[1] = (float)p.z;
}

static ergi_rz vertex_normal(const ergi_profile *profile, int piece, int other, ergi_rz at)
{
    ergi_rz out = ergi_piece_outward(&profile->piece[piece], at);
    if (other >= 0 && other < profile->count)
        return ergi_rz_madd(out, 1, ergi_piece_outward(&profile->piece[other], at));
    return ergi_rz_make(0, out.z); // the tip of a cone, on the axis
}

static void set_piece(const ergi_profile *profile, int k, ergi_rz from, ergi_block_piece *out)
{
    const ergi_piece *p = &profile->piece[k];
    *out = (ergi_block_piece){0};
    pair(ergi_rz_sub(p->a, from), out->a);
    pair(ergi_rz_sub(p->b, from), out->b);
    pair(p->along_a, out->along_a);
    pair(p->along_b, out->along_b);
    pair(vertex_normal(profile, k, k - 1, p->a), out->out_a);
    pair(vertex_normal(profile, k, k + 1, p->b), out->out_b);
    if (!p->round) return;
    pair(ergi_rz_sub(p->centre, from), out->centre);
    out->radius = (float)p->radius;
    out->bulge = (float)p->bulge;
}

static bool add_revolved(ergi_block_walls *list, const ergi_fine_walls *walls,
                         const ergi_fine_wall *w, const ergi_block_paths *paths)
{
    const ergi_profile *profile = &w->surface->profile;
    erg_vec3            axis = ergi_quat_rotate(w->to.rotation, w->surface->ez);
    erg_vec3            d = ergi_sub(paths->centre, ergi_placement_now(&w->to, w->surface->origin));
    double              z = ergi_dot(d, axis);
    erg_vec3            across = ergi_madd(d, -z, axis);
    ergi_rz             p = {ergi_norm(across), z};
    ergi_piece_near     near[ERGI_PROFILE_PIECES];
    int                 nearest = ergi_profile_nearest(profile, p, near);
    double              least = sqrt(near[nearest].distance2);
    if (!ergi_profile_is_outside(profile, near, nearest, p) && least - paths->radius > walls->keep)
        return true;
    ergi_block_wall *entry = new_entry(list, w, paths);
    if (!entry) return false;
    to_floats(axis, entry->axis);
    to_floats(across, entry->across);
    entry->r = (float)p.r;
    // Only pieces that can be the nearest to some particle, or to one that has been moved out.
    double most = 1.0001 * least + 2 * paths->radius + 4 * walls->keep;
    for (int k = 0; k < profile->count; k++)
        if (near[k].distance2 <= most * most)
            set_piece(profile, k, p, &entry->piece[entry->pieces++]);
    return true;
}

// ---- All ---------------------------------------------------------------------------------------
static bool add_still_plane(ergi_block_walls *list, const ergi_fine_walls *walls,
                            const ergi_fine_wall *w, const ergi_block_paths *paths, erg_vec3 point,
                            erg_vec3 normal)
{
    erg_vec3 low = {paths->starts.low[0], paths->starts.low[1], paths->starts.low[2]},
             high = {paths->starts.high[0], paths->starts.high[1], paths->starts.high[2]};
    double at = ergi_dot(ergi_sub(ergi_scale(ergi_add(low, high), 0.5), point), normal);
    double half = 0.5 * (fabs(normal.x) * (high.x - low.x) + fabs(normal.y) * (high.y - low.y) +
                         fabs(normal.z) * (high.z - low.z));
    if (!(fabs(at) > half)) return false;
    return add_plane(list, walls, w, paths, point, ergi_scale(normal, at < 0 ? -1 : 1));
}

bool ergi_block_walls_add(ergi_block_walls *list, const ergi_fine_walls *walls, uint32_t wall,
                          const ergi_block_paths *paths)
{
    const ergi_fine_wall *w = &walls->wall[wall];
    const ergi_surface   *s = w->surface;
    if (!w->simple && (w->moves || s->bump_spacing > 0)) return false;
    if (s->kind == ERGI_SURFACE_PLANE) {
        erg_vec3 point = ergi_placement_now(&w->to, s->origin),
                 normal = ergi_quat_rotate(w->to.rotation, s->ez);
        return w->simple ? add_plane(list, walls, w, paths, point, normal)
                         : add_still_plane(list, walls, w, paths, point, normal);
    }
    if (s->kind == ERGI_SURFACE_BOX) {
        placed_box b = box_now(w);
        return w->simple ? add_faces_within(list, walls, w, paths, &b)
                         : add_still_box(list, walls, w, paths);
    }
    return w->simple && add_revolved(list, walls, w, paths);
}
