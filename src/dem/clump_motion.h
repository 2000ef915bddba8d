// Motion of clumps. Included by motion_pass.h only.
//
// The free rotation of a grain with three moments of inertia is a sequence of exact rotations about
// its principal axes (x y z y x; half the time for all but z): it conserves angular momentum to
// rounding and energy to second order. A grain with one moment of inertia rotates about its spin.
#ifndef ERGI_CLUMP_MOTION_H
#define ERGI_CLUMP_MOTION_H

#include "dem/motion_rows.h"
#include "geom/vec3.h"

// ---- Three moments of inertia ------------------------------------------------------------------
typedef struct rotor {
    erg_quat q;
    double   l[3]; // angular momentum in the grain's frame [kg m^2/s]
    double   inertia[3];
} rotor;

static rotor rotor_load(const ergi_motion_pass *p, size_t i)
{
    const erg_real  *w = motion_row(p, i) + ERGI_SPIN;
    const double    *q = p->orientation + 4 * i;
    const ergi_kind *kind = &p->kinds[p->kind[i]];
    double           s2 = p->size[i] * p->size[i], scale = kind->density * s2 * s2 * p->size[i];
    rotor            r = {.q = {q[0], q[1], q[2], q[3]}};
    erg_vec3 local = ergi_quat_unrotate(r.q, ergi_vec3((double)w[0], (double)w[1], (double)w[2]));
    for (int a = 0; a < 3; a++) r.inertia[a] = scale * kind->shape.inertia[a];
    r.l[0] = r.inertia[0] * local.x;
    r.l[1] = r.inertia[1] * local.y;
    r.l[2] = r.inertia[2] * local.z;
    return r;
}

static void rotor_kick(rotor *r, const ergi_motion_pass *p, size_t i, double time)
{
    const erg_real *t = force_torque_row(p, i) + ERGI_TORQUE;
    erg_vec3 local = ergi_quat_unrotate(r->q, ergi_vec3((double)t[0], (double)t[1], (double)t[2]));
    r->l[0] += time * local.x;
    r->l[1] += time * local.y;
    r->l[2] += time * local.z;
}

// Exact rotation about one principal axis. In the grain's frame the angular momentum rotates the
// opposite way.
static void rotor_turn(rotor *r, int axis, double dt)
{
    double   half = 0.5 * r->l[axis] / r->inertia[axis] * dt, x2 = half * half;
    double   sh = x2 < SMALL_ANGLE2 ? half * small_sinc(row64_all(x2))[0] : sin(half);
    double   ch = x2 < SMALL_ANGLE2 ? small_cos(row64_all(x2))[0] : cos(half);
    double   c = 1 - 2 * sh * sh, s = 2 * sh * ch; // of the full angle
    int      b = (axis + 1) % 3, d = (axis + 2) % 3;
    double   lb = r->l[b], ld = r->l[d];
    erg_quat step = {axis == 0 ? sh : 0, axis == 1 ? sh : 0, axis == 2 ? sh : 0, ch};
    r->l[b] = c * lb + s * ld;
    r->l[d] = c * ld - s * lb;
    r->q = ergi_quat_mul(r->q, step);
}

static ergi_vec rotor_spin(const rotor *r)
{
    erg_vec3 w = ergi_quat_rotate(
        r->q, ergi_vec3(r->l[0] / r->inertia[0], r->l[1] / r->inertia[1], r->l[2] / r->inertia[2]));
    return ergi_vec_make((erg_real)w.x, (erg_real)w.y, (erg_real)w.z);
}

// Whether a grain has three different moments of inertia. Its 1/inertia in the motion row is then
// 0, so the row's kick does not change its spin.
ERG_FN bool needs_rotor(const ergi_motion_pass *p, size_t i)
{
    return !(motion_row(p, i)[ERGI_SPIN + 3] > 0);
}

// Kicks the spin of grain i for `time`; returns motion row `m` with the new spin.
static ergi_rows rotor_kicked(const ergi_motion_pass *p, size_t i, double time, ergi_rows m)
{
    rotor r = rotor_load(p, i);
    rotor_kick(&r, p, i, time);
    ergi_vec w = rotor_spin(&r);
    m = ergi_rows_of(ergi_rows_low(m), (ergi_row){w.x, w.y, w.z, 0});
    ergi_rows_store(motion_row(p, i), m);
    return m;
}

// Free rotation of grain i for one step.
static void turn_rotor(const ergi_motion_pass *p, size_t i)
{
    rotor   r = rotor_load(p, i);
    double *q = p->orientation + 4 * i;
    rotor_turn(&r, 0, 0.5 * p->dt);
    rotor_turn(&r, 1, 0.5 * p->dt);
    rotor_turn(&r, 2, p->dt);
    rotor_turn(&r, 1, 0.5 * p->dt);
    rotor_turn(&r, 0, 0.5 * p->dt);
    r.q = ergi_quat_normalize(r.q);
    ergi_row64_store(q, (ergi_row64){r.q.x, r.q.y, r.q.z, r.q.w});
    store3(motion_row(p, i) + ERGI_SPIN, rotor_spin(&r));
}

static void turn_clumps(const ergi_motion_pass *p, size_t begin, size_t end)
{
    for (size_t i = begin, next; i < end; i = next) {
        bool wobbles = needs_rotor(p, i);
        for (next = i + 1; next < end && needs_rotor(p, next) == wobbles;) next++;
        if (!wobbles) turn_grains(p, i, next);
        for (size_t k = i; wobbles && k < next; k++) turn_rotor(p, k);
    }
}

// ---- Spheres and their grain --------------------------------------------------------------------
// The axes of a grain with orientation q, times its size: rows whose fourth number is 0.
ERG_FN void axes_of(ergi_row64 q, double size, ergi_row64 axis[3])
{
    // R e = 2 (v.e) v + 2 w (w e + v x e) - e, with the vector part v and scalar part w of q
    const ergi_row64 three = {1, 1, 1, 0};
    ergi_row64 v = 2 * size * q * three, w = 2 * size * __builtin_shufflevector(q, q, 3, 3, 3, 3);
    axis[0] = q[0] * v +
              w * (__builtin_shufflevector(q, q, 3, 2, 1, 0) * (ergi_row64){1, 1, -1, 0}) -
              size * (ergi_row64){1, 0, 0, 0};
    axis[1] = q[1] * v +
              w * (__builtin_shufflevector(q, q, 2, 3, 0, 1) * (ergi_row64){-1, 1, 1, 0}) -
              size * (ergi_row64){0, 1, 0, 0};
    axis[2] = q[2] * v +
              w * (__builtin_shufflevector(q, q, 1, 0, 3, 2) * (ergi_row64){1, -1, 1, 0}) -
              size * (ergi_row64){0, 0, 1, 0};
}

// Sets position and motion of grain i's spheres; marks those far from their reference position.
ERG_FN void place_grain(const ergi_motion_pass *p, size_t i, ergi_row_mask *far)
{
    const ergi_shape *shape = &p->kinds[p->kind[i]].shape;
    const double      size = p->size[i];
    const ergi_rows   m = ergi_rows_load(motion_row(p, i));
    const ergi_row    last_off = {1, 1, 1, 0}, ratio = fixed_ratio(p->fixed_point),
                   sure = {ERGI_R(SURE_DISPLACEMENT), ERGI_R(SURE_DISPLACEMENT),
                           ERGI_R(SURE_DISPLACEMENT), INFINITY};
    const ergi_row   v = ergi_rows_low(m) * last_off, w = ergi_rows_high(m) * last_off;
    const ergi_row64 centre = ergi_row64_load(p->position + 4 * i) * (ergi_row64){1, 1, 1, 0};
    ergi_row64       axis[3];
    axes_of(ergi_row64_load(p->orientation + 4 * i), size, axis);
    for (int k = 0; k < shape->count; k++) {
        size_t        s = p->first[i] + (size_t)k;
        const double *offset = shape->offset + 3 * k, radius = size * shape->radius[k];
        ergi_row64    arm = offset[0] * axis[0] + offset[1] * axis[1] + offset[2] * axis[2];
        ergi_row64    y = centre + arm + (ergi_row64){0, 0, 0, radius};
        fixed_row     place = fixed_of_position(y, p->fixed_point);
        ergi_row64_store(p->s.position + 4 * s, y);
        ergi_rows_store((erg_real *)p->s.motion + 8 * s,
                        ergi_rows_of(v + ergi_row_cross(w, ergi_row_narrow(arm)), w));
        *far |=
            ergi_row_beyond(fixed_displacement(place, fixed_load(p->s.reference, s), ratio), sure);
    }
}

// Sums the forces and torques of grain i's spheres about its centre of mass.
ERG_FN ergi_rows collect_grain(const ergi_motion_pass *p, size_t i)
{
    int        count = p->kinds[p->kind[i]].shape.count;
    ergi_row64 centre = ergi_row64_load(p->position + 4 * i);
    ergi_rows  sum = ergi_rows_all(0);
    for (int k = 0; k < count; k++) {
        size_t    s = p->first[i] + (size_t)k;
        ergi_rows force_torque = ergi_rows_load(force_torque_of(&p->s, s));
        ergi_row  arm = ergi_row_narrow(ergi_row64_load(p->s.position + 4 * s) - centre),
                 force = ergi_rows_low(force_torque);
        ergi_rows shifted = ergi_rows_of(ergi_row_all(0), ergi_row_cross(arm, force));
        sum = ergi_rows_add(sum, ergi_rows_add(force_torque, shifted));
    }
    ergi_rows_store(force_torque_row(p, i), sum);
    return sum;
}

// ---- The pass ----------------------------------------------------------------------------------
// Step displacements (translation, rotation) below which the speed guard need not check a grain.
ERG_FN ergi_rows slow_rows(const ergi_motion_pass *p, size_t i)
{
    const ergi_shape *shape = &p->kinds[p->kind[i]].shape;
    return ergi_rows_of(
        ergi_row_all((erg_real)(SUSPICIOUS_STEP * p->size[i] * shape->smallest_radius)),
        ergi_row_all(
            (erg_real)(SUSPICIOUS_STEP * shape->smallest_radius / shape->bounding_radius)));
}

// Kicks and drift of grain i. The power of its forces is added to `after` and `before`.
ERG_FN ergi_rows move_grain(const ergi_motion_pass *p, const kick_rows *c, size_t i,
                            ergi_rows *after, ergi_rows *before)
{
    ergi_rows m = ergi_rows_load(motion_row(p, i));
    ergi_rows force_torque = p->sum ? collect_grain(p, i) : ergi_rows_load(force_torque_row(p, i));
    ergi_rows rate = kick_rate(m, force_torque, c->gravity);
    bool      wobbles = needs_rotor(p, i);
    if (p->finish) {
        ergi_rows old = m;
        m = kicked(m, rate, c->after);
        if (wobbles) m = rotor_kicked(p, i, (1 - p->kick) * p->dt, m);
        *after = ergi_rows_add(*after, kick_power(force_torque, old, m));
        if (p->spin_damping > 0) m = ergi_rows_mul(m, c->damping);
        ergi_rows_store(motion_row(p, i), m);
    }
    if (p->start) {
        ergi_rows old = m;
        double   *x = p->position + 4 * i;
        m = kicked(m, rate, c->before);
        if (wobbles) m = rotor_kicked(p, i, p->kick * p->dt, m);
        *before = ergi_rows_add(*before, kick_power(force_torque, old, m));
        ergi_row64_store(x, ergi_row64_load(x) + ergi_row_widen(ergi_rows_low(m)) * c->drift);
        ergi_rows_store(motion_row(p, i), m);
    }
    return m;
}

// Separate loops with short dependency chains, so that the processor overlaps several grains.
static void advance_clumps(const ergi_motion_pass *p, erg_index begin, erg_index end,
                           ergi_report *report)
{
    const kick_rows c = kick_rows_of(p);
    ergi_rows_mask  fast = ergi_rows_unmarked();
    ergi_row_mask   far = {0};
    double          power_before = 0, power_after = 0;
    for (size_t from = (size_t)begin; from < (size_t)end; from += GROUP) {
        size_t    to = from + GROUP < (size_t)end ? from + GROUP : (size_t)end;
        ergi_rows before = ergi_rows_all(0), after = ergi_rows_all(0);
        for (size_t i = from; i < to; i++) {
            ergi_rows m = move_grain(p, &c, i, &after, &before);
            fast = ergi_rows_mark_beyond(fast, ergi_rows_mul(m, c.step), slow_rows(p, i));
        }
        if (p->energy) {
            power_before += rows_sum(before);
            power_after += rows_sum(after);
        }
        if (p->start) turn_clumps(p, from, to);
        if (p->place)
            for (size_t i = from; i < to; i++) place_grain(p, i, &far);
    }
    report->work[0] = 0.5 * (1 - p->kick) * p->dt * power_after;
    report->work[1] = 0.5 * p->kick * p->dt * power_before;
    if ((p->finish || p->start) && ergi_rows_marked(fast)) note_speeds(p, begin, end, report);
    if (ergi_row_marked(far)) {
        size_t last = (size_t)end - 1;
        note_displacements(p, p->first[begin],
                           p->first[last] + (size_t)p->kinds[p->kind[last]].shape.count, report);
    }
}

#endif
