// Contacts of spheres with walls, in columns: collected one by one, then evaluated LANES at a time,
// as contacts between spheres are. Included by wall_pass.h only.
#ifndef ERGI_WALL_CONTACTS_H
#define ERGI_WALL_CONTACTS_H

#include "dem/kernels.h"
#include "dem/motion_rows.h"
#include "dem/pair_pass.h"
#include "dem/wall_view.h"

enum { WALL_CONTACTS = 32 };

typedef struct wall_contact_rows {
    uint32_t        count;
    uint32_t        sphere[WALL_CONTACTS], wall[WALL_CONTACTS];
    double         *wall_sum[WALL_CONTACTS];    // as in wall_view
    size_t          slot[WALL_CONTACTS];        // row of history; SIZE_MAX: none was free
    const erg_real *old_history[WALL_CONTACTS]; // stored history; NO_HISTORY at first touch
    wall_rows       rows[WALL_CONTACTS];
    erg_real        overlap[WALL_CONTACTS], lever[WALL_CONTACTS];
    // Filled for all contacts at once
    erg_real n_x[WALL_CONTACTS], n_y[WALL_CONTACTS], n_z[WALL_CONTACTS],
        friction[WALL_CONTACTS]; // from `rows`
    erg_real wall_x[WALL_CONTACTS], wall_y[WALL_CONTACTS], wall_z[WALL_CONTACTS];
    erg_real v_x[WALL_CONTACTS], v_y[WALL_CONTACTS], v_z[WALL_CONTACTS];
    erg_real spin_x[WALL_CONTACTS], spin_y[WALL_CONTACTS],
        spin_z[WALL_CONTACTS]; // of the sphere [rad/s]
    erg_real kn[WALL_CONTACTS], cn[WALL_CONTACTS], kt[WALL_CONTACTS], ct[WALL_CONTACTS];
    erg_real slide_x[WALL_CONTACTS], slide_y[WALL_CONTACTS], slide_z[WALL_CONTACTS];
    erg_real force_x[WALL_CONTACTS], force_y[WALL_CONTACTS], force_z[WALL_CONTACTS];
    erg_real moment_x[WALL_CONTACTS], moment_y[WALL_CONTACTS],
        moment_z[WALL_CONTACTS]; // on the sphere [N m]
    // Only with many sizes
    const ergi_coef_scales *scales[WALL_CONTACTS];
    double                  r_star[WALL_CONTACTS], inverse_mass[WALL_CONTACTS]; // [m], [1/kg]
    double                  share[WALL_CONTACTS];                               // as `part`
    // Only if not all laws are the default ones
    ergi_pair_law law[WALL_CONTACTS];    // cohesion is multiplied by `part`
    erg_real      radius[WALL_CONTACTS]; // R* [m]
    erg_real      part[WALL_CONTACTS];   // share of a contact formed by several hits; else 1
    erg_real wall_spin_x[WALL_CONTACTS], wall_spin_y[WALL_CONTACTS], wall_spin_z[WALL_CONTACTS];
    erg_real couple_x[WALL_CONTACTS], couple_y[WALL_CONTACTS],
        couple_z[WALL_CONTACTS]; // on the sphere [N m]
    erg_real roll_x[WALL_CONTACTS], roll_y[WALL_CONTACTS], roll_z[WALL_CONTACTS]; // new history
} wall_contact_rows;

static const erg_real NO_HISTORY[ERGI_ROLLING_WIDTH];

// ---- Gather ------------------------------------------------------------------------------------
// The first four numbers of eight rows as columns.
ERG_FN void columns_of_rows(const erg_real *const row[8], ergi_rows r[4])
{
    for (uint32_t c = 0; c < 4; c++)
        r[c] = ergi_rows_of(ergi_row_load(row[c]), ergi_row_load(row[c + 4]));
    ergi_rows_transpose(r);
}

// Transposes the rows of motion, walls and history of eight contacts from g on to columns. Lanes
// beyond the last contact repeat contact g.
ERG_FN void gather_wall_contacts(const ergi_wall_pass *p, wall_contact_rows *t, uint32_t g)
{
    const erg_real *motion = p->s.motion, *normal[8], *velocity[8], *coef[8], *old_history[8];
    ergi_rows       m[8], r[4], high;
    for (uint32_t c = 0; c < 8; c++) {
        uint32_t at = g + c < t->count ? g + c : g;
        m[c] = ergi_rows_load(motion + 8 * (size_t)t->sphere[at]);
        normal[c] = t->rows[at].normal;
        velocity[c] = t->rows[at].velocity;
        coef[c] = t->rows[at].coef;
        old_history[c] = t->old_history[at];
    }
    ergi_rows_transpose(m);
    ergi_rows_transpose(m + 4);
    ergi_rows_store(t->v_x + g, ergi_rows_halves(m[0], m[4], &high));
    ergi_rows_store(t->spin_x + g, high);
    ergi_rows_store(t->v_y + g, ergi_rows_halves(m[1], m[5], &high));
    ergi_rows_store(t->spin_y + g, high);
    ergi_rows_store(t->v_z + g, ergi_rows_halves(m[2], m[6], &high));
    ergi_rows_store(t->spin_z + g, high);
    columns_of_rows(normal, r);
    ergi_rows_store(t->n_x + g, r[0]);
    ergi_rows_store(t->n_y + g, r[1]);
    ergi_rows_store(t->n_z + g, r[2]);
    ergi_rows_store(t->friction + g, r[3]);
    columns_of_rows(velocity, r);
    ergi_rows_store(t->wall_x + g, r[0]);
    ergi_rows_store(t->wall_y + g, r[1]);
    ergi_rows_store(t->wall_z + g, r[2]);
    columns_of_rows(coef, r);
    ergi_rows_store(t->kn + g, r[0]);
    ergi_rows_store(t->cn + g, r[1]);
    ergi_rows_store(t->kt + g, r[2]);
    ergi_rows_store(t->ct + g, r[3]);
    columns_of_rows(old_history, r);
    ergi_rows_store(t->slide_x + g, r[0]);
    ergi_rows_store(t->slide_y + g, r[1]);
    ergi_rows_store(t->slide_z + g, r[2]);
}

// ---- Coefficients of many sizes ----------------------------------------------------------------
ERG_FN void set_coefficients(wall_contact_rows *t, size_t k, const ergi_coef_scales *scales)
{
    ergi_coefs c = ergi_coefs_of(scales, t->r_star[k], 1 / t->inverse_mass[k]);
    t->kn[k] = (erg_real)(t->share[k] * c.kn);
    t->cn[k] = (erg_real)(t->share[k] * c.cn);
    t->kt[k] = (erg_real)(t->share[k] * c.kt);
    t->ct[k] = (erg_real)(t->share[k] * c.ct);
}

static void set_all_coefficients(wall_contact_rows *t)
{
    for (uint32_t g = 0; g < t->count; g += LANES) {
        const ergi_coef_scales *first = t->scales[g], same = *first;
        uint32_t                end = g + LANES < t->count ? g + LANES : t->count;
        bool                    one = end == g + LANES;
        for (uint32_t k = g; k < end; k++) one &= t->scales[k] == first;
        if (!one) {
            for (uint32_t k = g; k < end; k++) set_coefficients(t, k, t->scales[k]);
            continue;
        }
#pragma omp simd
        for (uint32_t k = 0; k < LANES; k++) set_coefficients(t, g + k, &same);
    }
}

// ---- Evaluate ----------------------------------------------------------------------------------
ERG_FN ergi_contact_kinematics wall_kinematics(const wall_contact_rows *t, size_t k, erg_real dt)
{
    ergi_vec n = {t->n_x[k], t->n_y[k], t->n_z[k]}, u = {t->v_x[k], t->v_y[k], t->v_z[k]},
             spin = {t->spin_x[k], t->spin_y[k], t->spin_z[k]},
             wall = {t->wall_x[k], t->wall_y[k], t->wall_z[k]};
    return (ergi_contact_kinematics){
        .n = n,
        .overlap = t->overlap[k],
        .v = ergi_vec_less_cross(ergi_vec_sub(u, wall), ergi_vec_scale(t->lever[k], spin), n),
        .dt = dt};
}

// Evaluates contact k with the default laws and its own friction.
ERG_FN void evaluate_default_law(wall_contact_rows *t, size_t k, erg_real dt)
{
    ergi_contact_kinematics kinematics = wall_kinematics(t, k, dt);
    ergi_contact_history    old_history = {{t->slide_x[k], t->slide_y[k], t->slide_z[k]},
                                           ergi_vec_zero()};
    ergi_coef               coef = {t->kn[k], t->cn[k], t->kt[k], t->ct[k]};
    ergi_pair_law           law = {.friction = t->friction[k]};
    ergi_contact_force      contact_force =
        ergi_contact_evaluate(ERGI_NORMAL_HERTZ, ERGI_TANGENTIAL_MINDLIN, false, false, law, coef,
                              kinematics, old_history);
    t->force_x[k] = contact_force.force.x;
    t->force_y[k] = contact_force.force.y;
    t->force_z[k] = contact_force.force.z;
    ergi_vec moment =
        ergi_vec_cross(ergi_vec_scale(-t->lever[k], kinematics.n), contact_force.force);
    t->moment_x[k] = moment.x;
    t->moment_y[k] = moment.y;
    t->moment_z[k] = moment.z;
    t->slide_x[k] = contact_force.history.slide.x;
    t->slide_y[k] = contact_force.history.slide.y;
    t->slide_z[k] = contact_force.history.slide.z;
}

// Input for the general laws: the wall is a partner with lever 0, so that the torque on it is the
// couple alone.
ERG_FN void set_wall_kinematics(const wall_contact_rows *t, size_t k, contact_rows *m)
{
    ergi_contact_kinematics kinematics = wall_kinematics(t, k, 0);
    m->n_x[k] = kinematics.n.x;
    m->n_y[k] = kinematics.n.y;
    m->n_z[k] = kinematics.n.z;
    m->v_x[k] = kinematics.v.x;
    m->v_y[k] = kinematics.v.y;
    m->v_z[k] = kinematics.v.z;
    m->spin_x[k] = t->spin_x[k] - t->wall_spin_x[k];
    m->spin_y[k] = t->spin_y[k] - t->wall_spin_y[k];
    m->spin_z[k] = t->spin_z[k] - t->wall_spin_z[k];
    m->overlap[k] = t->overlap[k];
    m->radius[k] = t->radius[k];
    m->lever[k] = ERGI_R(0.5) * t->lever[k];
    m->radius_diff[k] = t->lever[k];
    m->kn[k] = t->kn[k];
    m->cn[k] = t->cn[k];
    m->kt[k] = t->kt[k];
    m->ct[k] = t->ct[k];
    m->slide_x[k] = t->slide_x[k];
    m->slide_y[k] = t->slide_y[k];
    m->slide_z[k] = t->slide_z[k];
}

ERG_FN void take_contact_force(const contact_rows *m, size_t k, wall_contact_rows *t)
{
    t->force_x[k] = m->force_x[k];
    t->force_y[k] = m->force_y[k];
    t->force_z[k] = m->force_z[k];
    t->moment_x[k] = m->owner_x[k];
    t->moment_y[k] = m->owner_y[k];
    t->moment_z[k] = m->owner_z[k];
    t->slide_x[k] = m->slid_x[k];
    t->slide_y[k] = m->slid_y[k];
    t->slide_z[k] = m->slid_z[k];
    t->couple_x[k] = -m->partner_x[k];
    t->couple_y[k] = -m->partner_y[k];
    t->couple_z[k] = -m->partner_z[k];
    t->roll_x[k] = m->rolled_x[k];
    t->roll_y[k] = m->rolled_y[k];
    t->roll_z[k] = m->rolled_z[k];
}

// Evaluates with any laws. Lanes beyond the last contact have the laws of the first and otherwise
// undefined input. Their results are not read; they may only decide whether evaluate_rows computes
// a row again, which does not change the other lanes.
static void evaluate_law(const ergi_wall_pass *p, wall_contact_rows *t)
{
    const bool        rolling = p->history_width >= ERGI_ROLLING_WIDTH;
    erg_real          dt = (erg_real)p->dt;
    uint32_t          all = (t->count + ERGI_LAW_LANES - 1) / ERGI_LAW_LANES * ERGI_LAW_LANES;
    evaluate_rows_fn *rows = evaluate_rows_of(p->normal_law, p->tangential_law, rolling);
    contact_rows      m;
    m.cut_rows = 0;
    for (uint32_t k = 0; k < all; k++) {
        uint32_t        at = k < t->count ? k : 0;
        const erg_real *roll = t->old_history[at] + ERGI_SLIDING_WIDTH;
        set_law_of(&m, k, &t->law[at]);
        if (!rolling) continue;
        m.roll_x[k] = roll[0];
        m.roll_y[k] = roll[1];
        m.roll_z[k] = roll[2];
    }
    for (size_t g = 0; g < all; g += LANES)
#pragma omp simd
        for (size_t k = 0; k < LANES; k++) set_wall_kinematics(t, g + k, &m);
    if (rows) rows(&m, t->count, dt);
    for (uint32_t k = 0; k < t->count && !rows; k++)
        evaluate_contact_by(&m, k, &t->law[k], p->history_width, dt);
    for (size_t g = 0; g < t->count; g += LANES)
#pragma omp simd
        for (size_t k = 0; k < LANES; k++) take_contact_force(&m, g + k, t);
}

// Results of lanes beyond the last contact are not read.
static void evaluate_wall_contacts(const ergi_wall_pass *p, wall_contact_rows *t)
{
    erg_real dt = (erg_real)p->dt;
    for (uint32_t g = 0; g < t->count; g += LANES) gather_wall_contacts(p, t, g);
    if (p->many_sizes) set_all_coefficients(t);
    if (!p->usual) {
        evaluate_law(p, t);
        return;
    }
    for (size_t g = 0; g < t->count; g += LANES)
#pragma omp simd
        for (size_t k = 0; k < LANES; k++) evaluate_default_law(t, g + k, dt);
}

// Energy in the stored springs of contact k. Hits that form one contact hold (d/D)^8 of its normal
// energy each; their tangential springs are separate. [J]
static erg_real wall_contact_energy(const ergi_wall_pass *p, const wall_contact_rows *t, size_t k)
{
    const ergi_pair_law    *law = &t->law[k];
    bool                    rolling = p->history_width >= ERGI_ROLLING_WIDTH;
    ergi_coef               coef = {t->kn[k], t->cn[k], t->kt[k], t->ct[k]};
    ergi_contact_kinematics kinematics = wall_kinematics(t, k, (erg_real)p->dt);
    erg_real                own = (erg_real)pow((double)t->part[k], 1.0 / 7); // d/D
    kinematics.radius = t->radius[k];
    return own *
               ergi_contact_normal_energy(law->normal, law->cohesion > 0, *law, coef, kinematics) +
           ergi_contact_shear_energy(law->normal, law->tangential, rolling, *law, coef, kinematics,
                                     load_history(t->old_history[k], p->history_width));
}

// ---- Apply -------------------------------------------------------------------------------------
// Adds the reaction of contact k to the wall's sum, with torque about its pivot. `force_torque`
// acts on the sphere.
ERG_FN void add_to_wall(const ergi_wall_pass *p, const wall_contact_rows *t, uint32_t k,
                        ergi_rows force_torque)
{
    const erg_vec3  *pivot = &p->walls[t->wall[k]].wall.pivot;
    const erg_vec3  *moved = &p->state[t->wall[k]].pose.position;
    const ergi_row64 three = {1, 1, 1, 0},
                     x = ergi_row64_load(p->s.position + 4 * (size_t)t->sphere[k]),
                     away = ergi_row_widen((ergi_row){t->n_x[k], t->n_y[k], t->n_z[k], 0}),
                     from = {pivot->x + moved->x, pivot->y + moved->y, pivot->z + moved->z, 0};
    ergi_row64 force = -ergi_row_widen(ergi_rows_low(force_torque));
    ergi_row64 torque = row64_cross((x - (double)t->lever[k] * away - from) * three, force);
    double    *sum = t->wall_sum[k];
    if (p->history_width >= ERGI_ROLLING_WIDTH)
        torque -=
            (ergi_row64){(double)t->couple_x[k], (double)t->couple_y[k], (double)t->couple_z[k], 0};
    ergi_row64_store(sum, ergi_row64_load(sum) + force);
    ergi_row64_store(sum + ERGI_TORQUE, ergi_row64_load(sum + ERGI_TORQUE) + torque);
}

static void store_wall_history(const ergi_wall_pass *p, const wall_contact_rows *t, uint32_t k)
{
    const size_t width = (size_t)p->history_width, stride = width + 3;
    if (t->slot[k] == SIZE_MAX || p->dry_run) return;
    erg_real            *history = (erg_real *)p->history + t->slot[k] * stride;
    ergi_contact_history now = {{t->slide_x[k], t->slide_y[k], t->slide_z[k]}, ergi_vec_zero()};
    if (width >= ERGI_ROLLING_WIDTH)
        now.roll = ergi_vec_make(t->roll_x[k], t->roll_y[k], t->roll_z[k]);
    store_history(history, (int)width, now);
    store3(history + width, ergi_vec_make(t->n_x[k], t->n_y[k], t->n_z[k]));
}

static void apply_wall_contacts(const ergi_wall_pass *p, wall_contact_rows *t)
{
    evaluate_wall_contacts(p, t);
    for (uint32_t g = 0; g < t->count; g += LANES) {
        ergi_rows force[4], moment[4], force_torque[8];
        rows_of_columns(t->force_x, t->force_y, t->force_z, g, force);
        rows_of_columns(t->moment_x, t->moment_y, t->moment_z, g, moment);
        for (int c = 0; c < 4; c++)
            force_torque[c] = ergi_rows_halves(force[c], moment[c], &force_torque[c + 4]);
        for (uint32_t k = g; k < g + LANES && k < t->count; k++) {
            add_rows(force_torque_of(&p->s, t->sphere[k]), force_torque[k - g]);
            if (t->wall_sum[k]) add_to_wall(p, t, k, force_torque[k - g]);
            store_wall_history(p, t, k);
        }
    }
    t->count = 0;
}

#endif
