// How far each sphere may go before the neighbour lists are void: its margin.
//
// Lists hold every pair whose spheres could touch before one of them has gone its margin. A wide
// margin makes long lists, a narrow one makes them often. Fast grains are few, or far from each
// other: each margin is the distance its sphere goes in the life that is planned for the lists, so
// that a grain in free fall does not make the lists of a bed at rest long.
#ifndef ERGI_SKIN_H
#define ERGI_SKIN_H

#include <stddef.h>

typedef struct ergi_skin {
    double diameter;    // the smallest [m]
    double least, most; // margins [m]
    double dt;          // [s]
} ergi_skin;

// `margin` holds the speeds [m/s], and the margins afterwards [m]. Returns the mean margin. It
// follows from the state alone, not from the clock, so that the same run gives the same lists.
double ergi_skin_margins(const ergi_skin *skin, float *margin, size_t count);

#endif
