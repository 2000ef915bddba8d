// The texts LIGGGHTS reads. They take variables: skin, layout, steps.
#ifndef ERG_BENCH_LIGGGHTS_INPUT_H
#define ERG_BENCH_LIGGGHTS_INPUT_H

#include "peer.h"

// The state at rest. To renumber when grains come to rest in another way, so that old ones are not
// used.
#define LIGGGHTS_REST "rest-v3.restart"

// Whether it can keep the state at rest in a file: not of clumps, so each window makes it anew.
bool liggghts_keeps(const peer_state *s);

// A script that brings the grains to rest and writes LIGGGHTS_REST, where it can keep that.
erg_status liggghts_write_rest(const char *folder, const peer_state *s, erg_error *err);

// Grains, walls, and a script that runs `-var steps N`; its last lines are told by marker.
// The processor time before and after stands in cpu.txt.
erg_status liggghts_write_window(const char *folder, const peer_state *s, erg_error *err);

#endif
