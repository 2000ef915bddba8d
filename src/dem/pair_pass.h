// Contacts between spheres. Included by real_kernels.h only.
//
// A chunk's candidate pairs are processed in batches of about a hundred, each in four loops:
//
//     test       distances of all candidates, LANES at a time; touching pairs are kept
//     gather     rows of motion and history of both spheres, transposed to columns
//     evaluate   contact geometry, then the laws (contact_rows.h)
//     apply      columns transposed back to rows, added to forces and torques of both spheres
#ifndef ERGI_PAIR_PASS_H
#define ERGI_PAIR_PASS_H

#include <assert.h>

#include "dem/compact.h"
#include "dem/contact_rows.h"
#include "dem/fixed_row.h"
#include "dem/kernels.h"

enum {
    PREFETCH = 48 // spheres of the next chunk, and partners in other chunks, prefetched per batch
};

// One list of a chunk's pairs, and the arrays that its row offsets refer to.
typedef struct pair_view {
    const ergi_pair_pass    *pass;
    const ergi_pair_entries *side;
    const void              *owner_fixed; // of the chunk; radii negated unless all are equal
    const void              *other_fixed; // of the chunk; inner lists only
    const double            *position;    // of all spheres
    const erg_real          *owner_motion, *other_motion;
    erg_real        *owner_force_torque, *other_force_torque; // the latter for inner lists only
    size_t           owner_first, other_first;                // sphere of row 0
    spacing          space;
    ergi_fixed_point fixed_point;
    fixed_offset     reach; // minus the sum of radii, if all are equal
} pair_view;

ERG_FN erg_real *force_torque_of(const ergi_sphere_arrays *s, size_t i)
{
    return (erg_real *)s->force_torque + 8 * (i - s->force_torque_first);
}

// Row offsets of the spheres of an entry.
ERG_FN size_t owner_row(const pair_view *v, uint32_t e)
{
    return v->side->owner[e];
}

ERG_FN size_t other_row(const pair_view *v, uint32_t e, const pair_kind kind)
{
    return kind.outer ? ((const uint32_t *)v->side->other)[e]
                      : ((const uint16_t *)v->side->other)[e];
}

ERG_FN size_t owner_of(const pair_view *v, uint32_t e)
{
    return v->owner_first + owner_row(v, e) / 4;
}

ERG_FN size_t other_of(const pair_view *v, uint32_t e, const pair_kind kind)
{
    return v->other_first + other_row(v, e, kind) / 4;
}

// Fixed-point position of a partner. Those of other chunks are converted on the fly.
ERG_FN fixed_row other_fixed(const pair_view *v, size_t row, const pair_kind kind)
{
    return kind.outer ? fixed_from(v->position, row, &v->fixed_point)
                      : fixed_at(v->other_fixed, row);
}

// ---- Test --------------------------------------------------------------------------------------
// Updates `touching` and clears the history of pairs that separated. Bit k of `bits` is for entry
// first + k.
ERG_FN void update_touching(const ergi_pair_entries *side, uint32_t first, uint32_t count,
                            uint32_t bits, int width)
{
    uint8_t *touching = side->touching + first;
    uint64_t before = 0, now = bytes_of_bits(bits);
    memcpy(&before, touching, count);
    if (before == now) return;
    memcpy(touching, &now, count);
    if (width == 0 || !(before & ~now)) return;
    for (uint32_t k = 0; k < count; k++)
        if (before & ~now & (uint64_t)1 << 8 * k)
            memset((erg_real *)side->history + (size_t)(first + k) * (size_t)width, 0,
                   (size_t)width * sizeof(erg_real));
}

// Tests `count` entries from `first` on, at most eight; appends those that touch to the n contacts.
// Returns the new number of contacts.
ERG_FN uint32_t test_some(const pair_view *v, uint32_t first, const uint32_t count,
                          const pair_kind kind, uint32_t n, contact_rows *m)
{
    ergi_rows r[4];
    for (uint32_t c = 0; c < 4; c++) {
        uint32_t a = first + (c < count ? c : 0), b = first + (c + 4 < count ? c + 4 : 0);
        size_t   i = other_row(v, a, kind), j = other_row(v, b, kind);
        r[c] = fixed_apart_twice(fixed_at(v->owner_fixed, owner_row(v, a)), other_fixed(v, i, kind),
                                 fixed_at(v->owner_fixed, owner_row(v, b)), other_fixed(v, j, kind),
                                 &v->space);
    }
    ergi_rows_transpose(r);
    ergi_rows x = offset_lengths(r[0], &v->space, 0), y = offset_lengths(r[1], &v->space, 1),
              z = offset_lengths(r[2], &v->space, 2);
    ergi_rows d2 = ergi_rows_fma(z, z, ergi_rows_fma(y, y, ergi_rows_mul(x, x)));
    ergi_rows reach = kind.equal ? ergi_rows_all(offset_length(v->reach, &v->space, 3))
                                 : offset_lengths(r[3], &v->space, 3);
    uint32_t  bits = ergi_rows_below(d2, ergi_rows_mul(reach, reach)) & ((1u << count) - 1);
    if (!v->pass->dry_run) update_touching(v->side, first, count, bits, v->pass->history_width);
    compact_row(m->x + n, r[0], bits);
    compact_row(m->y + n, r[1], bits);
    compact_row(m->z + n, r[2], bits);
    if (!kind.equal) compact_row(m->reach + n, r[3], bits);
    compact_indices(m->entry + n, first, bits);
    return n + (uint32_t)__builtin_popcount(bits);
}

ERG_FN uint32_t test_candidates(const pair_view *v, uint32_t first, uint32_t count,
                                const pair_kind kind, contact_rows *m)
{
    uint32_t n = 0, k = 0;
    for (; k + LANES <= count; k += LANES) n = test_some(v, first + k, LANES, kind, n, m);
    return k < count ? test_some(v, first + k, count - k, kind, n, m) : n;
}

// ---- Gather ------------------------------------------------------------------------------------
// Three numbers of each of eight entries, from rows + width * entry on, as columns.
ERG_FN void gather_threes(const erg_real *rows, const uint32_t *entry, size_t width, ergi_rows r[4])
{
    for (uint32_t c = 0; c < 4; c++)
        r[c] = ergi_rows_of(ergi_row_load3(rows + width * (size_t)entry[c]),
                            ergi_row_load3(rows + width * (size_t)entry[c + 4]));
    ergi_rows_transpose(r);
}

ERG_FN void gather_history(const ergi_pair_entries *side, size_t k, const int width,
                           contact_rows *m)
{
    ergi_rows r[4];
    if (width == 0) return;
    gather_threes(side->history, m->entry + k, (size_t)width, r);
    ergi_rows_store(m->slide_x + k, r[0]);
    ergi_rows_store(m->slide_y + k, r[1]);
    ergi_rows_store(m->slide_z + k, r[2]);
    if (width < ERGI_ROLLING_WIDTH) return;
    gather_threes((const erg_real *)side->history + ERGI_SLIDING_WIDTH, m->entry + k, (size_t)width,
                  r);
    ergi_rows_store(m->roll_x + k, r[0]);
    ergi_rows_store(m->roll_y + k, r[1]);
    ergi_rows_store(m->roll_z + k, r[2]);
}

// Row of the tables of laws and coefficients for an entry's classes.
ERG_FN size_t table_row(const pair_view *v, uint32_t e, const pair_kind kind)
{
    const ergi_pair_pass *p = v->pass;
    return (size_t)p->s.klass[owner_of(v, e)] * (size_t)p->classes +
           p->s.klass[other_of(v, e, kind)];
}

ERG_FN const ergi_pair_law *law_of_entry(const pair_view *v, uint32_t e, const pair_kind kind)
{
    return (const ergi_pair_law *)v->pass->law + table_row(v, e, kind);
}

ERG_FN void gather_coefs(const pair_view *v, size_t k, const pair_kind kind, contact_rows *m)
{
    const ergi_pair_pass *p = v->pass;
    size_t                at[LANES];
    ergi_rows             r[4];
    for (uint32_t c = 0; c < LANES; c++)
        at[c] = p->coef_per_entry ? m->entry[k + c] : table_row(v, m->entry[k + c], kind);
    const erg_real *coef = p->coef_per_entry ? v->side->coef : p->coef;
    for (uint32_t c = 0; c < 4; c++)
        r[c] = ergi_rows_of(ergi_row_load(coef + 4 * at[c]), ergi_row_load(coef + 4 * at[c + 4]));
    ergi_rows_transpose(r);
    ergi_rows_store(m->kn + k, r[0]);
    ergi_rows_store(m->cn + k, r[1]);
    ergi_rows_store(m->kt + k, r[2]);
    ergi_rows_store(m->ct + k, r[3]);
}

// The owner's radius minus the partner's.
ERG_FN void gather_radius_diff(const pair_view *v, size_t k, const pair_kind kind, contact_rows *m)
{
    for (size_t c = k; c < k + LANES; c++) {
        uint32_t     e = m->entry[c];
        fixed_number a = ((const fixed_number *)v->owner_fixed)[owner_row(v, e) + 3];
        size_t       j = other_row(v, e, kind);
        fixed_number b = kind.outer ? fixed_from(v->position, j, &v->fixed_point)[3]
                                    : ((const fixed_number *)v->other_fixed)[j + 3];
        m->radius_diff[c] = fixed_radius_diff(-a, b, &v->space); // the owner's is negated
    }
}

// Fills the columns of n contacts, padded to whole rows by repeating the first.
ERG_FN void gather(const pair_view *v, uint32_t n, const pair_kind kind, contact_rows *m)
{
    const ergi_rows sign = ergi_rows_of(ergi_row_all(-1), ergi_row_all(1));
    uint32_t        all = (n + ERGI_LAW_LANES - 1) / ERGI_LAW_LANES * ERGI_LAW_LANES;
    for (uint32_t k = n; k < all; k++) {
        m->entry[k] = m->entry[0];
        m->x[k] = m->x[0];
        m->y[k] = m->y[0];
        m->z[k] = m->z[0];
        if (!kind.equal) m->reach[k] = m->reach[0];
    }
    for (size_t k = 0; k < all; k += LANES) {
        ergi_rows row[8], spin[8], high;
        for (uint32_t c = 0; c < 8; c++) {
            uint32_t  e = m->entry[k + c];
            ergi_rows a = ergi_rows_load(v->owner_motion + 2 * owner_row(v, e)),
                      b = ergi_rows_load(v->other_motion + 2 * other_row(v, e, kind));
            row[c] = ergi_rows_fma(b, sign, a); // u_a - u_b, w_a + w_b
            if (!kind.equal || kind.rolling) spin[c] = ergi_rows_sub(a, b);
        }
        ergi_rows_transpose(row);
        ergi_rows_transpose(row + 4);
        ergi_rows_store(m->drift_x + k, ergi_rows_halves(row[0], row[4], &high));
        ergi_rows_store(m->sum_x + k, high);
        ergi_rows_store(m->drift_y + k, ergi_rows_halves(row[1], row[5], &high));
        ergi_rows_store(m->sum_y + k, high);
        ergi_rows_store(m->drift_z + k, ergi_rows_halves(row[2], row[6], &high));
        ergi_rows_store(m->sum_z + k, high);
        if (!kind.equal || kind.rolling) {
            ergi_rows_transpose(spin);
            ergi_rows_transpose(spin + 4);
            ergi_rows_halves(spin[0], spin[4], &high);
            ergi_rows_store(m->spin_x + k, high);
            ergi_rows_halves(spin[1], spin[5], &high);
            ergi_rows_store(m->spin_y + k, high);
            ergi_rows_halves(spin[2], spin[6], &high);
            ergi_rows_store(m->spin_z + k, high);
        }
        if (!kind.equal) gather_coefs(v, k, kind, m);
        if (!kind.equal) gather_radius_diff(v, k, kind, m);
        if (!kind.one && v->pass->one_law < 0)
            for (size_t c = k; c < k + LANES; c++)
                set_law_of(m, c, law_of_entry(v, m->entry[c], kind));
        gather_history(v->side, k, kind.width, m);
    }
}

// ---- Evaluate ----------------------------------------------------------------------------------
// Normal, overlap and relative velocity of contact k. Separate from the laws: square roots and
// divisions depend on each other, and a shorter chain lets the processor overlap more contacts.
//
// The overlap is a small difference of large numbers. From lengths in float it would change in
// steps of 1e-7 of a radius. No force in between could balance a grain, so a pile would never come
// to rest, and each small oscillation would lose some friction. So the difference of the squares is
// computed exactly.
ERG_FN void contact_geometry(contact_rows *m, size_t k, fixed_offset same_reach,
                             const spacing space, const pair_kind kind)
{
    fixed_offset x = offset_of(m->x[k]), y = offset_of(m->y[k]), z = offset_of(m->z[k]),
                 reach = kind.equal ? same_reach : offset_of(m->reach[k]);
    ergi_vec d = {offset_length(x, &space, 0), offset_length(y, &space, 1),
                  offset_length(z, &space, 2)};
    erg_real d2 = ergi_vec_dot(d, d), distance = ergi_sqrt(d2),
             sum = -offset_length(reach, &space, 3);
    double within =
        offset_square(reach, &space, 3) -
        (offset_square(x, &space, 0) + offset_square(y, &space, 1) + offset_square(z, &space, 2));
    // Spheres with the same centre repel along x, so that no NaN arises; the overlap guard trips.
    erg_real safe = d2 > 0 ? distance : ERGI_R(1), along_x = d2 > 0 ? ERGI_R(0) : ERGI_R(1);
    erg_real both = sum + distance, inverse = 1 / (safe * both); // one division instead of two
    ergi_vec n = ergi_vec_scale(both * inverse, d);
    n.x += along_x;
    // Rounding may make it slightly negative.
    erg_real overlap = ergi_positive((erg_real)within * (safe * inverse));
    erg_real mean = ERGI_R(0.5) * (sum - overlap), half = 0;
    // Sum of lever times spin over both spheres, from sums and differences.
    ergi_vec turning = ergi_vec_scale(mean, ergi_vec_make(m->sum_x[k], m->sum_y[k], m->sum_z[k]));
    if (!kind.equal) {
        half = ERGI_R(0.5) * m->radius_diff[k];
        turning =
            ergi_vec_madd(half, ergi_vec_make(m->spin_x[k], m->spin_y[k], m->spin_z[k]), turning);
    }
    ergi_vec v =
        ergi_vec_less_cross(ergi_vec_make(m->drift_x[k], m->drift_y[k], m->drift_z[k]), turning, n);
    m->n_x[k] = n.x;
    m->n_y[k] = n.y;
    m->n_z[k] = n.z;
    m->v_x[k] = v.x;
    m->v_y[k] = v.y;
    m->v_z[k] = v.z;
    m->overlap[k] = overlap;
    m->lever[k] = mean;
    // R* = (s^2 - d^2) / 4s with sum s and difference d of the radii; the smaller is (s - |d|) / 2.
    if (kind.equal && !kind.one) m->radius[k] = ERGI_R(0.25) * sum;
    if (!kind.equal) {
        m->radius[k] = ERGI_R(0.25) * (sum - 4 * half * half / sum);
        m->least[k] = ERGI_R(0.5) * sum - ergi_fabs(half);
    }
}

// ---- Apply -------------------------------------------------------------------------------------
// Transposes columns to rows of four: rows 0 to 3 in the low halves of r, 4 to 7 in the high ones.
ERG_FN void rows_of_columns(const erg_real *x, const erg_real *y, const erg_real *z, size_t k,
                            ergi_rows r[4])
{
    r[0] = ergi_rows_load(x + k);
    r[1] = ergi_rows_load(y + k);
    r[2] = ergi_rows_load(z + k);
    r[3] = ergi_rows_all(0);
    ergi_rows_transpose(r);
}

ERG_FN void apply_threes(erg_real *rows, const uint32_t *entry, size_t width, uint32_t n,
                         const ergi_rows r[4])
{
    for (uint32_t c = 0; c < 4; c++) {
        if (c < n) ergi_row_store3(rows + width * (size_t)entry[c], ergi_rows_low(r[c]));
        if (c + 4 < n) ergi_row_store3(rows + width * (size_t)entry[c + 4], ergi_rows_high(r[c]));
    }
}

ERG_FN void apply_history(const ergi_pair_entries *side, size_t k, const uint32_t n,
                          const int width, const contact_rows *m)
{
    ergi_rows r[4];
    if (width == 0) return;
    rows_of_columns(m->slid_x, m->slid_y, m->slid_z, k, r);
    apply_threes(side->history, m->entry + k, (size_t)width, n, r);
    if (width < ERGI_ROLLING_WIDTH) return;
    rows_of_columns(m->rolled_x, m->rolled_y, m->rolled_z, k, r);
    apply_threes((erg_real *)side->history + ERGI_SLIDING_WIDTH, m->entry + k, (size_t)width, n, r);
}

// Rows of force and torque of eight contacts; x, y, z are the torques.
ERG_FN void force_torque_rows(const contact_rows *m, const erg_real *x, const erg_real *y,
                              const erg_real *z, size_t k, ergi_rows row[8])
{
    ergi_rows force[4], torque[4];
    rows_of_columns(m->force_x, m->force_y, m->force_z, k, force);
    rows_of_columns(x, y, z, k, torque);
    for (int c = 0; c < 4; c++) row[c] = ergi_rows_halves(force[c], torque[c], &row[c + 4]);
}

ERG_FN void add_rows(erg_real *to, ergi_rows row)
{
    ergi_rows_store(to, ergi_rows_add(ergi_rows_load(to), row));
}

// Applies n contacts from k on, at most eight.
ERG_FN void apply_some(const pair_view *v, const contact_rows *m, size_t k, const uint32_t n,
                       const pair_kind kind)
{
    const ergi_rows sign = ergi_rows_of(ergi_row_all(-1), ergi_row_all(1));
    ergi_rows       owner[8], partner[8];
    force_torque_rows(m, m->owner_x, m->owner_y, m->owner_z, k, owner);
    if (!kind.equal || kind.rolling)
        force_torque_rows(m, m->partner_x, m->partner_y, m->partner_z, k, partner);
    for (uint32_t c = 0; c < n; c++) {
        uint32_t  e = m->entry[k + c];
        ergi_rows other = !kind.equal || kind.rolling ? partner[c] : owner[c];
        add_rows(v->owner_force_torque + 2 * owner_row(v, e), owner[c]);
        if (kind.outer) {
            ergi_rows_store((erg_real *)v->pass->partner_force + 8 * (size_t)e,
                            ergi_rows_mul(other, sign));
        } else {
            erg_real *force_torque = v->other_force_torque + 2 * other_row(v, e, kind);
            ergi_rows_store(force_torque, ergi_rows_fma(other, sign, ergi_rows_load(force_torque)));
        }
    }
    if (!v->pass->dry_run) apply_history(v->side, k, n, kind.width, m);
}

ERG_FN void apply(const pair_view *v, const contact_rows *m, uint32_t n, const pair_kind kind)
{
    uint32_t k = 0;
    for (; k + LANES <= n; k += LANES) apply_some(v, m, k, LANES, kind);
    if (k < n) apply_some(v, m, k, n - k, kind);
}

// ---- The pass ----------------------------------------------------------------------------------
ERG_FN void evaluate(const pair_view *v, uint32_t n, const pair_kind kind, contact_rows *m)
{
    const ergi_pair_pass *p = v->pass;
    erg_real              dt = (erg_real)p->dt;
    const fixed_offset    reach = v->reach;
    const spacing         space = v->space;
    for (size_t g = 0; g < n; g += ERGI_LAW_LANES)
#pragma omp simd
        for (size_t k = 0; k < ERGI_LAW_LANES; k++) contact_geometry(m, g + k, reach, space, kind);
    if (kind.one) {
        evaluate_rows(m, n, dt, kind, ((const ergi_pair_law *)p->law)[p->one_law],
                      *(const ergi_coef *)p->coef);
        return;
    }
    evaluate_rows_fn *rows = evaluate_rows_of(p->normal_law, p->tangential_law, kind.rolling);
    if (rows) {
        rows(m, n, dt);
        return;
    }
    for (uint32_t k = 0; k < n; k++)
        evaluate_contact_by(m, k, law_of_entry(v, m->entry[k], kind), kind.width, dt);
}

// Reports the largest overlap over the smaller radius of n contacts. Tests whole rows first: the
// padding repeats the first contact.
ERG_FN void note_overlap(const pair_view *v, const pair_kind kind, const contact_rows *m,
                         uint32_t n, ergi_report *report)
{
    erg_real same = (erg_real)v->pass->s.position[3], most = (erg_real)report->overlap_ratio;
    for (size_t g = 0; g < n; g += LANES) {
        ergi_rows least = kind.equal ? ergi_rows_all(same) : ergi_rows_load(m->least + g);
        ergi_rows limit = ergi_rows_mul(ergi_rows_all(most), least);
        if (!ergi_rows_below(limit, ergi_rows_load(m->overlap + g))) continue;
        for (size_t k = g; k < g + LANES && k < n; k++) {
            erg_real radius = kind.equal ? same : m->least[k];
            if (!(m->overlap[k] > most * radius)) continue;
            most = m->overlap[k] / radius;
            report->overlap_ratio = (double)most;
            report->overlap_a = (uint32_t)owner_of(v, m->entry[k]);
            report->overlap_b = (uint32_t)other_of(v, m->entry[k], kind);
            report->overlap_wall = 0;
        }
    }
}

// ---- Prefetch ----------------------------------------------------------------------------------
// Every batch of inner entries prefetches some spheres of the next chunk, and some partners of this
// chunk in other chunks.
ERG_FN void prefetch_spheres(const ergi_sphere_arrays *s, size_t begin, size_t end)
{
    const char *motion = s->motion;
    for (size_t i = begin; i < end; i += 2) {
        __builtin_prefetch(motion + 8 * i * sizeof(erg_real), 1, 2);
        __builtin_prefetch(s->position + 4 * i, 1, 2);
    }
}

ERG_FN void prefetch_partners(const ergi_pair_pass *p, uint32_t first, uint32_t last)
{
    const uint32_t *other = p->side[ERGI_OUTER].other;
    const erg_real *motion = p->s.motion;
    for (uint32_t e = first; e < last; e++) {
        __builtin_prefetch(p->s.position + other[e], 0, 2);
        __builtin_prefetch(motion + 2 * (size_t)other[e], 0, 2);
    }
}

// Prefetches for batch number `batch` of the chunk begin .. end-1.
ERG_FN void prefetch_batch(const ergi_pair_pass *p, size_t begin, size_t end, uint32_t batch)
{
    const uint32_t *outer = p->side[ERGI_OUTER].start;
    size_t          next = (p->next < 0 ? end : (size_t)p->next) + PREFETCH * (size_t)batch;
    uint32_t        first = outer[begin] + PREFETCH * batch, last = outer[end];
    if (next + PREFETCH <= (size_t)p->s.count) prefetch_spheres(&p->s, next, next + PREFETCH);
    if (first < last)
        prefetch_partners(p, first, last - first < PREFETCH ? last : first + PREFETCH);
}

ERG_FN void pair_side(const pair_view *v, size_t begin, size_t end, const pair_kind kind,
                      contact_rows *m, ergi_report *report)
{
    const ergi_pair_entries *side = v->side;
    uint32_t                 last = side->start[end];
    for (uint32_t first = side->start[begin]; first < last; first += BATCH) {
        uint32_t count = last - first < BATCH ? last - first : BATCH;
        if (!kind.outer) prefetch_batch(v->pass, begin, end, (first - side->start[begin]) / BATCH);
        uint32_t n = test_candidates(v, first, count, kind, m);
        if (kind.outer)
            memset((erg_real *)v->pass->partner_force + 8 * (size_t)first, 0,
                   8 * count * sizeof(erg_real));
        if (n == 0) continue;
        gather(v, n, kind, m);
        evaluate(v, n, kind, m);
        apply(v, m, n, kind);
        note_overlap(v, kind, m, n, report);
        report->contacts += n;
    }
}

ERG_FN pair_view pair_view_of(const ergi_pair_pass *p, ergi_list_kind which, size_t begin)
{
    const erg_real *motion = p->s.motion;
    size_t          from = which == ERGI_INNER ? begin : 0;
    return (pair_view){.pass = p,
                       .side = &p->side[which],
                       .position = p->s.position,
                       .owner_motion = motion + 8 * begin,
                       .other_motion = motion + 8 * from,
                       .owner_first = begin,
                       .other_first = from,
                       .space = spacing_of(p->fixed_point, p->period),
                       .fixed_point = *p->fixed_point};
}

// Fills the columns that are the same for all batches.
ERG_FN void fill_columns(const ergi_pair_pass *p, const pair_kind kind, contact_rows *m)
{
    const ergi_coef *same = p->coef;
    for (size_t k = 0; k < ROOM && p->one_law >= 0; k++)
        set_law_of(m, k, (const ergi_pair_law *)p->law + p->one_law);
    for (size_t k = 0; k < ROOM && kind.equal; k++) {
        m->radius_diff[k] = 0;
        m->kn[k] = same->kn;
        m->cn[k] = same->cn;
        m->kt[k] = same->kt;
        m->ct[k] = same->ct;
    }
}

ERG_FN void pair_range(const ergi_pair_pass *p, erg_index first, erg_index last, int chunk,
                       pair_kind kind)
{
    size_t       begin = (size_t)first, end = (size_t)last;
    ergi_report *report = &p->report[chunk];
    pair_view    inner = pair_view_of(p, ERGI_INNER, begin),
              outer = pair_view_of(p, ERGI_OUTER, begin);
    fixed_row    position[ERGI_CHUNK], negated[ERGI_CHUNK];
    contact_rows m;
    inner.owner_force_torque = inner.other_force_torque = outer.owner_force_torque =
        force_torque_of(&p->s, begin);
    inner.owner_fixed = inner.other_fixed = outer.owner_fixed = position;
    for (size_t i = begin; i < end; i++)
        position[i - begin] = fixed_from(p->s.position, 4 * i, &inner.fixed_point);
    if (kind.equal) {
        inner.reach = outer.reach =
            offset_of(fixed_apart(fixed_negate_radius(position[0]), position[0], &inner.space)[3]);
    } else {
        for (size_t i = 0; i < end - begin; i++) negated[i] = fixed_negate_radius(position[i]);
        inner.owner_fixed = outer.owner_fixed = negated;
    }
    m.cut_rows = 0;
    if (!kind.one) fill_columns(p, kind, &m);
    memset(inner.owner_force_torque, 0, 8 * (end - begin) * sizeof(erg_real));
    report->contacts = 0;
    report->overlap_ratio = 0;
    kind.outer = false;
    pair_side(&inner, begin, end, kind, &m, report);
    kind.outer = true;
    pair_side(&outer, begin, end, kind, &m, report);
}

// The default laws with equal radii have a specialised copy.
static void pair_chunk(const ergi_pair_pass *p, erg_index begin, erg_index end, int chunk)
{
    bool equal = !p->coef_per_entry && p->classes == 1;
    bool usual = p->one_law >= 0 && !p->cohesion && !p->rolling &&
                 p->normal_law == ERGI_NORMAL_HERTZ && p->tangential_law == ERGI_TANGENTIAL_MINDLIN;
    int sliding = p->history_width < ERGI_SLIDING_WIDTH ? 0 : ERGI_SLIDING_WIDTH;
    if (usual && equal)
        pair_range(p, begin, end, chunk,
                   (pair_kind){.normal = ERGI_NORMAL_HERTZ,
                               .tangential = ERGI_TANGENTIAL_MINDLIN,
                               .one = true,
                               .equal = true,
                               .width = ERGI_SLIDING_WIDTH});
    else if (equal && !p->rolling)
        pair_range(p, begin, end, chunk, (pair_kind){.equal = true, .width = sliding});
    else if (equal)
        pair_range(p, begin, end, chunk,
                   (pair_kind){.rolling = true, .equal = true, .width = ERGI_ROLLING_WIDTH});
    else if (!p->rolling)
        pair_range(p, begin, end, chunk, (pair_kind){.width = sliding});
    else
        pair_range(p, begin, end, chunk, (pair_kind){.rolling = true, .width = ERGI_ROLLING_WIDTH});
}

// ---- One contact, at the current state ---------------------------------------------------------
ERG_FN ergi_contact_history load_history(const erg_real *history, int width)
{
    const erg_real      *roll = history + ERGI_SLIDING_WIDTH;
    ergi_contact_history m = {ergi_vec_zero(), ergi_vec_zero()};
    if (width) m.slide = ergi_vec_make(history[0], history[1], history[2]);
    if (width >= ERGI_ROLLING_WIDTH) m.roll = ergi_vec_make(roll[0], roll[1], roll[2]);
    return m;
}

ERG_FN void store_history(erg_real *history, int width, ergi_contact_history m)
{
    if (width) ergi_row_store3(history, (ergi_row){m.slide.x, m.slide.y, m.slide.z, 0});
    if (width >= ERGI_ROLLING_WIDTH)
        ergi_row_store3(history + ERGI_SLIDING_WIDTH, (ergi_row){m.roll.x, m.roll.y, m.roll.z, 0});
}

// dt is 0: the springs keep the stretch that the last step stored.
static ergi_contact_state pair_state(const ergi_pair_pass *p, ergi_list_kind which, uint32_t entry,
                                     erg_index owner)
{
    contact_rows  m;
    pair_view     v = pair_view_of(p, which, (size_t)owner / ERGI_CHUNK * ERGI_CHUNK);
    size_t        i = (size_t)owner, j = ergi_partner(v.side->other, which, (uint32_t)owner, entry);
    size_t        both = (size_t)p->s.klass[i] * (size_t)p->classes + p->s.klass[j];
    ergi_pair_law law = ((const ergi_pair_law *)p->law)[both];
    pair_kind     kind = {.normal = law.normal,
                          .tangential = law.tangential,
                          .rolling = p->rolling,
                          .cohesion = p->cohesion,
                          .width = p->history_width,
                          .outer = which == ERGI_OUTER};
    fixed_row     owners[ERGI_CHUNK], others[ERGI_CHUNK]; // only the rows of i and j are set
    fixed_row     a = fixed_negate_radius(fixed_from(v.position, 4 * i, &v.fixed_point)),
              b = fixed_from(v.position, 4 * j, &v.fixed_point);
    ergi_row d = fixed_apart(a, b, &v.space);
    owners[i - v.owner_first] = a;
    if (which == ERGI_INNER) others[j - v.other_first] = b;
    v.owner_fixed = owners;
    v.other_fixed = others;
    m.x[0] = d[0];
    m.y[0] = d[1];
    m.z[0] = d[2];
    m.reach[0] = d[3];
    m.entry[0] = entry;
    gather(&v, 1, kind, &m);
    contact_geometry(&m, 0, 0, v.space, kind);
    ergi_contact_kinematics t = kinematics_of(&m, 0, kind, 0);
    ergi_contact_history    kept = history_of(&m, 0, kind);
    ergi_contact_force      contact_force = ergi_contact_evaluate(
             law.normal, law.tangential, p->rolling, p->cohesion, law, coef_of(&m, 0), t, kept);
    erg_real energy = ergi_contact_energy(law.normal, law.tangential, p->rolling, p->cohesion, law,
                                          coef_of(&m, 0), t, kept);
    return (ergi_contact_state){{(double)contact_force.force.x, (double)contact_force.force.y,
                                 (double)contact_force.force.z},
                                (double)energy};
}

#endif
