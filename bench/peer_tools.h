// What the peers share.
#ifndef ERG_BENCH_PEER_TOOLS_H
#define ERG_BENCH_PEER_TOOLS_H

#include "peer.h"

// Of all grains: weight times a sphere's diameter. [J]
double peer_energy_scale(const peer_state *s);

// Runs a short window with each of several skins, set through `skin`, and leaves the one that was
// fastest there.
erg_status peer_try_skins(erg_status (*run)(void *self, uint64_t steps, int threads,
                                            peer_window *window, erg_error *err),
                          void *self, double *skin, const peer_state *s, int threads,
                          erg_error *err);

#endif
