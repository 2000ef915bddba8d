// The force of the columns on tools, by resistive force theory (law/rft.h).
//
// Each facet of a tool that is in the sand has a bristle, the way u that it went since it last
// yielded. It bends up to a length delta and then slides:
//
//     force = min(1, |q| / delta) area stress(direction of q),   q = u + tau v
//
// A facet that moves therefore feels exactly the stress of the theory, in the direction of its
// motion. Bent less, the force turns into that of a plain damped spring against q, of the same
// size: the stress is in general not opposite to the motion, and bodies would not come to rest on
// it. Stiffness and damping are those with which the tick is stable for the mass of the body.
//
// A free body that is so fast that the full stress does not stop it until the next tick feels the
// full stress, whatever its bristles. When it stops they keep no more force than its weight and
// load need, so that it is not thrown back.
//
// The stress of fast motion, rho v_n^2 along the normal, adds to it. Facets that face upwards feel
// none: there is no sand above them, since columns are below bodies. Below the hard floor the
// stress grows quickly.
//
// Depth is measured from the undisturbed surface: a plane through the columns around the footprint.
#ifndef ERGI_RESIST_H
#define ERGI_RESIST_H

#include "terrain/press.h"

typedef struct ergi_facet_load {
    size_t   row;
    erg_vec3 arm;        // from the centre or pivot [m]
    erg_vec3 way, force; // direction of q; force of a facet that leads along it [N]
    double   bend, lean; // length of q [m]; share of q along the normal
    double   speed;      // [m/s]
} ergi_facet_load;

typedef struct ergi_resist {
    // State: u of each facet of all tools [m]; position and rotation of each tool at the last tick.
    ergi_table bristles, poses;

    ergi_facet_load *load;
    size_t           load_room;
    bool            *idle; // per tool: no facet is in the sand
    size_t           idle_room;
} ergi_resist;

void   ergi_resist_init(ergi_resist *r);
void   ergi_resist_free(ergi_resist *r);
size_t ergi_resist_bytes(const ergi_resist *r);
void   ergi_resist_register(ergi_resist *r, ergi_registry *registry);
// Makes room for new tools, which are where their walls are.
erg_status  ergi_resist_grow(ergi_resist *r, const ergi_tools *tools, const erg_world *world,
                             erg_error *err);
void        ergi_resist_forget(ergi_resist *r); // what was derived from the state
const char *ergi_resist_misfit(const ergi_resist *r, const ergi_loaded *loaded);

typedef struct ergi_resist_params {
    double zeta;
    double density; // of the sand in bulk [kg/m^3]
    double hold;    // time for which the forces act [s]
} ergi_resist_params;

// Sets ground_force and ground_torque of all tools. Needs the footprints of this tick.
erg_status ergi_resist_tools(ergi_resist *r, erg_world *world, const ergi_tools *tools,
                             const ergi_press *press, const ergi_columns *c,
                             const ergi_resist_params *params, erg_error *err);

// Force per area on a facet with outward normal n at a depth, that moves along the unit vector
// `way` with the velocity v [N/m^2].
erg_vec3 ergi_resist_stress(erg_vec3 n, erg_vec3 way, erg_vec3 v, double depth,
                            const ergi_resist_params *params);

#endif
