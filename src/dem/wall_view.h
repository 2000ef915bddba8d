// Cache of wall data for the wall pass: values that are the same for all contacts of a wall are
// computed once. Included by the wall pass only.
#ifndef ERGI_WALL_VIEW_H
#define ERGI_WALL_VIEW_H

#include "dem/kernels.h"
#include "dem/lanes.h"
#include "geom/vec3.h"
#include "law/kinds.h"

enum {
    VIEWS = 16,     // cached walls; walls with the same remainder replace each other
    COEF_CACHE = 16 // cached classes of spheres per wall, likewise
};

// Input of the laws at a contact with a wall, in rows.
typedef struct wall_rows {
    erg_real normal[4];   // from the wall to the sphere; friction
    erg_real velocity[4]; // of the wall [m/s]; 0
    erg_real coef[4];     // kn, cn, kt, ct
} wall_rows;

// Coefficients of a class of spheres on a wall. Cached: most contacts need the same ones, and pow()
// is slow.
typedef struct known_coef {
    ergi_pair_law           law;
    const ergi_coef_scales *scales;
    uint32_t                klass;
    erg_real                inverse_mass;
    double                  radius, curvature, r_star;
    wall_rows               rows; // normal and velocity are valid if the view is uniform
} known_coef;

typedef struct wall_view {
    uint32_t wall;
    bool     flat;     // a smooth plane: no surface query needed
    bool     turns;    // its velocity varies from point to point
    bool     uniform;  // flat, and the same for all spheres of a class
    bool     free;     // a body that grains push away
    bool     mesh;     // of triangles
    bool     ground;   // the terrain, with a list of what each sphere may touch
    double  *wall_sum; // row where forces on it are summed; NULL: not needed
    erg_vec3 normal;   // of a flat one
    double   height;   // of a flat one along its normal [m]
    // Profile of a smooth, two-sided surface of revolution of straight pieces (cylinders, cones,
    // funnels), and its current axis and origin; else NULL
    const ergi_profile *open;
    erg_vec3            axis, origin;
    ergi_vec            velocity; // if it does not turn [m/s]
    ergi_vec            spin;     // [rad/s]
    uint32_t            valid;    // bit k: known[k] is valid
    known_coef          known[COEF_CACHE];
} wall_view;

ERG_FN ergi_vec to_real(erg_vec3 v)
{
    return ergi_vec_make((erg_real)v.x, (erg_real)v.y, (erg_real)v.z);
}

static bool is_zero(erg_vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

static bool is_straight(const ergi_profile *profile)
{
    for (int k = 0; k < profile->count; k++)
        if (profile->piece[k].round) return false;
    return true;
}

ERG_FN bool needs_wall_sum(const ergi_wall_pass *p, size_t w)
{
    return !p->skip_static_walls || ergi_wall_pose_moves(&p->walls[w]);
}

static void make_view(const ergi_wall_pass *p, wall_view *view, uint32_t w)
{
    const ergi_pose    *pose = &p->state[w].pose;
    const ergi_surface *surface = &p->walls[w].wall.surface;
    view->wall = w;
    bool still = is_zero((erg_vec3){pose->rotation.x, pose->rotation.y, pose->rotation.z});
    view->flat = surface->kind == ERGI_SURFACE_PLANE && surface->side == ERGI_SIDE_OUTSIDE &&
                 !(surface->bump_spacing > 0) && still;
    view->turns = !is_zero(pose->spin);
    view->free = p->walls[w].body.free;
    view->uniform = view->flat && !view->turns && !view->free;
    view->wall_sum = NULL;
    view->mesh = surface->kind == ERGI_SURFACE_MESH;
    view->ground = surface->kind == ERGI_SURFACE_HEIGHTS && p->ground;
    view->normal = surface->ez;
    view->height = ergi_dot(surface->ez, ergi_add(surface->origin, pose->position));
    bool open = surface->kind == ERGI_SURFACE_REVOLVED && is_straight(&surface->profile) &&
                surface->side == ERGI_SIDE_BOTH && !(surface->bump_spacing > 0);
    view->open = open && still ? &surface->profile : NULL;
    view->axis = surface->ez;
    view->origin = ergi_add(surface->origin, pose->position);
    view->velocity = to_real(pose->velocity);
    view->spin = to_real(pose->spin);
    view->valid = 0;
}

// The cached views, and the rows of the chunk's wall sums.
typedef struct wall_views {
    size_t    first_sum, last_sum; // rows; last_sum is the end
    uint32_t  cached[VIEWS];       // wall of each view, plus one; 0: none
    wall_view view[VIEWS];
} wall_views;

ERG_FN void clear_views(wall_views *views)
{
    for (int k = 0; k < VIEWS; k++) views->cached[k] = 0;
    views->first_sum = views->last_sum = 0;
}

static double *sum_of(const ergi_wall_pass *p, const wall_views *views, uint32_t w)
{
    if (!needs_wall_sum(p, w)) return NULL;
    for (size_t r = views->first_sum; r < views->last_sum; r++)
        if (p->sums->wall[r] == w) return p->sums->sum + ERGI_WALL_SUM * r;
    return NULL;
}

ERG_FN wall_view *view_wall(const ergi_wall_pass *p, wall_views *views, uint32_t w)
{
    uint32_t k = w % VIEWS;
    if (views->cached[k] != w + 1) {
        make_view(p, &views->view[k], w);
        views->view[k].wall_sum = sum_of(p, views, w);
        views->cached[k] = w + 1;
    }
    return &views->view[k];
}

// The only hit that a flat wall can have.
ERG_FN ergi_wall_hit flat_hit(const wall_view *view, const double *x)
{
    double height = x[0] * view->normal.x + x[1] * view->normal.y + x[2] * view->normal.z;
    return (ergi_wall_hit){.gap = height - view->height, .normal = view->normal};
}

// The only hit of an open surface of revolution. False if the sphere touches an end of a piece or
// two pieces, or is near the axis: then a surface query is needed.
ERG_FN bool open_hit(const wall_view *view, const double *x, ergi_wall_hit *hit)
{
    const ergi_piece *touched = NULL;
    erg_vec3          d = ergi_sub((erg_vec3){x[0], x[1], x[2]}, view->origin);
    double            z = ergi_dot(d, view->axis);
    erg_vec3          across = ergi_madd(d, -z, view->axis);
    double            r = ergi_norm(across);
    if (!(r > x[3])) return false;
    for (int k = 0; k < view->open->count; k++) {
        const ergi_piece *piece = &view->open->piece[k];
        ergi_piece_near   near = ergi_piece_nearest(piece, (ergi_rz){r, z});
        if (!(near.distance2 < x[3] * x[3])) continue;
        if (touched || near.end != ERGI_BETWEEN) return false;
        touched = piece;
    }
    *hit = (ergi_wall_hit){.gap = INFINITY};
    if (!touched) return true;
    // Distances along the piece and away from it, to the right of its direction
    double from_r = r - touched->a.r, from_z = z - touched->a.z, along_r = touched->along_a.r,
           along_z = touched->along_a.z;
    double along = from_r * along_r + from_z * along_z, away = from_r * along_z - from_z * along_r;
    double side = away < 0 ? -1 : 1, n_r = side * along_z, n_z = -side * along_r;
    hit->feature = touched->slot;
    hit->gap = side * away;
    hit->normal = ergi_madd(ergi_scale(across, n_r / r), n_z, view->axis);
    hit->curvature = 0.5 * n_r / (touched->a.r + along * along_r);
    return true;
}

// Hits of a sphere at x on the terrain, among those listed for entry e.
ERG_FN int ground_hits(const ergi_wall_pass *p, uint32_t w, uint32_t e, const double *x,
                       ergi_wall_hit hits[ERGI_WALL_MAX_HITS])
{
    const ergi_ground_row *row = &p->ground[e];
    const ergi_surface    *surface = &p->walls[w].wall.surface;
    bool                   smooth = !((double)row->spare > p->state[w].sweep);
    erg_vec3               centre = ergi_vec3(x[0], x[1], x[2]);
    if (row->count > ERGI_GROUND_SPHERES) return ergi_surface_hits(surface, centre, x[3], hits);
    return ergi_surface_listed_hits(surface, centre, x[3], row->sphere, row->count, smooth, hits);
}

// Hits of the sphere of entry e, at x, on the wall; returns their number. Includes all touched
// features, and maybe others.
ERG_FN int wall_hits(const ergi_wall_pass *p, const wall_view *view, uint32_t e, const double *x,
                     ergi_wall_hit hits[ERGI_WALL_MAX_HITS])
{
    uint32_t w = view->wall;
    if (view->ground) return ground_hits(p, w, e, x, hits);
    if (view->flat) {
        hits[0] = flat_hit(view, x);
        return hits[0].gap < x[3];
    }
    if (view->open && open_hit(view, x, hits)) return hits[0].gap < x[3];
    return ergi_wall_hits(&p->walls[w].wall, &p->state[w].pose, ergi_vec3(x[0], x[1], x[2]), x[3],
                          hits);
}

ERG_FN wall_rows wall_rows_of(ergi_vec normal, erg_real friction, ergi_vec velocity, ergi_row coef)
{
    return (wall_rows){{normal.x, normal.y, normal.z, friction},
                       {velocity.x, velocity.y, velocity.z, 0},
                       {coef[0], coef[1], coef[2], coef[3]}};
}

static ergi_pair_law pair_law_of(const ergi_material_pair *pair)
{
    return (ergi_pair_law){.normal = pair->scales.normal,
                           .tangential = pair->scales.tangential,
                           .friction = (erg_real)pair->friction,
                           .friction_static = (erg_real)pair->friction_static,
                           .rolling = (erg_real)pair->rolling,
                           .rolling_damping = (erg_real)pair->rolling_damping,
                           .twisting = (erg_real)pair->twisting,
                           .cohesion = (erg_real)pair->cohesion};
}

// Sets the values that depend on the materials alone.
static const ergi_material_pair *look_up_pair(const ergi_wall_pass *p, const wall_view *view,
                                              known_coef *k)
{
    const ergi_material_pair *pair =
        &p->pair[p->class_material[k->klass] * p->materials + p->walls[view->wall].material];
    k->law = pair_law_of(pair);
    k->scales = &pair->coefs;
    return pair;
}

static void compute_coef(const ergi_wall_pass *p, const wall_view *view, known_coef *k)
{
    const ergi_material_pair *pair = look_up_pair(p, view, k);
    k->r_star = 1 / ergi_wall_contact_curvature(k->radius, k->curvature);
    ergi_coefs c = ergi_coefs_of(k->scales, k->r_star, 1 / (double)k->inverse_mass);
    k->rows =
        wall_rows_of(to_real(view->normal), (erg_real)pair->friction, view->velocity,
                     (ergi_row){(erg_real)c.kn, (erg_real)c.cn, (erg_real)c.kt, (erg_real)c.ct});
}

// Inverse effective mass of a free body at a point along n, including its rotation. [1/kg]
static double inverse_mass_at(const ergi_wall_pass *p, uint32_t w, erg_vec3 point, erg_vec3 n)
{
    const ergi_body *body = &p->walls[w].body;
    const ergi_pose *pose = &p->state[w].pose;
    erg_vec3         arm = ergi_sub(point, ergi_add(body->centre, pose->position));
    erg_vec3         turn = ergi_cross(arm, n);
    erg_quat         q = ergi_quat_mul(pose->rotation, body->start);
    return body->inverse_mass + ergi_dot(turn, ergi_body_spin(body, q, turn));
}

// `inverse_wall`: inverse effective mass of a free body, 0 for other walls [1/kg].
ERG_FN const known_coef *view_coef(const ergi_wall_pass *p, wall_view *view, uint32_t s,
                                   double radius, double curvature, double inverse_wall)
{
    uint32_t klass = p->s.klass[s], grain = p->s.grain ? p->s.grain[s] : s;
    erg_real inverse_mass =
        ((const erg_real *)p->grain_motion)[8 * (size_t)grain + 3] + (erg_real)inverse_wall;
    known_coef *k = &view->known[klass % COEF_CACHE];
    uint32_t    bit = 1u << klass % COEF_CACHE;
    if (p->many_sizes) { // set_all_coefficients computes the coefficients
        if (!(view->valid & bit) || k->klass != klass) {
            view->valid |= bit;
            k->klass = klass;
            const ergi_material_pair *pair = look_up_pair(p, view, k);
            k->rows = wall_rows_of(to_real(view->normal), (erg_real)pair->friction, view->velocity,
                                   ergi_row_all(0));
        }
        k->inverse_mass = inverse_mass;
        k->r_star = 1 / ergi_wall_contact_curvature(radius, curvature);
        return k;
    }
    if (view->valid & bit && k->klass == klass && k->inverse_mass == inverse_mass &&
        k->radius == radius && k->curvature == curvature)
        return k;
    view->valid |= bit;
    k->klass = klass;
    k->inverse_mass = inverse_mass;
    k->radius = radius;
    k->curvature = curvature;
    compute_coef(p, view, k);
    return k;
}

#endif
