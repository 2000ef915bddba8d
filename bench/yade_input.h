// The texts YADE reads: Python, run inside it.
#ifndef ERG_BENCH_YADE_INPUT_H
#define ERG_BENCH_YADE_INPUT_H

#include "peer.h"

// Grains, walls, and window.py, which brings them to rest and runs as many steps as $STEPS says
// with a skin of $SKIN; its last lines are told by marker. Each window does so anew: YADE could
// keep the state at rest, but runs slower by a third once it has read one.
erg_status yade_write_window(const char *folder, const peer_state *s, erg_error *err);

#endif
