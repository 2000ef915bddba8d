// The signed distance to a mesh on a lattice, kept only near the surface, or near another level of
// the distance.
//
// Space is cut into blocks of 8 x 8 x 8 cubes. A block that comes nearer to the level than the
// band holds its 9 x 9 x 9 distances; of any other one only the side is known. Between lattice
// points distance is trilinear, and the gradient is that of the same polynomial.
//
// How far off? Trilinear weights w and the distance's slope of at most 1 give, at any point p,
//     |error| <= sum w |corner - p| <= sqrt(sum w |corner - p|^2) <= sqrt(3)/2 spacing,
// also across creases. Where the distance is smooth in the cube the error is at most
//     spacing^2 / 8 (|d_xx| + |d_yy| + |d_zz|),
// such as spacing^2 / (4 rho) at a distance rho from the centre of a ball, and 0 beside a plane.
#ifndef ERGI_FIELD_H
#define ERGI_FIELD_H

#include "base/threads.h"
#include "geom/march.h"
#include "geom/solid.h"

enum { ERGI_FIELD_SIDE = 8, ERGI_FIELD_POINTS = 9 * 9 * 9 };

typedef struct ergi_field {
    erg_vec3 origin;  // lattice point (0, 0, 0) [m]
    double   spacing; // [m]
    double   level;   // 0: the surface itself [m]
    double   band;    // [m]
    int      blocks[3];
    int32_t *block; // of each block, x fastest: its number in `distance`, or one of those below
    float   *distance;
    size_t   kept;
} ergi_field;

enum { ERGI_FIELD_OUTSIDE = -1, ERGI_FIELD_INSIDE = -2 };

// Distances are kept where they differ from `level` by less than `band`. A field whose blocks would
// be more than 2^26 is refused. The same on any number of threads.
erg_status ergi_field_build(const ergi_solid *solid, double spacing, double level, double band,
                            const ergi_threads *threads, ergi_field *field, erg_error *err);
void       ergi_field_free(ergi_field *field);

// The distance at p and its gradient (may be NULL), which has a length of about 1. Far from the
// level, level +- band and a gradient of 0; `near` (may be NULL) says whether p is in a kept block.
double ergi_field_at(const ergi_field *field, erg_vec3 p, erg_vec3 *gradient, bool *near);

// The surface at the level; the band must be a spacing or more. `mesh` is overwritten; it has no
// triangles when there is no such surface.
erg_status ergi_field_surface(const ergi_field *field, ergi_mesh *mesh, erg_error *err);

#endif
