// Contacts between spheres. Included by real_float.c and real_double.c alone.
//
// A chunk takes its candidate entries some hundred at a time: first all distances, keeping the pairs
// that touch (no branch in the loop, since every second candidate touches), then the laws for those.
#ifndef ERGI_PAIR_PASS_H
#define ERGI_PAIR_PASS_H

#include "dem/kernels.h"
#include "law/contact.h"

#define BATCH 256

typedef struct hit {
    uint32_t entry, owner;
    ergi_vec d;  // from the partner to the owner [m]
    erg_real d2; // its square [m^2]
} hit;

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

ERG_FN double nearest_image(double d, double period)
{
    double half = 0.5 * period;
    d           = d > half ? d - period : d;
    return d < -half ? d + period : d;
}

// A pair that stopped touching forgets all.
static void part(const ergi_pair_pass *p, uint32_t e)
{
    erg_real *memory = (erg_real *)p->memory + e * (size_t)p->memory_width;
    erg_real *push   = (erg_real *)p->push + e * (size_t)6;
    if (!p->trial) {
        p->touching[e] = 0;
        for (int k = 0; k < p->memory_width; k++) memory[k] = 0;
    }
    for (int k = 0; k < 6; k++) push[k] = 0;
}

// Collects the touching pairs among the entries from *e on, at most BATCH candidates; moves *e and the
// owner *i on.
ERG_FN int touching_pairs(const ergi_pair_pass *p, uint32_t *e, uint32_t last, uint32_t *i, const bool periodic,
                          hit hits[BATCH])
{
    int      n    = 0;
    uint32_t stop = last - *e > BATCH ? *e + BATCH : last;
    while (*e < stop) {
        while (*e >= p->start[*i + 1]) ++*i;
        const double *a   = p->s.position + 4 * (size_t)*i;
        uint32_t      end = p->start[*i + 1] < stop ? p->start[*i + 1] : stop;
        for (uint32_t k = *e; k < end; k++) {
            const double *b = p->s.position + 4 * (size_t)p->other[k];
            double        x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
            if (periodic) {
                if (p->period[0] > 0) x = nearest_image(x, p->period[0]);
                if (p->period[1] > 0) y = nearest_image(y, p->period[1]);
            }
            ergi_vec d     = ergi_vec_make((erg_real)x, (erg_real)y, (erg_real)z);
            erg_real reach = (erg_real)(a[3] + b[3]), d2 = ergi_vec_dot(d, d);
            bool     touches = d2 < reach * reach;
            hits[n]          = (hit){k, *i, d, d2};
            n += touches;
            if (!touches && (p->touching[k] || p->sweep)) part(p, k);
        }
        *e = end;
    }
    return n;
}

// What the law sees of one touching pair, and the two lever arms along the normal.
typedef struct meeting {
    ergi_touch touch;
    erg_real   lever_a, lever_b; // from the spheres' centres to the contact point [m]
    erg_real   ratio;            // overlap over the smaller radius
} meeting;

ERG_FN meeting meet(const ergi_pair_pass *p, const hit *h, const bool needs_radius)
{
    uint32_t        i = h->owner, j = p->other[h->entry];
    const erg_real *velocity = p->s.velocity, *spin = p->s.spin;
    erg_real        ra = (erg_real)p->s.position[4 * (size_t)i + 3], rb = (erg_real)p->s.position[4 * (size_t)j + 3];
    erg_real        distance = ergi_sqrt(h->d2);
    // Two centres in one place push apart along x rather than by NaN; the guard on overlap speaks then.
    ergi_vec n = h->d2 > 0 ? ergi_vec_scale(1 / distance, h->d) : ergi_vec_make(1, 0, 0);
    meeting  m;
    m.touch.n       = n;
    m.touch.overlap = (ra + rb) - distance;
    m.lever_a       = ra - ERGI_R(0.5) * m.touch.overlap;
    m.lever_b       = rb - ERGI_R(0.5) * m.touch.overlap;
    ergi_vec wa = load3(spin, i, 4), wb = load3(spin, j, 4);
    ergi_vec turning = ergi_vec_add(ergi_vec_scale(m.lever_a, wa), ergi_vec_scale(m.lever_b, wb));
    m.touch.v        = ergi_vec_sub(ergi_vec_sub(load3(velocity, i, 4), load3(velocity, j, 4)),
                                    ergi_vec_cross(turning, n));
    m.touch.spin     = ergi_vec_sub(wa, wb);
    m.touch.radius   = needs_radius ? ra * rb / (ra + rb) : 0;
    m.touch.dt       = (erg_real)p->dt;
    m.ratio          = m.touch.overlap / (ra < rb ? ra : rb);
    return m;
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

ERG_FN void pair_range(const ergi_pair_pass *p, erg_index begin, erg_index end, int chunk, const int normal_law,
                       const int tangential_law, const bool rolling, const bool cohesion, const bool periodic,
                       const int width)
{
    erg_real            *force = p->s.force, *torque = p->s.torque;
    const ergi_pair_law *laws  = p->law;
    const ergi_coef     *coefs = p->coef;
    ergi_report         *report = &p->report[chunk];
    hit                  hits[BATCH];
    double               power = 0, worst = 0;
    uint64_t             contacts = 0;

    for (size_t k = 4 * (size_t)begin; k < 4 * (size_t)end; k++) force[k] = torque[k] = 0;

    uint32_t e = p->start[begin], last = p->start[end], owner = (uint32_t)begin;
    while (e < last) {
        int n = touching_pairs(p, &e, last, &owner, periodic, hits);
        contacts += (uint64_t)n;
        for (int k = 0; k < n; k++) {
            const hit *h = &hits[k];
            uint32_t   i = h->owner, j = p->other[h->entry];
            size_t     both = (size_t)p->s.klass[i] * (size_t)p->classes + p->s.klass[j];
            meeting    m    = meet(p, h, rolling || cohesion);

            ergi_pair_law law    = laws[both];
            ergi_coef     coef   = p->coef_per_entry ? coefs[h->entry] : coefs[both];
            erg_real     *memory = (erg_real *)p->memory + h->entry * (size_t)width;
            ergi_push     push   = ergi_contact_push(normal_law < 0 ? law.normal : normal_law,
                                                     tangential_law < 0 ? law.tangential : tangential_law, rolling,
                                                     cohesion, law, coef, m.touch, recall(memory, width));
            if (!p->trial) {
                p->touching[h->entry] = 1;
                remember(memory, width, push.memory);
            }

            // The same contact point for both: torque about a is -lever_a n x F, about b -lever_b n x F.
            ergi_vec  moment = ergi_vec_cross(m.touch.n, push.force);
            erg_real *other  = (erg_real *)p->push + h->entry * (size_t)6;
            store3(other, ergi_vec_negate(push.force));
            store3(other + 3, ergi_vec_sub(ergi_vec_scale(-m.lever_b, moment), push.couple));
            add3(force + 4 * (size_t)i, push.force);
            add3(torque + 4 * (size_t)i, ergi_vec_sub(push.couple, ergi_vec_scale(m.lever_a, moment)));

            if (p->power)
                power += (double)(ergi_vec_dot(push.force, m.touch.v) + ergi_vec_dot(push.couple, m.touch.spin));
            if ((double)m.ratio > worst) {
                worst              = (double)m.ratio;
                report->overlap_a = i;
                report->overlap_b = j;
            }
        }
    }
    report->contacts      = contacts;
    report->power         = power;
    report->overlap_ratio = worst;
    report->overlap_wall  = 0;
}

// The default laws have a copy of their own in which everything else folds away.
static void pairs_pass(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const ergi_pair_pass *p = ctx;
    bool periodic = p->period[0] > 0 || p->period[1] > 0, plain = !p->rolling && !p->cohesion;
    if (plain && p->normal_law == ERGI_NORMAL_HERTZ && p->tangential_law == ERGI_TANGENTIAL_MINDLIN) {
        if (periodic)
            pair_range(p, begin, end, chunk, ERGI_NORMAL_HERTZ, ERGI_TANGENTIAL_MINDLIN, false, false, true, 3);
        else
            pair_range(p, begin, end, chunk, ERGI_NORMAL_HERTZ, ERGI_TANGENTIAL_MINDLIN, false, false, false, 3);
    } else {
        pair_range(p, begin, end, chunk, p->normal_law, p->tangential_law, p->rolling, p->cohesion, periodic,
                   p->memory_width);
    }
}

// Adds what each sphere received as a partner, in the order of the entries.
static void gather_pass(void *ctx, erg_index begin, erg_index end, int chunk)
{
    (void)chunk;
    const ergi_pair_pass *p    = ctx;
    const erg_real       *push = p->push;
    erg_real             *force = p->s.force, *torque = p->s.torque;
    for (erg_index i = begin; i < end; i++) {
        ergi_vec f = load3(force, (size_t)i, 4), t = load3(torque, (size_t)i, 4);
        for (uint32_t k = p->incoming_start[i]; k < p->incoming_start[i + 1]; k++) {
            const erg_real *e = push + p->incoming[k] * (size_t)6;
            f                 = ergi_vec_add(f, load3(e, 0, 3));
            t                 = ergi_vec_add(t, load3(e, 1, 3));
        }
        store3(force + 4 * (size_t)i, f);
        store3(torque + 4 * (size_t)i, t);
    }
}

static double pair_energy(const ergi_pair_pass *p, erg_index begin, erg_index end)
{
    const ergi_pair_law *laws   = p->law;
    const ergi_coef     *coefs  = p->coef;
    double               energy = 0;
    for (erg_index i = begin; i < end; i++) {
        for (uint32_t e = p->start[i]; e < p->start[i + 1]; e++) {
            if (!p->touching[e]) continue;
            uint32_t      j = p->other[e];
            const double *a = p->s.position + 4 * (size_t)i, *b = p->s.position + 4 * (size_t)j;
            double        x = a[0] - b[0], y = a[1] - b[1];
            if (p->period[0] > 0) x = nearest_image(x, p->period[0]);
            if (p->period[1] > 0) y = nearest_image(y, p->period[1]);
            hit h = {.entry = e, .owner = (uint32_t)i};
            h.d   = ergi_vec_make((erg_real)x, (erg_real)y, (erg_real)(a[2] - b[2]));
            h.d2  = ergi_vec_dot(h.d, h.d);
            meeting m = meet(p, &h, true);
            if (!(m.touch.overlap > 0)) continue;
            size_t        both = (size_t)p->s.klass[i] * (size_t)p->classes + p->s.klass[j];
            ergi_pair_law law  = laws[both];
            energy += (double)ergi_contact_energy(
                law.normal, law.tangential, p->rolling, p->cohesion, law, p->coef_per_entry ? coefs[e] : coefs[both],
                m.touch, recall((const erg_real *)p->memory + e * (size_t)p->memory_width, p->memory_width));
        }
    }
    return energy;
}

#endif
