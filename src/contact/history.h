// History of a contact: numbers that a law keeps from step to step, as seen from the sphere that
// the pair stands with. How many is declared by the solver, and so is what becomes of them when the
// pair changes sides between two builds of the lists.
#ifndef ERGI_HISTORY_H
#define ERGI_HISTORY_H

#include "base/table.h"

typedef enum ergi_turn_rule {
    ERGI_TURN_NEGATE, // vectors from one side to the other, such as a spring: they change sign
    ERGI_TURN_SWAP,   // the first half belongs to one side, the second to the other
    ERGI_TURN_KEEP    // the same from both sides, such as a multiplier
} ergi_turn_rule;

typedef struct ergi_history {
    int            width; // numbers
    ergi_type      type;  // ERGI_F32 or ERGI_F64
    ergi_turn_rule rule;
} ergi_history;

// One row, in place, as seen from the other side.
void ergi_history_turn(const ergi_history *history, void *row);

#endif
