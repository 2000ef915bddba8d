// The skin of each sphere: how far it may move before the neighbour lists are invalid. A pair is
// listed up to a gap of both skins: LAMMPS's skin is that sum.
//
// Lists contain every pair whose spheres could touch before one of them has moved by its skin. A
// wide skin makes the lists long, a narrow one makes rebuilds frequent. Each skin is the distance
// its sphere travels in the planned life of the lists. Fast grains are few or far apart, so a grain
// in free fall does not lengthen the lists of a bed at rest.
#ifndef ERGI_SKIN_H
#define ERGI_SKIN_H

#include <stddef.h>

typedef struct ergi_skin {
    double diameter;    // of the smallest sphere [m]
    double least, most; // limits of a skin [m]
    double dt;          // [s]
    double build_cost;  // of a rebuild, in steps over the candidates of lists without skin
} ergi_skin;

// `sphere_skin` holds the speeds [m/s] on entry and the skins [m] on return. Returns the mean skin.
// The choice depends only on the state, not on wall time, so that the same run gives the same
// lists.
double ergi_skin_choose(const ergi_skin *skin, float *sphere_skin, size_t count);

#endif
