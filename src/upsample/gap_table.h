// Table of distances to a surface of revolution, over the half-plane (r, z), or to a mesh, over a
// box around it. It gives a cheap lower bound that avoids the exact query where particles do not
// touch the wall. Entries are computed on first use. The table is in the frame of the surface and
// stays valid when the wall moves; equal surfaces at different places share it.
#ifndef ERGI_GAP_TABLE_H
#define ERGI_GAP_TABLE_H

#include <stdatomic.h>

#include "erg/base.h"
#include "geom/query_surface.h"

// The cells of each level are twice as large as those of the one before.
enum { ERGI_GAP_LEVELS = 5 };

typedef struct ergi_gap_table {
    _Atomic float *gap;      // at the centre of each cell; 0: not computed yet; NULL: no table
    int            cells[3]; // along x y z of a mesh; along r and z, and 1, for a revolved surface
    double         low[3];   // where the first cell begins [m]
    double         side;     // of a cell [m]
    ergi_surface   surface;  // without bumps, at the origin
    size_t         first[ERGI_GAP_LEVELS + 1]; // number of each level's first cell, and of all
} ergi_gap_table;

// `side` is the size of the smallest cells [m], enlarged if there would be more than `most` of
// them. Surfaces of other kinds get an empty table.
erg_status ergi_gap_table_make(ergi_gap_table *table, const ergi_surface *surface, double side,
                               size_t most, erg_error *err);
void       ergi_gap_table_free(ergi_gap_table *table);
size_t     ergi_gap_table_bytes(const ergi_gap_table *table);
size_t     ergi_gap_table_expected_bytes(const ergi_surface *surface, double side, size_t most);
// Whether both surfaces have a table, and the same one, wherever they are.
bool ergi_gap_table_same(const ergi_surface *a, const ergi_surface *b);

// Lower bound on the distance, ignoring bumps, at most 1.42 cell sides too small, 1.74 for a mesh
// [m]. Outside the table: the distance to the box around a mesh, or -HUGE_VAL.
double ergi_gap_table_at_least(const ergi_gap_table *table, const ergi_surface *surface,
                               erg_vec3 p);
// The same from the largest cells that are at most `size`, fewer of which must be computed, or from
// the smallest.
double ergi_gap_table_roughly(const ergi_gap_table *table, const ergi_surface *surface, erg_vec3 p,
                              double size);

#endif
