// Input scripts for LAMMPS. Their variables: skin, newton, layout, steps.
#ifndef ERG_BENCH_LAMMPS_INPUT_H
#define ERG_BENCH_LAMMPS_INPUT_H

#include "peer.h"

// The state at rest. Increase the number if grains are brought to rest differently, so that cached
// states are not used.
#define LAMMPS_REST "rest-v4.restart"

// Writes the state and, if it is at rest, rest.in, which lets it settle with LAMMPS' own law and
// writes LAMMPS_REST.
erg_status lammps_write_state(const char *folder, const peer_state *s, erg_error *err);

// Writes window.in, which starts from the state, warms up, and runs `-var steps N`; results are
// printed after a marker.
erg_status lammps_write_window(const char *folder, const peer_state *s, erg_error *err);

#endif
