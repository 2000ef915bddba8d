// One contact: force and torque between two spheres, or a sphere and a wall.
//
// The law numbers are separate arguments, although ergi_pair_law holds them too, so that a kernel
// built for one pair of laws passes constants and the compiler removes all other branches.
//
// Swapping 1 and 2 (n, v, spin and history change sign) changes the sign of force, couple and
// history and no other bit; a zero may keep its sign.
#ifndef ERGI_LAW_CONTACT_H
#define ERGI_LAW_CONTACT_H

#include "law/cohesion.h"
#include "law/kinds.h"
#include "law/normal.h"
#include "law/rolling.h"
#include "law/tangential.h"

// Coulomb's limit uses the repulsive part of the normal force. With cohesion this is load plus
// attraction, so cohesion adds to friction as it does in nature. The total normal force would not
// do: it is zero for a grain that hangs by cohesion alone, which would then slip freely.
ERG_FN ergi_contact_force ergi_contact_evaluate(int normal_law, int tangential_law, bool rolling,
                                                bool cohesion, ergi_pair_law law, ergi_coef c,
                                                ergi_contact_kinematics t, ergi_contact_history m)
{
    erg_real v_n = ergi_vec_dot(t.v, t.n);
    ergi_vec v_t = ergi_vec_madd(-v_n, t.n, t.v);
    erg_real f_n = ergi_normal_force(normal_law, c, t.overlap, -v_n);

    // viscous and regularised: ct is the viscosity
    bool        plain = tangential_law <= ERGI_TANGENTIAL_REGULARISED;
    erg_real    ct = plain ? c.ct : ergi_normal_dashpot(normal_law, c.ct, t.overlap);
    erg_real    kt = ergi_tangential_stiffness(normal_law, tangential_law, c.kt, t.overlap);
    ergi_relief relief = ergi_tangential_relief(normal_law, tangential_law, t.overlap, -v_n, t.dt);

    ergi_spring slide = ergi_tangential_force(tangential_law, law, t.n, v_t, t.dt, kt, ct, f_n,
                                              m.slide, relief, t.holds);
    ergi_spring roll = {ergi_vec_zero(), ergi_vec_zero(), 0};
    if (rolling)
        roll = ergi_rolling_torque(law, t.n, t.spin, t.dt, t.radius, kt,
                                   ergi_normal_dashpot(normal_law, c.cn, t.overlap), f_n, m.roll,
                                   relief, t.holds);

    erg_real pull = ERGI_R(0);
    if (cohesion) pull = ergi_cohesion_force(law.cohesion, t.radius, t.overlap);

    ergi_contact_force contact_force = {ergi_vec_madd(f_n - pull, t.n, slide.force),
                                        roll.force,
                                        {slide.stretch, roll.stretch},
                                        f_n,
                                        slide.slips + roll.slips};
    return contact_force;
}

// Recoverable energy that depends on the overlap alone: the normal spring (>= 0) and the cohesive
// potential (<= 0). [J]
ERG_FN erg_real ergi_contact_normal_energy(int normal_law, bool cohesion, ergi_pair_law law,
                                           ergi_coef c, ergi_contact_kinematics t)
{
    erg_real energy = ergi_normal_energy(normal_law, c.kn, t.overlap);
    if (cohesion) energy += ergi_cohesion_energy(law.cohesion, t.radius, t.overlap);
    return energy;
}

// Energy in the tangential and rolling springs. `m` is the history that ergi_contact_evaluate
// returned for the same contact. [J]
ERG_FN erg_real ergi_contact_shear_energy(int normal_law, int tangential_law, bool rolling,
                                          ergi_pair_law law, ergi_coef c, ergi_contact_kinematics t,
                                          ergi_contact_history m)
{
    erg_real f_n = ergi_normal_force(normal_law, c, t.overlap, -ergi_vec_dot(t.v, t.n));
    erg_real kt = ergi_tangential_stiffness(normal_law, tangential_law, c.kt, t.overlap);
    erg_real energy = ergi_tangential_energy(tangential_law, law, kt, f_n, m.slide);
    if (rolling) energy += ergi_rolling_energy(t.radius, kt, m.roll);
    return energy;
}

ERG_FN erg_real ergi_contact_energy(int normal_law, int tangential_law, bool rolling, bool cohesion,
                                    ergi_pair_law law, ergi_coef c, ergi_contact_kinematics t,
                                    ergi_contact_history m)
{
    return ergi_contact_normal_energy(normal_law, cohesion, law, c, t) +
           ergi_contact_shear_energy(normal_law, tangential_law, rolling, law, c, t, m);
}

#endif
