// Contact history of bodies: a table with one row per contact point, sorted by walls.
#ifndef ERGI_DEM_BODY_HISTORY_H
#define ERGI_DEM_BODY_HISTORY_H

#include "dem/dem.h"

// Offsets in a row's history: slide (at 0), roll, normal, share of the contact.
enum {
    ERGI_BODY_HISTORY_ROLL = 3,
    ERGI_BODY_HISTORY_NORMAL = 6,
    ERGI_BODY_HISTORY_PART = 9,
    ERGI_BODY_HISTORY_WIDTH = 10
};

// The history of contact point c among these rows, or NULL. `now`: all current contact points of
// the pair, including c.
const double *ergi_body_find_history(const ergi_table *contacts, size_t begin, size_t end,
                                     const ergi_body_contact *now, uint32_t count,
                                     const ergi_body_contact *c);

void ergi_body_store_history(ergi_table *contacts, size_t row, const ergi_body_pair *pair,
                             const ergi_body_contact *c);

#endif
