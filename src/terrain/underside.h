// The lowest points of a tool above columns: vertical rays through the centres of columns, and the
// parts of upright thin sheets above a column, which would pass between the rays.
#ifndef ERGI_UNDERSIDE_H
#define ERGI_UNDERSIDE_H

#include "terrain/columns.h"
#include "terrain/tools.h"

typedef struct ergi_under_triangle {
    erg_vec3 p[3]; // [m]
    bool     thin;
} ergi_under_triangle;

typedef struct ergi_underside {
    int32_t              i0, j0, ni, nj; // columns that were looked at; none: ni * nj is 0
    double              *low;            // row by row along x; HUGE_VAL: nothing above [m]
    size_t               room;
    ergi_under_triangle *triangle;
    size_t               triangles, triangle_room;
} ergi_underside;

// Of the parts of the tool that are lower than the sand may be high, `top` [m].
erg_status ergi_underside_find(ergi_underside *under, const ergi_tool *tool,
                               const ergi_placement *at, const ergi_columns *c, double top,
                               erg_error *err);
void       ergi_underside_free(ergi_underside *under); // a zeroed struct is fine

#endif
