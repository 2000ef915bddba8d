// Inputs and outputs of the contact laws. The laws are in normal.h, tangential.h, rolling.h and
// cohesion.h; contact.h combines them. docs/laws.md lists them all.
#ifndef ERGI_LAW_KINDS_H
#define ERGI_LAW_KINDS_H

#include "law/vec.h"

typedef enum ergi_normal_law {
    ERGI_NORMAL_LINEAR,         // "linear"
    ERGI_NORMAL_HERTZ_PLAIN,    // "hertz-plain"
    ERGI_NORMAL_HERTZ_CONSTANT, // "hertz-constant"
    ERGI_NORMAL_HERTZ           // "hertz", the default
} ergi_normal_law;

typedef enum ergi_tangential_law {
    ERGI_TANGENTIAL_VISCOUS,      // "viscous"
    ERGI_TANGENTIAL_COULOMB,      // "coulomb"
    ERGI_TANGENTIAL_REGULARISED,  // "regularised"
    ERGI_TANGENTIAL_SPRING,       // "spring"
    ERGI_TANGENTIAL_BELL,         // "bell"
    ERGI_TANGENTIAL_LEE_HERRMANN, // "lee-herrmann"
    ERGI_TANGENTIAL_MINDLIN,      // "mindlin", the default
    ERGI_TANGENTIAL_YASUDA        // "yasuda"
} ergi_tangential_law;

// Constants of a pair of materials: independent of size and mass.
typedef struct ergi_pair_law {
    int      normal;          // ergi_normal_law
    int      tangential;      // ergi_tangential_law
    erg_real friction;        // mu, kinetic                                            [1]
    erg_real friction_static; // mu at rest, >= friction; read by yasuda only           [1]
    erg_real rolling;         // mu_r: rolling torque is at most mu_r R* f_n            [1]
    erg_real rolling_damping; // rolling dashpot in units of the normal one times R*^2  [1]
    erg_real twisting;        // twisting torque is at most twisting R* f_n             [1]
    erg_real cohesion;        // SJKR energy density                                    [J/m^3]
} ergi_pair_law;

// Coefficients of one contact, computed from its radii and masses (world/calibrate.h).
//   normal       f_n = kn xi^beta + cn xi^alpha xidot,  (alpha, beta) set by the normal law
//   tangential   stiffness kt, times sqrt(xi) for mindlin on a Hertz normal law
//                dashpot ct xi^alpha, with the alpha of the normal law; viscous, regularised: ct
typedef struct ergi_coef {
    erg_real kn, cn, kt, ct;
} ergi_coef;

// A contact at the end of a step. Velocities are those at mid-step, so the overlap at the start of
// the step was overlap - xidot dt.
typedef struct ergi_contact_kinematics {
    ergi_vec n;       // unit, from 2 to 1                                 [1]
    erg_real overlap; // xi >= 0                                           [m]
    ergi_vec v;       // u1 - u2, velocities at the contact point          [m/s]
    ergi_vec spin;    // w1 - w2                                           [rad/s]
    erg_real radius;  // R*, including a wall's curvature                  [m]
    erg_real dt;      //                                                   [s]
    bool     holds;   // assume that no slider moves; check `slips` of ergi_contact_force
} ergi_contact_kinematics;

// Contact history. Zero at first touch; changes sign when 1 and 2 are swapped.
typedef struct ergi_contact_history {
    ergi_vec slide; // tangential displacement stored in the spring [m]
    ergi_vec roll;  // rolling angle, tangential; twisting angle along the normal [rad]
} ergi_contact_history;

typedef struct ergi_contact_force {
    ergi_vec             force;   // on 1 at the contact point; minus this on 2              [N]
    ergi_vec             couple;  // rolling and twisting torque on 1; minus this on 2       [N m]
    ergi_contact_history history; // input of the next step
    erg_real normal; // repulsive part of the normal force, which limits friction; >= 0 [N]
    // Above 0 when a slider moves. If the contact was evaluated with `holds`, evaluate it again
    // without.
    erg_real slips;
} ergi_contact_force;

// Numbers stored per contact: none, slide, or slide and roll. With rolling, both are stored even if
// the tangential law needs no slide, so that each index has one meaning.
enum { ERGI_SLIDING_WIDTH = 3, ERGI_ROLLING_WIDTH = 6 };

ERG_FN int ergi_history_width(int tangential_law, bool rolling)
{
    return rolling                                    ? ERGI_ROLLING_WIDTH
           : tangential_law >= ERGI_TANGENTIAL_SPRING ? ERGI_SLIDING_WIDTH
                                                      : 0;
}

#endif
