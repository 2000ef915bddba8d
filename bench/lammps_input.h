// The texts LAMMPS reads. They take variables: skin, newton, layout, steps.
#ifndef ERG_BENCH_LAMMPS_INPUT_H
#define ERG_BENCH_LAMMPS_INPUT_H

#include "peer.h"

// The state at rest. To renumber when grains come to rest in another way, so that old ones are not
// used.
#define LAMMPS_REST "rest-v4.restart"

// The state; and, where it is one at rest, rest.in, which comes to rest by LAMMPS' own law and
// writes LAMMPS_REST.
erg_status lammps_write_state(const char *folder, const peer_state *s, erg_error *err);

// window.in, which begins at the state, warms up, and runs `-var steps N`; its last lines are told
// by marker.
erg_status lammps_write_window(const char *folder, const peer_state *s, erg_error *err);

#endif
