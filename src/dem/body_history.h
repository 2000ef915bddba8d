// What places between bodies remember from one step to the next: a table with a row for each,
// sorted by walls.
#ifndef ERGI_DEM_BODY_HISTORY_H
#define ERGI_DEM_BODY_HISTORY_H

#include "dem/dem.h"

// Where things are in a row's history: the slide, the roll, the normal and the part of the contact.
enum {
    ERGI_MEMORY_ROLL = 3,
    ERGI_MEMORY_NORMAL = 6,
    ERGI_MEMORY_PART = 9,
    ERGI_BODY_HISTORY_WIDTH = 10
};

// The rows of a pair, from begin to before end.
void ergi_body_rows(const ergi_table *contacts, const ergi_body_pair *pair, size_t *begin,
                    size_t *end);

// The memory of place c among these rows, or NULL. `now`: all places of the pair, c with them.
const double *ergi_body_recall(const ergi_table *contacts, size_t begin, size_t end,
                               const ergi_body_contact *now, uint32_t count,
                               const ergi_body_contact *c);

void ergi_body_remember(ergi_table *contacts, size_t row, const ergi_body_pair *pair,
                        const ergi_body_contact *c);

#endif
