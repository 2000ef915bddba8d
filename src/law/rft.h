// Resistive force theory: the stress of loose dry sand on a small plate that moves through it
// slowly, per depth. Li, Zhang and Goldman, Science 339 (2013) 1408, generic coefficients.
//
//     stress = zeta |z| (-alpha_x x + alpha_z z)
//
// x is the horizontal direction of motion, gamma the angle of the motion below it, beta the tilt of
// the plate, positive where it rises towards x. A change of the sign of x, (beta, gamma) to (-beta,
// pi - gamma), changes the sign of alpha_x and nothing else.
#ifndef ERGI_LAW_RFT_H
#define ERGI_LAW_RFT_H

#include "base/inline.h"

#define ERGI_RFT_UNIT 1e6     // zeta of 1 is 1 N/cm^3 [N/m^3]
#define ERGI_RFT_GRAVITY 9.81 // at which it was measured [m/s^2]

typedef struct ergi_rft {
    double x, z; // alpha_x, alpha_z
} ergi_rft;

// Cosine and sine of 2 beta and of gamma.
ERG_FN ergi_rft ergi_rft_alpha(double c2, double s2, double cg, double sg)
{
    double   sum_sine = s2 * cg + c2 * sg, sum_cosine = c2 * cg - s2 * sg;
    double   difference_sine = c2 * sg - s2 * cg, difference_cosine = c2 * cg + s2 * sg;
    ergi_rft a = {-0.124 * sum_cosine + 0.253 * cg + 0.007 * difference_cosine + 0.088 * s2,
                  0.206 + 0.169 * c2 + 0.212 * sum_sine + 0.358 * sg + 0.055 * difference_sine};
    return a;
}

#endif
