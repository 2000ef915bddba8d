// Contacts with walls: the same laws, with a partner of infinite mass. Included by real_kernels.h
// alone.
//
// A wall may be touched in several places at once (a corner has three faces); each place is a
// feature with a slot of its own for its memory. A spring is kept while the wall's normal turns
// little from one step to the next; a feature that is left loses its slot.
//
// As between spheres, touches are collected in columns, and the laws take LANES of them at once.
#ifndef ERGI_WALL_PASS_H
#define ERGI_WALL_PASS_H

#include "dem/kernels.h"
#include "dem/motion_pass.h"
#include "dem/pair_pass.h"
#include "geom/vec3.h"

#define NORMAL_TURN 0.1 // keep the spring while n_before . n_now > 1 - this

enum { TOUCHES = 32 };

ERG_FN ergi_row64 row64_of(erg_vec3 v)
{
    return (ergi_row64){v.x, v.y, v.z, 0};
}

ERG_FN ergi_vec to_real(erg_vec3 v)
{
    return ergi_vec_make((erg_real)v.x, (erg_real)v.y, (erg_real)v.z);
}

static ergi_pair_law wall_law(const ergi_pair *pair)
{
    ergi_pair_law law = {.normal = pair->scales.normal,
                         .tangential = pair->scales.tangential,
                         .friction = (erg_real)pair->friction,
                         .friction_static = (erg_real)pair->friction_static,
                         .rolling = (erg_real)pair->rolling,
                         .rolling_damping = (erg_real)pair->rolling_damping,
                         .twisting = (erg_real)pair->twisting,
                         .cohesion = (erg_real)pair->cohesion};
    return law;
}

// ---- Walls as the pass sees them ---------------------------------------------------------------
// What is the same for all touches of a wall in this pass, and the last coefficients worked out on
// it: most touches ask for the same again, and powers are slow.
enum { KNOWN = 16 }; // by class
typedef struct known_coef {
    const ergi_pair *pair;
    erg_real         inverse_mass;
    double           radius, curvature, r_star;
    ergi_coef        coef;
} known_coef;

typedef struct wall_view {
    bool       ready;
    bool       flat;   // a smooth plane: no need to ask the surface
    bool       moves;  // its velocity counts
    erg_vec3   normal; // of a flat one
    double     height; // of a flat one along its normal [m]
    ergi_vec   spin;   // [rad/s]
    known_coef known[KNOWN];
} wall_view;

enum { VIEWS = 16 }; // walls seen at once; more take turns

static bool is_zero(erg_vec3 v)
{
    return v.x == 0 && v.y == 0 && v.z == 0;
}

static wall_view *view_wall(const ergi_wall_pass *p, wall_view *views, uint32_t *wall_of_view,
                            uint32_t w)
{
    wall_view *view = &views[w % VIEWS];
    if (view->ready && wall_of_view[w % VIEWS] == w) return view;
    const ergi_wall    *wall = &p->walls[w].wall;
    const ergi_pose    *pose = &p->state[w].pose;
    const ergi_surface *surface = &wall->surface;
    *view = (wall_view){.ready = true};
    wall_of_view[w % VIEWS] = w;
    view->flat = surface->kind == ERGI_SURFACE_PLANE && surface->side == ERGI_SIDE_OUTSIDE &&
                 !(surface->bump_spacing > 0) && pose->rotation.x == 0 && pose->rotation.y == 0 &&
                 pose->rotation.z == 0;
    view->moves = !is_zero(pose->velocity) || !is_zero(pose->spin);
    view->normal = surface->ez;
    view->height = ergi_dot(surface->ez, ergi_add(surface->origin, pose->position));
    view->spin = to_real(pose->spin);
    return view;
}

static int view_hits(const ergi_wall_pass *p, const wall_view *view, uint32_t w, const double *x,
                     ergi_wall_hit *hits)
{
    erg_vec3 centre = {x[0], x[1], x[2]};
    if (!view->flat)
        return ergi_wall_hits(&p->walls[w].wall, &p->state[w].pose, centre, x[3], hits);
    double gap = ergi_dot(centre, view->normal) - view->height;
    hits[0] = (ergi_wall_hit){.gap = gap, .normal = view->normal};
    return gap < x[3];
}

static const known_coef *view_coef(const ergi_wall_pass *p, wall_view *view, uint32_t s,
                                   double curvature, const ergi_pair *pair)
{
    double      radius = p->s.position[4 * (size_t)s + 3];
    uint32_t    body = p->s.body ? p->s.body[s] : s;
    erg_real    inverse_mass = ((const erg_real *)p->body_motion)[8 * (size_t)body + 3];
    known_coef *k = &view->known[p->s.klass[s] % KNOWN];
    if (k->pair == pair && k->inverse_mass == inverse_mass && k->radius == radius &&
        k->curvature == curvature)
        return k;
    double kn, cn, kt, ct;
    k->pair = pair;
    k->inverse_mass = inverse_mass;
    k->radius = radius;
    k->curvature = curvature;
    k->r_star = 1 / ergi_wall_contact_curvature(radius, curvature);
    ergi_contact_coef(&pair->scales, k->r_star, 1 / (double)inverse_mass, &kn, &cn, &kt, &ct);
    k->coef = (ergi_coef){(erg_real)kn, (erg_real)cn, (erg_real)kt, (erg_real)ct};
    return k;
}

// ---- One touch ---------------------------------------------------------------------------------
typedef struct wall_meeting {
    const ergi_pair *pair;
    ergi_coef        coef;
    ergi_touch       touch;
    erg_real         lever; // from the sphere's centre to the contact point, along -n [m]
} wall_meeting;

static wall_meeting wall_meet(const ergi_wall_pass *p, wall_view *view, uint32_t s, uint32_t w,
                              const ergi_wall_hit *h)
{
    const double *x = p->s.position + 4 * (size_t)s;
    double        radius = x[3], overlap = radius - h->gap;
    wall_meeting  m;
    m.pair = &p->pair[p->class_material[p->s.klass[s]] * p->materials + p->walls[w].material];
    const known_coef *known = view_coef(p, view, s, h->curvature, m.pair);
    m.coef = known->coef;

    // The contact point lies halfway into the overlap, as between spheres.
    double          lever = radius - 0.5 * overlap;
    const erg_real *motion = (const erg_real *)p->s.motion + 8 * (size_t)s;
    ergi_vec        spin = load3(motion + ERGI_SPIN), n = to_real(h->normal);
    m.lever = (erg_real)lever;
    m.touch.n = n;
    m.touch.overlap = (erg_real)overlap;
    m.touch.v = ergi_vec_sub(load3(motion + ERGI_VELOCITY),
                             ergi_vec_scale(m.lever, ergi_vec_cross(spin, n)));
    if (view->moves) {
        erg_vec3 point = ergi_madd(ergi_vec3(x[0], x[1], x[2]), -lever, h->normal);
        m.touch.v = ergi_vec_sub(
            m.touch.v, to_real(ergi_wall_velocity(&p->walls[w].wall, &p->state[w].pose, point)));
    }
    m.touch.spin = ergi_vec_sub(spin, view->spin);
    m.touch.radius = (erg_real)known->r_star;
    m.touch.dt = (erg_real)p->dt;
    return m;
}

// ---- Touches in columns ------------------------------------------------------------------------
typedef struct touches {
    uint32_t         count;
    uint32_t         sphere[TOUCHES], wall[TOUCHES];
    size_t           slot[TOUCHES]; // row of memory; SIZE_MAX: all were taken
    const ergi_pair *pair[TOUCHES];
    erg_vec3         normal[TOUCHES];
    erg_real         n_x[TOUCHES], n_y[TOUCHES], n_z[TOUCHES], overlap[TOUCHES], lever[TOUCHES];
    erg_real         v_x[TOUCHES], v_y[TOUCHES], v_z[TOUCHES];
    erg_real         spin_x[TOUCHES], spin_y[TOUCHES], spin_z[TOUCHES], radius[TOUCHES];
    erg_real         kn[TOUCHES], cn[TOUCHES], kt[TOUCHES], ct[TOUCHES], friction[TOUCHES];
    erg_real         slide_x[TOUCHES], slide_y[TOUCHES], slide_z[TOUCHES];
    erg_real         roll_x[TOUCHES], roll_y[TOUCHES], roll_z[TOUCHES];
    erg_real         force_x[TOUCHES], force_y[TOUCHES], force_z[TOUCHES];
    erg_real         couple_x[TOUCHES], couple_y[TOUCHES], couple_z[TOUCHES];
    erg_real         moment_x[TOUCHES], moment_y[TOUCHES], moment_z[TOUCHES]; // on the sphere [N m]
} touches;

static void put_touch(touches *t, const wall_meeting *m, ergi_memory kept, bool usual)
{
    uint32_t k = t->count++;
    t->pair[k] = m->pair;
    t->n_x[k] = m->touch.n.x;
    t->n_y[k] = m->touch.n.y;
    t->n_z[k] = m->touch.n.z;
    t->overlap[k] = m->touch.overlap;
    t->lever[k] = m->lever;
    t->v_x[k] = m->touch.v.x;
    t->v_y[k] = m->touch.v.y;
    t->v_z[k] = m->touch.v.z;
    t->kn[k] = m->coef.kn;
    t->cn[k] = m->coef.cn;
    t->kt[k] = m->coef.kt;
    t->ct[k] = m->coef.ct;
    t->friction[k] = (erg_real)m->pair->friction;
    t->slide_x[k] = kept.slide.x;
    t->slide_y[k] = kept.slide.y;
    t->slide_z[k] = kept.slide.z;
    if (usual) return;
    t->spin_x[k] = m->touch.spin.x;
    t->spin_y[k] = m->touch.spin.y;
    t->spin_z[k] = m->touch.spin.z;
    t->radius[k] = m->touch.radius;
    t->roll_x[k] = kept.roll.x;
    t->roll_y[k] = kept.roll.y;
    t->roll_z[k] = kept.roll.z;
}

ERG_FN void push_touch(touches *t, size_t k, ergi_pair_law law, erg_real friction, const int normal,
                       const int tangential, const bool rolling, const bool cohesion, erg_real dt)
{
    ergi_touch  touch = {.n = {t->n_x[k], t->n_y[k], t->n_z[k]},
                         .overlap = t->overlap[k],
                         .v = {t->v_x[k], t->v_y[k], t->v_z[k]},
                         .spin = {t->spin_x[k], t->spin_y[k], t->spin_z[k]},
                         .radius = t->radius[k],
                         .dt = dt};
    ergi_memory kept = {{t->slide_x[k], t->slide_y[k], t->slide_z[k]},
                        {t->roll_x[k], t->roll_y[k], t->roll_z[k]}};
    ergi_coef   coef = {t->kn[k], t->cn[k], t->kt[k], t->ct[k]};
    law.friction = friction;
    ergi_push push =
        ergi_contact_push(normal, tangential, rolling, cohesion, law, coef, touch, kept);
    t->force_x[k] = push.force.x;
    t->force_y[k] = push.force.y;
    t->force_z[k] = push.force.z;
    ergi_vec moment = ergi_vec_cross(ergi_vec_scale(-t->lever[k], touch.n), push.force);
    if (rolling) {
        moment = ergi_vec_add(moment, push.couple);
        t->couple_x[k] = push.couple.x;
        t->couple_y[k] = push.couple.y;
        t->couple_z[k] = push.couple.z;
    }
    t->moment_x[k] = moment.x;
    t->moment_y[k] = moment.y;
    t->moment_z[k] = moment.z;
    t->slide_x[k] = push.memory.slide.x;
    t->slide_y[k] = push.memory.slide.y;
    t->slide_z[k] = push.memory.slide.z;
    if (!rolling) return;
    t->roll_x[k] = push.memory.roll.x;
    t->roll_y[k] = push.memory.roll.y;
    t->roll_z[k] = push.memory.roll.z;
}

// Lanes beyond the last touch work on what was there before, and nobody reads what they find.
static void push_touches(const ergi_wall_pass *p, touches *t)
{
    erg_real dt = (erg_real)p->dt;
    if (p->usual) {
        const ergi_pair_law law = {0};
        for (size_t g = 0; g < t->count; g += LANES)
#pragma omp simd
            for (size_t k = g; k < g + LANES; k++)
                push_touch(t, k, law, t->friction[k], ERGI_NORMAL_HERTZ, ERGI_TANGENTIAL_MINDLIN,
                           false, false, dt);
        return;
    }
    for (uint32_t k = 0; k < t->count; k++) {
        ergi_pair_law law = wall_law(t->pair[k]);
        push_touch(t, k, law, law.friction, law.normal, law.tangential, p->memory_width >= 8,
                   t->pair[k]->cohesion > 0, dt);
    }
}

// What the wall feels of touch k, about its pivot; `load` is what the sphere feels.
ERG_FN void add_to_wall(const ergi_wall_pass *p, const touches *t, uint32_t k, ergi_rows load,
                        double *sums)
{
    const ergi_wall_state *state = &p->state[t->wall[k]];
    const ergi_wall       *wall = &p->walls[t->wall[k]].wall;
    const ergi_row64       three = {1, 1, 1, 0},
                     x = ergi_row64_load(p->s.position + 4 * (size_t)t->sphere[k]);
    ergi_row64 force = -ergi_row_widen(ergi_rows_low(load)), n = row64_of(t->normal[k]);
    ergi_row64 arm =
        (x - (double)t->lever[k] * n - row64_of(wall->pivot) - row64_of(state->pose.position)) *
        three;
    ergi_row64 torque = row64_cross(arm, force);
    double    *sum = sums + ERGI_WALL_SUM * (size_t)t->wall[k];
    if (!p->usual)
        torque -=
            (ergi_row64){(double)t->couple_x[k], (double)t->couple_y[k], (double)t->couple_z[k], 0};
    ergi_row64_store(sum, ergi_row64_load(sum) + force);
    ergi_row64_store(sum + ERGI_TORQUE, ergi_row64_load(sum + ERGI_TORQUE) + torque);
}

static void keep_touch(const ergi_wall_pass *p, const touches *t, uint32_t k)
{
    const size_t width = (size_t)p->memory_width, stride = width + 3;
    if (t->slot[k] == SIZE_MAX || p->trial) return;
    erg_real   *memory = (erg_real *)p->memory + t->slot[k] * stride;
    ergi_memory kept = {{t->slide_x[k], t->slide_y[k], t->slide_z[k]}, ergi_vec_zero()};
    if (width >= 8) kept.roll = ergi_vec_make(t->roll_x[k], t->roll_y[k], t->roll_z[k]);
    remember(memory, (int)width, kept);
    store3(memory + width, ergi_vec_make(t->n_x[k], t->n_y[k], t->n_z[k]));
}

static void apply_touches(const ergi_wall_pass *p, touches *t, double *sums)
{
    push_touches(p, t);
    for (uint32_t g = 0; g < t->count; g += LANES) {
        ergi_rows force[4], moment[4], load[8];
        rows_of_columns(t->force_x, t->force_y, t->force_z, g, force);
        rows_of_columns(t->moment_x, t->moment_y, t->moment_z, g, moment);
        for (int c = 0; c < 4; c++) load[c] = ergi_rows_halves(force[c], moment[c], &load[c + 4]);
        for (uint32_t k = g; k < g + LANES && k < t->count; k++) {
            add_rows(load_of(&p->s, t->sphere[k]), load[k - g]);
            add_to_wall(p, t, k, load[k - g], sums);
            keep_touch(p, t, k);
        }
    }
    t->count = 0;
}

// ---- Entries -----------------------------------------------------------------------------------
// Slot of a feature: the one it has, or a free one (`fresh`), or -1 when all are taken: then the
// contact pushes all the same, but remembers nothing.
static int find_slot(const uint32_t *feature, int slots, uint32_t wanted, bool *fresh)
{
    *fresh = false;
    for (int k = 0; k < slots; k++)
        if (feature[k] == wanted) return k;
    *fresh = true;
    for (int k = 0; k < slots; k++)
        if (feature[k] == ERGI_NO_FEATURE) return k;
    return -1;
}

// Slots of features that are no longer touched are free for new ones.
static void free_slots(const ergi_wall_pass *p, size_t entry, const ergi_wall_hit *hits, int found)
{
    const int stride = p->memory_width + 3, slots = p->slots;
    uint32_t *feature = p->feature + entry * (size_t)slots;
    for (int k = 0; k < slots; k++) {
        if (feature[k] == ERGI_NO_FEATURE) continue;
        bool touched = false;
        for (int h = 0; h < found; h++) touched |= feature[k] == hits[h].feature;
        if (touched) continue;
        size_t row = entry * (size_t)slots + (size_t)k;
        feature[k] = ERGI_NO_FEATURE;
        for (int c = 0; c < stride; c++)
            ((erg_real *)p->memory)[row * (size_t)stride + (size_t)c] = 0;
    }
}

static void note_wall_overlap(ergi_report *report, double overlap, double radius, uint32_t s,
                              uint32_t w)
{
    report->wall_contacts++;
    if (overlap <= report->overlap_ratio * radius) return;
    report->overlap_ratio = overlap / radius;
    report->overlap_a = s;
    report->overlap_b = w;
    report->overlap_wall = 1;
}

// A pass over the walls of some spheres.
typedef struct wall_work {
    touches   t;
    wall_view view[VIEWS];
    uint32_t  wall_of_view[VIEWS];
    double   *sums;
} wall_work;

// The touches of sphere s on the wall of entry e join the others.
static void wall_entry(const ergi_wall_pass *p, uint32_t s, uint32_t e, wall_work *work,
                       ergi_report *report)
{
    const int     width = p->memory_width, stride = width + 3, slots = p->slots;
    uint32_t      w = p->wall_of[e];
    const double *x = p->s.position + 4 * (size_t)s;
    uint32_t     *feature = p->feature + e * (size_t)slots;
    wall_view    *view = view_wall(p, work->view, work->wall_of_view, w);
    touches      *t = &work->t;
    ergi_wall_hit hits[ERGI_WALL_MAX_HITS];
    int           found = view_hits(p, view, w, x, hits);
    if (!p->trial && !(view->flat && found == 1)) free_slots(p, e, hits, found);
    for (int h = 0; h < found; h++) {
        if (!(hits[h].gap < x[3])) continue;
        if (t->count == TOUCHES) apply_touches(p, t, work->sums);
        wall_meeting m = wall_meet(p, view, s, w, &hits[h]);
        bool         fresh;
        int          slot = find_slot(feature, slots, hits[h].feature, &fresh);
        size_t       row = slot < 0 ? SIZE_MAX : e * (size_t)slots + (size_t)slot;
        ergi_memory  kept = {ergi_vec_zero(), ergi_vec_zero()};
        if (slot >= 0 && !fresh) {
            const erg_real *memory = (const erg_real *)p->memory + row * (size_t)stride;
            if (ergi_vec_dot(load3(memory + width), m.touch.n) > ERGI_R(1 - NORMAL_TURN))
                kept = recall(memory, width);
        }
        if (slot >= 0 && !p->trial) feature[slot] = hits[h].feature;
        t->sphere[t->count] = s;
        t->wall[t->count] = w;
        t->slot[t->count] = row;
        t->normal[t->count] = hits[h].normal;
        put_touch(t, &m, kept, p->usual);
        note_wall_overlap(report, x[3] - hits[h].gap, x[3], s, w);
    }
}

// ---- The pass ----------------------------------------------------------------------------------
// The first row of a sphere near walls that is not before `sphere`.
static size_t first_near(const ergi_wall_pass *p, uint32_t sphere)
{
    size_t low = 0, high = p->near_count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (p->near_sphere[mid] < sphere)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void wall_range(const ergi_wall_pass *p, erg_index begin, erg_index end, int chunk)
{
    ergi_report *report = &p->report[chunk];
    wall_work    work;
    report->wall_contacts = 0;
    size_t r = first_near(p, (uint32_t)begin);
    if (r == p->near_count || p->near_sphere[r] >= (uint32_t)end) return;
    work.t.count = 0;
    for (int k = 0; k < VIEWS; k++) work.view[k].ready = false;
    work.sums = p->wall_sum + ERGI_WALL_SUM * p->wall_count * (size_t)chunk;
    for (size_t k = 0; k < ERGI_WALL_SUM * p->wall_count; k++) work.sums[k] = 0;
    for (; r < p->near_count && p->near_sphere[r] < (uint32_t)end; r++)
        for (uint32_t e = p->near_start[r]; e < p->near_start[r + 1]; e++)
            wall_entry(p, p->near_sphere[r], e, &work, report);
    apply_touches(p, &work.t, work.sums);
}

static void contacts_pass(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const ergi_contact_pass *p = ctx;
    pair_chunk(&p->pairs, begin, end, chunk);
    wall_range(&p->walls, begin, end, chunk);
}

// ---- One touch, at the present state -----------------------------------------------------------
// Of an entry's slot; zero when the wall is not touched there any more. No time passes.
static ergi_contact_state wall_state(const ergi_wall_pass *p, uint32_t s, uint32_t e, int slot)
{
    const int          width = p->memory_width, stride = width + 3;
    size_t             row = e * (size_t)p->slots + (size_t)slot;
    uint32_t           w = p->wall_of[e];
    const double      *x = p->s.position + 4 * (size_t)s;
    ergi_contact_state state = {{0, 0, 0}, 0};
    ergi_wall_hit      hits[ERGI_WALL_MAX_HITS];
    wall_view          views[VIEWS] = {{0}};
    uint32_t           seen[VIEWS] = {0};
    wall_view         *view = view_wall(p, views, seen, w);
    int                found = view_hits(p, view, w, x, hits);
    for (int h = 0; h < found; h++) {
        if (hits[h].feature != p->feature[row] || !(hits[h].gap < x[3])) continue;
        wall_meeting  m = wall_meet(p, view, s, w, &hits[h]);
        ergi_pair_law law = wall_law(m.pair);
        ergi_memory   kept = recall((const erg_real *)p->memory + row * (size_t)stride, width);
        bool          rolling = width >= 8, cohesion = m.pair->cohesion > 0;
        m.touch.dt = 0;
        ergi_push push = ergi_contact_push(law.normal, law.tangential, rolling, cohesion, law,
                                           m.coef, m.touch, kept);
        state =
            (ergi_contact_state){{(double)push.force.x, (double)push.force.y, (double)push.force.z},
                                 (double)ergi_contact_energy(law.normal, law.tangential, rolling,
                                                             cohesion, law, m.coef, m.touch, kept)};
    }
    return state;
}

#endif
