// Input script for YADE, in Python.
#ifndef ERG_BENCH_YADE_INPUT_H
#define ERG_BENCH_YADE_INPUT_H

#include "peer.h"

// Writes grains, walls, and window.py, which brings the grains to rest and runs $STEPS steps with a
// skin of $SKIN; results are printed after a marker. Each window settles the grains again: YADE
// could save the state at rest, but runs slower by a third after loading one.
erg_status yade_write_window(const char *folder, const peer_state *s, erg_error *err);

#endif
