// Materials and contact laws.
#ifndef ERG_MATERIAL_H
#define ERG_MATERIAL_H

#include "erg/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// Identifies a material, grain kind, wall or body, emitter or sink of one world. Each type is
// numbered from 1 in the order of adding; 0 means none.
typedef uint32_t erg_id;

#define ERG_MAX_MATERIALS 128 // of one world

// Bounds of material values, far beyond any real material: with larger ones forces and masses are
// no longer numbers in single precision.
#define ERG_MIN_DENSITY 1e-6  // [kg/m^3]
#define ERG_MAX_DENSITY 1e12  // [kg/m^3]
#define ERG_MAX_YOUNG 1e15    // [Pa]
#define ERG_MAX_FRICTION 1e6  // of all coefficients of friction and resistance
#define ERG_MAX_COHESION 1e15 // [J/m^3]

typedef struct erg_material_def {
    const char *name;            // optional, unique
    double      density;         // ERG_MIN_DENSITY to ERG_MAX_DENSITY [kg/m^3]
    double      young;           // Young's modulus, above 0, at most ERG_MAX_YOUNG [Pa]
    double      poisson;         // Poisson's ratio, 0 to 0.5
    double      restitution;     // of this material on itself at the reference speed, 0.05 to 1
    double      friction;        // Coulomb coefficient, 0 to ERG_MAX_FRICTION
    double      static_friction; // yasuda law only; at least friction; negative: same as friction
    double      rolling;         // rolling resistance coefficient, 0 to ERG_MAX_FRICTION
    double      twisting;        // twisting resistance coefficient, the same
    double      cohesion;        // SJKR cohesion energy density, 0 to ERG_MAX_COHESION [J/m^3]
} erg_material_def;

ERG_API erg_material_def erg_material_def_default(void); // sand as in the papers: E 10 MPa, mu 0.5

// Contact laws; docs/laws.md has the formulas.
typedef enum erg_normal_law {
    ERG_NORMAL_LINEAR,
    ERG_NORMAL_HERTZ_PLAIN,
    ERG_NORMAL_HERTZ_CONSTANT,
    ERG_NORMAL_HERTZ
} erg_normal_law;

typedef enum erg_tangential_law {
    ERG_TANGENTIAL_VISCOUS,
    ERG_TANGENTIAL_COULOMB,
    ERG_TANGENTIAL_REGULARISED,
    ERG_TANGENTIAL_SPRING,
    ERG_TANGENTIAL_BELL,
    ERG_TANGENTIAL_LEE_HERRMANN,
    ERG_TANGENTIAL_MINDLIN,
    ERG_TANGENTIAL_YASUDA
} erg_tangential_law;

// Contact law of every pair of materials; erg_pair_def overrides it for one pair.
typedef struct erg_contact_def {
    erg_normal_law     normal;          // default ERG_NORMAL_HERTZ
    erg_tangential_law tangential;      // default ERG_TANGENTIAL_MINDLIN
    double             reference_speed; // impact speed at which `restitution` holds [m/s]
    double contact_time;         // linear law [s]; 0: that of a Hertz contact at reference_speed
    double tangential_ratio;     // kt/kn of the spring laws (mindlin computes its own)
    double tangential_damping;   // tangential dashpot over normal dashpot
    double tangential_viscosity; // viscous and regularised laws [N s/m]; 0 (default): the largest
                                 // value stable at dt; larger values are reduced to it
    double rolling_damping;      // rolling dashpot over normal dashpot times R*^2
} erg_contact_def;

ERG_API erg_contact_def erg_contact_def_default(void);

// Overrides for one pair of materials. A field at ERG_UNSET keeps the value mixed from the two
// materials (restitution, friction and resistances: geometric mean; E*, G*: the Hertz mixture).
#define ERG_UNSET (-1.0)
typedef struct erg_pair_def {
    erg_id a, b;
    double restitution, friction, static_friction, rolling, twisting, cohesion;
    int    normal;     // an erg_normal_law, or -1: the world's
    int    tangential; // an erg_tangential_law, or -1: the world's
} erg_pair_def;

ERG_API erg_pair_def erg_pair_def_default(void);

#ifdef __cplusplus
}
#endif
#endif
