// Recursive bisection, for the memory order of grains: they are split in two halves along the axis
// with the widest spread, then each half is split again, and so on. Halves larger than a chunk are
// whole chunks. Chunks are therefore compact in space, each half of memory lies on one side of a
// plane, and threads that divide memory among themselves share few pairs.
#ifndef ERGI_BISECTION_H
#define ERGI_BISECTION_H

#include "erg/base.h"

typedef struct ergi_bisection_item {
    float    x[3]; // position in any unit: single precision is enough to sort by
    uint32_t number;
} ergi_bisection_item;

void ergi_bisection_sort(ergi_bisection_item *item, size_t count, size_t chunk);

// Sorts the positions (x y z and one more number each) that are not marked in `leaves` (may be
// NULL) and writes their indices to `order`. Returns how many remain. `item` is scratch.
size_t ergi_bisection_order(const double *position, size_t count, const uint8_t *leaves,
                            size_t chunk, ergi_bisection_item *item, uint32_t *order);

// How many of `count` are in the first half.
size_t ergi_bisection_middle(size_t count, size_t chunk);

#endif
