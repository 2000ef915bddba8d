// Drag and braking in the language of LAMMPS and LIGGGHTS, like those of erg's own scenes
// (settle.h): after a phase of drag, the motion of grains that lose speed is halved every 20 steps,
// until the kinetic energy is below the limit of rest and stays there in free runs.
#ifndef ERG_BENCH_BRAKE_INPUT_H
#define ERG_BENCH_BRAKE_INPUT_H

#include "peer.h"

#include <stdio.h>

// Spheres. `set_spin` is the command that writes the variables wx, wy and wz to their spins. The
// names of the computes and variables defined here must not be used elsewhere.
void brake_spheres(FILE *file, const peer_state *s, const char *set_spin);

// Rigid grains, one molecule each; LAMMPS only.
void brake_grains(FILE *file, const peer_state *s);

#endif
