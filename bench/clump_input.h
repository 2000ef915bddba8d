// Grains of four spheres, for a code that wants them by place and orientation.
#ifndef ERG_BENCH_CLUMP_INPUT_H
#define ERG_BENCH_CLUMP_INPUT_H

#include "peer.h"

enum { CLUMP_SPHERES = 4 };

// Places of an unturned grain's spheres, over their radius: those of ERG_SHAPE_TETRAHEDRON.
extern const erg_vec3 CLUMP_PLACE[CLUMP_SPHERES];

erg_vec3 clump_centre(const peer_state *s, size_t grain);
erg_quat clump_orientation(const peer_state *s, size_t grain);

#endif
