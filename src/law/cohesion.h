// SJKR cohesion, a simplified Johnson-Kendall-Roberts attraction: F = k A, with k an energy density
// [J/m^3] and A the contact area, as in LIGGGHTS' `cohesion sjkr`. Two spheres that overlap by xi
// intersect in a circle of area A = 2 pi R* xi (1 + O(xi/R*)). Only the first term is used: it
// holds for spheres and for walls of any curvature. No pull-off: the force ends with the overlap.
// The force depends on the overlap alone, so it is conservative.
#ifndef ERGI_LAW_COHESION_H
#define ERGI_LAW_COHESION_H

#include "law/kinds.h"

// Attraction, >= 0. [N]
ERG_FN erg_real ergi_cohesion_force(erg_real density, erg_real radius, erg_real overlap)
{
    return density * (ERGI_R(2) * ERGI_LAW_PI * radius * overlap);
}

// Its potential, <= 0. [J]
ERG_FN erg_real ergi_cohesion_energy(erg_real density, erg_real radius, erg_real overlap)
{
    return -ERGI_R(0.5) * overlap * ergi_cohesion_force(density, radius, overlap);
}

#endif
