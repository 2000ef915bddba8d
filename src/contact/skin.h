// How far each sphere may go before the neighbour lists are void: its skin.
//
// Lists hold every pair whose spheres could touch before one of them has gone its skin. A wide
// skin makes long lists, a narrow one makes them often. Fast grains are few, or far from each
// other: each skin is the distance its sphere goes in the life that is planned for the lists, so
// that a grain in free fall does not make the lists of a bed at rest long.
#ifndef ERGI_SKIN_H
#define ERGI_SKIN_H

#include <stddef.h>

typedef struct ergi_skin {
    double diameter;    // the smallest [m]
    double least, most; // skins [m]
    double dt;          // [s]
} ergi_skin;

// `skin` holds the speeds [m/s], and the skins afterwards [m]. Returns the mean skin. It
// follows from the state alone, not from the clock, so that the same run gives the same lists.
double ergi_skin_choose(const ergi_skin *skin, float *sphere_skin, size_t count);

#endif
