// Drag and brake in the language that LAMMPS and LIGGGHTS share, like those of erg's own scenes
// (settle.h): after the drag what gathers speed keeps it, what loses it is halved, every 20 steps,
// until the energy is below what counts as rest and stays there in free runs.
#ifndef ERG_BENCH_BRAKE_INPUT_H
#define ERG_BENCH_BRAKE_INPUT_H

#include "peer.h"

#include <stdio.h>

// Spheres. `set_spin` is the command that writes the variables wx, wy and wz to their spins. The
// names of its computes and variables are taken then.
void brake_spheres(FILE *file, const peer_state *s, const char *set_spin);

// Rigid grains, each a molecule; LAMMPS alone.
void brake_grains(FILE *file, const peer_state *s);

#endif
