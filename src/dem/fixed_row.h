// Fixed-point positions (fixed_point.h) in registers. Included by the passes only.
#ifndef ERGI_FIXED_ROW_H
#define ERGI_FIXED_ROW_H

#include "dem/fixed_point.h"
#include "dem/lanes.h"

#if defined(ERG_REAL_DOUBLE)

typedef ergi_row64 fixed_row; // x y z radius [m]
typedef double     fixed_number;
typedef double     fixed_offset; // difference of two numbers

typedef struct spacing {
    double period[2]; // 0: not periodic [m]
} spacing;

ERG_FN spacing spacing_of(const ergi_fixed_point *fixed_point, const double *period)
{
    (void)fixed_point;
    return (spacing){{period[0], period[1]}};
}

ERG_FN double nearest_image(double d, double period)
{
    double half = 0.5 * period;
    d = d > half ? d - period : d;
    return d < -half ? d + period : d;
}

// Gaps from b to a, stored in the bits of a row of erg_real. The fourth number is the plain
// difference.
ERG_FN ergi_row fixed_apart(fixed_row a, fixed_row b, const spacing *space)
{
    ergi_row d = a - b;
    if (space->period[0] > 0) d[0] = nearest_image(d[0], space->period[0]);
    if (space->period[1] > 0) d[1] = nearest_image(d[1], space->period[1]);
    return d;
}

// The gap stored in the bits of a number.
ERG_FN fixed_offset offset_of(erg_real bits)
{
    return bits;
}

// Length of a gap along an axis; axis 3 is the radius. [m]
ERG_FN erg_real offset_length(fixed_offset gap, const spacing *space, const int axis)
{
    (void)space;
    (void)axis;
    return gap;
}

ERG_FN ergi_rows offset_lengths(ergi_rows gaps, const spacing *space, const int axis)
{
    (void)space;
    (void)axis;
    return gaps;
}

// Squared length of a gap in double precision. [m^2]
ERG_FN double offset_square(fixed_offset gap, const spacing *space, const int axis)
{
    (void)space;
    (void)axis;
    return gap * gap;
}

// Gaps from b to a (low half) and from d to c (high half).
ERG_FN ergi_rows fixed_apart_twice(fixed_row a, fixed_row b, fixed_row c, fixed_row d,
                                   const spacing *space)
{
    return ergi_rows_of(fixed_apart(a, b, space), fixed_apart(c, d, space));
}

// Difference of two radii in fixed point. [m]
ERG_FN erg_real fixed_radius_diff(fixed_number a, fixed_number b, const spacing *space)
{
    (void)space;
    return a - b;
}

ERG_FN fixed_row fixed_of_position(ergi_row64 position, const ergi_fixed_point *fixed_point)
{
    (void)fixed_point;
    return position;
}

// A length in the units of the fixed-point radius.
ERG_FN double fixed_length(double length, const ergi_fixed_point *fixed_point)
{
    (void)fixed_point;
    return length;
}

// Step of each axis divided by the step of the radius.
ERG_FN ergi_row fixed_ratio(const ergi_fixed_point *fixed_point)
{
    (void)fixed_point;
    return ergi_row_all(1);
}

// Displacement from the reference position along each axis, in units of the skin; the fourth number
// is 1/skin.
ERG_FN ergi_row fixed_displacement(fixed_row now, fixed_row reference, ergi_row ratio)
{
    fixed_row displacement = now - reference;
    (void)ratio;
    displacement[3] = 1;
    return displacement * ergi_row_all(reference[3]);
}

#else

typedef uint32_t fixed_row __attribute__((vector_size(16))); // in steps
typedef uint32_t fixed_number;
typedef int32_t  fixed_offset; // in steps
typedef int32_t  fixed_difference __attribute__((vector_size(16)));

typedef struct spacing {
    erg_real step[4];   // [m]
    double   square[4]; // of a step [m^2]
} spacing;

ERG_FN spacing spacing_of(const ergi_fixed_point *fixed_point, const double *period)
{
    (void)period;
    const double *s = fixed_point->step;
    return (spacing){{(erg_real)s[0], (erg_real)s[1], (erg_real)s[2], (erg_real)s[3]},
                     {s[0] * s[0], s[1] * s[1], s[2] * s[2], s[3] * s[3]}};
}

ERG_FN ergi_row fixed_apart(fixed_row a, fixed_row b, const spacing *space)
{
    (void)space;
    return (ergi_row)(a - b);
}

ERG_FN fixed_offset offset_of(erg_real bits)
{
    fixed_offset gap;
    memcpy(&gap, &bits, sizeof gap);
    return gap;
}

ERG_FN erg_real offset_length(fixed_offset gap, const spacing *space, const int axis)
{
    return (erg_real)gap * space->step[axis];
}

ERG_FN double offset_square(fixed_offset gap, const spacing *space, const int axis)
{
    return (double)gap * (double)gap * space->square[axis];
}

#if defined(__AVX2__)
ERG_FN ergi_rows offset_lengths(ergi_rows gaps, const spacing *space, const int axis)
{
    typedef int32_t differences __attribute__((vector_size(32)));
    return ergi_rows_mul(__builtin_convertvector((differences)gaps, ergi_rows),
                         ergi_rows_all(space->step[axis]));
}

ERG_FN ergi_rows fixed_apart_twice(fixed_row a, fixed_row b, fixed_row c, fixed_row d,
                                   const spacing *space)
{
    (void)space;
    return (ergi_rows)(__builtin_shufflevector(a, c, 0, 1, 2, 3, 4, 5, 6, 7) -
                       __builtin_shufflevector(b, d, 0, 1, 2, 3, 4, 5, 6, 7));
}
#else
ERG_FN ergi_rows offset_lengths(ergi_rows gaps, const spacing *space, const int axis)
{
    ergi_row low = __builtin_convertvector((fixed_difference)ergi_rows_low(gaps), ergi_row),
             high = __builtin_convertvector((fixed_difference)ergi_rows_high(gaps), ergi_row);
    return ergi_rows_mul(ergi_rows_of(low, high), ergi_rows_all(space->step[axis]));
}

ERG_FN ergi_rows fixed_apart_twice(fixed_row a, fixed_row b, fixed_row c, fixed_row d,
                                   const spacing *space)
{
    return ergi_rows_of(fixed_apart(a, b, space), fixed_apart(c, d, space));
}
#endif

ERG_FN erg_real fixed_radius_diff(fixed_number a, fixed_number b, const spacing *space)
{
    return (erg_real)(int32_t)(a - b) * space->step[3];
}

ERG_FN fixed_row fixed_of_position(ergi_row64 position, const ergi_fixed_point *fixed_point)
{
    typedef uint32_t halves_row __attribute__((vector_size(32)));
    const double     s = ERGI_FIXED_POINT_SHIFT;
    ergi_row64 count = position * ergi_row64_load(fixed_point->inverse) + (ergi_row64){s, s, s, s};
    halves_row halves = (halves_row)count;
    return __builtin_shufflevector(halves, halves, 0, 2, 4, 6);
}

ERG_FN double fixed_length(double length, const ergi_fixed_point *fixed_point)
{
    return length * fixed_point->inverse[3];
}

ERG_FN ergi_row fixed_ratio(const ergi_fixed_point *fixed_point)
{
    const double *s = fixed_point->step;
    return (ergi_row){(erg_real)(s[0] / s[3]), (erg_real)(s[1] / s[3]), (erg_real)(s[2] / s[3]), 1};
}

ERG_FN ergi_row fixed_displacement(fixed_row now, fixed_row reference, ergi_row ratio)
{
    const ergi_row one = {1, 1, 1, 1};
    ergi_row       inverse_skin;
    memcpy(&inverse_skin, &reference, sizeof inverse_skin);
    ergi_row displacement =
        __builtin_convertvector((fixed_difference)(now - reference), ergi_row) * ratio;
    return __builtin_shufflevector(displacement, one, 0, 1, 2, 7) *
           __builtin_shufflevector(inverse_skin, inverse_skin, 3, 3, 3, 3);
}

#endif

// The position whose row begins at element `number`.
ERG_FN fixed_row fixed_at(const void *rows, size_t number)
{
    fixed_row p;
    memcpy(&p, (const fixed_number *)rows + number, sizeof p);
    return p;
}

ERG_FN fixed_row fixed_load(const void *rows, size_t i)
{
    return fixed_at(rows, 4 * i);
}

// The fixed-point position of the row that begins at element `number` of `positions`.
ERG_FN fixed_row fixed_from(const double *positions, size_t number,
                            const ergi_fixed_point *fixed_point)
{
    return fixed_of_position(ergi_row64_load(positions + number), fixed_point);
}

ERG_FN void fixed_store(void *rows, size_t i, fixed_row p)
{
    memcpy((char *)rows + i * sizeof p, &p, sizeof p);
}

// Negates the radius, so that the fourth number of a gap to another position is minus the sum of
// radii.
ERG_FN fixed_row fixed_negate_radius(fixed_row p)
{
    p[3] = -p[3];
    return p;
}

// The reference position of a sphere at the list build, with 1/skin as fourth number.
ERG_FN fixed_row fixed_reference(fixed_row now, double inverse_skin,
                                 const ergi_fixed_point *fixed_point)
{
    erg_real inverse = (erg_real)(1 / fixed_length(inverse_skin, fixed_point));
    memcpy((char *)&now + 3 * sizeof inverse, &inverse, sizeof inverse);
    return now;
}

#endif
