// Grains of four spheres, for codes that need their centre and orientation.
#ifndef ERG_BENCH_CLUMP_INPUT_H
#define ERG_BENCH_CLUMP_INPUT_H

#include "peer.h"

enum { CLUMP_SPHERES = 4 };

// Sphere positions of an unrotated grain in units of the sphere radius: those of
// ERG_SHAPE_TETRAHEDRON.
extern const erg_vec3 CLUMP_PLACE[CLUMP_SPHERES];

erg_vec3 clump_centre(const peer_state *s, size_t grain);
erg_quat clump_orientation(const peer_state *s, size_t grain);

#endif
