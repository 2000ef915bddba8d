// How bodies move. Included by real_kernels.h alone.
//
// Velocity Verlet as kick, drift, kick. Rotation alike: half a kick of torque on the angular
// momentum, free rotation of the rigid body, the other half. The free rotation of a body with three
// moments of inertia is a sequence of exact turns about its principal axes (x y z y x, the outer
// ones by half the time): it keeps the angular momentum to rounding and the energy to second order.
//
// The second kick of a step and the first of the next are two kicks, but one pass.
#ifndef ERGI_MOTION_PASS_H
#define ERGI_MOTION_PASS_H

#include "dem/kernels.h"
#include "dem/pair_pass.h"
#include "geom/vec3.h"

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

ERG_FN erg_real *load_row(const ergi_motion_pass *p, size_t i)
{
    return (erg_real *)p->load + 8 * i;
}

// Pushes from other chunks, in the order of their entries.
static void take_pushes(const ergi_motion_pass *p, size_t first_sphere, size_t end_sphere)
{
    const erg_real *push = p->push;
    const uint32_t *incoming = p->incoming, *sphere = p->incoming_sphere;
    erg_real       *load = load_of(&p->s, first_sphere);
    uint32_t        end = p->incoming_start[end_sphere];
    for (uint32_t k = p->incoming_start[first_sphere]; k < end; k++)
        add_rows(load + 8 * (sphere[k] - first_sphere),
                 ergi_rows_load(push + 8 * (size_t)incoming[k]));
}

// Power of force and torque in a kick from `before` to `after`, twice, in parts to be added up:
// half the kick's time times it is what the kick adds to kinetic energy, to rounding.
ERG_FN ergi_row64 kick_power(ergi_rows load, ergi_rows before, ergi_rows after)
{
    ergi_rows power = ergi_rows_mul(load, ergi_rows_add(before, after));
    return ergi_row_widen(ergi_rows_low(power) + ergi_rows_high(power));
}

ERG_FN double row64_sum(ergi_row64 r)
{
    return (r[0] + r[1]) + (r[2] + r[3]);
}

// Velocity: force over mass plus gravity, for `time`; spin alike, for bodies whose inertia is the
// same about all axes.
ERG_FN ergi_rows kicked(ergi_rows motion, ergi_rows load, ergi_rows gravity, ergi_rows time)
{
    ergi_rows rate = ergi_rows_add(ergi_rows_mul(load, ergi_rows_last(motion)), gravity);
    return ergi_rows_add(motion, ergi_rows_mul(time, rate));
}

// sin(x)/x and cos(x) from the square of x, exact to rounding below SMALL_ANGLE2: the angles of one
// step are small, and series are many times faster than the library.
#define SMALL_ANGLE2 1e-3
ERG_FN double small_sinc(double x2)
{
    return 1 - x2 * (1.0 / 6) * (1 - x2 * (1.0 / 20) * (1 - x2 * (1.0 / 42)));
}
ERG_FN double small_cos(double x2)
{
    return 1 - x2 * 0.5 * (1 - x2 * (1.0 / 12) * (1 - x2 * (1.0 / 30) * (1 - x2 * (1.0 / 56))));
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

ERG_FN void turn_row(double *q, ergi_row spin, double dt)
{
    turn(q, ergi_vec_make(spin[0], spin[1], spin[2]), dt);
}

// ---- Guards ------------------------------------------------------------------------------------
// Cheap tests on all bodies; what they find suspicious is looked at closely.
#define SUSPICIOUS_WAY 0.2 // radii a step along an axis; six axes at this are below half a radius
#define SURE_WAY 0.57      // margins from the reference along an axis; three at this are below one

// Largest way of a step over radius among some bodies. NaN must win: it is what guards look for.
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

static void note_ways(const ergi_motion_pass *p, size_t begin, size_t end, ergi_report *report)
{
    for (size_t i = begin; i < end; i++) {
        ergi_row way = place_way(place_load(p->s.place, i), place_load(p->s.reference, i));
        double   way2 = (double)(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
        if (!(way2 <= report->way2)) report->way2 = way2;
    }
}

// ---- Single spheres ----------------------------------------------------------------------------
ERG_FN void advance_singles(const ergi_motion_pass *p, erg_index begin, erg_index end,
                            const bool finish, const bool start, const bool energy,
                            const bool extras, ergi_report *report)
{
    const ergi_row  g = {(erg_real)p->gravity[0], (erg_real)p->gravity[1], (erg_real)p->gravity[2],
                         0};
    const ergi_rows gravity = ergi_rows_of(g, ergi_row_all(0));
    const erg_real  before = (erg_real)(p->kick * p->dt), after = (erg_real)((1 - p->kick) * p->dt);
    const ergi_rows kick_before = ergi_rows_all(before), kick_after = ergi_rows_all(after);
    const erg_real  keep = (erg_real)(1 / (1 + p->spin_damping * p->dt)), dt = (erg_real)p->dt;
    const ergi_rows kept = ergi_rows_of(ergi_row_all(1), (ergi_row){keep, keep, keep, 1});
    const ergi_row64 drift = {p->dt, p->dt, p->dt, 0};
    const ergi_row   step = {dt, dt, dt, 0}, turn_limit = ergi_row_all(ERGI_R(SUSPICIOUS_WAY)),
                   sure = ergi_row_all(ERGI_R(SURE_WAY));
    // Pointers of our own: the compiler cannot know that no store changes those of the pass.
    erg_real          *motion = p->motion;
    const erg_real    *loads = load_of(&p->s, (size_t)begin);
    double            *position = p->position;
    void              *places = p->s.place;
    const void        *references = p->s.reference;
    const ergi_lattice lattice = *p->lattice;
    const size_t       listed = (size_t)p->s.count;
    ergi_row_mask      fast = {0}, far = {0};
    ergi_row64         power_before = {0}, power_after = {0};
    for (size_t i = (size_t)begin; i < (size_t)end; i++) {
        ergi_rows m = ergi_rows_load(motion + 8 * i),
                  load = ergi_rows_load(loads + 8 * (i - (size_t)begin));
        double *x = position + 4 * i;
        if (finish) {
            ergi_rows old = m;
            m = kicked(m, load, gravity, kick_after);
            if (energy) power_after += kick_power(load, old, m);
            if (extras) m = ergi_rows_mul(m, kept);
        }
        ergi_row64 now = ergi_row64_load(x);
        if (start) {
            ergi_rows old = m;
            m = kicked(m, load, gravity, kick_before);
            if (energy) power_before += kick_power(load, old, m);
            now += ergi_row_widen(ergi_rows_low(m)) * drift;
            ergi_row64_store(x, now);
            if (extras && p->orient) turn_row(p->orientation + 4 * i, ergi_rows_high(m), p->dt);
        }
        ergi_rows_store(motion + 8 * i, m);
        ergi_row limit = ergi_row_all((erg_real)now[3]) * turn_limit;
        fast |= ergi_row_beyond(ergi_rows_low(m) * step, limit);
        fast |= ergi_row_beyond(ergi_rows_high(m) * step, turn_limit);
        if (start && i < listed) { // grains added since have no lists yet
            place_row place = place_of_position(now, &lattice);
            place_store(places, i, place);
            ergi_row way = place_way(place, place_load(references, i));
            way = __builtin_shufflevector(way, way, 0, 1, 2, 0);
            far |= ergi_row_beyond(way, sure);
        }
    }
    report->work[0] = 0.5 * (double)after * row64_sum(power_after);
    report->work[1] = 0.5 * (double)before * row64_sum(power_before);
    if (ergi_row_marked(fast)) note_speeds(p, begin, end, report);
    if (ergi_row_marked(far))
        note_ways(p, (size_t)begin, (size_t)(end < p->s.count ? end : p->s.count), report);
}

static void place_singles(const ergi_motion_pass *p, erg_index begin, erg_index end,
                          ergi_report *report)
{
    for (size_t i = (size_t)begin; i < (size_t)end; i++)
        place_store(p->s.place, i,
                    place_of_position(ergi_row64_load(p->position + 4 * i), p->lattice));
    note_ways(p, (size_t)begin, (size_t)end, report);
}

// ---- Clumps ------------------------------------------------------------------------------------
typedef struct rotor {
    erg_quat q;
    double   l[3]; // angular momentum in the body's frame [kg m^2/s]
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
    const erg_real *t = load_row(p, i) + ERGI_TORQUE;
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

// A body without one moment of inertia turns by its own frame: the row's spin was not kicked.
ERG_FN bool needs_rotor(const ergi_motion_pass *p, size_t i)
{
    return !(motion_row(p, i)[ERGI_SPIN + 3] > 0);
}

// Kicks body i; *r is its rotor afterwards where it needs one.
static void kick_body(const ergi_motion_pass *p, size_t i, double time, rotor *r, double *work)
{
    const ergi_row g = {(erg_real)p->gravity[0], (erg_real)p->gravity[1], (erg_real)p->gravity[2],
                        0};
    ergi_rows      old = ergi_rows_load(motion_row(p, i)), load = ergi_rows_load(load_row(p, i));
    ergi_rows      m =
        kicked(old, load, ergi_rows_of(g, ergi_row_all(0)), ergi_rows_all((erg_real)time));
    if (needs_rotor(p, i)) {
        *r = rotor_load(p, i);
        rotor_kick(r, p, i, time);
        ergi_vec w = rotor_spin(r);
        m = ergi_rows_of(ergi_rows_low(m), (ergi_row){w.x, w.y, w.z, 0});
    }
    if (p->energy) *work += 0.5 * time * row64_sum(kick_power(load, old, m));
    ergi_rows_store(motion_row(p, i), m);
}

static void turn_body(const ergi_motion_pass *p, size_t i, rotor *r)
{
    erg_real *spin = motion_row(p, i) + ERGI_SPIN;
    double   *q = p->orientation + 4 * i;
    if (!needs_rotor(p, i)) {
        turn(q, load3(spin), p->dt);
        return;
    }
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

// Sets the spheres of body i from its state; marks those that went far from their reference.
static void place_body(const ergi_motion_pass *p, size_t i, ergi_row_mask *far)
{
    const ergi_shape *shape = &p->kinds[p->kind[i]].shape;
    const double     *o = p->orientation + 4 * i, size = p->size[i];
    const ergi_rows   m = ergi_rows_load(motion_row(p, i));
    const ergi_row    last_off = {1, 1, 1, 0}, sure = ergi_row_all(ERGI_R(SURE_WAY));
    const ergi_row    v = ergi_rows_low(m) * last_off, w = ergi_rows_high(m) * last_off;
    const ergi_mat3   t = ergi_mat3_from_quat((erg_quat){o[0], o[1], o[2], o[3]});
    const ergi_row64  x_axis = {size * t.m[0][0], size * t.m[1][0], size * t.m[2][0], 0},
                     y_axis = {size * t.m[0][1], size * t.m[1][1], size * t.m[2][1], 0},
                     z_axis = {size * t.m[0][2], size * t.m[1][2], size * t.m[2][2], 0};
    ergi_row64 centre = ergi_row64_load(p->position + 4 * i);
    for (int k = 0; k < shape->count; k++) {
        size_t        s = p->first[i] + (size_t)k;
        const double *offset = shape->offset + 3 * k;
        ergi_row64    arm = offset[0] * x_axis + offset[1] * y_axis + offset[2] * z_axis;
        ergi_row64    y = centre + arm;
        y[3] = size * shape->radius[k];
        place_row place = place_of_position(y, p->lattice);
        ergi_row  way = place_way(place, place_load(p->s.reference, s));
        ergi_row64_store(p->s.position + 4 * s, y);
        ergi_rows_store((erg_real *)p->s.motion + 8 * s,
                        ergi_rows_of(v + ergi_row_cross(w, ergi_row_narrow(arm)), w));
        place_store(p->s.place, s, place);
        *far |= ergi_row_beyond(__builtin_shufflevector(way, way, 0, 1, 2, 0), sure);
    }
}

// Sums the spheres' forces and torques for body i, about the centre of mass.
static void collect_body(const ergi_motion_pass *p, size_t i)
{
    int        count = p->kinds[p->kind[i]].shape.count;
    ergi_row64 centre = ergi_row64_load(p->position + 4 * i);
    ergi_rows  sum = ergi_rows_all(0);
    for (int k = 0; k < count; k++) {
        size_t    s = p->first[i] + (size_t)k;
        ergi_rows load = ergi_rows_load((const erg_real *)p->s.load + 8 * s);
        ergi_row  arm = ergi_row_narrow(ergi_row64_load(p->s.position + 4 * s) - centre),
                 force = ergi_rows_low(load);
        ergi_rows shifted = ergi_rows_of(ergi_row_all(0), ergi_row_cross(arm, force));
        sum = ergi_rows_add(sum, ergi_rows_add(load, shifted));
    }
    ergi_rows_store(load_row(p, i), sum);
}

// Whether body i may have gone so far in a step that a guard must know.
static ergi_row_mask suspicious(const ergi_motion_pass *p, size_t i)
{
    const ergi_shape *shape = &p->kinds[p->kind[i]].shape;
    const erg_real dt = (erg_real)p->dt, radius = (erg_real)(p->size[i] * shape->smallest_radius),
                   reach = dt * (erg_real)(p->size[i] * shape->bounding_radius);
    const ergi_row  limit = ergi_row_all(ERGI_R(SUSPICIOUS_WAY) * radius);
    const ergi_rows m = ergi_rows_load(motion_row(p, i));
    return ergi_row_beyond(ergi_rows_low(m) * (ergi_row){dt, dt, dt, 0}, limit) |
           ergi_row_beyond(ergi_rows_high(m) * (ergi_row){reach, reach, reach, 0}, limit);
}

static void advance_clumps(const ergi_motion_pass *p, erg_index begin, erg_index end,
                           ergi_report *report)
{
    const double  keep = 1 / (1 + p->spin_damping * p->dt);
    ergi_row_mask fast = {0}, far = {0};
    rotor         r;
    for (size_t i = (size_t)begin; i < (size_t)end; i++) {
        if (p->sum) collect_body(p, i);
        if (p->finish) {
            kick_body(p, i, (1 - p->kick) * p->dt, &r, &report->work[0]);
            erg_real *spin = motion_row(p, i) + ERGI_SPIN;
            if (p->spin_damping > 0) store3(spin, ergi_vec_scale((erg_real)keep, load3(spin)));
        }
        if (p->start) {
            kick_body(p, i, p->kick * p->dt, &r, &report->work[1]);
            const ergi_row64 drift = {p->dt, p->dt, p->dt, 0};
            double          *x = p->position + 4 * i;
            ergi_row64_store(x, ergi_row64_load(x) +
                                    ergi_row_widen(ergi_row_load(motion_row(p, i))) * drift);
            turn_body(p, i, &r);
        }
        if (p->place) place_body(p, i, &far);
        if (p->finish || p->start) fast |= suspicious(p, i);
    }
    if (ergi_row_marked(fast)) note_speeds(p, begin, end, report);
    if (ergi_row_marked(far)) {
        size_t last = (size_t)end - 1;
        note_ways(p, p->first[begin], p->first[last] + (size_t)p->kinds[p->kind[last]].shape.count,
                  report);
    }
}

// ---- The pass ----------------------------------------------------------------------------------
static void advance_pass(void *ctx, erg_index begin, erg_index end, int chunk)
{
    const ergi_motion_pass *p = ctx;
    ergi_report            *report = &p->report[chunk];
    report->way2 = report->speed_ratio = report->work[0] = report->work[1] = 0;
    if (p->sum) {
        size_t last = (size_t)end - 1;
        take_pushes(p, p->single ? (size_t)begin : p->first[begin],
                    p->single ? (size_t)end
                              : p->first[last] + (size_t)p->kinds[p->kind[last]].shape.count);
    }
    bool extras = p->orient || p->spin_damping > 0;
    if (!p->single)
        advance_clumps(p, begin, end, report);
    else if (extras && (p->finish || p->start))
        advance_singles(p, begin, end, p->finish, p->start, p->energy, true, report);
    else if (p->finish && p->start && p->energy)
        advance_singles(p, begin, end, true, true, true, false, report);
    else if (p->finish && p->start)
        advance_singles(p, begin, end, true, true, false, false, report);
    else if (p->finish || p->start)
        advance_singles(p, begin, end, p->finish, p->start, p->energy, false, report);
    else if (p->place)
        place_singles(p, begin, end, report);
}

static void set_reference(const ergi_motion_pass *p, const float *margin, erg_index begin,
                          erg_index end)
{
    for (size_t i = (size_t)begin; i < (size_t)end; i++)
        place_store(p->s.reference, i,
                    place_reference(place_load(p->s.place, i), (double)margin[i], p->lattice));
}

#endif
