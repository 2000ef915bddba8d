// Contact history: numbers that a law keeps from step to step, as seen from the sphere that lists
// the pair. The solver declares how many, and how to convert them when the other sphere lists the
// pair after a rebuild.
#ifndef ERGI_HISTORY_H
#define ERGI_HISTORY_H

#include "base/table.h"

typedef enum ergi_swap_rule {
    ERGI_ON_SWAP_NEGATE, // vectors from one sphere to the other, such as springs: they change sign
    ERGI_ON_SWAP_EXCHANGE, // the first half belongs to one side, the second to the other
    ERGI_ON_SWAP_KEEP      // the same from both sides, such as a multiplier
} ergi_swap_rule;

typedef struct ergi_history {
    int            width; // numbers
    ergi_type      type;  // ERGI_F32 or ERGI_F64
    ergi_swap_rule rule;
} ergi_history;

// Converts one row, in place, to the view of the other sphere.
void ergi_history_swap(const ergi_history *history, void *row);

#endif
