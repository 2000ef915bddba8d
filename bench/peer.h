// Other codes to compare with: the interface of a peer.
//
//     erg's world  --peer_state-->  prepare: its files, its own rest  --run-->  peer_window
//
// A peer gets erg's state as plain arrays and a description of the walls. It writes its own input
// files into its own folder. If the scene is at rest and contact history cannot be transferred, it
// lets the grains settle with its own law. It then runs windows, alternately with erg. To add a
// code, define `const peer PEER_NAME` in a file of its own and add it to PEERS in peers.c.
#ifndef ERG_BENCH_PEER_H
#define ERG_BENCH_PEER_H

#include "bench.h"

// Material of all peers; docs/performance.md describes it.
#define PEER_YOUNG 1e7        // [Pa]
#define PEER_POISSON 0.25     //
#define PEER_RESTITUTION 0.65 // at 1 m/s
#define PEER_FRICTION 0.5     //
#define PEER_ROLLING 0.1      // of PEER_MIXED

typedef enum peer_scene {
    PEER_PACK,   // spheres at rest on a floor between four walls
    PEER_HOPPER, // spheres flowing out of a conical silo
    PEER_TETRA,  // rigid grains of four spheres at rest on a floor between four walls
    PEER_MIXED   // as PEER_PACK, radii 1:2, with rolling resistance
} peer_scene;

typedef enum peer_wall {
    PEER_WALL_LOW_X,
    PEER_WALL_HIGH_X,
    PEER_WALL_LOW_Y,
    PEER_WALL_HIGH_Y,
    PEER_FLOOR
} peer_wall;

// Contact of sphere a with sphere b, or with wall b - spheres, a peer_wall.
typedef struct peer_contact {
    size_t   a, b;
    erg_vec3 friction; // on a [N]
} peer_contact;

// Spheres of a grain are consecutive, in the order of grains. Grains are numbered from 0.
typedef struct peer_state {
    peer_scene scene;
    size_t     spheres, grains;
    double     radius, density, gravity, dt; // gravity points down [m], [kg/m^3], [m/s^2], [s]
    double    *radii;     // of spheres, if they differ; `radius` is about the mean [m]
    erg_vec3  *position;  // of spheres [m]
    erg_vec3  *velocity;  // of spheres [m/s]
    erg_vec3  *spin;      // of the grain each sphere belongs to [rad/s]
    size_t    *grain;     // index of the grain of each sphere
    erg_vec3   low, high; // corners of the space grains may be in [m]
    bool       floor;     // at low.z
    bool       box;       // walls at low.x, high.x, low.y, high.y
    bool       periodic;  // instead of walls: from low.x to high.x and low.y to high.y
    bool       at_rest;   // velocities are close to zero
    // Contacts of walled beds at rest, for peers that can start with them.
    peer_contact *contact;
    size_t        contacts;
    // The silo of PEER_HOPPER, with the z axis as its axis: a cone from z = 0, open below, and a
    // cylinder on top of it, open above [m].
    double outlet_radius, silo_radius, cone_height, silo_height;
} peer_state;

static inline double peer_radius(const peer_state *s, size_t sphere)
{
    return s->radii ? s->radii[sphere] : s->radius;
}

// Weight times sphere diameter, summed over all grains [J].
static inline double peer_energy_scale(const peer_state *s)
{
    double cubes = 0;
    for (size_t i = 0; i < s->spheres; i++) {
        double r = peer_radius(s, i);
        cubes += r * r * r;
    }
    return 4.0 / 3 * 3.14159265358979 * cubes * s->density * s->gravity * 2 * s->radius;
}

// One timed window. Values that a peer does not report are nan.
typedef struct peer_window {
    double   wall, cpu;    // of the time loop only, all ranks or threads [s]
    double   coordination; // touching spheres of other grains per sphere, without walls
    double   kinetic;      // energy per grain, rotation included, over weight times sphere diameter
    double   bytes;        // memory per sphere
    double   skin;         // [m]
    uint64_t rebuilds;     // of neighbour lists in this window
} peer_window;

typedef struct peer {
    const char *name;                             // as in --peer: "lammps"
    const char *code;                             // with the law: "LAMMPS gran/hertz/history"
    const char *unmatched;                        // differences in physics, one sentence
    const char *rolling_code, *rolling_unmatched; // the same for PEER_MIXED; NULL: not supported
    size_t      most;                             // largest number of spheres; 0: no limit
    bool (*knows)(peer_scene scene);

    // Writes its files below `cache` and, unless cached, lets a state at rest settle. `self` is the
    // peer's own data. ERG_NOT_BUILT, with a hint how to install it, if the program is missing.
    // `state` outlives `self`.
    erg_status (*prepare)(const peer_state *state, const char *cache, int threads, void **self,
                          erg_error *err);
    // Tunes settings on this number of threads, for the windows that follow.
    erg_status (*tune)(void *self, int threads, erg_error *err);
    // Each window starts from the same state and warms up before it is timed.
    erg_status (*run)(void *self, uint64_t steps, int threads, peer_window *window, erg_error *err);
    // Version, build and settings as text: "29 Sep 2021; skin 0.2 mm, newton off".
    void (*describe)(const void *self, char version[64], char settings[128]);
    void (*free)(void *self);
} peer;

extern const peer PEER_LAMMPS, PEER_LIGGGHTS, PEER_YADE;

#endif
