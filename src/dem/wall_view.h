// Walls as the pass over their contacts sees them: what is the same for all touches of a wall,
// worked out once. Included by the pass over walls alone.
#ifndef ERGI_WALL_VIEW_H
#define ERGI_WALL_VIEW_H

#include "dem/kernels.h"
#include "dem/lanes.h"
#include "geom/vec3.h"
#include "law/kinds.h"

enum {
    VIEWS = 16, // walls seen at once; more take turns
    KNOWN = 16  // classes of spheres whose coefficients a view remembers; more take turns
};

// What the laws ask of a wall where it is touched, in rows.
typedef struct wall_rows {
    erg_real normal[4];   // from the wall to the sphere; friction
    erg_real velocity[4]; // of the wall [m/s]; 0
    erg_real coef[4];     // kn, cn, kt, ct
} wall_rows;

// Coefficients of a class of spheres on a wall. Most touches ask for the same again, and powers are
// slow.
typedef struct known_coef {
    ergi_pair_law           law;
    const ergi_coef_scales *scales;
    uint32_t                klass;
    erg_real                inverse_mass;
    double                  radius, curvature, r_star;
    wall_rows               rows; // normal and velocity of a wall whose view is uniform
} known_coef;

typedef struct wall_view {
    uint32_t wall;
    bool     flat;    // a smooth plane: no need to ask the surface
    bool     turns;   // its velocity differs from point to point
    bool     uniform; // flat, and the same to all spheres of a class
    bool     free;    // a body that grains push away
    bool     mesh;    // of triangles
    double  *felt;    // where what pushes it is summed up; NULL: nobody asks
    erg_vec3 normal;  // of a flat one
    double   height;  // of a flat one along its normal [m]
    // A smooth surface of revolution that is felt from both sides, of straight pieces (cylinders,
    // cones, funnels): its profile, and where that has its origin now
    const ergi_profile *open;
    erg_vec3            axis, origin;
    ergi_vec            velocity; // where it does not turn [m/s]
    ergi_vec            spin;     // [rad/s]
    uint32_t            knows;    // bit k: row k of `known` is filled
    known_coef          known[KNOWN];
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

ERG_FN bool wall_is_felt(const ergi_wall_pass *p, size_t w)
{
    return !p->skip_static_walls || ergi_wall_moves(&p->walls[w]);
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
    view->felt = NULL;
    view->mesh = surface->kind == ERGI_SURFACE_MESH;
    view->normal = surface->ez;
    view->height = ergi_dot(surface->ez, ergi_add(surface->origin, pose->position));
    bool open = surface->kind == ERGI_SURFACE_REVOLVED && is_straight(&surface->profile) &&
                surface->side == ERGI_SIDE_BOTH && !(surface->bump_spacing > 0);
    view->open = open && still ? &surface->profile : NULL;
    view->axis = surface->ez;
    view->origin = ergi_add(surface->origin, pose->position);
    view->velocity = to_real(pose->velocity);
    view->spin = to_real(pose->spin);
    view->knows = 0;
}

// The walls seen so far, and where the sums of a chunk are.
typedef struct wall_views {
    size_t    first_sum, last_sum; // rows; the last is not one of them
    uint32_t  seen[VIEWS];         // wall of each view, plus one; 0: none yet
    wall_view view[VIEWS];
} wall_views;

ERG_FN void see_none(wall_views *views)
{
    for (int k = 0; k < VIEWS; k++) views->seen[k] = 0;
    views->first_sum = views->last_sum = 0;
}

static double *sum_of(const ergi_wall_pass *p, const wall_views *views, uint32_t w)
{
    if (!wall_is_felt(p, w)) return NULL;
    for (size_t r = views->first_sum; r < views->last_sum; r++)
        if (p->sums->wall[r] == w) return p->sums->sum + ERGI_WALL_SUM * r;
    return NULL;
}

ERG_FN wall_view *view_wall(const ergi_wall_pass *p, wall_views *views, uint32_t w)
{
    uint32_t k = w % VIEWS;
    if (views->seen[k] != w + 1) {
        make_view(p, &views->view[k], w);
        views->view[k].felt = sum_of(p, views, w);
        views->seen[k] = w + 1;
    }
    return &views->view[k];
}

// The only hit that a flat wall can have.
ERG_FN ergi_wall_hit flat_hit(const wall_view *view, const double *x)
{
    double height = x[0] * view->normal.x + x[1] * view->normal.y + x[2] * view->normal.z;
    return (ergi_wall_hit){.gap = height - view->height, .normal = view->normal};
}

// The only hit of an open surface of revolution, unless the sphere touches an end or two of its
// pieces, or is near the axis: then false, and the surface must be asked.
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
    // Along the piece, and away from it to the right of its direction
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

// Where a sphere at x may touch the wall; returns how many places. Those that are touched are among
// them.
ERG_FN int wall_hits(const ergi_wall_pass *p, const wall_view *view, const double *x,
                     ergi_wall_hit hits[ERGI_WALL_MAX_HITS])
{
    uint32_t w = view->wall;
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

static ergi_pair_law pair_law_of(const ergi_pair *pair)
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

// What depends on the materials alone.
static const ergi_pair *look_up_pair(const ergi_wall_pass *p, const wall_view *view, known_coef *k)
{
    const ergi_pair *pair =
        &p->pair[p->class_material[k->klass] * p->materials + p->walls[view->wall].material];
    k->law = pair_law_of(pair);
    k->scales = &pair->coefs;
    return pair;
}

static void work_out_coef(const ergi_wall_pass *p, const wall_view *view, known_coef *k)
{
    const ergi_pair *pair = look_up_pair(p, view, k);
    k->r_star = 1 / ergi_wall_contact_curvature(k->radius, k->curvature);
    ergi_coefs c = ergi_coefs_of(k->scales, k->r_star, 1 / (double)k->inverse_mass);
    k->rows =
        wall_rows_of(to_real(view->normal), (erg_real)pair->friction, view->velocity,
                     (ergi_row){(erg_real)c.kn, (erg_real)c.cn, (erg_real)c.kt, (erg_real)c.ct});
}

// 1/m of a free body as it is felt at a point along n: it turns away, too. [1/kg]
static double inverse_mass_at(const ergi_wall_pass *p, uint32_t w, erg_vec3 point, erg_vec3 n)
{
    const ergi_body *body = &p->walls[w].body;
    const ergi_pose *pose = &p->state[w].pose;
    erg_vec3         arm = ergi_sub(point, ergi_add(body->centre, pose->position));
    erg_vec3         turn = ergi_cross(arm, n);
    erg_quat         q = ergi_quat_mul(pose->rotation, body->start);
    return body->inverse_mass + ergi_dot(turn, ergi_body_spin(body, q, turn));
}

// `inverse_wall`: of the wall where it is a free body, else 0 [1/kg].
ERG_FN const known_coef *view_coef(const ergi_wall_pass *p, wall_view *view, uint32_t s,
                                   double radius, double curvature, double inverse_wall)
{
    uint32_t klass = p->s.klass[s], grain = p->s.grain ? p->s.grain[s] : s;
    erg_real inverse_mass =
        ((const erg_real *)p->grain_motion)[8 * (size_t)grain + 3] + (erg_real)inverse_wall;
    known_coef *k = &view->known[klass % KNOWN];
    uint32_t    bit = 1u << klass % KNOWN;
    if (p->many_sizes) { // coefficients follow, many at once (wall_touches.h)
        if (!(view->knows & bit) || k->klass != klass) {
            view->knows |= bit;
            k->klass = klass;
            const ergi_pair *pair = look_up_pair(p, view, k);
            k->rows = wall_rows_of(to_real(view->normal), (erg_real)pair->friction, view->velocity,
                                   ergi_row_all(0));
        }
        k->inverse_mass = inverse_mass;
        k->r_star = 1 / ergi_wall_contact_curvature(radius, curvature);
        return k;
    }
    if (view->knows & bit && k->klass == klass && k->inverse_mass == inverse_mass &&
        k->radius == radius && k->curvature == curvature)
        return k;
    view->knows |= bit;
    k->klass = klass;
    k->inverse_mass = inverse_mass;
    k->radius = radius;
    k->curvature = curvature;
    work_out_coef(p, view, k);
    return k;
}

#endif
