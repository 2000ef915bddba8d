// The silo as triangles, for peers without a conical wall.
#ifndef ERG_BENCH_SILO_MESH_H
#define ERG_BENCH_SILO_MESH_H

#include "peer.h"

enum { SILO_SIDES = 192 }; // with 48, the larger volume reduced the contacts of a flow by 8 %

// Writes silo.stl as text. The facets touch cone and cylinder from outside, so the volume is
// slightly larger near the edges of the facets.
erg_status silo_mesh_write(const char *folder, const peer_state *s, erg_error *err);

#endif
