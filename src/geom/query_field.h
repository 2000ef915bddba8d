// A lattice of signed distances to a mesh, stored only near the surface, or near another level of
// the distance.
//
// Space is divided into blocks of 8 x 8 x 8 cubes. A block nearer to the level than the band stores
// its 9 x 9 x 9 distances; any other block stores only its side. Distances are interpolated
// trilinearly, and the gradient is that of the same polynomial.
//
// Error bound: trilinear weights w and a slope of at most 1 give, at any point p,
//     |error| <= sum w |corner - p| <= sqrt(sum w |corner - p|^2) <= sqrt(3)/2 spacing,
// also across creases. Where the distance is smooth in the cube the error is at most
//     spacing^2 / 8 (|d_xx| + |d_yy| + |d_zz|),
// such as spacing^2 / (4 rho) at a distance rho from the centre of a sphere, and 0 next to a plane.
#ifndef ERGI_QUERY_FIELD_H
#define ERGI_QUERY_FIELD_H

#include "geom/query_surface.h"

enum { ERGI_FIELD_SIDE = 8, ERGI_FIELD_ACROSS = 9, ERGI_FIELD_POINTS = 9 * 9 * 9 };

typedef struct ergi_distance_field {
    erg_vec3 origin;  // lattice point (0, 0, 0) [m]
    double   spacing; // [m]
    double   level;   // 0: the surface itself [m]
    double   band;    // [m]
    int      blocks[3];
    int32_t
          *block; // per block, x fastest: its index in `distance`, or ERGI_FIELD_OUTSIDE or _INSIDE
    float *distance;
    size_t kept;
} ergi_distance_field;

enum { ERGI_FIELD_OUTSIDE = -1, ERGI_FIELD_INSIDE = -2 };

ERG_INLINE double ergi_lerp(double a, double b, double t)
{
    return a + t * (b - a);
}

// The distance at p and its gradient (may be NULL), of length about 1. Outside the stored blocks:
// level +- band and a gradient of 0. `near` (may be NULL): whether p is in a stored block.
ERG_INLINE double ergi_distance_field_at(const ergi_distance_field *f, erg_vec3 p,
                                         erg_vec3 *gradient, bool *near)
{
    const double u[3] = {(p.x - f->origin.x) / f->spacing, (p.y - f->origin.y) / f->spacing,
                         (p.z - f->origin.z) / f->spacing};
    int32_t      number = ERGI_FIELD_OUTSIDE;
    int          at[3] = {0, 0, 0};
    bool         within = true;
    for (int k = 0; k < 3; k++)
        within = within && u[k] >= 0.0 && u[k] < f->blocks[k] * ERGI_FIELD_SIDE;
    if (within) {
        for (int k = 0; k < 3; k++) at[k] = (int)u[k];
        size_t block = ((size_t)(at[2] / ERGI_FIELD_SIDE) * (size_t)f->blocks[1] +
                        (size_t)(at[1] / ERGI_FIELD_SIDE)) *
                           (size_t)f->blocks[0] +
                       (size_t)(at[0] / ERGI_FIELD_SIDE);
        number = f->block[block];
    }
    if (near) *near = number >= 0;
    if (number < 0) {
        if (gradient) *gradient = ergi_vec3(0.0, 0.0, 0.0);
        return number == ERGI_FIELD_INSIDE ? f->level - f->band : f->level + f->band;
    }
    const float *d = f->distance + (size_t)number * ERGI_FIELD_POINTS +
                     (at[2] % ERGI_FIELD_SIDE * ERGI_FIELD_ACROSS + at[1] % ERGI_FIELD_SIDE) *
                         ERGI_FIELD_ACROSS +
                     at[0] % ERGI_FIELD_SIDE;
    double x = u[0] - at[0], y = u[1] - at[1], z = u[2] - at[2], c[2][2][2];
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < 2; i++)
                c[k][j][i] = (double)d[(k * ERGI_FIELD_ACROSS + j) * ERGI_FIELD_ACROSS + i];
    double low =
        ergi_lerp(ergi_lerp(c[0][0][0], c[0][0][1], x), ergi_lerp(c[0][1][0], c[0][1][1], x), y);
    double high =
        ergi_lerp(ergi_lerp(c[1][0][0], c[1][0][1], x), ergi_lerp(c[1][1][0], c[1][1][1], x), y);
    if (gradient) {
        double dx = ergi_lerp(ergi_lerp(c[0][0][1] - c[0][0][0], c[0][1][1] - c[0][1][0], y),
                              ergi_lerp(c[1][0][1] - c[1][0][0], c[1][1][1] - c[1][1][0], y), z);
        double dy = ergi_lerp(ergi_lerp(c[0][1][0] - c[0][0][0], c[0][1][1] - c[0][0][1], x),
                              ergi_lerp(c[1][1][0] - c[1][0][0], c[1][1][1] - c[1][0][1], x), z);
        *gradient = ergi_scale(ergi_vec3(dx, dy, high - low), 1.0 / f->spacing);
    }
    return ergi_lerp(low, high, z);
}

// Contact of a sphere with the surface at the level. False when the gap is at least `reach`, or
// when the centre is in no stored block. The gap is negative past the surface.
ERG_INLINE bool ergi_distance_field_hit(const ergi_distance_field *field, erg_vec3 centre,
                                        double reach, ergi_surface_hit *hit)
{
    erg_vec3 gradient;
    bool     near;
    double   gap = ergi_distance_field_at(field, centre, &gradient, &near) - field->level;
    if (!near || !(gap < reach)) return false;
    erg_vec3 normal = ergi_normalize(gradient);
    *hit = ergi_hit_make(0, gap, normal, 0.0, ergi_madd(centre, -gap, normal));
    return true;
}

#endif
