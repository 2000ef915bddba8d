// Resistance to rolling and twisting: a spring, a dashpot and a slider on the relative rotation, in
// the manner of Iwashita & Oda 1998 and model C of Ai et al., Powder Technology 206 (2011) 269. A
// constant torque (their model A) never comes to rest; this one does.
//
//   rolling   rate: the part of w1 - w2 in the tangent plane   limit mu_r R* f_n
//   twisting  rate: the part of w1 - w2 along the normal       limit twisting R* f_n
//   both      stiffness k_t R*^2, dashpot rolling_damping c_n xi^alpha R*^2
//
// The stiffness is that of the tangential spring on a lever R*: no new constant, no new time scale.
// Both share it, so that a stored angle can be split anew along every new normal without gaining
// energy. When the contact turns in space, rolling angle may then turn into twisting angle; angles
// are small (about mu_r xi/R*) before the slider moves.
#ifndef ERGI_LAW_ROLLING_H
#define ERGI_LAW_ROLLING_H

#include "law/kinds.h"
#include "law/spring.h"

// Torque on 1 and the new stored angle. `k` and `c` are tangential stiffness and normal dashpot of
// this moment.
ERG_FN ergi_spring ergi_rolling_push(ergi_pair_law law, ergi_vec n, ergi_vec spin, erg_real dt,
                                     erg_real radius, erg_real k, erg_real c, erg_real f_n,
                                     ergi_vec angle, ergi_relief relief)
{
    // Torques over R*, as forces: their squares are no smaller than those of sliding.
    erg_real stiff = k * radius;
    erg_real damp = law.rolling_damping * c * radius;

    // Without twisting resistance the stored angle is tangential and keeps its length.
    bool     twists = law.twisting > ERGI_R(0);
    ergi_vec kept = ergi_vec_scale(ergi_sqrt(relief.kept / relief.of), angle);
    ergi_vec split = ergi_vec_tangent(kept, n);
    ergi_vec turned = ergi_spring_turn(angle, n, relief);
    ergi_vec roll = twists ? split : turned;
    erg_real twist = twists ? ergi_vec_dot(kept, n) : ERGI_R(0);

    erg_real spin_n = ergi_vec_dot(spin, n);
    ergi_vec spin_t = ergi_vec_madd(-spin_n, n, spin);

    ergi_spring a = ergi_spring_cut(ergi_vec_madd(dt, spin_t, roll), spin_t, stiff, damp,
                                    law.rolling * f_n, false);
    ergi_spring b =
        ergi_spring_cut(ergi_vec_scale(twist + dt * spin_n, n), ergi_vec_scale(spin_n, n), stiff,
                        damp, law.twisting * f_n, false);
    ergi_spring r = {ergi_vec_scale(radius, ergi_vec_add(a.force, b.force)),
                     ergi_vec_add(a.stretch, b.stretch), 0};
    return r;
}

// Energy in the rolling and twisting springs. [J]
ERG_FN erg_real ergi_rolling_energy(erg_real radius, erg_real k, ergi_vec angle)
{
    return ERGI_R(0.5) * k * radius * radius * ergi_vec_dot(angle, angle);
}

#endif
