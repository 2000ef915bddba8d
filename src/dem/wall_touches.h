// Touches of spheres on walls in columns: collected one by one, then the laws take LANES of them at
// once, as between spheres. Included by wall_pass.h alone.
#ifndef ERGI_WALL_TOUCHES_H
#define ERGI_WALL_TOUCHES_H

#include "dem/kernels.h"
#include "dem/motion_rows.h"
#include "dem/pair_pass.h"
#include "dem/wall_view.h"

enum { TOUCHES = 32 };

typedef struct touches {
    uint32_t         count;
    uint32_t         sphere[TOUCHES], wall[TOUCHES];
    bool             felt[TOUCHES]; // as in wall_view
    size_t           slot[TOUCHES]; // row of memory; SIZE_MAX: all were taken
    const erg_real  *kept[TOUCHES]; // what the contact remembers; a row of zeros at first
    const ergi_pair *pair[TOUCHES];
    wall_rows        rows[TOUCHES];
    erg_real         overlap[TOUCHES], lever[TOUCHES];
    // Filled for all touches at once
    erg_real n_x[TOUCHES], n_y[TOUCHES], n_z[TOUCHES], friction[TOUCHES]; // of `rows`
    erg_real wall_x[TOUCHES], wall_y[TOUCHES], wall_z[TOUCHES];
    erg_real v_x[TOUCHES], v_y[TOUCHES], v_z[TOUCHES];
    erg_real spin_x[TOUCHES], spin_y[TOUCHES], spin_z[TOUCHES]; // of the sphere [rad/s]
    erg_real kn[TOUCHES], cn[TOUCHES], kt[TOUCHES], ct[TOUCHES];
    erg_real slide_x[TOUCHES], slide_y[TOUCHES], slide_z[TOUCHES];
    erg_real force_x[TOUCHES], force_y[TOUCHES], force_z[TOUCHES];
    erg_real moment_x[TOUCHES], moment_y[TOUCHES], moment_z[TOUCHES]; // on the sphere [N m]
    // Where not all laws are the usual ones
    erg_real radius[TOUCHES]; // R* [m]
    erg_real part[TOUCHES];   // of a contact that several touches are together; else 1
    ergi_vec wall_spin[TOUCHES], couple[TOUCHES], roll[TOUCHES];
} touches;

static const erg_real FORGOTTEN[ERGI_ROLLING_WIDTH];

// ---- Gather ------------------------------------------------------------------------------------
// The first four numbers of eight rows as columns.
ERG_FN void columns_of_rows(const erg_real *const row[8], ergi_rows r[4])
{
    for (uint32_t c = 0; c < 4; c++)
        r[c] = ergi_rows_of(ergi_row_load(row[c]), ergi_row_load(row[c + 4]));
    ergi_rows_transpose(r);
}

// Rows of motion, walls and memory of eight touches from g on become columns. Lanes beyond the last
// touch take those of touch g.
ERG_FN void gather_touches(const ergi_wall_pass *p, touches *t, uint32_t g)
{
    const erg_real *motion = p->s.motion, *normal[8], *velocity[8], *coef[8], *kept[8];
    ergi_rows       m[8], r[4], high;
    for (uint32_t c = 0; c < 8; c++) {
        uint32_t at = g + c < t->count ? g + c : g;
        m[c] = ergi_rows_load(motion + 8 * (size_t)t->sphere[at]);
        normal[c] = t->rows[at].normal;
        velocity[c] = t->rows[at].velocity;
        coef[c] = t->rows[at].coef;
        kept[c] = t->kept[at];
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
    columns_of_rows(kept, r);
    ergi_rows_store(t->slide_x + g, r[0]);
    ergi_rows_store(t->slide_y + g, r[1]);
    ergi_rows_store(t->slide_z + g, r[2]);
}

// ---- Push --------------------------------------------------------------------------------------
ERG_FN ergi_touch touch_on_wall(const touches *t, size_t k, const bool rolling, const bool cohesion,
                                erg_real dt)
{
    ergi_vec n = {t->n_x[k], t->n_y[k], t->n_z[k]}, u = {t->v_x[k], t->v_y[k], t->v_z[k]},
             spin = {t->spin_x[k], t->spin_y[k], t->spin_z[k]},
             wall = {t->wall_x[k], t->wall_y[k], t->wall_z[k]};
    ergi_touch touch = {
        .n = n,
        .overlap = t->overlap[k],
        .v = ergi_vec_less_cross(ergi_vec_sub(u, wall), ergi_vec_scale(t->lever[k], spin), n),
        .dt = dt};
    if (rolling) touch.spin = ergi_vec_sub(spin, t->wall_spin[k]);
    if (rolling || cohesion) touch.radius = t->radius[k];
    return touch;
}

ERG_FN void push_touch(touches *t, size_t k, ergi_pair_law law, const int normal,
                       const int tangential, const bool rolling, const bool cohesion, erg_real dt)
{
    ergi_touch  touch = touch_on_wall(t, k, rolling, cohesion, dt);
    ergi_memory kept = {{t->slide_x[k], t->slide_y[k], t->slide_z[k]}, ergi_vec_zero()};
    ergi_coef   coef = {t->kn[k], t->cn[k], t->kt[k], t->ct[k]};
    law.friction = t->friction[k];
    if (rolling) kept.roll = load3(t->kept[k] + ERGI_SLIDING_WIDTH);
    ergi_push push =
        ergi_contact_push(normal, tangential, rolling, cohesion, law, coef, touch, kept);
    t->force_x[k] = push.force.x;
    t->force_y[k] = push.force.y;
    t->force_z[k] = push.force.z;
    ergi_vec moment = ergi_vec_cross(ergi_vec_scale(-t->lever[k], touch.n), push.force);
    if (rolling) {
        moment = ergi_vec_add(moment, push.couple);
        t->couple[k] = push.couple;
        t->roll[k] = push.memory.roll;
    }
    t->moment_x[k] = moment.x;
    t->moment_y[k] = moment.y;
    t->moment_z[k] = moment.z;
    t->slide_x[k] = push.memory.slide.x;
    t->slide_y[k] = push.memory.slide.y;
    t->slide_z[k] = push.memory.slide.z;
}

// `part`: of the contact. The coefficients have it already; what is felt per force has no share.
static ergi_pair_law wall_law(const ergi_pair *pair, erg_real part)
{
    ergi_pair_law law = {.normal = pair->scales.normal,
                         .tangential = pair->scales.tangential,
                         .friction = (erg_real)pair->friction,
                         .friction_static = (erg_real)pair->friction_static,
                         .rolling = (erg_real)pair->rolling,
                         .rolling_damping = (erg_real)pair->rolling_damping,
                         .twisting = (erg_real)pair->twisting,
                         .cohesion = part * (erg_real)pair->cohesion};
    return law;
}

// Nobody reads what lanes beyond the last touch find.
static void push_touches(const ergi_wall_pass *p, touches *t)
{
    const ergi_pair_law usual = {0};
    erg_real            dt = (erg_real)p->dt;
    for (uint32_t g = 0; g < t->count; g += LANES) gather_touches(p, t, g);
    if (p->usual) {
        for (size_t g = 0; g < t->count; g += LANES)
#pragma omp simd
            for (size_t k = 0; k < LANES; k++)
                push_touch(t, g + k, usual, ERGI_NORMAL_HERTZ, ERGI_TANGENTIAL_MINDLIN, false,
                           false, dt);
        return;
    }
    for (uint32_t k = 0; k < t->count; k++) {
        ergi_pair_law law = wall_law(t->pair[k], t->part[k]);
        push_touch(t, k, law, law.normal, law.tangential, p->memory_width >= ERGI_ROLLING_WIDTH,
                   t->pair[k]->cohesion > 0, dt);
    }
}

// What the springs of touch k hold, as they are remembered. Touches that are one contact hold its
// squeeze together, (d/D)^8 of it each; the springs along the surface are their own. [J]
static erg_real touch_energy(const ergi_wall_pass *p, const touches *t, size_t k)
{
    ergi_pair_law law = wall_law(t->pair[k], t->part[k]);
    bool       rolling = p->memory_width >= ERGI_ROLLING_WIDTH, cohesion = t->pair[k]->cohesion > 0;
    ergi_coef  coef = {t->kn[k], t->cn[k], t->kt[k], t->ct[k]};
    ergi_touch touch = touch_on_wall(t, k, rolling, cohesion, (erg_real)p->dt);
    erg_real   own = (erg_real)pow((double)t->part[k], 1.0 / 7); // d/D
    return own * ergi_contact_squeeze_energy(law.normal, cohesion, law, coef, touch) +
           ergi_contact_shear_energy(law.normal, law.tangential, rolling, law, coef, touch,
                                     recall(t->kept[k], p->memory_width));
}

// ---- Apply -------------------------------------------------------------------------------------
// What the wall feels of touch k, about its pivot; `load` is what the sphere feels.
ERG_FN void add_to_wall(const ergi_wall_pass *p, const touches *t, uint32_t k, ergi_rows load,
                        double *sums)
{
    const erg_vec3  *pivot = &p->walls[t->wall[k]].wall.pivot;
    const erg_vec3  *moved = &p->state[t->wall[k]].pose.position;
    const ergi_row64 three = {1, 1, 1, 0},
                     x = ergi_row64_load(p->s.position + 4 * (size_t)t->sphere[k]),
                     away = ergi_row_widen((ergi_row){t->n_x[k], t->n_y[k], t->n_z[k], 0}),
                     from = {pivot->x + moved->x, pivot->y + moved->y, pivot->z + moved->z, 0};
    ergi_row64 force = -ergi_row_widen(ergi_rows_low(load));
    ergi_row64 torque = row64_cross((x - (double)t->lever[k] * away - from) * three, force);
    double    *sum = sums + ERGI_WALL_SUM * (size_t)t->wall[k];
    if (p->memory_width >= ERGI_ROLLING_WIDTH)
        torque -=
            (ergi_row64){(double)t->couple[k].x, (double)t->couple[k].y, (double)t->couple[k].z, 0};
    ergi_row64_store(sum, ergi_row64_load(sum) + force);
    ergi_row64_store(sum + ERGI_TORQUE, ergi_row64_load(sum + ERGI_TORQUE) + torque);
}

static void keep_touch(const ergi_wall_pass *p, const touches *t, uint32_t k)
{
    const size_t width = (size_t)p->memory_width, stride = width + 3;
    if (t->slot[k] == SIZE_MAX || p->trial) return;
    erg_real   *memory = (erg_real *)p->memory + t->slot[k] * stride;
    ergi_memory kept = {{t->slide_x[k], t->slide_y[k], t->slide_z[k]}, ergi_vec_zero()};
    if (width >= ERGI_ROLLING_WIDTH) kept.roll = t->roll[k];
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
            if (t->felt[k]) add_to_wall(p, t, k, load[k - g], sums);
            keep_touch(p, t, k);
        }
    }
    t->count = 0;
}

#endif
