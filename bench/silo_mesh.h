// The silo as triangles, for peers that know no cone.
#ifndef ERG_BENCH_SILO_MESH_H
#define ERG_BENCH_SILO_MESH_H

#include "peer.h"

enum { SILO_SIDES = 192 }; // with 48 the room to spare cost a flow 8 % of its contacts

// Writes silo.stl, as text. The facets touch cone and cylinder from outside: flat where those are
// round, so grains have a little more room in the edges.
erg_status silo_mesh_write(const char *folder, const peer_state *s, erg_error *err);

#endif
