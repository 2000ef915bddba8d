// Coefficients of one contact from the scales of its materials, without powers: with k the Hertz
// stiffness 4/3 E* sqrt(R*), m = m* and x = (k/m)^(1/5), every law's coefficients are sums of
// products with k, m, x and roots. Uses only correctly rounded operations, so the bits are the same
// on all processors and loops over contacts can be vectorised. calibrate.h has the formulas.
#ifndef ERGI_CONTACT_COEF_H
#define ERGI_CONTACT_COEF_H

#include <math.h>
#include <stdint.h>
#include <string.h>

// What a pair of materials contributes; made by ergi_coef_scales_of.
typedef struct ergi_coef_scales {
    double hertz;             // 4/3 E* [Pa]
    double kn_k, kn_m, kn_x4; // k_n: times k, m, m x^4
    double cn_x2, cn_x3;      // c_n: times m x^2, m x^3
    double cn_root;           // and times sqrt(k_n m)
    double kt_kn, kt_x4;      // k_t: times k_n, m x^4
    double ct, ct_cn;         // c_t: alone, times c_n
} ergi_coef_scales;

typedef struct ergi_coefs {
    double kn, cn, kt, ct;
} ergi_coefs;

// x^(1/5) of a positive number, to a few units in the last place: an estimate z of x^(-1/5) from
// the bits of x, good to 4 %, corrected three times by the series of (1 - e)^(-1/5) for its error e
// = 1 - x z^5.
static inline double ergi_fifth_root(double x)
{
    uint64_t bits;
    double   z;
    memcpy(&bits, &x, sizeof bits);
    int32_t high = (int32_t)(bits >> 32);
    bits = (uint64_t)(1287000000 - (int32_t)(0.2 * high)) << 32;
    memcpy(&z, &bits, sizeof z);
    for (int k = 0; k < 3; k++) {
        double z2 = z * z, e = 1 - x * (z2 * z2 * z);
        z += z * (e * (0.2 + e * (0.12 + e * 0.088)));
    }
    double z2 = z * z;
    return x * (z2 * z2);
}

static inline ergi_coefs ergi_coefs_of(const ergi_coef_scales *s, double radius_star,
                                       double mass_star)
{
    double     k = s->hertz * sqrt(radius_star), m = mass_star;
    double     x = ergi_fifth_root(k / m), x2 = x * x, mx4 = m * (x2 * x2);
    ergi_coefs c;
    c.kn = s->kn_k * k + s->kn_m * m + s->kn_x4 * mx4;
    c.cn = s->cn_x2 * (m * x2) + s->cn_x3 * (m * (x2 * x)) + s->cn_root * sqrt(c.kn * m);
    c.kt = s->kt_kn * c.kn + s->kt_x4 * mx4;
    c.ct = s->ct + s->ct_cn * c.cn;
    return c;
}

#endif
