// The texts LAMMPS reads.
#ifndef ERG_BENCH_LAMMPS_INPUT_H
#define ERG_BENCH_LAMMPS_INPUT_H

#include "pack.h"

// Positions, then a script that brings them to rest and writes rest.restart.
erg_status lammps_write_rest(const char *folder, const pack *p, erg_error *err);

// A script that reads rest.restart and runs `-var steps N`; its last lines are told by marker.
erg_status lammps_write_window(const char *folder, const pack *p, erg_error *err);

#endif
