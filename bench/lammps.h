// The pack in LAMMPS: pair_style gran/hertz/history, walls of the same law.
//
// What is the same: positions, radii, density, walls, gravity, time step, skin, friction, elastic
// constants of Hertz (4/3 E*) and Mindlin (8 G*). What cannot be made the same stands in
// LAMMPS_UNMATCHED.
#ifndef ERG_BENCH_LAMMPS_H
#define ERG_BENCH_LAMMPS_H

#include "pack.h"

#define LAMMPS_SKIN 2e-4 // [m]
extern const char LAMMPS_UNMATCHED[];

typedef struct lammps {
    const pack *pack;
    char        folder[4200]; // where its files are
    char        version[64];
} lammps;

typedef struct lammps_window {
    double   wall, cpu;    // of the window's loop, all ranks [s]
    double   coordination; // as pack_quality has it
    double   kinetic;      // translation only, a grain, in m g d
    double   bytes;        // a particle, as LAMMPS tells it
    uint64_t rebuilds;
} lammps_window;

// Writes its files; brings the pack to rest by LAMMPS' own law on so many ranks, unless that was
// done before. A sentence about installing when LAMMPS is missing.
erg_status lammps_prepare(lammps *l, const pack *p, const char *cache, int ranks, erg_error *err);

// A process of its own each time: reads the state at rest, warms up, runs `steps`.
erg_status lammps_run(const lammps *l, uint64_t steps, int ranks, lammps_window *window,
                      erg_error *err);

#endif
