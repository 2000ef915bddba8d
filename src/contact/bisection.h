// The order of memory: grains are halved across the axis along which they are spread most, the
// halves are halved, and so on. Down to chunks every half is of whole chunks. So chunks are
// compact, each half of memory is one side of a plane, and threads that share memory out have few
// pairs in common.
#ifndef ERGI_BISECTION_H
#define ERGI_BISECTION_H

#include "erg/base.h"

typedef struct ergi_bisection_item {
    float    x[3]; // where it is, any unit: single precision is enough to tell neighbours apart
    uint32_t number;
} ergi_bisection_item;

void ergi_bisection_sort(ergi_bisection_item *item, size_t count, size_t chunk);

// The items of positions (x y z and one more number each) that do not leave, in that order; their
// numbers go to `order`. Returns how many stay.
size_t ergi_bisection_order(const double *position, size_t count, const uint8_t *leaves,
                            size_t chunk, ergi_bisection_item *item, uint32_t *order);

// How many of `count` are in the first half.
size_t ergi_bisection_middle(size_t count, size_t chunk);

#endif
