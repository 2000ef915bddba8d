// Input scripts for LIGGGHTS. Their variables: skin, layout, steps.
#ifndef ERG_BENCH_LIGGGHTS_INPUT_H
#define ERG_BENCH_LIGGGHTS_INPUT_H

#include "peer.h"

// The state at rest. Increase the number if grains are brought to rest differently, so that cached
// states are not used.
#define LIGGGHTS_REST "rest-v3.restart"

// Whether the state at rest can be stored in a file. Clumps cannot; each window settles them again.
bool liggghts_keeps(const peer_state *s);

// Writes a script that brings the grains to rest and writes LIGGGHTS_REST if it can be stored.
erg_status liggghts_write_rest(const char *folder, const peer_state *s, erg_error *err);

// Writes grains, walls, and a script that runs `-var steps N`; results are printed after a marker.
// The processor times before and after the run are in cpu.txt.
erg_status liggghts_write_window(const char *folder, const peer_state *s, erg_error *err);

#endif
