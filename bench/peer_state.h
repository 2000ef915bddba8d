// Converts erg's world to plain arrays for peers.
#ifndef ERG_BENCH_PEER_STATE_H
#define ERG_BENCH_PEER_STATE_H

#include "scene.h"

erg_status peer_state_read(const bench_scene *scene, size_t grains, const erg_world *world,
                           peer_state *state, erg_error *err);
void       peer_state_free(peer_state *state);

#endif
