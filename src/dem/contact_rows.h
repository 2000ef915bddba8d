// Vectorised evaluation of the contact laws: ERGI_LAW_LANES contacts at once, from input columns to
// output columns. Used for pairs of spheres and for wall contacts. Included by the passes only.
//
// There is a copy for every normal and tangential law, with and without rolling resistance, in
// which the choice of laws is a compile-time constant. Values that vary between contacts
// (coefficients, friction and so on) are read from columns.
#ifndef ERGI_CONTACT_ROWS_H
#define ERGI_CONTACT_ROWS_H

#include <assert.h>
#include <stddef.h>

#include "dem/lanes.h"
#include "law/contact.h"

#if !defined(ERGI_LAW_LANES)
#define ERGI_LAW_LANES 8 // contacts computed at once
#endif

enum {
    LANES = 8,
    BATCH = 96,           // candidate pairs per batch: their contacts stay in the cache
    ROOM = BATCH + LANES, // capacity of a column: compact_row writes whole rows
    CUT_ROWS = 4          // consecutive rows without slip before the next is tried without cuts
};
static_assert(ERGI_LAW_LANES % LANES == 0 && BATCH % ERGI_LAW_LANES == 0, "whole rows");

typedef struct contact_rows {
    _Alignas(64) uint32_t entry[ROOM];
    // Gaps (fixed_row.h) from partner to owner, and minus the sum of radii unless all are equal
    erg_real x[ROOM], y[ROOM], z[ROOM], reach[ROOM];
    erg_real radius_diff[ROOM];                           // owner's minus partner's radius [m]
    erg_real drift_x[ROOM], drift_y[ROOM], drift_z[ROOM]; // u_a - u_b [m/s]
    erg_real sum_x[ROOM], sum_y[ROOM], sum_z[ROOM];       // w_a + w_b [rad/s]
    erg_real spin_x[ROOM], spin_y[ROOM],
        spin_z[ROOM]; // w_a - w_b, if radii differ or rolling [rad/s]
    erg_real slide_x[ROOM], slide_y[ROOM], slide_z[ROOM]; // old history
    erg_real slid_x[ROOM], slid_y[ROOM], slid_z[ROOM];    // new history
    erg_real roll_x[ROOM], roll_y[ROOM], roll_z[ROOM];
    erg_real rolled_x[ROOM], rolled_y[ROOM], rolled_z[ROOM];
    erg_real kn[ROOM], cn[ROOM], kt[ROOM], ct[ROOM];
    erg_real friction[ROOM], friction_static[ROOM], cohesion[ROOM]; // as in ergi_pair_law
    erg_real rolling[ROOM], rolling_damping[ROOM], twisting[ROOM];
    erg_real force_x[ROOM], force_y[ROOM], force_z[ROOM]; // on the owner [N]
    erg_real owner_x[ROOM], owner_y[ROOM], owner_z[ROOM]; // torques about the centres [N m]
    erg_real partner_x[ROOM], partner_y[ROOM], partner_z[ROOM];
    erg_real n_x[ROOM], n_y[ROOM], n_z[ROOM], v_x[ROOM], v_y[ROOM],
        v_z[ROOM]; // as in ergi_contact_kinematics
    erg_real overlap[ROOM], radius[ROOM];
    erg_real lever[ROOM]; // mean distance of the two centres from the contact point [m]
    erg_real least[ROOM]; // smaller radius, unless all are equal [m]
    erg_real slips[ROOM]; // as in ergi_contact_force
    int      cut_rows;    // rows still to be computed with cuts, see evaluate_rows
} contact_rows;

// Variant of the pass, known at compile time.
typedef struct pair_kind {
    int  normal, tangential; // laws
    bool rolling, cohesion;
    bool one;   // one law, one size: coefficients are not read from columns
    bool equal; // all radii are the same
    int  width; // of the history
    bool outer; // list of outer pairs
    bool holds; // as in ergi_contact_kinematics
} pair_kind;

ERG_FN ergi_contact_kinematics kinematics_of(const contact_rows *m, size_t k, const pair_kind kind,
                                             erg_real dt)
{
    ergi_contact_kinematics t = {.n = {m->n_x[k], m->n_y[k], m->n_z[k]},
                                 .overlap = m->overlap[k],
                                 .v = {m->v_x[k], m->v_y[k], m->v_z[k]},
                                 .dt = dt,
                                 .holds = kind.holds};
    if (kind.rolling) t.spin = ergi_vec_make(m->spin_x[k], m->spin_y[k], m->spin_z[k]);
    if (kind.rolling || kind.cohesion) t.radius = m->radius[k];
    return t;
}

ERG_FN ergi_contact_history history_of(const contact_rows *m, size_t k, const pair_kind kind)
{
    ergi_contact_history r = {ergi_vec_zero(), ergi_vec_zero()};
    if (kind.width) r.slide = ergi_vec_make(m->slide_x[k], m->slide_y[k], m->slide_z[k]);
    if (kind.width >= ERGI_ROLLING_WIDTH)
        r.roll = ergi_vec_make(m->roll_x[k], m->roll_y[k], m->roll_z[k]);
    return r;
}

ERG_FN ergi_coef coef_of(const contact_rows *m, size_t k)
{
    return (ergi_coef){m->kn[k], m->cn[k], m->kt[k], m->ct[k]};
}

ERG_FN ergi_pair_law law_of(const contact_rows *m, size_t k)
{
    return (ergi_pair_law){.friction = m->friction[k],
                           .friction_static = m->friction_static[k],
                           .rolling = m->rolling[k],
                           .rolling_damping = m->rolling_damping[k],
                           .twisting = m->twisting[k],
                           .cohesion = m->cohesion[k]};
}

ERG_FN void set_law_of(contact_rows *m, size_t k, const ergi_pair_law *law)
{
    m->friction[k] = law->friction;
    m->friction_static[k] = law->friction_static;
    m->rolling[k] = law->rolling;
    m->rolling_damping[k] = law->rolling_damping;
    m->twisting[k] = law->twisting;
    m->cohesion[k] = law->cohesion;
}

// Evaluates contact k. Both spheres share one contact point, in the middle of the overlap: with the
// levers from the centres to it, the torque on a is -lever_a n x F, on b -lever_b n x F.
ERG_FN void evaluate_contact(contact_rows *m, size_t k, ergi_pair_law law, ergi_coef coef,
                             erg_real dt, const pair_kind kind)
{
    ergi_contact_kinematics t = kinematics_of(m, k, kind, dt);
    ergi_contact_force      contact_force =
        ergi_contact_evaluate(kind.normal, kind.tangential, kind.rolling, kind.cohesion, law, coef,
                              t, history_of(m, k, kind));
    ergi_vec moment = ergi_vec_cross(t.n, contact_force.force);
    erg_real half = kind.equal ? 0 : ERGI_R(0.5) * m->radius_diff[k];
    ergi_vec a = ergi_vec_scale(-(m->lever[k] + half), moment);
    m->force_x[k] = contact_force.force.x;
    m->force_y[k] = contact_force.force.y;
    m->force_z[k] = contact_force.force.z;
    if (kind.rolling) a = ergi_vec_add(a, contact_force.couple);
    m->owner_x[k] = a.x;
    m->owner_y[k] = a.y;
    m->owner_z[k] = a.z;
    if (!kind.equal || kind.rolling) {
        ergi_vec b = ergi_vec_scale(-(m->lever[k] - half), moment);
        if (kind.rolling) b = ergi_vec_sub(b, contact_force.couple);
        m->partner_x[k] = b.x;
        m->partner_y[k] = b.y;
        m->partner_z[k] = b.z;
    }
    if (kind.width) {
        m->slid_x[k] = contact_force.history.slide.x;
        m->slid_y[k] = contact_force.history.slide.y;
        m->slid_z[k] = contact_force.history.slide.z;
    }
    if (kind.width >= ERGI_ROLLING_WIDTH) {
        m->rolled_x[k] = contact_force.history.roll.x;
        m->rolled_y[k] = contact_force.history.roll.y;
        m->rolled_z[k] = contact_force.history.roll.z;
    }
    m->slips[k] = contact_force.slips;
}

// Evaluates a row of contacts from g on. Returns whether any slips.
ERG_FN bool evaluate_row(contact_rows *m, size_t g, ergi_pair_law law, ergi_coef same, erg_real dt,
                         const pair_kind kind)
{
    uint32_t any = 0;
#pragma omp simd
    for (size_t k = 0; k < ERGI_LAW_LANES; k++)
        evaluate_contact(m, g + k, kind.one ? law : law_of(m, g + k),
                         kind.one ? same : coef_of(m, g + k), dt, kind);
    for (size_t k = g; k < g + ERGI_LAW_LANES; k += LANES)
        any |= ergi_rows_below(ergi_rows_all(0), ergi_rows_load(m->slips + k));
    return any != 0;
}

// Evaluates n contacts. At rest hardly any contact slips: after CUT_ROWS rows without slip the next
// is computed without cuts, and computed again if one of its contacts slips.
ERG_FN void evaluate_rows(contact_rows *m, uint32_t n, erg_real dt, const pair_kind kind,
                          ergi_pair_law law, ergi_coef same)
{
    pair_kind holding = kind;
    holding.holds = true;
    for (size_t g = 0; g < n; g += ERGI_LAW_LANES) {
        bool cut = m->cut_rows > 0 || evaluate_row(m, g, law, same, dt, holding);
        if (cut) m->cut_rows = evaluate_row(m, g, law, same, dt, kind) ? CUT_ROWS : m->cut_rows - 1;
    }
}

// ---- Copies ------------------------------------------------------------------------------------
typedef void evaluate_rows_fn(contact_rows *m, uint32_t n, erg_real dt);

// A variant with laws and coefficients from columns. Contacts without cohesion have coefficient 0.
ERG_FN pair_kind kind_of_laws(const int normal, const int tangential, const bool rolling)
{
    return (pair_kind){.normal = normal,
                       .tangential = tangential,
                       .rolling = rolling,
                       .cohesion = true,
                       .width = ergi_history_width(tangential, rolling)};
}

// Evaluates one contact with any laws; `width` is the history width of all contacts.
static void evaluate_contact_by(contact_rows *m, size_t k, const ergi_pair_law *law, int width,
                                erg_real dt)
{
    pair_kind kind = kind_of_laws(law->normal, law->tangential, width >= ERGI_ROLLING_WIDTH);
    kind.width = width;
    evaluate_contact(m, k, law_of(m, k), coef_of(m, k), dt, kind);
}

// Only with hardware FMA: with the emulation in law/real.h the copies would be large and hardly
// faster.
#if defined(ERG_REAL_DOUBLE) || defined(__FMA__) || defined(__aarch64__)

#define EVALUATE_ROWS(N, T, R)                                                                     \
    static void evaluate_rows_##N##T##R(contact_rows *m, uint32_t n, erg_real dt)                  \
    {                                                                                              \
        evaluate_rows(m, n, dt, kind_of_laws(N, T, R), (ergi_pair_law){0},                         \
                      (ergi_coef){0, 0, 0, 0});                                                    \
    }
#define BOTH(N, T) EVALUATE_ROWS(N, T, 0) EVALUATE_ROWS(N, T, 1)
#define ALL(N)                                                                                     \
    BOTH(N, 0) BOTH(N, 1) BOTH(N, 2) BOTH(N, 3) BOTH(N, 4) BOTH(N, 5) BOTH(N, 6) BOTH(N, 7)
ALL(0)
ALL(1)
ALL(2)
ALL(3)
#undef EVALUATE_ROWS
#undef BOTH
#undef ALL

#define BOTH(N, T)                                                                                 \
    {                                                                                              \
        evaluate_rows_##N##T##0, evaluate_rows_##N##T##1                                           \
    }
#define ALL(N)                                                                                     \
    {                                                                                              \
        BOTH(N, 0), BOTH(N, 1), BOTH(N, 2), BOTH(N, 3), BOTH(N, 4), BOTH(N, 5), BOTH(N, 6),        \
            BOTH(N, 7)                                                                             \
    }
static evaluate_rows_fn *const EVALUATE_ROWS[ERGI_NORMAL_HERTZ + 1][ERGI_TANGENTIAL_YASUDA + 1][2] =
    {ALL(0), ALL(1), ALL(2), ALL(3)};
#undef BOTH
#undef ALL

#endif

// The copy for these laws; NULL if laws vary between contacts (-1) or no copies are built.
ERG_FN evaluate_rows_fn *evaluate_rows_of(int normal, int tangential, bool rolling)
{
#if defined(ERG_REAL_DOUBLE) || defined(__FMA__) || defined(__aarch64__)
    return normal < 0 || tangential < 0 ? NULL : EVALUATE_ROWS[normal][tangential][rolling];
#else
    (void)normal, (void)tangential, (void)rolling;
    return NULL;
#endif
}

#endif
