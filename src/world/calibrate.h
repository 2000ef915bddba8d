// Converts material parameters (Young's modulus, restitution, contact time) to the coefficients of
// one contact. Double precision, host only, called when a scene is built or grains are added.
//
// The textbook formulas for damping hold for a contact that may pull at its end. Ours may not
// (law/normal.h), and then bounces higher: nominal 0.5 comes out as 0.55 for the linear law. So the
// damping is found by simulating the clamped impact: the specified restitution is the one measured.
#ifndef ERGI_CALIBRATE_H
#define ERGI_CALIBRATE_H

#include "erg/base.h"

#include "world/contact_coef.h"

// Restitution below this is rejected: the dashpot would need a shorter time step than the contact.
#define ERGI_RESTITUTION_MIN 0.05

// A rigid partner has young = INFINITY.
typedef struct ergi_elastic {
    double young;   // [Pa]
    double poisson; // [1]
} ergi_elastic;

// 1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2 [Pa]
double ergi_effective_young(ergi_elastic a, ergi_elastic b);

// 1/G* = (2 - nu1)/G1 + (2 - nu2)/G2,  G = E/(2 (1 + nu)) [Pa]
double ergi_effective_shear(ergi_elastic a, ergi_elastic b);

// Restitution of the clamped law at a given damping number, by integrating the dimensionless impact
//     x'' = -max(0, x^beta + D x^alpha x'),  x(0) = 0, x'(0) = 1.
// In terms of the contact, with k = kn, c = cn, m = m* and v the impact speed, D is
//     linear          c / sqrt(k m)                  any v
//     hertz-plain     (c/m) (m/k)^(2/5) v^(-1/5)
//     hertz-constant  c / sqrt(k m)                  any v
//     hertz           (c/m) (m/k)^(3/5) v^(1/5)      q in the literature
// Meant for numbers from 0 to 100.
double ergi_restitution(int normal_law, double damping_number);

// The inverse: the damping number whose restitution is the one wanted, within 1e-6. Once per pair
// of materials (2 to 10 ms). Restitution 1 gives 0; values outside [ERGI_RESTITUTION_MIN, 1] are
// rejected.
erg_status ergi_damping_number(int normal_law, double restitution, double *number, erg_error *err);

// What a pair of materials contributes to the coefficients of all its contacts.
typedef struct ergi_pair_scales {
    int    normal, tangential;   // ergi_normal_law, ergi_tangential_law
    double e_star, g_star;       // effective moduli                                     [Pa]
    double restitution;          // at reference_speed; sets the linear law's stiffness  [1]
    double damping_number;       // from ergi_damping_number                             [1]
    double contact_time;         // linear law; 0: that of a Hertz impact at reference_speed [s]
    double reference_speed;      // where e is as specified, for hertz and hertz-plain [m/s]
    double tangential_ratio;     // k_t/k_n of spring, bell, lee-herrmann, yasuda        [1]
    double tangential_damping;   // c_t/c_n of spring, lee-herrmann, mindlin             [1]
    double tangential_viscosity; // c_t of viscous and regularised                       [N s/m]
} ergi_pair_scales;

// hertz and mindlin, e 0.65, 1 m/s, ratio 2/7, tangential damping 1, viscosity 10. Moduli and
// damping number are left at 0 for ergi_pair_scales_fill.
ergi_pair_scales ergi_pair_scales_default(void);

// Checks the numbers and computes e_star and g_star. On failure nothing changes.
erg_status ergi_pair_scales_moduli(ergi_pair_scales *p, ergi_elastic a, ergi_elastic b,
                                   erg_error *err);
// The same, and damping_number.
erg_status ergi_pair_scales_fill(ergi_pair_scales *p, ergi_elastic a, ergi_elastic b,
                                 erg_error *err);

// The part of the coefficients that is the same for all contacts of a pair of materials.
ergi_coef_scales ergi_coef_scales_of(const ergi_pair_scales *p);

// Coefficients of one contact in the units of law/kinds.h. k_t is set for every tangential law,
// because rolling resistance uses it.
//   k_n  hertz family 4/3 E* sqrt(R*); linear m* (ln^2 e + pi^2)/t_c^2
//   k_t  mindlin 8 G* sqrt(R*); on the linear normal law k_n 4 G*/E*, the same stiffness ratio.
//        Others: tangential_ratio times k_n (linear) or times m* (pi/t)^2, with t the Hertz contact
//        time at reference_speed: the constant spring that a Hertz contact amounts to
//   c_t  tangential_viscosity (viscous, regularised), 0 (coulomb, bell, yasuda), else
//        tangential_damping c_n
//
void ergi_contact_coef(const ergi_pair_scales *p, double radius_star, double mass_star, double *kn,
                       double *cn, double *kt, double *ct);

// How long an impact at this speed lasts, undamped: 3.218 (m*/k_n)^(2/5) v^(-1/5) for the Hertz
// family, t_c for the linear law whatever the speed. The time step follows from it. [s]
double ergi_contact_time(const ergi_pair_scales *p, double radius_star, double mass_star,
                         double impact_speed);

#endif
