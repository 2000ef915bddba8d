// Contacts between spheres. Included by real_kernels.h alone.
//
// A chunk takes its candidate entries some hundred at a time: first all distances, keeping the
// pairs that touch (no branch in the loop, since every second candidate touches), then the laws for
// those.
#ifndef ERGI_PAIR_PASS_H
#define ERGI_PAIR_PASS_H

#include "dem/kernels.h"
#include "law/contact.h"
#include "law/row.h"

#define BATCH 256

ERG_FN ergi_vec load3(const erg_real *array, size_t row, int width)
{
    const erg_real *p = array + row * (size_t)width;
    return ergi_vec_make(p[0], p[1], p[2]);
}

ERG_FN void add3(erg_real *p, ergi_vec v)
{
    p[0] += v.x;
    p[1] += v.y;
    p[2] += v.z;
}

ERG_FN void store3(erg_real *p, ergi_vec v)
{
    p[0] = v.x;
    p[1] = v.y;
    p[2] = v.z;
}

// A whole row of four: vector loops store rows without gaps.
ERG_FN void store_row(erg_real *p, ergi_vec v)
{
    store3(p, v);
    p[3] = 0;
}

ERG_FN double nearest_image(double d, double period)
{
    double half = 0.5 * period;
    d = d > half ? d - period : d;
    return d < -half ? d + period : d;
}

// ---- Which candidates touch --------------------------------------------------------------------
typedef struct candidates {
    uint32_t owner[BATCH];
    erg_real apart[4 * BATCH]; // x y z from partner to owner, and minus the sum of radii [m]
    erg_real d2[BATCH];        // squared distance [m^2]
    uint8_t  touches[BATCH];
    uint32_t hit[BATCH]; // numbers of those that touch
} candidates;

// A pair that stopped touching forgets all.
static void part(const ergi_pair_pass *p, uint32_t e)
{
    erg_real *memory = (erg_real *)p->memory + e * (size_t)p->memory_width;
    erg_real *push = (erg_real *)p->push + e * (size_t)8;
    if (!p->trial) {
        p->touching[e] = 0;
        for (int k = 0; k < p->memory_width; k++) memory[k] = 0;
    }
    for (int k = 0; k < 8; k++) push[k] = 0;
}

// Takes up to BATCH entries from `first` on, the first of them owned by *i or a later sphere;
// returns how many of them touch. Changes nothing but *i and *c.
ERG_FN int look_touching(const ergi_pair_pass *p, uint32_t first, uint32_t count, uint32_t *i,
                         const bool periodic, candidates *c)
{
    const double *position = p->s.position;
    for (uint32_t k = 0; k < count;) {
        while (first + k >= p->start[*i + 1]) ++*i;
        uint32_t   end = p->start[*i + 1] - first < count ? p->start[*i + 1] - first : count;
        ergi_row64 a = ergi_row64_load(position + 4 * (size_t)*i);
        a[3] = -a[3];
        for (; k < end; k++) {
            ergi_row64 d = a - ergi_row64_load(position + 4 * (size_t)p->other[first + k]);
            if (periodic) {
                if (p->period[0] > 0) d[0] = nearest_image(d[0], p->period[0]);
                if (p->period[1] > 0) d[1] = nearest_image(d[1], p->period[1]);
            }
            ergi_row_store(c->apart + 4 * k, __builtin_convertvector(d, ergi_row));
            c->owner[k] = *i;
        }
    }
#pragma omp simd
    for (uint32_t k = 0; k < count; k++) {
        erg_real x = c->apart[4 * k], y = c->apart[4 * k + 1], z = c->apart[4 * k + 2],
                 reach = c->apart[4 * k + 3];
        erg_real d2 = x * x + y * y + z * z;
        c->d2[k] = d2;
        c->touches[k] = d2 < reach * reach ? 1 : 0;
    }
    uint32_t n = 0;
    for (uint32_t k = 0; k < count; k++) {
        c->hit[n] = k;
        n += c->touches[k];
    }
    return (int)n;
}

// Pairs that touched before and do not now.
ERG_FN void part_all(const ergi_pair_pass *p, uint32_t first, uint32_t count, const candidates *c)
{
    const uint8_t *before = p->touching + first;
    uint8_t        parted = p->sweep;
    for (uint32_t k = 0; k < count; k++) parted |= (uint8_t)(before[k] & (c->touches[k] ^ 1));
    if (!parted) return;
    for (uint32_t k = 0; k < count; k++)
        if (!c->touches[k] && (before[k] || p->sweep)) part(p, first + k);
}

// ---- What the laws see -------------------------------------------------------------------------
// Touching pairs side by side, in rows of four, so that the laws run on many at once.
typedef struct meetings {
    uint32_t  entry[BATCH], owner[BATCH], other[BATCH];
    erg_real  apart[4 * BATCH], d2[BATCH];
    erg_real  radius_a[BATCH], radius_b[BATCH];
    erg_real  drift[4 * BATCH];                     // u_a - u_b of the centres [m/s]
    erg_real  spin_a[4 * BATCH], spin_b[4 * BATCH]; // [rad/s]
    erg_real  slide[4 * BATCH], roll[4 * BATCH];    // memory, before and after
    ergi_coef coef[BATCH];
    erg_real  force[4 * BATCH];                         // on a [N]
    erg_real  torque_a[4 * BATCH], torque_b[4 * BATCH]; // about the spheres' centres [N m]
    erg_real  ratio[BATCH];                             // overlap over the smaller radius
} meetings;

ERG_FN void gather_meetings(const ergi_pair_pass *p, const candidates *c, uint32_t first, int n,
                            const int width, const bool coefs_vary, meetings *m)
{
    const erg_real  *velocity = p->s.velocity, *spin = p->s.spin, *memory = p->memory;
    const ergi_coef *coefs = p->coef;
    for (int k = 0; k < n; k++) {
        uint32_t at = c->hit[k], e = first + at, i = c->owner[at], j = p->other[e];
        m->entry[k] = e;
        m->owner[k] = i;
        m->other[k] = j;
        m->d2[k] = c->d2[at];
        ergi_row_store(m->apart + 4 * k, ergi_row_load(c->apart + 4 * at));
        ergi_row_store(m->drift + 4 * k, ergi_row_load(velocity + 4 * (size_t)i) -
                                             ergi_row_load(velocity + 4 * (size_t)j));
        ergi_row_store(m->spin_a + 4 * k, ergi_row_load(spin + 4 * (size_t)i));
        ergi_row_store(m->spin_b + 4 * k, ergi_row_load(spin + 4 * (size_t)j));
        m->radius_a[k] = (erg_real)p->s.position[4 * (size_t)i + 3];
        m->radius_b[k] = (erg_real)p->s.position[4 * (size_t)j + 3];
        store_row(m->slide + 4 * k, width >= 3 ? load3(memory, e, width) : ergi_vec_zero());
        if (width >= 6) store_row(m->roll + 4 * k, load3(memory + 3, e, width));
        if (coefs_vary)
            m->coef[k] = p->coef_per_entry
                             ? coefs[e]
                             : coefs[(size_t)p->s.klass[i] * (size_t)p->classes + p->s.klass[j]];
    }
}

ERG_FN ergi_vec row_vec(const erg_real *row)
{
    return ergi_vec_make(row[0], row[1], row[2]);
}

ERG_FN ergi_touch touch_of(const meetings *m, int k, erg_real dt, erg_real *lever_a,
                           erg_real *lever_b)
{
    erg_real ra = m->radius_a[k], rb = m->radius_b[k], d2 = m->d2[k], distance = ergi_sqrt(d2);
    // Two centres in one place push apart along x rather than by NaN; the guard on overlap speaks
    // then.
    erg_real   safe = d2 > 0 ? distance : ERGI_R(1), along_x = d2 > 0 ? ERGI_R(0) : ERGI_R(1);
    ergi_vec   n = ergi_vec_scale(1 / safe, row_vec(m->apart + 4 * k));
    ergi_vec   wa = row_vec(m->spin_a + 4 * k), wb = row_vec(m->spin_b + 4 * k);
    ergi_touch t;
    n.x += along_x;
    t.n = n;
    t.overlap =
        ergi_positive(-m->apart[4 * k + 3] - distance); // rounding may leave it just below zero
    *lever_a = ra - ERGI_R(0.5) * t.overlap;            // from the centres to the contact point
    *lever_b = rb - ERGI_R(0.5) * t.overlap;
    ergi_vec turning = ergi_vec_add(ergi_vec_scale(*lever_a, wa), ergi_vec_scale(*lever_b, wb));
    t.v = ergi_vec_sub(row_vec(m->drift + 4 * k), ergi_vec_cross(turning, n));
    t.spin = ergi_vec_sub(wa, wb);
    t.radius = ra * rb / (ra + rb);
    t.dt = dt;
    return t;
}

// The laws on meeting k. The same contact point for both spheres: the torque about a is -lever_a n
// x F, about b -lever_b n x F.
ERG_FN void push_meeting(meetings *m, int k, ergi_pair_law law, ergi_coef coef, erg_real dt,
                         const int normal_law, const int tangential_law, const bool rolling,
                         const bool cohesion)
{
    erg_real    lever_a, lever_b;
    ergi_touch  t = touch_of(m, k, dt, &lever_a, &lever_b);
    ergi_memory kept = {row_vec(m->slide + 4 * k),
                        rolling ? row_vec(m->roll + 4 * k) : ergi_vec_zero()};
    ergi_push   push =
        ergi_contact_push(normal_law, tangential_law, rolling, cohesion, law, coef, t, kept);
    ergi_vec moment = ergi_vec_cross(t.n, push.force);
    store_row(m->force + 4 * k, push.force);
    store_row(m->torque_a + 4 * k, ergi_vec_sub(push.couple, ergi_vec_scale(lever_a, moment)));
    store_row(m->torque_b + 4 * k,
              ergi_vec_negate(ergi_vec_add(push.couple, ergi_vec_scale(lever_b, moment))));
    store_row(m->slide + 4 * k, push.memory.slide);
    if (rolling) store_row(m->roll + 4 * k, push.memory.roll);
    erg_real smaller = m->radius_a[k] < m->radius_b[k] ? m->radius_a[k] : m->radius_b[k];
    m->ratio[k] = t.overlap / smaller;
}

ERG_FN void store_meetings(const ergi_pair_pass *p, const meetings *m, int n, const int width)
{
    erg_real *force = p->s.force, *torque = p->s.torque, *pushes = p->push, *memory = p->memory;
    for (int k = 0; k < n; k++) {
        size_t    i = m->owner[k], e = m->entry[k];
        ergi_row  f = ergi_row_load(m->force + 4 * k);
        erg_real *fa = force + 4 * i, *ta = torque + 4 * i;
        ergi_row_store(fa, ergi_row_load(fa) + f);
        ergi_row_store(ta, ergi_row_load(ta) + ergi_row_load(m->torque_a + 4 * k));
        ergi_row_store(pushes + 8 * e, -f);
        ergi_row_store(pushes + 8 * e + 4, ergi_row_load(m->torque_b + 4 * k));
        if (p->trial) continue;
        p->touching[e] = 1;
        if (width >= 3) store3(memory + e * (size_t)width, row_vec(m->slide + 4 * k));
        if (width >= 6) store3(memory + e * (size_t)width + 3, row_vec(m->roll + 4 * k));
    }
}

// ---- The pass ----------------------------------------------------------------------------------
// `uniform`: one law for all pairs, known when this is compiled, so that its loop runs on many
// lanes.
ERG_FN void pair_range(const ergi_pair_pass *p, erg_index begin, erg_index end, int chunk,
                       const int normal_law, const int tangential_law, const bool rolling,
                       const bool uniform, const bool periodic, const int width)
{
    const ergi_pair_law *laws = p->law;
    const ergi_coef     *coefs = p->coef;
    ergi_report         *report = &p->report[chunk];
    erg_real            *force = p->s.force, *torque = p->s.torque, dt = (erg_real)p->dt, worst = 0;
    uint64_t             contacts = 0;
    candidates           c;
    meetings             m;

    for (size_t k = 4 * (size_t)begin; k < 4 * (size_t)end; k++) force[k] = torque[k] = 0;

    uint32_t last = p->start[end], owner = (uint32_t)begin;
    for (uint32_t first = p->start[begin]; first < last; first += BATCH) {
        uint32_t count = last - first < BATCH ? last - first : BATCH;
        int      n = look_touching(p, first, count, &owner, periodic, &c);
        part_all(p, first, count, &c);
        bool vary = p->coef_per_entry || p->classes > 1;
        gather_meetings(p, &c, first, n, width, vary, &m);
        if (uniform && !vary) {
            ergi_pair_law law = laws[0];
            ergi_coef     coef = coefs[0];
#pragma omp simd
            for (int k = 0; k < n; k++)
                push_meeting(&m, k, law, coef, dt, normal_law, tangential_law, rolling, false);
        } else if (uniform) {
            ergi_pair_law law = laws[p->one_law];
#pragma omp simd
            for (int k = 0; k < n; k++)
                push_meeting(&m, k, law, m.coef[k], dt, normal_law, tangential_law, rolling, false);
        } else {
            for (int k = 0; k < n; k++) {
                size_t both =
                    (size_t)p->s.klass[m.owner[k]] * (size_t)p->classes + p->s.klass[m.other[k]];
                push_meeting(&m, k, laws[both], vary ? m.coef[k] : coefs[0], dt, laws[both].normal,
                             laws[both].tangential, p->rolling, p->cohesion);
            }
        }
        store_meetings(p, &m, n, width);
        contacts += (uint64_t)n;
        for (int k = 0; k < n; k++)
            if (m.ratio[k] > worst) {
                worst = m.ratio[k];
                report->overlap_a = m.owner[k];
                report->overlap_b = m.other[k];
            }
    }
    report->contacts = contacts;
    report->overlap_ratio = (double)worst;
    report->overlap_wall = 0;
}

// The default laws have a copy of their own in which everything else folds away.
static void pairs_pass(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const ergi_pair_pass *p = ctx;
    bool                  periodic = p->period[0] > 0 || p->period[1] > 0;
    bool usual = p->one_law >= 0 && !p->cohesion && p->normal_law == ERGI_NORMAL_HERTZ &&
                 p->tangential_law == ERGI_TANGENTIAL_MINDLIN;
    if (usual && p->rolling)
        pair_range(p, begin, end, chunk, ERGI_NORMAL_HERTZ, ERGI_TANGENTIAL_MINDLIN, true, true,
                   periodic, 6);
    else if (usual && periodic)
        pair_range(p, begin, end, chunk, ERGI_NORMAL_HERTZ, ERGI_TANGENTIAL_MINDLIN, false, true,
                   true, 3);
    else if (usual)
        pair_range(p, begin, end, chunk, ERGI_NORMAL_HERTZ, ERGI_TANGENTIAL_MINDLIN, false, true,
                   false, 3);
    else
        pair_range(p, begin, end, chunk, -1, -1, p->rolling, false, periodic, p->memory_width);
}

// Adds what each sphere received as a partner, in the order of the entries.
static void gather_pass(void *ctx, erg_index begin, erg_index end, int chunk)
{
    (void)chunk;
    const ergi_pair_pass *p = ctx;
    const erg_real       *push = p->push;
    erg_real             *force = p->s.force, *torque = p->s.torque;
    for (erg_index i = begin; i < end; i++) {
        ergi_row f = ergi_row_load(force + 4 * (size_t)i),
                 t = ergi_row_load(torque + 4 * (size_t)i);
        for (uint32_t k = p->incoming_start[i]; k < p->incoming_start[i + 1]; k++) {
            const erg_real *e = push + 8 * (size_t)p->incoming[k];
            f += ergi_row_load(e);
            t += ergi_row_load(e + 4);
        }
        ergi_row_store(force + 4 * (size_t)i, f);
        ergi_row_store(torque + 4 * (size_t)i, t);
    }
}

ERG_FN ergi_memory recall(const erg_real *memory, int width)
{
    ergi_memory m = {ergi_vec_zero(), ergi_vec_zero()};
    if (width >= 3) m.slide = load3(memory, 0, 3);
    if (width >= 6) m.roll = load3(memory, 1, 3);
    return m;
}

ERG_FN void remember(erg_real *memory, int width, ergi_memory m)
{
    if (width >= 3) store3(memory, m.slide);
    if (width >= 6) store3(memory + 3, m.roll);
}

// Elastic energy of the contacts that some spheres own, at the present state.
static double pair_energy(const ergi_pair_pass *p, erg_index begin, erg_index end)
{
    const ergi_pair_law *laws = p->law;
    const ergi_coef     *coefs = p->coef;
    double               energy = 0;
    uint32_t             last = p->start[end], owner = (uint32_t)begin;
    candidates           c;
    meetings             m;
    for (uint32_t first = p->start[begin]; first < last; first += BATCH) {
        uint32_t count = last - first < BATCH ? last - first : BATCH;
        int      n = look_touching(p, first, count, &owner, true, &c);
        gather_meetings(p, &c, first, n, p->memory_width, true, &m);
        for (int k = 0; k < n; k++) {
            size_t both =
                (size_t)p->s.klass[m.owner[k]] * (size_t)p->classes + p->s.klass[m.other[k]];
            ergi_pair_law law = laws[both];
            erg_real      lever_a, lever_b;
            ergi_touch    t = touch_of(&m, k, (erg_real)p->dt, &lever_a, &lever_b);
            energy += (double)ergi_contact_energy(
                law.normal, law.tangential, p->rolling, p->cohesion, law,
                p->coef_per_entry ? m.coef[k] : coefs[both], t,
                recall((const erg_real *)p->memory + m.entry[k] * (size_t)p->memory_width,
                       p->memory_width));
        }
    }
    return energy;
}

#endif
