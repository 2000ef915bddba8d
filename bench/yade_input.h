// The texts YADE reads: Python, run inside it.
#ifndef ERG_BENCH_YADE_INPUT_H
#define ERG_BENCH_YADE_INPUT_H

#include "peer.h"

// Grains, walls, and rest.py, which makes rest.yade.gz from them.
erg_status yade_write_rest(const char *folder, const peer_state *s, erg_error *err);

// window.py, which reads rest.yade.gz and runs as many steps as $STEPS says with a skin of $SKIN;
// its last lines are told by marker.
erg_status yade_write_window(const char *folder, erg_error *err);

#endif
