// Tangential contact. v is the tangential velocity of 1 relative to 2 at the contact point, spin
// included; f_n the repulsive normal force; limit = mu f_n. Sources: Bell et al. 2005 (18, 19),
// Cundall & Strack 1979, Lee & Herrmann 1993, Mindlin 1949, Yasuda 2008.
#ifndef ERGI_LAW_TANGENTIAL_H
#define ERGI_LAW_TANGENTIAL_H

#include "law/kinds.h"
#include "law/normal.h"
#include "law/spring.h"

// The current stiffness. Mindlin's is proportional to the radius of the contact circle, sqrt(xi),
// as Hertz's is; with the linear normal law it is constant, like the normal stiffness. [N/m]
ERG_FN erg_real ergi_tangential_stiffness(int normal_law, int tangential_law, erg_real kt,
                                          erg_real overlap)
{
    bool fades = tangential_law == ERGI_TANGENTIAL_MINDLIN && normal_law != ERGI_NORMAL_LINEAR;
    return fades ? kt * ergi_sqrt(overlap) : kt;
}

// The factor on the stored squared stretch (ergi_spring_relief), where the stiffness varies.
ERG_FN ergi_relief ergi_tangential_relief(int normal_law, int tangential_law, erg_real overlap,
                                          erg_real closing, erg_real dt)
{
    bool fades = tangential_law == ERGI_TANGENTIAL_MINDLIN && normal_law != ERGI_NORMAL_LINEAR;
    ergi_relief none = {ERGI_R(1), ERGI_R(1)};
    return fades ? ergi_spring_relief(overlap, closing, dt) : none;
}

// F = -mu f_n v/|v|; none at rest. Discontinuous in v: a grain chatters, it never comes to rest.
ERG_FN ergi_vec ergi_tangential_coulomb(ergi_vec v, erg_real limit)
{
    erg_real speed = ergi_vec_norm(v);
    erg_real safe = speed > ERGI_R(0) ? speed : ERGI_R(1);
    return ergi_vec_scale(-limit / safe, v);
}

// F = -min(mu f_n, c |v|) v/|v|
ERG_FN ergi_vec ergi_tangential_regularised(ergi_vec v, erg_real c, erg_real limit)
{
    erg_real cut = ergi_cut(c * ergi_vec_norm(v), limit);
    return ergi_vec_scale(-cut * c, v);
}

// F = -min(limit, k |s|) s/|s| without reset; once above `limit` the force is `sliding`. `holds` as
// in spring.h.
ERG_FN ergi_spring ergi_tangential_capped(ergi_vec s, erg_real k, erg_real limit, erg_real sliding,
                                          bool holds)
{
    erg_real    size2 = k * (k * ergi_vec_dot(s, s));
    bool        above = size2 > limit * limit;
    ergi_spring r = {ergi_vec_scale(-k, s), s, above ? ERGI_R(1) : ERGI_R(0)};
    if (holds) return r;
    r.force = ergi_vec_scale(-k * ergi_spring_share(above, size2, sliding), s);
    return r;
}

// Force and new stretch. `stretch` is the stored one, `k` and `c` are the current stiffness and
// dashpot. `holds` as in spring.h.
ERG_FN ergi_spring ergi_tangential_force(int tangential_law, ergi_pair_law law, ergi_vec n,
                                         ergi_vec v, erg_real dt, erg_real k, erg_real c,
                                         erg_real f_n, ergi_vec stretch, ergi_relief relief,
                                         bool holds)
{
    erg_real    limit = law.friction * f_n;
    ergi_vec    s = ergi_vec_madd(dt, v, ergi_spring_project(stretch, n, relief));
    ergi_spring r = {ergi_vec_zero(), ergi_vec_zero(), 0};
    switch (tangential_law) {
    case ERGI_TANGENTIAL_VISCOUS: r.force = ergi_vec_scale(-c, v); break;
    case ERGI_TANGENTIAL_COULOMB: r.force = ergi_tangential_coulomb(v, limit); break;
    case ERGI_TANGENTIAL_REGULARISED: r.force = ergi_tangential_regularised(v, c, limit); break;
    case ERGI_TANGENTIAL_SPRING:
    case ERGI_TANGENTIAL_MINDLIN: r = ergi_spring_cut(s, v, k, c, limit, holds); break;
    case ERGI_TANGENTIAL_BELL: r = ergi_tangential_capped(s, k, limit, limit, holds); break;
    case ERGI_TANGENTIAL_LEE_HERRMANN: // Coulomb limits the spring, not the dashpot
        r = ergi_tangential_capped(s, k, limit, limit, holds);
        r.force = ergi_vec_madd(-c, v, r.force);
        break;
    case ERGI_TANGENTIAL_YASUDA: // the paper ignores spin in the displacement; included here
        r = ergi_tangential_capped(s, k, law.friction_static * f_n, limit, holds);
        break;
    default: break;
    }
    return r;
}

// Energy in the tangential spring. [J]
ERG_FN erg_real ergi_tangential_energy(int tangential_law, ergi_pair_law law, erg_real k,
                                       erg_real f_n, ergi_vec stretch)
{
    erg_real s = ergi_vec_norm(stretch);
    erg_real limit = law.friction * f_n;
    erg_real energy = ERGI_R(0);
    switch (tangential_law) {
    case ERGI_TANGENTIAL_SPRING:
    case ERGI_TANGENTIAL_MINDLIN: energy = ERGI_R(0.5) * k * s * s; break;
    case ERGI_TANGENTIAL_BELL:
    case ERGI_TANGENTIAL_LEE_HERRMANN: energy = ergi_spring_energy(s, k, limit, limit); break;
    case ERGI_TANGENTIAL_YASUDA:
        energy = ergi_spring_energy(s, k, law.friction_static * f_n, limit);
        break;
    default: break;
    }
    return energy;
}

#endif
