// The spring with a slider that friction, rolling and twisting share (Cundall & Strack 1979).
#ifndef ERGI_LAW_SPRING_H
#define ERGI_LAW_SPRING_H

#include "law/vec.h"

// Relative growth of an overlap in a step below which it counts as unchanged: a few rounding
// errors.
#if defined(ERG_REAL_DOUBLE)
#define ERGI_SPRING_REST ERGI_R(0x1p-51)
#else
#define ERGI_SPRING_REST ERGI_R(0x1p-22)
#endif

// A share, kept / of, from 0 to 1; as a fraction because divisions are what a contact waits for.
typedef struct ergi_relief {
    erg_real kept, of;
} ergi_relief;

// The factor that gives a stretch of squared length `now2` the squared length `before2` again, less
// what `relief` takes.
ERG_FN erg_real ergi_spring_length(erg_real before2, erg_real now2, ergi_relief relief)
{
    erg_real below = now2 * relief.of; // a length whose square is nothing gives 0 here, too
    erg_real safe = below > ERGI_R(0) ? below : ERGI_R(1);
    return ergi_sqrt(before2 * relief.kept / safe);
}

// Carries a stored stretch over to the contact's new normal: projected on the tangent plane, length
// kept, so that a contact that turns in space neither winds nor unwinds it. `relief`
// multiplies the squared length. A pair that turns about its own normal is not followed.
//
// The old length comes from the new one and what was off the plane, by Pythagoras: where the normal
// stays, the ratio of both is exactly 1, and rounding does not shorten the stretch step by step.
ERG_FN ergi_vec ergi_spring_turn(ergi_vec stretch, ergi_vec n, ergi_relief relief)
{
    erg_real off = ergi_vec_dot(stretch, n);
    ergi_vec flat = ergi_vec_madd(-off, n, stretch);
    erg_real new2 = ergi_vec_dot(flat, flat);
    return ergi_vec_scale(ergi_spring_length(ergi_fma(off, off, new2), new2, relief), flat);
}

// A stretch as it is after a contact has jumped from one normal to another, less than a right angle
// away: turned by the shortest way. Projected instead, what lies in the plane of the two normals
// would grow at the expense of the rest, jump by jump.
ERG_FN ergi_vec ergi_spring_jump(ergi_vec stretch, ergi_vec from, ergi_vec to)
{
    ergi_vec axis = ergi_vec_cross(from, to); // as long as the sine
    erg_real along = ergi_vec_dot(from, to);
    erg_real about = ergi_vec_dot(axis, stretch) / (ERGI_R(1) + along);
    ergi_vec turned = ergi_vec_madd(along, stretch, ergi_vec_cross(axis, stretch));
    return ergi_vec_madd(about, axis, turned);
}

// How much of a squared stretch survives the step's change of overlap when the stiffness goes with
// sqrt(xi). Growing overlap stiffens the spring, and at constant stretch would make force and
// energy from nothing: the stretch shrinks so that the force stays. Falling overlap softens it;
// force and energy fall by themselves. (LAMMPS has the same as mindlin_rescale.)
//
// This is a ratchet: opening does not restore what closing took. So growth counts only if it
// exceeds the rounding errors of a contact at rest.
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

// As ergi_cut, for the square of a size.
ERG_FN erg_real ergi_spring_share(bool above, erg_real size2, erg_real limit)
{
    return (above ? limit : ERGI_R(1)) / ergi_sqrt(above ? size2 : ERGI_R(1));
}

// Spring and dashpot in parallel behind a slider: force -(k s + c v), cut to `limit`; the stretch
// is cut so that the spring alone stays within the limit, too.
//
// Why the dashpot gives way first: the other custom, s = -(F + c v)/k, leaves a spring that points
// backwards wherever c |v| > limit, as at the first touch of most oblique impacts, and at zero
// friction one that was never loaded. Cut like this no step can pay out more than was stored: with
// s the stretch after adding v dt, the step takes F.v dt from the bodies, and that is at least the
// growth of k s^2 / 2 in all cases (test_law_tangential.c tries them).
//
// `holds`: nothing is cut, which takes two roots and two divisions less; when nothing slips it
// changes no bit.
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
// limit times the rest of the way. [J]
ERG_FN erg_real ergi_spring_energy(erg_real s, erg_real k, erg_real limit, erg_real limit_sliding)
{
    erg_real safe = k > ERGI_R(0) ? k : ERGI_R(1);
    erg_real yield = limit / safe;
    erg_real plastic = k * s > limit ? ERGI_R(1) : ERGI_R(0);
    erg_real elastic = k * s > limit ? yield : s;
    return ERGI_R(0.5) * k * elastic * elastic + plastic * limit_sliding * (s - elastic);
}

#endif
