// Resistance to rolling and twisting: a spring, a dashpot and a slider on the relative rotation, in
// the manner of Iwashita & Oda 1998 and model C of Ai et al., Powder Technology 206 (2011) 269. A
// constant torque (their model A) never lets a grain come to rest; this one does.
//
//   rolling   rate: the part of w1 - w2 in the tangent plane   limit mu_r R* f_n
//   twisting  rate: the part of w1 - w2 along the normal       limit twisting R* f_n
//   both      stiffness k_t R*^2, dashpot rolling_damping c_n xi^alpha R*^2
//
// The stiffness is that of the tangential spring on a lever R*: no new constant, no new time scale.
// Rolling and twisting share it, so that splitting the stored angle along each new normal adds no
// energy. When the contact rotates in space, rolling angle may become twisting angle; angles stay
// small (about mu_r xi/R*) before the slider moves.
#ifndef ERGI_LAW_ROLLING_H
#define ERGI_LAW_ROLLING_H

#include "law/kinds.h"
#include "law/spring.h"

// Twisting angle and its torque divided by R*, both along the normal. ergi_spring_cut in one
// dimension: no square root needed.
typedef struct ergi_twist {
    erg_real force, angle;
    erg_real slips;
} ergi_twist;

ERG_FN ergi_twist ergi_rolling_twist(erg_real angle, erg_real spin, erg_real k, erg_real c,
                                     erg_real limit, bool holds)
{
    erg_real   load = ergi_fma(k, angle, c * spin), size = ergi_fabs(k * angle);
    bool       cut = ergi_fabs(load) > limit, reset = size > limit;
    ergi_twist r = {-load, angle, cut || reset ? ERGI_R(1) : ERGI_R(0)};
    if (holds) return r;
    erg_real most = load > ERGI_R(0) ? limit : -limit;
    r.force = cut ? -most : -load;
    r.angle = angle * ergi_cut(size, limit);
    return r;
}

// Torque on 1 and the new stored angle. `k` and `c` are the current tangential stiffness and normal
// dashpot. `holds` as in spring.h.
ERG_FN ergi_spring ergi_rolling_torque(ergi_pair_law law, ergi_vec n, ergi_vec spin, erg_real dt,
                                       erg_real radius, erg_real k, erg_real c, erg_real f_n,
                                       ergi_vec angle, ergi_relief relief, bool holds)
{
    // Torques divided by R*, so that their squares are as far from underflow as those of sliding.
    erg_real stiff = k * radius;
    erg_real damp = law.rolling_damping * c * radius;

    // Without twisting resistance the stored angle is tangential and keeps its length; with it, the
    // angle is split into parts along and across the new normal.
    bool     twists = law.twisting > ERGI_R(0);
    erg_real off = ergi_vec_dot(angle, n);
    ergi_vec flat = ergi_vec_madd(-off, n, angle);
    erg_real new2 = ergi_vec_dot(flat, flat), old2 = ergi_fma(off, off, new2);
    erg_real kept =
        ergi_spring_length(twists ? ERGI_R(1) : old2, twists ? ERGI_R(1) : new2, relief);
    ergi_vec roll = ergi_vec_scale(kept, flat);

    erg_real spin_n = ergi_vec_dot(spin, n);
    ergi_vec spin_t = ergi_vec_madd(-spin_n, n, spin);
    erg_real twist = twists ? ergi_fma(dt, spin_n, kept * off) : ERGI_R(0);

    ergi_spring a = ergi_spring_cut(ergi_vec_madd(dt, spin_t, roll), spin_t, stiff, damp,
                                    law.rolling * f_n, holds);
    ergi_twist  b = ergi_rolling_twist(twist, twists ? spin_n : ERGI_R(0), stiff, damp,
                                       law.twisting * f_n, holds);
    ergi_spring r = {ergi_vec_scale(radius, ergi_vec_madd(b.force, n, a.force)),
                     ergi_vec_madd(b.angle, n, a.stretch), a.slips + b.slips};
    return r;
}

// Energy in the rolling and twisting springs. [J]
ERG_FN erg_real ergi_rolling_energy(erg_real radius, erg_real k, ergi_vec angle)
{
    return ERGI_R(0.5) * k * radius * radius * ergi_vec_dot(angle, angle);
}

#endif
