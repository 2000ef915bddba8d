// Contacts with walls: the same laws, with a partner of infinite mass. Included by real_kernels.h
// alone.
//
// A wall may be touched in several places at once (a corner has three faces); each place is a
// feature with a slot of its own for its memory. A spring is kept while the wall's normal turns
// little from one step to the next; a feature that is left loses its slot.
#ifndef ERGI_WALL_PASS_H
#define ERGI_WALL_PASS_H

#include "dem/kernels.h"
#include "dem/motion_pass.h"
#include "dem/pair_pass.h"
#include "geom/vec3.h"

#define NORMAL_TURN 0.1 // keep the spring while n_before . n_now > 1 - this

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

// Everything about one touch of sphere s on wall w.
typedef struct wall_meeting {
    const ergi_pair *pair;
    ergi_coef        coef;
    ergi_touch       touch;
    erg_real         lever; // from the sphere's centre to the contact point, along -n [m]
} wall_meeting;

static wall_meeting wall_meet(const ergi_wall_pass *p, uint32_t s, uint32_t w,
                              const ergi_wall_hit *h)
{
    const double    *x = p->s.position + 4 * (size_t)s;
    const ergi_wall *wall = &p->walls[w].wall;
    double           radius = x[3], overlap = radius - h->gap;
    uint32_t         body = p->s.body ? p->s.body[s] : s;
    double           mass = 1 / (double)((const erg_real *)p->body_motion)[8 * (size_t)body + 3];
    double           r_star = 1 / ergi_wall_contact_curvature(radius, h->curvature);
    wall_meeting     m;
    m.pair = &p->pair[p->class_material[p->s.klass[s]] * p->materials + p->walls[w].material];
    double kn, cn, kt, ct;
    ergi_contact_coef(&m.pair->scales, r_star, mass, &kn, &cn, &kt, &ct);
    m.coef = (ergi_coef){(erg_real)kn, (erg_real)cn, (erg_real)kt, (erg_real)ct};

    // The contact point lies halfway into the overlap, as between spheres.
    double   lever = radius - 0.5 * overlap;
    erg_vec3 point = ergi_madd(ergi_vec3(x[0], x[1], x[2]), -lever, h->normal);
    ergi_vec n = to_real(h->normal),
             u = to_real(ergi_wall_velocity(wall, &p->state[w].pose, point));
    const erg_real *motion = (const erg_real *)p->s.motion + 8 * (size_t)s;
    ergi_vec        spin = load3(motion + ERGI_SPIN);
    m.lever = (erg_real)lever;
    m.touch.n = n;
    m.touch.overlap = (erg_real)overlap;
    m.touch.v = ergi_vec_sub(ergi_vec_sub(load3(motion + ERGI_VELOCITY),
                                          ergi_vec_scale(m.lever, ergi_vec_cross(spin, n))),
                             u);
    m.touch.spin = ergi_vec_sub(spin, to_real(p->state[w].pose.spin));
    m.touch.radius = (erg_real)r_star;
    m.touch.dt = (erg_real)p->dt;
    return m;
}

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

static void wall_entry(const ergi_wall_pass *p, uint32_t s, uint32_t e, ergi_report *report,
                       double *sums)
{
    const int        width = p->memory_width, stride = width + 3, slots = p->slots;
    uint32_t         w = p->wall_of[e];
    const double    *x = p->s.position + 4 * (size_t)s;
    const ergi_wall *wall = &p->walls[w].wall;
    const ergi_pose *pose = &p->state[w].pose;
    uint32_t        *feature = p->feature + e * (size_t)slots;
    erg_real        *memory = (erg_real *)p->memory + e * (size_t)(slots * stride);
    erg_real        *pushes = (erg_real *)p->push + e * (size_t)(slots * 3);
    erg_real        *load = (erg_real *)p->s.load + 8 * (size_t)s;

    ergi_wall_hit hits[ERGI_WALL_MAX_HITS];
    int           found = ergi_wall_hits(wall, pose, ergi_vec3(x[0], x[1], x[2]), x[3], hits);

    // Slots of features that are no longer touched are free for new ones.
    for (int k = 0; k < slots && !p->trial; k++) {
        bool touched = false;
        for (int h = 0; h < found; h++) touched |= feature[k] == hits[h].feature;
        if (!touched && feature[k] != ERGI_NO_FEATURE) {
            feature[k] = ERGI_NO_FEATURE;
            for (int c = 0; c < stride; c++) memory[k * stride + c] = 0;
            for (int c = 0; c < 3; c++) pushes[k * 3 + c] = 0;
        }
    }
    for (int h = 0; h < found; h++) {
        if (!(hits[h].gap < x[3])) continue;
        wall_meeting  m = wall_meet(p, s, w, &hits[h]);
        ergi_pair_law law = wall_law(m.pair);
        bool          fresh;
        int           slot = find_slot(feature, slots, hits[h].feature, &fresh);
        ergi_memory   kept = {ergi_vec_zero(), ergi_vec_zero()};
        if (slot >= 0 && !fresh) {
            ergi_vec before = load3(memory + slot * stride + width);
            if (ergi_vec_dot(before, m.touch.n) > ERGI_R(1 - NORMAL_TURN))
                kept = recall(memory + slot * stride, width);
        }
        bool      rolling = width >= 8, cohesion = m.pair->cohesion > 0;
        ergi_push push = ergi_contact_push(law.normal, law.tangential, rolling, cohesion, law,
                                           m.coef, m.touch, kept);
        if (slot >= 0 && !p->trial) {
            feature[slot] = hits[h].feature;
            remember(memory + slot * stride, width, push.memory);
            store3(memory + slot * stride + width, m.touch.n);
            store3(pushes + slot * 3, push.force);
        }
        ergi_vec arm = ergi_vec_scale(-m.lever, m.touch.n);
        ergi_vec moment = ergi_vec_add(ergi_vec_cross(arm, push.force), push.couple);
        add_rows(load, ergi_rows_of((ergi_row){push.force.x, push.force.y, push.force.z, 0},
                                    (ergi_row){moment.x, moment.y, moment.z, 0}));

        // What the wall feels, about its pivot.
        erg_vec3 f = {-(double)push.force.x, -(double)push.force.y, -(double)push.force.z};
        erg_vec3 point = ergi_madd(ergi_vec3(x[0], x[1], x[2]), -(double)m.lever, hits[h].normal);
        erg_vec3 t = ergi_cross(ergi_sub(ergi_sub(point, wall->pivot), pose->position), f);
        double  *sum = sums + 6 * (size_t)w;
        sum[0] += f.x;
        sum[1] += f.y;
        sum[2] += f.z;
        sum[3] += t.x - (double)push.couple.x;
        sum[4] += t.y - (double)push.couple.y;
        sum[5] += t.z - (double)push.couple.z;

        report->wall_contacts++;
        double ratio = (x[3] - hits[h].gap) / x[3];
        if (ratio > report->overlap_ratio) {
            report->overlap_ratio = ratio;
            report->overlap_a = s;
            report->overlap_b = w;
            report->overlap_wall = 1;
        }
    }
}

static void walls_pass(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const ergi_wall_pass *p = ctx;
    ergi_report          *report = &p->report[chunk];
    double               *sums = p->wall_sum + 6 * p->wall_count * (size_t)chunk;
    for (size_t k = 0; k < 6 * p->wall_count; k++) sums[k] = 0;
    report->wall_contacts = 0;
    report->overlap_ratio = 0;
    for (erg_index r = begin; r < end; r++)
        for (uint32_t e = p->near_start[r]; e < p->near_start[r + 1]; e++)
            wall_entry(p, p->near_sphere[r], e, report, sums);
}

static double wall_energy(const ergi_wall_pass *p, erg_index begin, erg_index end)
{
    const int width = p->memory_width, stride = width + 3, slots = p->slots;
    double    energy = 0;
    for (erg_index r = begin; r < end; r++) {
        uint32_t      s = p->near_sphere[r];
        const double *x = p->s.position + 4 * (size_t)s;
        for (uint32_t e = p->near_start[r]; e < p->near_start[r + 1]; e++) {
            uint32_t        w = p->wall_of[e];
            const uint32_t *feature = p->feature + e * (size_t)slots;
            const erg_real *memory = (const erg_real *)p->memory + e * (size_t)(slots * stride);
            ergi_wall_hit   hits[ERGI_WALL_MAX_HITS];
            int             found = ergi_wall_hits(&p->walls[w].wall, &p->state[w].pose,
                                                   ergi_vec3(x[0], x[1], x[2]), x[3], hits);
            for (int h = 0; h < found; h++) {
                if (!(hits[h].gap < x[3])) continue;
                wall_meeting m = wall_meet(p, s, w, &hits[h]);
                ergi_memory  kept = {ergi_vec_zero(), ergi_vec_zero()};
                for (int k = 0; k < slots; k++)
                    if (feature[k] == hits[h].feature) kept = recall(memory + k * stride, width);
                energy += (double)ergi_contact_energy(
                    m.pair->scales.normal, m.pair->scales.tangential, width >= 8,
                    m.pair->cohesion > 0, wall_law(m.pair), m.coef, m.touch, kept);
            }
        }
    }
    return energy;
}

#endif
