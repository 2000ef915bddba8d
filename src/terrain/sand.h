// Sand of single grains in and out of columns.
#ifndef ERGI_SAND_H
#define ERGI_SAND_H

#include "terrain/columns.h"

// Columns i0 .. i1 by j0 .. j1, ends included.
typedef struct ergi_column_range {
    int32_t i0, i1, j0, j1;
} ergi_column_range;

// Columns that meet a rectangle of the plan, clamped to the grid.
static inline ergi_column_range ergi_columns_in(const ergi_columns *c, double x0, double x1,
                                                double y0, double y1)
{
    return (ergi_column_range){ergi_columns_at(c, 0, x0), ergi_columns_at(c, 0, x1),
                               ergi_columns_at(c, 1, y0), ergi_columns_at(c, 1, y1)};
}

static inline ergi_column_range ergi_columns_under(const ergi_columns *c, const double sphere[4])
{
    return ergi_columns_in(c, sphere[0] - sphere[3], sphere[0] + sphere[3], sphere[1] - sphere[3],
                           sphere[1] + sphere[3]);
}

// Whether the point of the plan is in the grid.
static inline bool ergi_columns_cover(const ergi_columns *c, double x, double y)
{
    return x >= c->lower[0] && y >= c->lower[1] &&
           x < c->lower[0] + c->spacing * (double)c->count[0] &&
           y < c->lower[1] + c->spacing * (double)c->count[1];
}

// z of the top of column (i, j) [m].
static inline double ergi_columns_top(const ergi_columns *c, int32_t i, int32_t j)
{
    return ergi_columns_z(c, ergi_columns_height(c)[ergi_columns_row(c, i, j)]);
}

// Takes the sand of a grain out of the columns under it, in equal parts as far as they have it, or
// out of those around them, too; false, and nothing is taken, if these have too little.
bool ergi_sand_take(ergi_columns *c, const double sphere[4], uint64_t quanta);
// Adds it to them in equal parts; the first column gets the remainder.
void ergi_sand_give(ergi_columns *c, const double sphere[4], uint64_t quanta);

#endif
