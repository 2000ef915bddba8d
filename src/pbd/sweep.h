// The sweeps over groups of contacts: Gauss-Seidel, in a fixed order. Included only by the
// kernels_*.c files.
//
// The unknowns are displacements D in the substep. Normal and lever arms are frozen at its start,
// so that momentum is conserved to rounding:
//
//     C = -n.(D_i - D_j) + min(overlap, 0),    P <- max(0, P + C/w)
//
// This stops overlap from growing and never turns it into speed. Each contact carries its
// multipliers to the next substep (warm start). They are the contact history, without which
// friction cannot hold a heap.
#ifndef ERGI_PBD_SWEEP_H
#define ERGI_PBD_SWEEP_H

#include "pbd/groups.h"
#include "pbd/lanes.h"

#define SLACK 0.01f          // overlap that stabilisation leaves, share of the smaller radius
#define STABILISE 0.2f       // share of the remaining overlap removed per substep
#define STICKY_GAP 0.01f     // largest gap at which cohesion acts, share of the smaller radius
#define STICKY_CLOSING 0.02f // share of that gap closed in a substep; with more, towers creep

// ---- Rows in lanes -----------------------------------------------------------------------------
typedef struct ergi_pbd_body8 {
    ergi_pbd_vec3 move; // in the substep [m]
    ergi_pbd_vec  w;    // inverse mass
    ergi_pbd_vec3 turn; // in the substep [rad]
    ergi_pbd_vec  iw;   // inverse inertia; for clumps and bodies the mean of the principal ones
    ergi_pbd_vec  t[6]; // inverse inertia xx yy zz xy xz yz
} ergi_pbd_body8;

ERGI_PBD_FN ergi_pbd_body8 body_load(const ergi_pbd_pass *pass, const uint32_t *index, bool general)
{
    ergi_pbd_vec r[8];
    rows_load(pass->row, index, r);
    ergi_pbd_body8 b = {{r[0], r[1], r[2]}, r[3], {r[4], r[5], r[6]}, r[7], {r[0]}};
    if (!general) return b;
    rows_load(pass->tensor, index, r);
    for (int k = 0; k < 6; k++) b.t[k] = r[k];
    return b;
}

ERGI_PBD_FN void body_store(const ergi_pbd_pass *pass, const uint32_t *index,
                            const ergi_pbd_body8 *b)
{
    ergi_pbd_vec r[8] = {b->move.x, b->move.y, b->move.z, b->w,
                         b->turn.x, b->turn.y, b->turn.z, b->iw};
    rows_store(pass->row, index, r);
}

// I^-1 l
ERGI_PBD_FN ergi_pbd_vec3 turned_by(const ergi_pbd_body8 *b, ergi_pbd_vec3 l, bool general)
{
    if (!general) return scale3(b->iw, l);
    const ergi_pbd_vec *t = b->t;
    return (ergi_pbd_vec3){t[0] * l.x + t[3] * l.y + t[4] * l.z,
                           t[3] * l.x + t[1] * l.y + t[5] * l.z,
                           t[4] * l.x + t[5] * l.y + t[2] * l.z};
}

// Normal and lever arms of eight contacts. The arm of a single sphere is along the normal.
typedef struct ergi_pbd_contact8 {
    ergi_pbd_vec3 n, arm_a, arm_b;
} ergi_pbd_contact8;

ERGI_PBD_FN ergi_pbd_contact8 contact_of(const ergi_pbd_group *g, bool general)
{
    ergi_pbd_contact8 c = {.n = vec3_load(g->x[0])};
    if (general) {
        c.arm_a = vec3_load(g->arm_a[0]);
        c.arm_b = vec3_load(g->arm_b[0]);
    } else {
        c.arm_a = scale3(-load8(g->ra), c.n);
        c.arm_b = scale3(load8(g->rb), c.n);
    }
    return c;
}

// Displacement of a's contact point relative to b's.
ERGI_PBD_FN ergi_pbd_vec3 slide_of(const ergi_pbd_contact8 *c, const ergi_pbd_body8 *a,
                                   const ergi_pbd_body8 *b)
{
    ergi_pbd_vec3 of_a = add3(a->move, cross3(a->turn, c->arm_a)),
                  of_b = add3(b->move, cross3(b->turn, c->arm_b));
    return sub3(of_a, of_b);
}

// Applies a change p of the multipliers at the contact point. `turns` is false for normal forces on
// single spheres, which exert no torque.
ERGI_PBD_FN void push(const ergi_pbd_contact8 *c, ergi_pbd_body8 *a, ergi_pbd_body8 *b,
                      ergi_pbd_vec3 p, bool turns, bool general)
{
    a->move = madd3(a->move, a->w, p);
    b->move = sub3(b->move, scale3(b->w, p));
    if (!turns) return;
    a->turn = add3(a->turn, turned_by(a, cross3(c->arm_a, p), general));
    b->turn = sub3(b->turn, turned_by(b, cross3(c->arm_b, p), general));
}

// Effective inverse mass at the contact along the unit vector u.
ERGI_PBD_FN ergi_pbd_vec inverse_mass(const ergi_pbd_contact8 *c, const ergi_pbd_body8 *a,
                                      const ergi_pbd_body8 *b, ergi_pbd_vec3 u)
{
    ergi_pbd_vec3 la = cross3(c->arm_a, u), lb = cross3(c->arm_b, u);
    return a->w + b->w + dot3(la, turned_by(a, la, true)) + dot3(lb, turned_by(b, lb, true));
}

// ---- Laws --------------------------------------------------------------------------------------
typedef struct ergi_pbd_law8 {
    ergi_pbd_vec friction_static, friction, rolling, twisting;
} ergi_pbd_law8;

// The law of all lanes, or NULL if they have several.
ERGI_PBD_FN const ergi_pbd_law *common_law(const ergi_pbd_pass *pass, const ergi_pbd_group *g)
{
    if (pass->materials == 1) return pass->law;
    ergi_pbd_mask law, first = (ergi_pbd_mask){0} + (int32_t)g->law[0];
    memcpy(&law, g->law, sizeof law);
    return any8(law != first) ? NULL : pass->law + g->law[0];
}

ERGI_PBD_FN ergi_pbd_law8 law_of(const ergi_pbd_pass *pass, const ergi_pbd_group *g)
{
    const ergi_pbd_law *one = common_law(pass, g);
    if (one)
        return (ergi_pbd_law8){all8(one->friction_static), all8(one->friction), all8(one->rolling),
                               all8(one->twisting)};
    ergi_pbd_lane r[4];
    for (int l = 0; l < ERGI_PBD_LANES; l++) {
        const ergi_pbd_law *law = pass->law + g->law[l];
        r[0][l] = law->friction_static;
        r[1][l] = law->friction;
        r[2][l] = law->rolling;
        r[3][l] = law->twisting;
    }
    return (ergi_pbd_law8){load8(r[0]), load8(r[1]), load8(r[2]), load8(r[3])};
}

// Cohesion or restitution by lane.
ERGI_PBD_FN ergi_pbd_vec lanes_of(const ergi_pbd_pass *pass, const ergi_pbd_group *g, bool cohesion)
{
    ergi_pbd_lane       r;
    const ergi_pbd_law *one = common_law(pass, g);
    if (one) return all8(cohesion ? one->cohesion : one->restitution);
    for (int l = 0; l < ERGI_PBD_LANES; l++) {
        const ergi_pbd_law *law = pass->law + g->law[l];
        r[l] = cohesion ? law->cohesion : law->restitution;
    }
    return load8(r);
}

// P at which a sticky contact breaks.
ERGI_PBD_FN ergi_pbd_vec pull_off(const ergi_pbd_pass *pass, const ergi_pbd_group *g)
{
    ergi_pbd_vec radius = load8(g->rolling_radius);
    return lanes_of(pass, g, true) * all8(6.2831853f * (float)ERGI_PBD_STICKY_DEPTH * pass->dt2) *
           radius * radius;
}

// Lower limit of P: 0, or negative with cohesion.
ERGI_PBD_FN ergi_pbd_vec pull_of(const ergi_pbd_pass *pass, const ergi_pbd_group *g)
{
    return pass->cohesion ? load8(g->pull) : zero8();
}

// ---- Stabilisation -----------------------------------------------------------------------------
// Displacement of a's contact point relative to b's, up to a part across the normal: before
// freezing, the arms of spheres end at their centres.
ERGI_PBD_FN ergi_pbd_vec3 slide_before(const ergi_pbd_pass *pass, const ergi_pbd_group *g,
                                       bool general)
{
    if (general) {
        ergi_pbd_contact8 c = contact_of(g, true);
        ergi_pbd_body8    a = body_load(pass, g->a, false), b = body_load(pass, g->b, false);
        return slide_of(&c, &a, &b);
    }
    ergi_pbd_vec a[4], b[4];
    moves_load(pass->row, g->a, a);
    moves_load(pass->row, g->b, b);
    return (ergi_pbd_vec3){a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

// Reduces overlap beyond the slack gradually, by shifting the start position and the prediction
// alike, so that velocities do not change.
ERGI_PBD_FN void stabilise(const ergi_pbd_pass *pass, ergi_pbd_group *g, bool walls, bool general)
{
    ergi_pbd_vec sa[4], sb[4], len = all8(1), depth;
    quads_load(pass->shift, g->a, sa);
    quads_load(pass->shift, g->b, sb);
    ergi_pbd_vec3 x = vec3_load(g->x[0]), s = {sa[0] - sb[0], sa[1] - sb[1], sa[2] - sb[2]};
    if (walls) {
        depth = load8(g->gap) - dot3(x, s);
    } else {
        x = add3(x, s);
        len = sqrt8(dot3(x, x));
        len = pick8(len > zero8(), len, all8(1));
        depth = load8(g->gap) - len;
    }
    if (pass->rebound) // before any contact acts
        store8(g->approach, dot3(x, slide_before(pass, g, general)) / len);
    ergi_pbd_vec least = walls ? load8(g->ra) : min8(load8(g->ra), load8(g->rb));
    ergi_pbd_vec over = depth - all8(SLACK) * least;
    over = all8(STABILISE) * over;
    if (walls) // undo what other contacts in this sweep moved into the wall
        over = max8(over, min8(depth, -dot3(x, s)));
    if (!any8(over > zero8())) return;
    over = keep8(over > zero8(), over) / ((sa[3] + sb[3]) * len);
    for (int k = 0; k < 3; k++) {
        ergi_pbd_vec along = k == 0 ? x.x : k == 1 ? x.y : x.z;
        sa[k] = sa[k] + sa[3] * over * along;
        sb[k] = sb[k] - sb[3] * over * along;
    }
    quads_store(pass->shift, g->a, sa);
    quads_store(pass->shift, g->b, sb);
}

// ---- Freezing and warm start -------------------------------------------------------------------
ERGI_PBD_FN ergi_pbd_vec freeze_geometry(const ergi_pbd_pass *pass, ergi_pbd_group *g, bool walls,
                                         bool general)
{
    ergi_pbd_vec sa[4], sb[4], depth, ra = load8(g->ra), rb = load8(g->rb);
    quads_load(pass->shift, g->a, sa);
    quads_load(pass->shift, g->b, sb);
    ergi_pbd_vec3 n = vec3_load(g->x[0]), s = {sa[0] - sb[0], sa[1] - sb[1], sa[2] - sb[2]};
    ergi_pbd_vec  least = walls ? ra : min8(ra, rb);
    if (walls) {
        depth = load8(g->gap) - dot3(n, s);
        ra = ra - depth;
    } else {
        n = add3(n, s);
        ergi_pbd_vec len = sqrt8(dot3(n, n));
        depth = load8(g->gap) - len;
        n = scale3(all8(1) / pick8(len > zero8(), len, all8(1)), n);
        ra = ra - all8(0.5f) * depth;
        rb = rb - all8(0.5f) * depth;
        vec3_store(g->x[0], n);
    }
    store8(g->ra, ra);
    store8(g->rb, rb);
    store8(g->gap, min8(depth, zero8()));
    if (general) {
        vec3_store(g->arm_a[0], sub3(vec3_load(g->arm_a[0]), scale3(ra, n)));
        if (!walls) vec3_store(g->arm_b[0], add3(vec3_load(g->arm_b[0]), scale3(rb, n)));
    }
    if (pass->cohesion)
        store8(g->pull, keep8(depth > all8(-STICKY_GAP) * least, -pull_off(pass, g)));
    return depth / least;
}

// Drops the history of contacts that rebounded: those that open faster than they could push (as if
// they acted at the centres). Until the solve had taken them back, other contacts of the same grain
// would feel them, and gain energy. What carries a load pushes more than it opens, and is kept.
ERGI_PBD_FN ergi_pbd_vec drop_opened(const ergi_pbd_pass *pass, ergi_pbd_group *g, ergi_pbd_vec p)
{
    ergi_pbd_vec opening = load8(g->approach), sa[4], sb[4];
    if (!any8(opening > all8(pass->threshold))) return p;
    quads_load(pass->shift, g->a, sa);
    quads_load(pass->shift, g->b, sb);
    ergi_pbd_mask stays = opening <= max8(p * (sa[3] + sb[3]), all8(pass->threshold));
    for (int k = 0; k < 3; k++) {
        store8(g->pt[k], keep8(stays, load8(g->pt[k])));
        if (pass->rolling) store8(g->q[k], keep8(stays, load8(g->q[k])));
    }
    return keep8(stays, p);
}

// Applies the multipliers of the last substep, rescaled to the new dt; P_t is projected onto the
// new tangent plane.
ERGI_PBD_FN void warm_start(const ergi_pbd_pass *pass, ergi_pbd_group *g, bool general)
{
    ergi_pbd_vec      scale = all8(pass->scale), kept = load8(g->p);
    ergi_pbd_contact8 c = contact_of(g, general);
    kept = pick8(kept < zero8(), -kept, kept) * scale;
    if (pass->rebound) kept = drop_opened(pass, g, kept);
    ergi_pbd_vec p = kept;
    if (pass->cohesion) { // the history has P + the pull-off force; one that broke has no tension
        p = kept - pull_off(pass, g);
        p = keep8(kept > zero8(), max8(p, load8(g->pull)));
    }
    store8(g->p, p);
    if (!any8(kept > zero8())) return;
    p = load8(g->p);
    ergi_pbd_vec3 pt = scale3(scale, vec3_load(g->pt[0]));
    pt = sub3(pt, scale3(dot3(pt, c.n), c.n));
    vec3_store(g->pt[0], pt);
    ergi_pbd_body8 a = body_load(pass, g->a, general), b = body_load(pass, g->b, general);
    push(&c, &a, &b, madd3(pt, p, c.n), true, general);
    if (pass->rolling) {
        ergi_pbd_vec3 q = scale3(scale, vec3_load(g->q[0]));
        vec3_store(g->q[0], q);
        a.turn = add3(a.turn, turned_by(&a, q, general));
        b.turn = sub3(b.turn, turned_by(&b, q, general));
    }
    body_store(pass, g->a, &a);
    body_store(pass, g->b, &b);
}

// ---- The solve ---------------------------------------------------------------------------------
// Coulomb limit: factor for a multiplier of length sqrt(size2). 1 up to `hold`; beyond it the
// length becomes `slip`.
ERGI_PBD_FN ergi_pbd_vec cut(ergi_pbd_vec size2, ergi_pbd_vec hold, ergi_pbd_vec slip)
{
    ergi_pbd_vec  size = sqrt8(size2);
    ergi_pbd_mask slips = size > hold;
    return pick8(slips, slip / pick8(slips, size, all8(1)), all8(1));
}

ERGI_PBD_FN void solve_normal(const ergi_pbd_pass *pass, ergi_pbd_group *g,
                              const ergi_pbd_contact8 *c, ergi_pbd_body8 *a, ergi_pbd_body8 *b,
                              bool general)
{
    ergi_pbd_vec before = load8(g->p), closing, w;
    if (general) {
        closing = dot3(c->n, slide_of(c, a, b));
        w = inverse_mass(c, a, b, c->n);
    } else {
        closing = dot3(c->n, sub3(a->move, b->move));
        w = a->w + b->w;
    }
    ergi_pbd_vec gap = load8(g->gap), p = before + (gap - closing) / w;
    if (pass->cohesion) { // a sticky contact resists opening, and hardly closes its gap
        ergi_pbd_vec held = before + (all8(STICKY_CLOSING) * gap - closing) / w;
        held = max8(min8(held, zero8()), load8(g->pull));
        p = pick8(p > zero8(), p, held);
    } else {
        p = max8(p, zero8());
    }
    store8(g->p, p);
    push(c, a, b, scale3(p - before, c->n), general, general);
}

ERGI_PBD_FN void solve_friction(ergi_pbd_group *g, const ergi_pbd_law8 *law,
                                const ergi_pbd_contact8 *c, ergi_pbd_body8 *a, ergi_pbd_body8 *b,
                                ergi_pbd_vec load, bool general)
{
    ergi_pbd_vec3 before = vec3_load(g->pt[0]), d = slide_of(c, a, b);
    d = sub3(d, scale3(dot3(d, c->n), c->n));
    ergi_pbd_vec w;
    if (general) {
        ergi_pbd_vec len = sqrt8(dot3(d, d));
        w = inverse_mass(c, a, b, scale3(all8(1) / pick8(len > zero8(), len, all8(1)), d));
    } else {
        ergi_pbd_vec ra = load8(g->ra), rb = load8(g->rb);
        w = a->w + b->w + ra * ra * a->iw + rb * rb * b->iw;
    }
    ergi_pbd_vec3 p = sub3(before, scale3(all8(1) / w, d));
    p = scale3(cut(dot3(p, p), law->friction_static * load, law->friction * load), p);
    vec3_store(g->pt[0], p);
    push(c, a, b, sub3(p, before), true, general);
}

// Rolling (perpendicular to the normal) and twisting (about it), each with its own limit.
ERGI_PBD_FN void solve_rolling(ergi_pbd_group *g, const ergi_pbd_law8 *law,
                               const ergi_pbd_contact8 *c, ergi_pbd_body8 *a, ergi_pbd_body8 *b,
                               ergi_pbd_vec load, bool general)
{
    ergi_pbd_vec3 before = vec3_load(g->q[0]);
    ergi_pbd_vec3 q = sub3(before, scale3(all8(1) / (a->iw + b->iw), sub3(a->turn, b->turn)));
    ergi_pbd_vec  along = dot3(q, c->n), limit = load8(g->rolling_radius) * load;
    ergi_pbd_vec3 across = sub3(q, scale3(along, c->n));
    ergi_pbd_vec  roll = law->rolling * limit, twist = law->twisting * limit;
    across = scale3(cut(dot3(across, across), roll, roll), across);
    along = min8(max8(along, -twist), twist);
    q = madd3(across, along, c->n);
    vec3_store(g->q[0], q);
    ergi_pbd_vec3 change = sub3(q, before);
    a->turn = add3(a->turn, turned_by(a, change, general));
    b->turn = sub3(b->turn, turned_by(b, change, general));
}

ERGI_PBD_FN void keep_history(const ergi_pbd_pass *pass, ergi_pbd_group *g, bool walls)
{
    ergi_pbd_vec  load = load8(g->p) - pull_of(pass, g), r[8] = {load};
    ergi_pbd_mask held = load > zero8();
    for (int k = 0; k < 3; k++) {
        r[ERGI_PBD_PT + k] = keep8(held, load8(g->pt[k]));
        r[ERGI_PBD_Q + k] = pass->rolling ? keep8(held, load8(g->q[k])) : zero8();
    }
    r[7] = zero8();
    transpose8(r);
    float *history = walls ? pass->wall_history : pass->history;
    g->touched = 0;
    for (uint32_t l = 0; l < g->count; l++) {
        uint8_t  now = (uint8_t)(held[l] & 1), none = 0;
        uint8_t *before = walls ? &none : &pass->held[g->entry[l]];
        g->touched |= (uint32_t)now << l;
        if (!walls && !now && !*before) continue; // zero, as it was
        store8(history + ERGI_PBD_HISTORY * (size_t)g->entry[l], r[l]);
        *before = now;
    }
}

ERGI_PBD_FN void solve(const ergi_pbd_pass *pass, ergi_pbd_group *g, bool walls, bool last,
                       bool general)
{
    ergi_pbd_contact8 c = contact_of(g, general);
    ergi_pbd_body8    a = body_load(pass, g->a, general), b = body_load(pass, g->b, general);
    ergi_pbd_law8     law = law_of(pass, g);
    ergi_pbd_vec      before = load8(g->p) - pull_of(pass, g);
    solve_normal(pass, g, &c, &a, &b, general);
    ergi_pbd_vec load = load8(g->p) - pull_of(pass, g);
    if (any8((load > zero8()) | (before > zero8()))) {
        solve_friction(g, &law, &c, &a, &b, load, general);
        if (pass->rolling) solve_rolling(g, &law, &c, &a, &b, load, general);
        body_store(pass, g->a, &a);
        body_store(pass, g->b, &b);
    }
    if (last) keep_history(pass, g, walls);
}

// ---- Restitution -------------------------------------------------------------------------------
// A contact rebounds along the normal at the new positions, since the bodies must be pushed at one
// point there: else angular momentum would change. But it was solved along the frozen normal, and
// the two differ. So it gets the energy that the rebound would give it along the frozen normal:
// otherwise a dilute gas of elastic spheres gains a third of its energy in a few impacts each.

// Normal at the new positions. After ERGI_PBD_ADVANCE `shift` is the displacement since freezing.
ERGI_PBD_FN ergi_pbd_vec3 normal_after(const ergi_pbd_pass *pass, const ergi_pbd_group *g,
                                       ergi_pbd_vec3 n)
{
    ergi_pbd_vec sa[4], sb[4];
    quads_load(pass->shift, g->a, sa);
    quads_load(pass->shift, g->b, sb);
    ergi_pbd_vec3 x = {sa[0] - sb[0], sa[1] - sb[1], sa[2] - sb[2]};
    x = madd3(x, load8(g->ra) + load8(g->rb), n);
    ergi_pbd_vec len = sqrt8(dot3(x, x));
    return scale3(all8(1) / pick8(len > zero8(), len, all8(1)), x);
}

// The contact at the new positions, so that both bodies are pushed at the same point: else angular
// momentum would change. The spheres' centres have followed the rotation of their clumps or bodies.
ERGI_PBD_FN ergi_pbd_contact8 contact_after(const ergi_pbd_pass *pass, const ergi_pbd_group *g,
                                            const ergi_pbd_body8 *a, const ergi_pbd_body8 *b,
                                            bool walls)
{
    ergi_pbd_contact8 c = contact_of(g, true);
    ergi_pbd_vec      sa[4], sb[4], ra = load8(g->ra), rb = load8(g->rb);
    quads_load(pass->shift, g->a, sa);
    quads_load(pass->shift, g->b, sb);
    ergi_pbd_vec3 x = {sa[0] - sb[0], sa[1] - sb[1], sa[2] - sb[2]};
    ergi_pbd_vec3 own = madd3(c.arm_a, ra, c.n), turned = cross3(a->turn, own);
    if (walls) { // the sphere keeps the normal; the point moves on the wall or body
        c.arm_a = add3(c.arm_a, turned);
        c.arm_b = add3(c.arm_b, add3(x, turned));
        return c;
    }
    ergi_pbd_vec3 of_b = sub3(c.arm_b, scale3(rb, c.n));
    own = add3(own, turned);
    turned = sub3(turned, cross3(b->turn, of_b));
    of_b = add3(of_b, cross3(b->turn, of_b));
    x = madd3(add3(x, turned), ra + rb, c.n);
    ergi_pbd_vec len = sqrt8(dot3(x, x)), share = ra / (ra + rb);
    c.n = scale3(all8(1) / pick8(len > zero8(), len, all8(1)), x);
    c.arm_a = sub3(own, scale3(share, x));
    c.arm_b = add3(of_b, scale3(all8(1) - share, x));
    return c;
}

// Eight contacts before their rebound. Displacements per substep take the place of speeds.
typedef struct ergi_pbd_rebound8 {
    ergi_pbd_mask     fast;       // carries a force, and approached faster than the threshold
    ergi_pbd_contact8 c;          // at the new positions
    ergi_pbd_vec      now, w;     // opening of c, and its inverse mass
    ergi_pbd_vec      now_0, w_0; // of the frozen contact
    ergi_pbd_vec      restitution;
} ergi_pbd_rebound8;

ERGI_PBD_FN ergi_pbd_mask is_fast(const ergi_pbd_pass *pass, const ergi_pbd_group *g)
{
    return (load8(g->approach) < all8(-pass->threshold)) & (load8(g->p) > zero8());
}

ERGI_PBD_FN ergi_pbd_rebound8 rebound_of(const ergi_pbd_pass *pass, const ergi_pbd_group *g,
                                         const ergi_pbd_body8 *a, const ergi_pbd_body8 *b,
                                         bool walls, bool general)
{
    ergi_pbd_contact8 frozen = contact_of(g, general);
    ergi_pbd_rebound8 r = {
        .fast = is_fast(pass, g), .c = frozen, .restitution = lanes_of(pass, g, false)};
    if (general) {
        r.c = contact_after(pass, g, a, b, walls);
        r.now = dot3(r.c.n, slide_of(&r.c, a, b));
        r.w = inverse_mass(&r.c, a, b, r.c.n);
        r.now_0 = dot3(frozen.n, slide_of(&frozen, a, b));
        r.w_0 = inverse_mass(&frozen, a, b, frozen.n);
        return r;
    }
    if (!walls) r.c.n = normal_after(pass, g, frozen.n);
    ergi_pbd_vec3 slide = sub3(a->move, b->move);
    r.now = dot3(r.c.n, slide);
    r.now_0 = dot3(frozen.n, slide);
    r.w = r.w_0 = a->w + b->w;
    return r;
}

// Separation at the new positions if along the frozen normal its square would grow by `gain`.
ERGI_PBD_FN ergi_pbd_vec apart_after(const ergi_pbd_rebound8 *r, ergi_pbd_vec gain)
{
    return sqrt8(max8(r->now * r->now + gain * (r->w / r->w_0), zero8()));
}

// Contacts of grains, one after the other. A contact whose solve has stopped an approach u down to
// the gap c has taken u^2 - c^2 (times a mass), and returns e^2 of that; likewise of the approach
// that is left now. So impacts never add energy, however many a grain has at once. Alone, a contact
// separates at e times its approach. u = w P + c, but P may also hold a load at rest.
ERGI_PBD_FN void rebound(const ergi_pbd_pass *pass, ergi_pbd_group *g, bool walls, bool general)
{
    if (!any8(is_fast(pass, g))) return;
    ergi_pbd_body8    a = body_load(pass, g->a, general), b = body_load(pass, g->b, general);
    ergi_pbd_rebound8 r = rebound_of(pass, g, &a, &b, walls, general);
    ergi_pbd_vec      gap = load8(g->gap), e2 = r.restitution * r.restitution;
    ergi_pbd_vec      stopped = min8(r.w_0 * load8(g->p) - gap, -load8(g->approach));
    ergi_pbd_vec      left = min8(r.now_0, zero8());
    ergi_pbd_vec      gain = e2 * max8(stopped * stopped - gap * gap, zero8());
    gain = gain - (all8(1) - e2) * left * left;
    ergi_pbd_vec p = (apart_after(&r, gain) - r.now) / r.w;
    p = keep8(r.fast & (p > zero8()), p);
    push(&r.c, &a, &b, scale3(p, r.c.n), general, general);
    body_store(pass, g->a, &a);
    body_store(pass, g->b, &b);
}

// Contacts of bodies: a face that lands flat has many, and all must separate at e times their
// approach, else the body would start to turn. `aim` stores the separation of each contact in
// `approach`, its arms at the new place, and clears `pull`, which then is the multiplier.
ERGI_PBD_FN void aim(const ergi_pbd_pass *pass, ergi_pbd_group *g)
{
    store8(g->pull, zero8());
    ergi_pbd_mask fast = is_fast(pass, g);
    if (!any8(fast)) {
        store8(g->approach, zero8());
        return;
    }
    ergi_pbd_body8    a = body_load(pass, g->a, true), b = body_load(pass, g->b, true);
    ergi_pbd_rebound8 r = rebound_of(pass, g, &a, &b, true, true);
    ergi_pbd_vec      least = r.restitution * load8(g->approach);
    ergi_pbd_vec      apart = apart_after(&r, least * least - r.now_0 * r.now_0);
    store8(g->approach, keep8(fast, apart));
    vec3_store(g->arm_a[0], r.c.arm_a);
    vec3_store(g->arm_b[0], r.c.arm_b);
}

ERGI_PBD_FN void reach_aim(const ergi_pbd_pass *pass, ergi_pbd_group *g)
{
    ergi_pbd_vec  apart = load8(g->approach), before = load8(g->pull);
    ergi_pbd_mask fast = apart > zero8();
    if (!any8(fast)) return;
    ergi_pbd_contact8 c = contact_of(g, true);
    ergi_pbd_body8    a = body_load(pass, g->a, true), b = body_load(pass, g->b, true);
    ergi_pbd_vec      now = dot3(c.n, slide_of(&c, &a, &b));
    ergi_pbd_vec      p = max8(before + (apart - now) / inverse_mass(&c, &a, &b, c.n), zero8());
    p = keep8(fast, p);
    store8(g->pull, p);
    push(&c, &a, &b, scale3(p - before, c.n), true, true);
    body_store(pass, g->a, &a);
    body_store(pass, g->b, &b);
}

// ---- One sweep over a task ---------------------------------------------------------------------
ERGI_PBD_FN void sweep_groups(const ergi_pbd_pass *pass, ergi_pbd_task *task, ergi_pbd_sweep kind,
                              bool walls, bool general)
{
    ergi_pbd_group *g = pass->group + task->group;
    ergi_pbd_vec    ratio, deepest = zero8(), sum = zero8(), count = zero8();
    for (size_t k = 0; k < task->groups; k++, g++) {
        switch (kind) {
        case ERGI_PBD_STABILISE: stabilise(pass, g, walls, general); break;
        case ERGI_PBD_FREEZE:
            ratio = freeze_geometry(pass, g, walls, general);
            deepest = max8(ratio, deepest);
            sum = sum + max8(ratio, zero8());
            count = count + keep8(ratio > zero8(), all8(1));
            warm_start(pass, g, general);
            break;
        case ERGI_PBD_SOLVE: solve(pass, g, walls, false, general); break;
        case ERGI_PBD_SOLVE_LAST: solve(pass, g, walls, true, general); break;
        case ERGI_PBD_REBOUND: rebound(pass, g, walls, general); break;
        case ERGI_PBD_REBOUND_AIM: aim(pass, g); break;
        case ERGI_PBD_REBOUND_BODIES: reach_aim(pass, g); break;
        case ERGI_PBD_FIND:
        case ERGI_PBD_FIND_STABILISE:
        case ERGI_PBD_ADVANCE:
        case ERGI_PBD_FINISH: break; // done elsewhere (sweeps.c)
        }
    }
    if (kind != ERGI_PBD_FREEZE) return;
    task->deepest = highest8(deepest);
    task->overlap = sum8(sum);
    task->overlapping = (uint32_t)sum8(count);
}

static void sweep(const ergi_pbd_pass *pass, ergi_pbd_task *task, ergi_pbd_sweep kind)
{
    // Where every grain is a single sphere, only the contacts of bodies have lever arms.
    bool general = task->walls ? pass->general : pass->clumps;
    if (general)
        sweep_groups(pass, task, kind, task->walls, true);
    else
        sweep_groups(pass, task, kind, task->walls, false);
}

#endif
