// Spring with a slider, used for friction, rolling and twisting (Cundall & Strack 1979).
#ifndef ERGI_LAW_SPRING_H
#define ERGI_LAW_SPRING_H

#include "law/vec.h"

// Relative growth of the overlap per step below which it counts as unchanged: a few rounding
// errors.
#if defined(ERG_REAL_DOUBLE)
#define ERGI_SPRING_REST ERGI_R(0x1p-51)
#else
#define ERGI_SPRING_REST ERGI_R(0x1p-22)
#endif

// The fraction kept / of, from 0 to 1. Not divided yet: it shares one division with a later ratio,
// and divisions dominate the latency of a contact.
typedef struct ergi_relief {
    erg_real kept, of;
} ergi_relief;

// The factor that scales a stretch of squared length `now2` back to `before2`, times `relief`.
ERG_FN erg_real ergi_spring_length(erg_real before2, erg_real now2, ergi_relief relief)
{
    erg_real below = now2 * relief.of; // also 0 if the square of a tiny length underflows
    erg_real safe = below > ERGI_R(0) ? below : ERGI_R(1);
    return ergi_sqrt(before2 * relief.kept / safe);
}

// Carries a stored stretch over to the contact's new normal: projected on the tangent plane, then
// scaled to its old length, so that a contact that rotates in space neither loads nor unloads the
// spring. `relief` multiplies the squared length. Rotation of the pair about its normal is ignored.
//
// The old length is computed from the new one and the part off the plane, by Pythagoras: if the
// normal does not change, the ratio is exactly 1 and rounding does not shorten the stretch step by
// step.
ERG_FN ergi_vec ergi_spring_project(ergi_vec stretch, ergi_vec n, ergi_relief relief)
{
    erg_real off = ergi_vec_dot(stretch, n);
    ergi_vec flat = ergi_vec_madd(-off, n, stretch);
    erg_real new2 = ergi_vec_dot(flat, flat);
    return ergi_vec_scale(ergi_spring_length(ergi_fma(off, off, new2), new2, relief), flat);
}

// The stretch after the contact jumped from one normal to another, less than a right angle away:
// the shortest rotation between the normals. A projection with rescaling would, jump by jump,
// enlarge the part in the plane of the two normals at the expense of the rest.
ERG_FN ergi_vec ergi_spring_rotate(ergi_vec stretch, ergi_vec from, ergi_vec to)
{
    ergi_vec axis = ergi_vec_cross(from, to); // its length is the sine
    erg_real along = ergi_vec_dot(from, to);
    erg_real about = ergi_vec_dot(axis, stretch) / (ERGI_R(1) + along);
    ergi_vec turned = ergi_vec_madd(along, stretch, ergi_vec_cross(axis, stretch));
    return ergi_vec_madd(about, axis, turned);
}

// The factor on the squared stretch for a step's change of overlap, if the stiffness is
// proportional to sqrt(xi). Growing overlap stiffens the spring; at constant stretch that would
// create force and energy, so the stretch shrinks and the force stays. Falling overlap softens the
// spring: force and energy fall by themselves. (LAMMPS: mindlin_rescale/force.)
//
// This is a ratchet: opening does not restore the stretch that closing removed. So growth counts
// only if it exceeds the rounding errors of a contact at rest.
ERG_FN ergi_relief ergi_spring_relief(erg_real overlap, erg_real closing, erg_real dt)
{
    erg_real    before = ergi_positive(ergi_fma(-closing, dt, overlap));
    bool        grows = before < overlap * (ERGI_R(1) - ERGI_SPRING_REST);
    ergi_relief r = {grows ? before : ERGI_R(1), grows ? overlap : ERGI_R(1)};
    return r;
}

typedef struct ergi_spring {
    ergi_vec force;
    ergi_vec stretch;
    erg_real slips; // above 0: the slider moves
} ergi_spring;

// As ergi_cut, given the square of the size and whether it is above the limit.
ERG_FN erg_real ergi_spring_share(bool above, erg_real size2, erg_real limit)
{
    return (above ? limit : ERGI_R(1)) / ergi_sqrt(above ? size2 : ERGI_R(1));
}

// Spring and dashpot in parallel behind a slider: force -(k s + c v), cut to `limit`; the stretch
// is cut so that the spring alone stays within the limit as well.
//
// Why the stretch is not reset to s = -(F + c v)/k, as is also common: where c |v| > limit, as at
// the first touch of most oblique impacts, that spring would point backwards, and without friction
// it would be loaded by the dashpot alone. Cut as here, no step releases more energy than was
// stored: with s the stretch after adding v dt, the step takes -F.v dt from the motion, which is at
// least the growth of k s^2 / 2 in all cases (tested in test_law_tangential.c).
//
// `holds`: nothing is cut, which saves two square roots and two divisions. The result is bitwise
// the same if nothing slips.
ERG_FN ergi_spring ergi_spring_cut(ergi_vec s, ergi_vec v, erg_real k, erg_real c, erg_real limit,
                                   bool holds)
{
    ergi_vec    load = ergi_vec_madd(k, s, ergi_vec_scale(c, v));
    erg_real    load2 = ergi_vec_dot(load, load), spring2 = k * (k * ergi_vec_dot(s, s));
    bool        cut = load2 > limit * limit, reset = spring2 > limit * limit;
    ergi_spring r = {ergi_vec_scale(ERGI_R(-1), load), s, cut || reset ? ERGI_R(1) : ERGI_R(0)};
    if (holds) return r;
    r.force = ergi_vec_scale(-ergi_spring_share(cut, load2, limit), load);
    r.stretch = ergi_vec_scale(ergi_spring_share(reset, spring2, limit), s);
    return r;
}

// Energy of a stretch s behind a slider that never resets: quadratic up to the limit, then the
// sliding force times the remaining distance. [J]
ERG_FN erg_real ergi_spring_energy(erg_real s, erg_real k, erg_real limit, erg_real limit_sliding)
{
    erg_real safe = k > ERGI_R(0) ? k : ERGI_R(1);
    erg_real yield = limit / safe;
    erg_real plastic = k * s > limit ? ERGI_R(1) : ERGI_R(0);
    erg_real elastic = k * s > limit ? yield : s;
    return ERGI_R(0.5) * k * elastic * elastic + plastic * limit_sliding * (s - elastic);
}

#endif
