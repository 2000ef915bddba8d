// The curve along which memory is ordered: Morton's, through cubic cells, laid so that it cuts
// well. Its middle is the middle of the grains, and its first cut goes across the axis along which
// they are spread most: the first half of memory is one side of a plane, the second half the other,
// and threads that share memory out have few pairs in common. A narrower axis is cut when the
// pieces are as small as it is wide: a thin layer stays together.
#ifndef ERGI_CURVE_H
#define ERGI_CURVE_H

#include "erg/base.h"

typedef struct ergi_curve {
    double middle[3]; // where each axis is cut first [m]
    double cell;      // side of a cell [m]
    double number[3]; // of the cell at the middle
    double cells;     // along each axis, a power of two
    int    shift[3];  // of the bits of each axis among those of all
} ergi_curve;

// Through `count` positions of four numbers each (x y z and another). About the part `before` of
// them comes before the first cut. By samples where there are many.
ergi_curve ergi_curve_through(const double *position, size_t count, double cell, double before);

// How far along the curve a position is.
uint64_t ergi_curve_key(const ergi_curve *curve, const double position[3]);

#endif
