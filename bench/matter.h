// Material of the bench scenes, the same for erg and its peers: spheres of 2 mm diameter, 2500
// kg/m^3, E 10 MPa, nu 0.25, e 0.65, mu 0.5, Hertz and Mindlin with history, dt 10 us.
#ifndef ERG_BENCH_MATTER_H
#define ERG_BENCH_MATTER_H

#include "erg/world.h"

#define MATTER_RADIUS 1e-3    // [m]
#define MATTER_DENSITY 2500.0 // [kg/m^3]
#define MATTER_DT 1e-5        // [s]
#define MATTER_GRAVITY 9.81   // [m/s^2]
#define MATTER_FRICTION 0.5
#define MATTER_QUIET 1e-9 // kinetic energy per grain below which a state counts as settled [m g d]

// The definition with which all scenes start.
erg_world_def matter_world(int threads);

// The material and a kind of grain with spheres of MATTER_RADIUS; either id may be NULL.
erg_status matter_define(erg_world *world, erg_shape shape, erg_id *material, erg_id *kind,
                         erg_error *err);

erg_status matter_add_plane(erg_world *world, erg_id material, erg_vec3 point, erg_vec3 normal,
                            erg_error *err);
// A floor at low.z and four vertical planes.
erg_status matter_add_box(erg_world *world, erg_id material, erg_vec3 low, erg_vec3 high,
                          erg_error *err);

// Takes effect with the next step.
erg_status matter_set_friction(erg_world *world, double friction, erg_error *err);

// Kinetic energy per grain, rotation included, in units of m g d.
double matter_kinetic(const erg_stats *stats);

// Touching spheres of other grains per sphere, without walls.
double matter_coordination(const erg_stats *stats);

// Random number from -1 to 1.
double matter_shake(uint64_t *state);

#endif
