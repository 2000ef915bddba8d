// How bodies move. Included by real_kernels.h alone.
//
// Velocity Verlet as kick, drift, kick. Rotation alike: half a kick of torque on the angular
// momentum, free rotation of the rigid body, the other half. The free rotation of a body with three
// moments of inertia is a sequence of exact turns about its principal axes (x y z y x, the outer
// ones by half the time): it keeps the angular momentum to rounding and the energy to second order.
#ifndef ERGI_MOTION_PASS_H
#define ERGI_MOTION_PASS_H

#include "dem/kernels.h"
#include "dem/pair_pass.h"
#include "geom/vec3.h"

typedef struct extremes {
    double   move2, ratio2;
    double   work; // of the contact forces [J]
    uint32_t fastest;
} extremes;

// NaN must win here: it is what the guard looks for.
ERG_FN void note_speed(extremes *x, double ratio2, erg_index body)
{
    if (ratio2 <= x->ratio2) return;
    x->ratio2 = ratio2 > x->ratio2 ? ratio2 : (double)INFINITY;
    x->fastest = (uint32_t)body;
}

ERG_FN double square_distance(const double *a, const double *b)
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

static void report_extremes(ergi_report *report, extremes x)
{
    report->move2 = x.move2;
    report->speed_ratio = sqrt(x.ratio2);
    report->fastest = x.fastest;
    report->work = x.work;
}

// Work of force and torque on body i in a kick that leaves it with v and w: what it adds to kinetic
// energy, to rounding. To be asked before they are stored.
ERG_FN double kick_work(const ergi_motion_pass *p, size_t i, ergi_vec v, ergi_vec w, erg_real time)
{
    ergi_vec before = load3(p->velocity, i, 4), spin = load3(p->spin, i, 4);
    erg_real power = ergi_vec_dot(load3(p->force, i, 4), ergi_vec_add(before, v)) +
                     ergi_vec_dot(load3(p->torque, i, 4), ergi_vec_add(spin, w));
    return 0.5 * (double)(time * power);
}

// Kick of the velocity: force over mass plus gravity, for `time`.
ERG_FN ergi_vec kicked(const ergi_motion_pass *p, size_t i, erg_real time)
{
    const erg_real *v = (const erg_real *)p->velocity + 4 * i,
                   *f = (const erg_real *)p->force + 4 * i;
    return ergi_vec_make(v[0] + time * (f[0] * v[3] + (erg_real)p->gravity[0]),
                         v[1] + time * (f[1] * v[3] + (erg_real)p->gravity[1]),
                         v[2] + time * (f[2] * v[3] + (erg_real)p->gravity[2]));
}

// The same for the spin of a body whose inertia is the same about all axes.
ERG_FN ergi_vec twirled(const ergi_motion_pass *p, size_t i, erg_real time)
{
    const erg_real *w = (const erg_real *)p->spin + 4 * i, *t = (const erg_real *)p->torque + 4 * i;
    erg_real        s = time * w[3];
    return ergi_vec_make(w[0] + s * t[0], w[1] + s * t[1], w[2] + s * t[2]);
}

ERG_FN void drift(double *x, ergi_vec v, double dt)
{
    x[0] += (double)v.x * dt;
    x[1] += (double)v.y * dt;
    x[2] += (double)v.z * dt;
}

// sin(x)/x and cos(x) from the square of x, exact to rounding below SMALL_ANGLE2: the angles of one
// step are small, and series are many times faster than the library.
#define SMALL_ANGLE2 1e-3
ERG_FN double small_sinc(double x2)
{
    return 1 - x2 / 6 * (1 - x2 / 20 * (1 - x2 / 42));
}
ERG_FN double small_cos(double x2)
{
    return 1 - x2 / 2 * (1 - x2 / 12 * (1 - x2 / 30 * (1 - x2 / 56)));
}

// The rotation exp(v).
ERG_FN erg_quat rotation_of(erg_vec3 v)
{
    double t = 0.25 * ergi_dot(v, v); // square of half the angle
    if (t > SMALL_ANGLE2) return ergi_quat_exp(v);
    double s = 0.5 * small_sinc(t);
    return (erg_quat){s * v.x, s * v.y, s * v.z, small_cos(t)};
}

ERG_FN void turn(double *q, ergi_vec w, double dt)
{
    erg_quat step = rotation_of(ergi_vec3((double)w.x * dt, (double)w.y * dt, (double)w.z * dt));
    erg_quat now = ergi_quat_mul(step, (erg_quat){q[0], q[1], q[2], q[3]});
    // One step of Newton towards length 1; it was there to rounding before.
    double n = 1.5 - 0.5 * (now.x * now.x + now.y * now.y + now.z * now.z + now.w * now.w);
    q[0] = n * now.x;
    q[1] = n * now.y;
    q[2] = n * now.z;
    q[3] = n * now.w;
}

// ---- Single spheres ----------------------------------------------------------------------------
static void start_single(const ergi_motion_pass *p, erg_index begin, erg_index end, int chunk)
{
    erg_real  time = (erg_real)(p->kick * p->dt);
    erg_real *velocity = p->velocity, *spin = p->spin;
    extremes  x = {0};
    double    dt2 = p->dt * p->dt;
    for (erg_index i = begin; i < end; i++) {
        double  *position = p->position + 4 * (size_t)i;
        ergi_vec v = kicked(p, (size_t)i, time), w = twirled(p, (size_t)i, time);
        if (p->energy) x.work += kick_work(p, (size_t)i, v, w, time);
        store3(velocity + 4 * (size_t)i, v);
        store3(spin + 4 * (size_t)i, w);
        drift(position, v, p->dt);
        if (p->orient) turn(p->orientation + 4 * (size_t)i, w, p->dt);

        if (i < p->s.count) { // grains added since the lists were made have no reference
            double move2 = square_distance(position, p->s.reference + 3 * (size_t)i);
            if (move2 > x.move2) x.move2 = move2;
        }
        double r2 = position[3] * position[3];
        note_speed(&x, ((double)ergi_vec_dot(v, v) + (double)ergi_vec_dot(w, w) * r2) * dt2 / r2,
                   i);
    }
    report_extremes(&p->report[chunk], x);
}

// ---- Clumps ------------------------------------------------------------------------------------
typedef struct rotor {
    erg_quat q;
    double   l[3]; // angular momentum in the body's frame [kg m^2/s]
    double   inertia[3];
} rotor;

static rotor rotor_load(const ergi_motion_pass *p, size_t i)
{
    const erg_real  *w = (const erg_real *)p->spin + 4 * i;
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
    const erg_real *t = (const erg_real *)p->torque + 4 * i;
    erg_vec3 local = ergi_quat_unrotate(r->q, ergi_vec3((double)t[0], (double)t[1], (double)t[2]));
    r->l[0] += time * local.x;
    r->l[1] += time * local.y;
    r->l[2] += time * local.z;
}

// Exact turn about one principal axis: the body turns one way, its momentum, seen from it, the
// other.
static void rotor_turn(rotor *r, int axis, double dt)
{
    double   half = 0.5 * r->l[axis] / r->inertia[axis] * dt, x2 = half * half;
    double   sh = x2 < SMALL_ANGLE2 ? half * small_sinc(x2) : sin(half);
    double   ch = x2 < SMALL_ANGLE2 ? small_cos(x2) : cos(half);
    double   c = 1 - 2 * sh * sh, s = 2 * sh * ch; // of the whole angle
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

// A body's rotation through the first half of a step.
typedef struct turn_state {
    rotor    r; // unless the inertia is the same about all axes
    ergi_vec w; // spin after the kick
} turn_state;

static turn_state kick_spin(const ergi_motion_pass *p, size_t i, double time)
{
    turn_state t;
    if (((const erg_real *)p->spin)[4 * i + 3] > 0) {
        t.w = twirled(p, i, (erg_real)time);
        return t;
    }
    t.r = rotor_load(p, i);
    rotor_kick(&t.r, p, i, time);
    t.w = rotor_spin(&t.r);
    return t;
}

// Turns the body for one step and stores orientation and spin.
static void turn_body(const ergi_motion_pass *p, size_t i, turn_state *t)
{
    erg_real *spin = (erg_real *)p->spin + 4 * i;
    double   *q = p->orientation + 4 * i;
    if (spin[3] > 0) {
        turn(q, t->w, p->dt);
        store3(spin, t->w);
        return;
    }
    rotor *r = &t->r;
    rotor_turn(r, 0, 0.5 * p->dt);
    rotor_turn(r, 1, 0.5 * p->dt);
    rotor_turn(r, 2, p->dt);
    rotor_turn(r, 1, 0.5 * p->dt);
    rotor_turn(r, 0, 0.5 * p->dt);
    r->q = ergi_quat_normalize(r->q);
    q[0] = r->q.x;
    q[1] = r->q.y;
    q[2] = r->q.z;
    q[3] = r->q.w;
    store3(spin, rotor_spin(r));
}

// Sets the spheres of some bodies from the bodies' state, and looks how far each has moved.
static void place_pass(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const ergi_motion_pass *p = ctx;
    double                  furthest = 0;
    for (erg_index i = begin; i < end; i++) {
        const ergi_shape *shape = &p->kinds[p->kind[i]].shape;
        const double     *x = p->position + 4 * (size_t)i, *o = p->orientation + 4 * (size_t)i;
        const erg_real   *v = (const erg_real *)p->velocity + 4 * (size_t)i;
        ergi_vec          w = load3(p->spin, (size_t)i, 4);
        ergi_mat3         turned = ergi_mat3_from_quat((erg_quat){o[0], o[1], o[2], o[3]});
        for (int k = 0; k < shape->count; k++) {
            size_t        s = p->first[i] + (size_t)k;
            const double *offset = shape->offset + 3 * k;
            erg_vec3      arm = ergi_scale(
                     ergi_mat3_mul(turned, ergi_vec3(offset[0], offset[1], offset[2])), p->size[i]);
            double   *y = p->s.position + 4 * s;
            erg_real *u = (erg_real *)p->s.velocity + 4 * s;
            ergi_vec  turning =
                ergi_vec_cross(w, ergi_vec_make((erg_real)arm.x, (erg_real)arm.y, (erg_real)arm.z));
            y[0] = x[0] + arm.x;
            y[1] = x[1] + arm.y;
            y[2] = x[2] + arm.z;
            store_row(u, ergi_vec_add(ergi_vec_make(v[0], v[1], v[2]), turning));
            store_row((erg_real *)p->s.spin + 4 * s, w);
            double move2 = square_distance(y, p->s.reference + 3 * s);
            if (move2 > furthest) furthest = move2;
        }
    }
    p->report[chunk].move2 = furthest;
}

// Sums the spheres' forces and torques for their bodies, about the centre of mass.
static void collect_pass(void *ctx, erg_index begin, erg_index end, int chunk)
{
    (void)chunk;
    const ergi_motion_pass *p = ctx;
    for (erg_index i = begin; i < end; i++) {
        int           count = p->kinds[p->kind[i]].shape.count;
        const double *x = p->position + 4 * (size_t)i;
        ergi_vec      force = ergi_vec_zero(), torque = ergi_vec_zero();
        for (int k = 0; k < count; k++) {
            size_t        s = p->first[i] + (size_t)k;
            const double *y = p->s.position + 4 * s;
            ergi_vec      arm = ergi_vec_make((erg_real)(y[0] - x[0]), (erg_real)(y[1] - x[1]),
                                              (erg_real)(y[2] - x[2]));
            ergi_vec      f = load3(p->s.force, s, 4);
            force = ergi_vec_add(force, f);
            torque = ergi_vec_add(torque,
                                  ergi_vec_add(load3(p->s.torque, s, 4), ergi_vec_cross(arm, f)));
        }
        store3((erg_real *)p->force + 4 * (size_t)i, force);
        store3((erg_real *)p->torque + 4 * (size_t)i, torque);
    }
}

// ---- The passes --------------------------------------------------------------------------------
static void start_pass(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const ergi_motion_pass *p = ctx;
    if (p->single) {
        start_single(p, begin, end, chunk);
        return;
    }
    double   time = p->kick * p->dt, dt2 = p->dt * p->dt;
    extremes x = {0};
    for (erg_index i = begin; i < end; i++) {
        const ergi_shape *shape = &p->kinds[p->kind[i]].shape;
        ergi_vec          v = kicked(p, (size_t)i, (erg_real)time);
        turn_state        t = kick_spin(p, (size_t)i, time);
        ergi_vec          w = t.w;
        if (p->energy) x.work += kick_work(p, (size_t)i, v, w, (erg_real)time);
        store3((erg_real *)p->velocity + 4 * (size_t)i, v);
        drift(p->position + 4 * (size_t)i, v, p->dt);
        turn_body(p, (size_t)i, &t);

        double radius = p->size[i] * shape->smallest_radius,
               reach = p->size[i] * shape->bounding_radius;
        note_speed(&x,
                   ((double)ergi_vec_dot(v, v) + (double)ergi_vec_dot(w, w) * reach * reach) * dt2 /
                       (radius * radius),
                   i);
    }
    report_extremes(&p->report[chunk], x);
}

static void finish_pass(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const ergi_motion_pass *p = ctx;
    erg_real                time = (erg_real)((1 - p->kick) * p->dt);
    erg_real                keep = (erg_real)(1 / (1 + p->spin_damping * p->dt));
    double                  work = 0;
    bool                    finite = true;
    for (erg_index i = begin; i < end; i++) {
        ergi_vec v = kicked(p, (size_t)i, time);
        ergi_vec w =
            p->single ? twirled(p, (size_t)i, time) : kick_spin(p, (size_t)i, (double)time).w;
        if (p->energy) work += kick_work(p, (size_t)i, v, w, time);
        store3((erg_real *)p->velocity + 4 * (size_t)i, v);
        store3((erg_real *)p->spin + 4 * (size_t)i,
               p->spin_damping > 0 ? ergi_vec_scale(keep, w) : w);
        // Zero times a number is zero; times infinity or NaN it is NaN.
        erg_real nothing = 0 * (v.x + v.y + v.z + w.x + w.y + w.z);
        if (finite && nothing != 0) {
            finite = false;
            p->report[chunk].fastest = (uint32_t)i;
        }
    }
    p->report[chunk].work = work;
    p->report[chunk].speed_ratio = finite ? 0 : (double)INFINITY;
}

#endif
