// Distances to a surface of revolution, as a table over the half plane (r, z), filled where
// somebody asks. Most particles next to such a wall are told by it, in a few nanoseconds, that they
// do not touch; the others ask the surface itself. It holds in the frame of the surface, so that it
// stays good when the wall moves.
#ifndef ERGI_GAP_TABLE_H
#define ERGI_GAP_TABLE_H

#include <stdatomic.h>

#include "erg/base.h"
#include "geom/query_surface.h"

typedef struct ergi_gap_table {
    _Atomic float *gap; // at the middle of each cell; 0: not asked yet; NULL: there is no table
    int            columns, rows; // along r and z
    double         side, low;     // of a cell, and where z begins [m]
} ergi_gap_table;

// Of cells of about `side`, larger where there would be too many. Of any other surface an empty
// one.
erg_status ergi_gap_table_make(ergi_gap_table *table, const ergi_surface *surface, double side,
                               erg_error *err);
void       ergi_gap_table_free(ergi_gap_table *table);
size_t     ergi_gap_table_bytes(const ergi_gap_table *table);

// The distance, bumps not counted, or less, by at most 0.71 sides; -HUGE_VAL outside the table [m].
double ergi_gap_table_at_least(const ergi_gap_table *table, const ergi_surface *surface,
                               erg_vec3 p);

#endif
