// Contacts between spheres. Included by real_kernels.h alone.
//
// A chunk takes its candidates some hundred at a time and in four loops, each of which does one
// thing to all of them:
//
//     look     distances of all candidates, four at a time; those that touch move to the front
//     gather   rows of motion and memory of both spheres, turned into columns
//     push     where the contacts are, then the laws, on LANES contacts at once, from columns to
//              columns
//     apply    columns turned into rows again, added to the loads of both spheres
#ifndef ERGI_PAIR_PASS_H
#define ERGI_PAIR_PASS_H

#include "dem/compact.h"
#include "dem/kernels.h"
#include "dem/place_row.h"
#include "law/contact.h"

enum { BATCH = 128, LANES = 8, ROOM = BATCH + LANES };

typedef struct meetings {
    uint32_t entry[ROOM];
    int32_t  touches[ROOM]; // -1 or 0
    // From partner to owner, and minus the sum of radii [m]
    erg_real x[ROOM], y[ROOM], z[ROOM], reach[ROOM];
    erg_real differ[ROOM];                                // owner's radius less the partner's [m]
    erg_real drift_x[ROOM], drift_y[ROOM], drift_z[ROOM]; // u_a - u_b [m/s]
    erg_real sum_x[ROOM], sum_y[ROOM], sum_z[ROOM];       // w_a + w_b [rad/s]
    erg_real spin_x[ROOM], spin_y[ROOM], spin_z[ROOM];    // w_a - w_b, where it counts [rad/s]
    erg_real slide_x[ROOM], slide_y[ROOM], slide_z[ROOM]; // memory, before and after
    erg_real roll_x[ROOM], roll_y[ROOM], roll_z[ROOM];
    erg_real kn[ROOM], cn[ROOM], kt[ROOM], ct[ROOM];
    erg_real force_x[ROOM], force_y[ROOM], force_z[ROOM]; // on the owner [N]
    erg_real owner_x[ROOM], owner_y[ROOM], owner_z[ROOM]; // torques about the centres [N m]
    erg_real partner_x[ROOM], partner_y[ROOM], partner_z[ROOM];
    erg_real n_x[ROOM], n_y[ROOM], n_z[ROOM], v_x[ROOM], v_y[ROOM], v_z[ROOM]; // as in ergi_touch
    erg_real overlap[ROOM], radius[ROOM];
    erg_real lever[ROOM]; // mean of both
    erg_real ratio[ROOM]; // overlap over the smaller radius, or, where all are equal, overlap
} meetings;

// What of all this a pass needs, known when it is compiled.
typedef struct pair_kind {
    int  normal, tangential; // laws; -1: by pair
    bool rolling, cohesion;
    bool equal; // one class: all radii and coefficients are the same
    int  width; // of the memory
} pair_kind;

ERG_FN erg_real *load_of(const ergi_sphere_arrays *s, size_t i)
{
    return (erg_real *)s->load + 8 * (i - s->load_from);
}

// ---- Look --------------------------------------------------------------------------------------
// Entries from first + k on; beyond the last of them, that one again.
ERG_FN void look_at_four(const ergi_pair_pass *p, const ergi_pair_side *side,
                         const place_row *owners, const spacing *space, uint32_t first, uint32_t k,
                         uint32_t last, const bool whole, meetings *m)
{
    typedef int32_t mask_row __attribute__((vector_size(16)));
    ergi_row        r[4];
    for (uint32_t c = 0; c < 4; c++) {
        uint32_t e = first + (whole || k + c < last ? k + c : last);
        __builtin_prefetch((const erg_real *)p->s.motion + 8 * (size_t)side->other[e]);
        r[c] = place_apart(owners[side->owner[e]], place_load(p->s.place, side->other[e]), space);
    }
    ergi_row_transpose(r);
    ergi_row_store(m->x + k, r[0]);
    ergi_row_store(m->y + k, r[1]);
    ergi_row_store(m->z + k, r[2]);
    ergi_row_store(m->reach + k, r[3]);
    mask_row touches =
        __builtin_convertvector(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] < r[3] * r[3], mask_row);
    memcpy(m->touches + k, &touches, sizeof touches);
}

// A pair that stopped touching forgets all.
ERG_FN void part(const ergi_pair_side *side, uint32_t first, uint32_t count, const int32_t *touches,
                 int width)
{
    uint8_t *touching = side->touching + first;
    uint32_t parted = 0;
    for (uint32_t k = 0; k < count; k++) parted |= touching[k] & (uint32_t)(touches[k] + 1);
    if (parted)
        for (uint32_t k = 0; k < count; k++)
            if (touching[k] && !touches[k])
                for (int a = 0; a < width; a++)
                    ((erg_real *)side->memory)[(size_t)(first + k) * (size_t)width + (size_t)a] = 0;
    for (uint32_t k = 0; k < count; k++) touching[k] = (uint8_t)-touches[k];
}

// How many of `count` entries from `first` on touch: their numbers and distances stand in front.
ERG_FN uint32_t look(const ergi_pair_pass *p, const ergi_pair_side *side, const place_row *owners,
                     const spacing *space, uint32_t first, uint32_t count, meetings *m)
{
    uint32_t k = 0, whole = count & ~3u, padded = (count + LANES - 1) & ~(LANES - 1u);
    for (; k < whole; k += 4) look_at_four(p, side, owners, space, first, k, 0, true, m);
    for (; k < padded; k += 4) look_at_four(p, side, owners, space, first, k, count - 1, false, m);
    for (k = count; k < padded; k++) m->touches[k] = 0;
    if (!p->trial) part(side, first, count, m->touches, p->memory_width);
    erg_real *const column[4] = {m->x, m->y, m->z, m->reach};
    return compact(column, m->touches, padded, first, m->entry);
}

// ---- Gather ------------------------------------------------------------------------------------
ERG_FN void gather_memory(const ergi_pair_side *side, uint32_t k, const int width, meetings *m)
{
    const erg_real *memory = side->memory;
    if (width == 4) {
        ergi_row slide[4];
        for (uint32_t c = 0; c < 4; c++)
            slide[c] = ergi_row_load(memory + 4 * (size_t)m->entry[k + c]);
        ergi_row_transpose(slide);
        ergi_row_store(m->slide_x + k, slide[0]);
        ergi_row_store(m->slide_y + k, slide[1]);
        ergi_row_store(m->slide_z + k, slide[2]);
    } else if (width == 8) {
        ergi_rows both[4];
        for (uint32_t c = 0; c < 4; c++)
            both[c] = ergi_rows_load(memory + 8 * (size_t)m->entry[k + c]);
        ergi_rows_transpose(both);
        ergi_rows_spread(both[0], m->slide_x + k, m->roll_x + k);
        ergi_rows_spread(both[1], m->slide_y + k, m->roll_y + k);
        ergi_rows_spread(both[2], m->slide_z + k, m->roll_z + k);
    }
}

// Fills the columns of n contacts, rounded up to whole lanes by repeating the first.
ERG_FN void gather(const ergi_pair_pass *p, const ergi_pair_side *side, const spacing *space,
                   size_t begin, uint32_t n, const pair_kind kind, meetings *m)
{
    const erg_real *motion = p->s.motion;
    const ergi_rows turned = ergi_rows_of(ergi_row_all(-1), ergi_row_all(1));
    for (uint32_t k = n; k % LANES; k++) {
        m->entry[k] = m->entry[0];
        m->x[k] = m->x[0];
        m->y[k] = m->y[0];
        m->z[k] = m->z[0];
        m->reach[k] = m->reach[0];
    }
    for (uint32_t k = 0; k < n; k += 4) {
        ergi_rows row[4], spin[4];
        for (uint32_t c = 0; c < 4; c++) {
            uint32_t  e = m->entry[k + c];
            size_t    i = begin + side->owner[e], j = side->other[e];
            ergi_rows a = ergi_rows_load(motion + 8 * i), b = ergi_rows_load(motion + 8 * j);
            row[c] = ergi_rows_add(a, ergi_rows_mul(b, turned)); // u_a - u_b, w_a + w_b
            if (!kind.equal || kind.rolling) spin[c] = ergi_rows_sub(a, b);
            if (!kind.equal) {
                m->differ[k + c] =
                    place_differ(place_load(p->s.place, i), place_load(p->s.place, j), space);
                const ergi_coef *coef = p->coef_per_entry
                                            ? (const ergi_coef *)side->coef + e
                                            : (const ergi_coef *)p->coef +
                                                  (size_t)p->s.klass[i] * (size_t)p->classes +
                                                  p->s.klass[j];
                m->kn[k + c] = coef->kn;
                m->cn[k + c] = coef->cn;
                m->kt[k + c] = coef->kt;
                m->ct[k + c] = coef->ct;
            }
        }
        ergi_rows_transpose(row);
        ergi_rows_spread(row[0], m->drift_x + k, m->sum_x + k);
        ergi_rows_spread(row[1], m->drift_y + k, m->sum_y + k);
        ergi_rows_spread(row[2], m->drift_z + k, m->sum_z + k);
        if (!kind.equal || kind.rolling) {
            ergi_rows_transpose(spin);
            ergi_row_store(m->spin_x + k, ergi_rows_high(spin[0]));
            ergi_row_store(m->spin_y + k, ergi_rows_high(spin[1]));
            ergi_row_store(m->spin_z + k, ergi_rows_high(spin[2]));
        }
        gather_memory(side, k, kind.width, m);
    }
}

// ---- Meet --------------------------------------------------------------------------------------
// Where contact k is and how fast its sides slide. A loop of its own: roots and divisions wait for
// each other, and the shorter the chain, the more contacts the processor works on at once.
ERG_FN void meet(meetings *m, uint32_t k, const pair_kind kind)
{
    ergi_vec d = {m->x[k], m->y[k], m->z[k]};
    erg_real d2 = ergi_vec_dot(d, d), distance = ergi_sqrt(d2), sum = -m->reach[k];
    // Two centres in one place push apart along x rather than by NaN; the guard on overlap speaks
    // then.
    erg_real safe = d2 > 0 ? distance : ERGI_R(1), along_x = d2 > 0 ? ERGI_R(0) : ERGI_R(1);
    ergi_vec n = ergi_vec_scale(1 / safe, d);
    n.x += along_x;
    erg_real overlap = ergi_positive(sum - distance); // rounding may leave it just below zero
    erg_real mean = ERGI_R(0.5) * (sum - overlap), half = 0;
    // Both levers times their spins, by sum and difference.
    ergi_vec turning = ergi_vec_scale(mean, ergi_vec_make(m->sum_x[k], m->sum_y[k], m->sum_z[k]));
    if (!kind.equal) {
        half = ERGI_R(0.5) * m->differ[k];
        turning = ergi_vec_add(
            turning, ergi_vec_scale(half, ergi_vec_make(m->spin_x[k], m->spin_y[k], m->spin_z[k])));
    }
    ergi_vec v = ergi_vec_sub(ergi_vec_make(m->drift_x[k], m->drift_y[k], m->drift_z[k]),
                              ergi_vec_cross(turning, n));
    m->n_x[k] = n.x;
    m->n_y[k] = n.y;
    m->n_z[k] = n.z;
    m->v_x[k] = v.x;
    m->v_y[k] = v.y;
    m->v_z[k] = v.z;
    m->overlap[k] = overlap;
    m->lever[k] = mean;
    // R* = (s^2 - d^2) / 4 s with sum s and difference d of the radii; the smaller is (s - |d|)
    // / 2.
    if (!kind.equal || kind.rolling || kind.cohesion)
        m->radius[k] = ERGI_R(0.25) * (sum - 4 * half * half / sum);
    m->ratio[k] = kind.equal ? overlap : overlap / (ERGI_R(0.5) * sum - ergi_fabs(half));
}

// ---- Push --------------------------------------------------------------------------------------
ERG_FN ergi_touch touch_of(const meetings *m, uint32_t k, const pair_kind kind, erg_real dt)
{
    ergi_touch t = {.n = {m->n_x[k], m->n_y[k], m->n_z[k]},
                    .overlap = m->overlap[k],
                    .v = {m->v_x[k], m->v_y[k], m->v_z[k]},
                    .dt = dt};
    if (kind.rolling) t.spin = ergi_vec_make(m->spin_x[k], m->spin_y[k], m->spin_z[k]);
    if (kind.rolling || kind.cohesion) t.radius = m->radius[k];
    return t;
}

ERG_FN ergi_memory memory_of(const meetings *m, uint32_t k, const pair_kind kind)
{
    ergi_memory r = {ergi_vec_zero(), ergi_vec_zero()};
    if (kind.width >= 4) r.slide = ergi_vec_make(m->slide_x[k], m->slide_y[k], m->slide_z[k]);
    if (kind.width >= 8) r.roll = ergi_vec_make(m->roll_x[k], m->roll_y[k], m->roll_z[k]);
    return r;
}

// The laws on meeting k. The same contact point for both spheres, halfway into the overlap: with
// levers from the centres to it, the torque about a is -lever_a n x F, about b -lever_b n x F.
ERG_FN void push_meeting(meetings *m, uint32_t k, ergi_pair_law law, ergi_coef coef, erg_real dt,
                         const pair_kind kind)
{
    ergi_touch t = touch_of(m, k, kind, dt);
    ergi_push  push = ergi_contact_push(kind.normal, kind.tangential, kind.rolling, kind.cohesion,
                                        law, coef, t, memory_of(m, k, kind));
    ergi_vec   moment = ergi_vec_cross(t.n, push.force);
    erg_real   half = kind.equal ? 0 : ERGI_R(0.5) * m->differ[k];
    ergi_vec   a = ergi_vec_scale(-(m->lever[k] + half), moment);
    m->force_x[k] = push.force.x;
    m->force_y[k] = push.force.y;
    m->force_z[k] = push.force.z;
    if (kind.rolling) a = ergi_vec_add(a, push.couple);
    m->owner_x[k] = a.x;
    m->owner_y[k] = a.y;
    m->owner_z[k] = a.z;
    if (!kind.equal || kind.rolling) {
        ergi_vec b = ergi_vec_scale(-(m->lever[k] - half), moment);
        if (kind.rolling) b = ergi_vec_sub(b, push.couple);
        m->partner_x[k] = b.x;
        m->partner_y[k] = b.y;
        m->partner_z[k] = b.z;
    }
    if (kind.width >= 4) {
        m->slide_x[k] = push.memory.slide.x;
        m->slide_y[k] = push.memory.slide.y;
        m->slide_z[k] = push.memory.slide.z;
    }
    if (kind.width >= 8) {
        m->roll_x[k] = push.memory.roll.x;
        m->roll_y[k] = push.memory.roll.y;
        m->roll_z[k] = push.memory.roll.z;
    }
}

ERG_FN ergi_coef coef_of(const meetings *m, uint32_t k)
{
    return (ergi_coef){m->kn[k], m->cn[k], m->kt[k], m->ct[k]};
}

// ---- Apply -------------------------------------------------------------------------------------
ERG_FN void apply_memory(const ergi_pair_side *side, const uint32_t *entry, uint32_t k, uint32_t n,
                         const int width, const meetings *m)
{
    erg_real      *memory = side->memory;
    const ergi_row none = ergi_row_all(0);
    if (width == 4) {
        ergi_row slide[4] = {ergi_row_load(m->slide_x + k), ergi_row_load(m->slide_y + k),
                             ergi_row_load(m->slide_z + k), none};
        ergi_row_transpose(slide);
        for (uint32_t c = 0; c < n; c++) ergi_row_store(memory + 4 * (size_t)entry[c], slide[c]);
    } else if (width == 8) {
        ergi_rows both[4] = {
            ergi_rows_of(ergi_row_load(m->slide_x + k), ergi_row_load(m->roll_x + k)),
            ergi_rows_of(ergi_row_load(m->slide_y + k), ergi_row_load(m->roll_y + k)),
            ergi_rows_of(ergi_row_load(m->slide_z + k), ergi_row_load(m->roll_z + k)),
            ergi_rows_of(none, none)};
        ergi_rows_transpose(both);
        for (uint32_t c = 0; c < n; c++) ergi_rows_store(memory + 8 * (size_t)entry[c], both[c]);
    }
}

// Rows of force and torque of four contacts.
ERG_FN void load_rows(const meetings *m, const erg_real *x, const erg_real *y, const erg_real *z,
                      uint32_t k, ergi_rows row[4])
{
    const ergi_row none = ergi_row_all(0);
    row[0] = ergi_rows_of(ergi_row_load(m->force_x + k), ergi_row_load(x + k));
    row[1] = ergi_rows_of(ergi_row_load(m->force_y + k), ergi_row_load(y + k));
    row[2] = ergi_rows_of(ergi_row_load(m->force_z + k), ergi_row_load(z + k));
    row[3] = ergi_rows_of(none, none);
    ergi_rows_transpose(row);
}

ERG_FN void add_rows(erg_real *to, ergi_rows row)
{
    ergi_rows_store(to, ergi_rows_add(ergi_rows_load(to), row));
}

ERG_FN void apply_some(const ergi_pair_pass *p, const ergi_pair_side *side, size_t begin,
                       const meetings *m, uint32_t k, uint32_t n, const pair_kind kind,
                       const bool outer)
{
    const ergi_rows turned = ergi_rows_of(ergi_row_all(-1), ergi_row_all(1));
    erg_real       *load = load_of(&p->s, begin);
    ergi_rows       owner[4], partner[4];
    load_rows(m, m->owner_x, m->owner_y, m->owner_z, k, owner);
    if (!kind.equal || kind.rolling)
        load_rows(m, m->partner_x, m->partner_y, m->partner_z, k, partner);
    for (uint32_t c = 0; c < n; c++) {
        uint32_t  e = m->entry[k + c];
        ergi_rows other = !kind.equal || kind.rolling ? partner[c] : owner[c];
        other = ergi_rows_mul(other, turned);
        add_rows(load + 8 * (size_t)side->owner[e], owner[c]);
        if (outer)
            ergi_rows_store((erg_real *)side->push + 8 * (size_t)e, other);
        else
            add_rows(load + 8 * (side->other[e] - begin), other);
    }
    if (!p->trial) apply_memory(side, m->entry + k, k, n, kind.width, m);
}

ERG_FN void apply(const ergi_pair_pass *p, const ergi_pair_side *side, size_t begin,
                  const meetings *m, uint32_t n, const pair_kind kind, const bool outer)
{
    uint32_t k = 0;
    for (; k + 4 <= n; k += 4) apply_some(p, side, begin, m, k, 4, kind, outer);
    if (k < n) apply_some(p, side, begin, m, k, n - k, kind, outer);
}

// ---- The pass ----------------------------------------------------------------------------------
ERG_FN void push(const ergi_pair_pass *p, const ergi_pair_side *side, size_t begin, uint32_t n,
                 const pair_kind kind, meetings *m)
{
    const ergi_pair_law *laws = p->law;
    erg_real             dt = (erg_real)p->dt;
    for (uint32_t g = 0; g < n; g += LANES)
#pragma omp simd
        for (uint32_t k = g; k < g + LANES; k++) meet(m, k, kind);
    if (kind.normal < 0) {
        for (uint32_t k = 0; k < n; k++) {
            size_t        i = begin + side->owner[m->entry[k]], j = side->other[m->entry[k]];
            ergi_pair_law law = laws[(size_t)p->s.klass[i] * (size_t)p->classes + p->s.klass[j]];
            pair_kind     mine = kind;
            mine.normal = law.normal;
            mine.tangential = law.tangential;
            push_meeting(m, k, law, coef_of(m, k), dt, mine);
        }
        return;
    }
    ergi_pair_law law = laws[p->one_law];
    ergi_coef     same = {0, 0, 0, 0};
    if (kind.equal) same = *(const ergi_coef *)p->coef;
    for (uint32_t g = 0; g < n; g += LANES)
#pragma omp simd
        for (uint32_t k = g; k < g + LANES; k++)
            push_meeting(m, k, law, kind.equal ? same : coef_of(m, k), dt, kind);
}

static void note_overlap(const ergi_pair_side *side, size_t begin, const meetings *m, uint32_t n,
                         double scale, ergi_report *report)
{
    erg_real worst = 0;
#pragma omp simd reduction(max : worst)
    for (uint32_t k = 0; k < n; k++) worst = m->ratio[k] > worst ? m->ratio[k] : worst;
    if (!(scale * (double)worst > report->overlap_ratio)) return;
    for (uint32_t k = 0; k < n; k++)
        if (m->ratio[k] == worst) {
            report->overlap_ratio = scale * (double)worst;
            report->overlap_a = (uint32_t)(begin + side->owner[m->entry[k]]);
            report->overlap_b = side->other[m->entry[k]];
            report->overlap_wall = 0;
            return;
        }
}

ERG_FN void pair_side(const ergi_pair_pass *p, const ergi_pair_side *side, size_t begin, size_t end,
                      const place_row *owners, const spacing *space, const pair_kind kind,
                      const bool outer, meetings *m, ergi_report *report)
{
    uint32_t last = side->start[end];
    for (uint32_t first = side->start[begin]; first < last; first += BATCH) {
        uint32_t count = last - first < BATCH ? last - first : BATCH;
        uint32_t n = look(p, side, owners, space, first, count, m);
        if (outer)
            memset((erg_real *)side->push + 8 * (size_t)first, 0, 8 * count * sizeof(erg_real));
        if (n == 0) continue;
        gather(p, side, space, begin, n, kind, m);
        push(p, side, begin, n, kind, m);
        apply(p, side, begin, m, n, kind, outer);
        note_overlap(side, begin, m, n, kind.equal ? 1 / p->s.position[3] : 1, report);
        report->contacts += n;
    }
}

ERG_FN void pair_range(const ergi_pair_pass *p, erg_index first, erg_index last, int chunk,
                       const pair_kind kind)
{
    size_t       begin = (size_t)first, end = (size_t)last;
    ergi_report *report = &p->report[chunk];
    place_row    owners[ERGI_CHUNK];
    meetings     m;
    spacing      space = spacing_of(p->lattice, p->period);
    memset(load_of(&p->s, begin), 0, 8 * (end - begin) * sizeof(erg_real));
    for (size_t i = begin; i < end; i++)
        owners[i - begin] = place_turned(place_load(p->s.place, i));
    report->contacts = 0;
    report->overlap_ratio = 0;
    pair_side(p, &p->side[ERGI_INNER], begin, end, owners, &space, kind, false, &m, report);
    pair_side(p, &p->side[ERGI_OUTER], begin, end, owners, &space, kind, true, &m, report);
}

// The default laws have copies of their own in which everything else folds away.
static void pair_chunk(const ergi_pair_pass *p, erg_index begin, erg_index end, int chunk)
{
    bool equal = !p->coef_per_entry && p->classes == 1;
    bool usual = p->one_law >= 0 && !p->cohesion && p->normal_law == ERGI_NORMAL_HERTZ &&
                 p->tangential_law == ERGI_TANGENTIAL_MINDLIN;
    pair_kind kind = {ERGI_NORMAL_HERTZ, ERGI_TANGENTIAL_MINDLIN, false, false, true, 4};
    if (usual && equal && !p->rolling) {
        pair_range(p, begin, end, chunk, kind);
    } else if (usual && !p->rolling) {
        kind.equal = false;
        pair_range(p, begin, end, chunk, kind);
    } else if (usual) {
        kind.equal = false;
        kind.rolling = true;
        kind.width = 8;
        pair_range(p, begin, end, chunk, kind);
    } else {
        kind = (pair_kind){-1, -1, p->rolling, p->cohesion, false, p->memory_width};
        pair_range(p, begin, end, chunk, kind);
    }
}

// ---- One contact, at the present state ---------------------------------------------------------
ERG_FN ergi_memory recall(const erg_real *memory, int width)
{
    ergi_memory m = {ergi_vec_zero(), ergi_vec_zero()};
    if (width >= 4) m.slide = ergi_vec_make(memory[0], memory[1], memory[2]);
    if (width >= 8) m.roll = ergi_vec_make(memory[4], memory[5], memory[6]);
    return m;
}

ERG_FN void remember(erg_real *memory, int width, ergi_memory m)
{
    if (width >= 4) ergi_row_store(memory, (ergi_row){m.slide.x, m.slide.y, m.slide.z, 0});
    if (width >= 8) ergi_row_store(memory + 4, (ergi_row){m.roll.x, m.roll.y, m.roll.z, 0});
}

// No time passes: the springs are as long as the last step left them.
static ergi_contact_state pair_state(const ergi_pair_pass *p, ergi_side which, uint32_t entry,
                                     erg_index owner)
{
    const ergi_pair_side *side = &p->side[which];
    size_t                i = (size_t)owner, j = side->other[entry];
    meetings              m;
    spacing               space = spacing_of(p->lattice, p->period);
    size_t                both = (size_t)p->s.klass[i] * (size_t)p->classes + p->s.klass[j];
    ergi_pair_law         law = ((const ergi_pair_law *)p->law)[both];
    pair_kind kind = {law.normal, law.tangential, p->rolling, p->cohesion, false, p->memory_width};
    ergi_row  d =
        place_apart(place_turned(place_load(p->s.place, i)), place_load(p->s.place, j), &space);
    m.x[0] = d[0];
    m.y[0] = d[1];
    m.z[0] = d[2];
    m.reach[0] = d[3];
    m.entry[0] = entry;
    gather(p, side, &space, i - side->owner[entry], 1, kind, &m);
    meet(&m, 0, kind);
    ergi_touch  t = touch_of(&m, 0, kind, 0);
    ergi_memory kept = memory_of(&m, 0, kind);
    ergi_push   push = ergi_contact_push(law.normal, law.tangential, p->rolling, p->cohesion, law,
                                         coef_of(&m, 0), t, kept);
    erg_real energy = ergi_contact_energy(law.normal, law.tangential, p->rolling, p->cohesion, law,
                                          coef_of(&m, 0), t, kept);
    return (ergi_contact_state){{(double)push.force.x, (double)push.force.y, (double)push.force.z},
                                (double)energy};
}

#endif
