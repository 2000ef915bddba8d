// Normal contact: f_n = kn xi^beta + cn xi^alpha xidot (Bell et al. 2005, eq. 7 to 9).
//
//   law             alpha  beta   elastic part                     damping part
//   linear            0     1     Cundall & Strack 1979            the same
//   hertz-plain       0    3/2    Johnson, Contact Mechanics 4.23  Lee & Herrmann 1993
//   hertz-constant   1/4   3/2    "                                Tsuji et al. 1992
//   hertz            1/2   3/2    "                                Brilliantov et al. 1996
//
// For touching pairs only: overlap >= 0.
#ifndef ERGI_LAW_NORMAL_H
#define ERGI_LAW_NORMAL_H

#include "law/kinds.h"

// kn xi^beta [N]
ERG_FN erg_real ergi_normal_elastic(int law, erg_real kn, erg_real overlap)
{
    return law == ERGI_NORMAL_LINEAR ? kn * overlap : kn * overlap * ergi_sqrt(overlap);
}

// c xi^alpha [N s/m]; the tangential dashpot scales with the overlap in the same way.
ERG_FN erg_real ergi_normal_dashpot(int law, erg_real c, erg_real overlap)
{
    erg_real power = ERGI_R(1);
    if (law == ERGI_NORMAL_HERTZ_CONSTANT) power = ergi_sqrt(ergi_sqrt(overlap));
    if (law == ERGI_NORMAL_HERTZ) power = ergi_sqrt(overlap);
    return c * power;
}

// The force of the formula, including its attractive tail, as closed-form solutions assume. [N]
ERG_FN erg_real ergi_normal_unclamped(int law, ergi_coef c, erg_real overlap, erg_real closing)
{
    return ergi_fma(ergi_normal_dashpot(law, c.cn, overlap), closing,
                    ergi_normal_elastic(law, c.kn, overlap));
}

// The force that acts: grains push, never pull. [N]
ERG_FN erg_real ergi_normal_force(int law, ergi_coef c, erg_real overlap, erg_real closing)
{
    return ergi_positive(ergi_normal_unclamped(law, c, overlap, closing));
}

// Work stored in the spring, the integral of the elastic part. [J]
ERG_FN erg_real ergi_normal_energy(int law, erg_real kn, erg_real overlap)
{
    erg_real per_power = law == ERGI_NORMAL_LINEAR ? ERGI_R(0.5) : ERGI_R(0.4);
    return per_power * overlap * ergi_normal_elastic(law, kn, overlap);
}

#endif
