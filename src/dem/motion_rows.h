// Motion common to clumps and single spheres: kicks, rotation, and the cheap tests of the guards.
// Included by the passes only.
#ifndef ERGI_MOTION_ROWS_H
#define ERGI_MOTION_ROWS_H

#include "dem/kernels.h"
#include "dem/pair_pass.h"

ERG_FN ergi_vec load3(const erg_real *p)
{
    return ergi_vec_make(p[0], p[1], p[2]);
}

ERG_FN void store3(erg_real *p, ergi_vec v)
{
    p[0] = v.x;
    p[1] = v.y;
    p[2] = v.z;
}

ERG_FN erg_real *motion_row(const ergi_motion_pass *p, size_t i)
{
    return (erg_real *)p->motion + 8 * i;
}

ERG_FN erg_real *force_torque_row(const ergi_motion_pass *p, size_t i)
{
    return (erg_real *)p->force_torque + 8 * i;
}

// Twice the power of force and torque in a kick from motion `before` to `after`, as parts to be
// summed. Times half the kick's duration it is the kinetic energy added, to rounding.
ERG_FN ergi_rows kick_power(ergi_rows force_torque, ergi_rows before, ergi_rows after)
{
    return ergi_rows_mul(force_torque, ergi_rows_add(before, after));
}

ERG_FN double rows_sum(ergi_rows r)
{
    ergi_row64 w = ergi_row_widen(ergi_rows_low(r) + ergi_rows_high(r));
    return (w[0] + w[1]) + (w[2] + w[3]);
}

// Acceleration: force/mass + gravity, and torque/inertia for grains with the same inertia about all
// axes. The last numbers of `motion` are 1/mass and 1/inertia.
ERG_FN ergi_rows kick_rate(ergi_rows motion, ergi_rows force_torque, ergi_rows gravity)
{
    return ergi_rows_fma(force_torque, ergi_rows_last(motion), gravity);
}

ERG_FN ergi_rows kicked(ergi_rows motion, ergi_rows rate, ergi_rows time)
{
    return ergi_rows_fma(time, rate, motion);
}

ERG_FN ergi_rows gravity_rows(const ergi_motion_pass *p)
{
    const double *g = p->gravity;
    return ergi_rows_of((ergi_row){(erg_real)g[0], (erg_real)g[1], (erg_real)g[2], 0},
                        ergi_row_all(0));
}

ERG_FN ergi_row64 row64_all(double x)
{
    return (ergi_row64){x, x, x, x};
}

// Constants of a pass. Local copies: the compiler cannot know that no store to a grain changes the
// originals.
typedef struct kick_rows {
    ergi_rows  gravity, before, after; // gravity [m/s^2]; duration of the kicks [s]
    ergi_rows  damping;                // factor on motion
    ergi_rows  step;                   // dt; 0 in lanes of 1/mass and 1/inertia [s]
    ergi_row64 drift;                  // dt; 0 in the lane of the radius [s]
} kick_rows;

ERG_FN kick_rows kick_rows_of(const ergi_motion_pass *p)
{
    const erg_real keep = (erg_real)(1 / (1 + p->spin_damping * p->dt)), dt = (erg_real)p->dt;
    return (kick_rows){
        .gravity = gravity_rows(p),
        .before = ergi_rows_all((erg_real)(p->kick * p->dt)),
        .after = ergi_rows_all((erg_real)((1 - p->kick) * p->dt)),
        .damping = ergi_rows_of(ergi_row_all(1), (ergi_row){keep, keep, keep, 1}),
        .step = ergi_rows_of((ergi_row){dt, dt, dt, 0}, (ergi_row){dt, dt, dt, 0}),
        .drift = {p->dt, p->dt, p->dt, 0},
    };
}

// sin(x)/x and cos(x) from x^2, exact to rounding for x^2 < SMALL_ANGLE2. The angles of one step
// are small, and the series are many times faster than the library functions.
#define SMALL_ANGLE2 1e-3
ERG_FN ergi_row64 small_sinc(ergi_row64 x2)
{
    return 1 - x2 * (1.0 / 6) * (1 - x2 * (1.0 / 20) * (1 - x2 * (1.0 / 42)));
}
ERG_FN ergi_row64 small_cos(ergi_row64 x2)
{
    return 1 - x2 * 0.5 * (1 - x2 * (1.0 / 12) * (1 - x2 * (1.0 / 30) * (1 - x2 * (1.0 / 56))));
}

ERG_FN ergi_row64 row64_cross(ergi_row64 a, ergi_row64 b)
{
    ergi_row64 c = a * __builtin_shufflevector(b, b, 1, 2, 0, 3) -
                   __builtin_shufflevector(a, a, 1, 2, 0, 3) * b;
    return __builtin_shufflevector(c, c, 1, 2, 0, 3);
}

// Rotates four orientations by their spins: q becomes exp(w dt) q. Works on columns: a row holds
// one component of all four.
ERG_FN void turn_four(double *const q[4], const ergi_row spin[4], double dt)
{
    ergi_row64 o[4], v[4];
    for (int k = 0; k < 4; k++) {
        o[k] = ergi_row64_load(q[k]);
        v[k] = ergi_row_widen(spin[k]) * dt;
    }
    ergi_row64_transpose(o);
    ergi_row64_transpose(v);
    ergi_row64 half2 = 0.25 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); // half the angle, squared
    ergi_row64 c = small_cos(half2), s = 0.5 * small_sinc(half2);
    for (int k = 0; k < 4; k++)
        if (half2[k] > SMALL_ANGLE2) {
            double half = sqrt(half2[k]);
            c[k] = cos(half);
            s[k] = 0.5 * sin(half) / half;
        }
    for (int a = 0; a < 3; a++) v[a] *= s;
    ergi_row64 x = c * o[0] + v[0] * o[3] + v[1] * o[2] - v[2] * o[1],
               y = c * o[1] - v[0] * o[2] + v[1] * o[3] + v[2] * o[0],
               z = c * o[2] + v[0] * o[1] - v[1] * o[0] + v[2] * o[3],
               w = c * o[3] - v[0] * o[0] - v[1] * o[1] - v[2] * o[2];
    // One Newton step normalises: the length was 1 to rounding before.
    ergi_row64 n = 1.5 - 0.5 * (x * x + y * y + z * z + w * w);
    o[0] = n * x;
    o[1] = n * y;
    o[2] = n * z;
    o[3] = n * w;
    ergi_row64_transpose(o);
    for (int k = 0; k < 4; k++) ergi_row64_store(q[k], o[k]);
}

// Rotates grains begin .. end-1 by their spins for one step.
ERG_FN void turn_grains(const ergi_motion_pass *p, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i += 4) {
        double  *q[4], idle[4] = {0, 0, 0, 1};
        ergi_row spin[4];
        for (size_t k = 0; k < 4; k++) {
            q[k] = i + k < end ? p->orientation + 4 * (i + k) : idle;
            spin[k] =
                i + k < end ? ergi_row_load(motion_row(p, i + k) + ERGI_SPIN) : ergi_row_all(0);
        }
        turn_four(q, spin, p->dt);
    }
}

// Grains whose power is summed in working precision before it is added to a double.
enum { GROUP = 8 };

// ---- Guards ------------------------------------------------------------------------------------
// Cheap tests on all grains; only chunks that fail them are measured exactly.
#define SUSPICIOUS_STEP 0.2     // radii per axis: 6 axes at this limit give less than half a radius
#define SURE_DISPLACEMENT 0.57  // skins per axis: 3 axes at this limit give less than one skin
#define BOUND_DISPLACEMENT 0.56 // the same for a sum of steps, with a margin for rounding

// Reports the largest displacement per step over radius. NaN counts as infinite, so that the guard
// detects it.
static void note_speeds(const ergi_motion_pass *p, erg_index begin, erg_index end,
                        ergi_report *report)
{
    for (erg_index i = begin; i < end; i++) {
        const erg_real   *m = motion_row(p, (size_t)i);
        const ergi_shape *shape = &p->kinds[p->kind[i]].shape;
        ergi_vec          v = load3(m + ERGI_VELOCITY), w = load3(m + ERGI_SPIN);
        double            radius = p->size[i] * shape->smallest_radius,
               reach = p->size[i] * shape->bounding_radius;
        double ratio =
            sqrt((double)ergi_vec_dot(v, v) + (double)ergi_vec_dot(w, w) * reach * reach) * p->dt /
            radius;
        if (ratio <= report->speed_ratio) continue;
        report->speed_ratio = ratio > report->speed_ratio ? ratio : (double)INFINITY;
        report->fastest = (uint32_t)i;
    }
}

static void note_displacements(const ergi_motion_pass *p, size_t begin, size_t end,
                               ergi_report *report)
{
    const ergi_row ratio = fixed_ratio(p->fixed_point);
    for (size_t i = begin; i < end; i++) {
        ergi_row displacement = fixed_displacement(fixed_from(p->s.position, 4 * i, p->fixed_point),
                                                   fixed_load(p->s.reference, i), ratio);
        double   displacement2 =
            (double)(displacement[0] * displacement[0] + displacement[1] * displacement[1] +
                     displacement[2] * displacement[2]);
        if (!(displacement2 <= report->displacement2)) report->displacement2 = displacement2;
    }
}

#endif
