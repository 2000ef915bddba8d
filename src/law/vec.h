// Three-vectors by value. Sums have a fixed order, and products and sums are fused only where
// ergi_fma is written, so results are bitwise equal on all processors. Negating all inputs of a
// linear expression negates its result exactly, so both sides of a contact get the same force.
#ifndef ERGI_LAW_VEC_H
#define ERGI_LAW_VEC_H

#include "law/real.h"

typedef struct ergi_vec {
    erg_real x, y, z;
} ergi_vec;

ERG_FN ergi_vec ergi_vec_make(erg_real x, erg_real y, erg_real z)
{
    ergi_vec r = {x, y, z};
    return r;
}

ERG_FN ergi_vec ergi_vec_zero(void)
{
    return ergi_vec_make(ERGI_R(0), ERGI_R(0), ERGI_R(0));
}

ERG_FN ergi_vec ergi_vec_add(ergi_vec a, ergi_vec b)
{
    return ergi_vec_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

ERG_FN ergi_vec ergi_vec_sub(ergi_vec a, ergi_vec b)
{
    return ergi_vec_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

ERG_FN ergi_vec ergi_vec_scale(erg_real s, ergi_vec a)
{
    return ergi_vec_make(s * a.x, s * a.y, s * a.z);
}

ERG_FN ergi_vec ergi_vec_negate(ergi_vec a)
{
    return ergi_vec_make(-a.x, -a.y, -a.z);
}

ERG_FN erg_real ergi_vec_dot(ergi_vec a, ergi_vec b)
{
    return ergi_fma(a.z, b.z, ergi_fma(a.y, b.y, a.x * b.x));
}

// s a + b
ERG_FN ergi_vec ergi_vec_madd(erg_real s, ergi_vec a, ergi_vec b)
{
    return ergi_vec_make(ergi_fma(s, a.x, b.x), ergi_fma(s, a.y, b.y), ergi_fma(s, a.z, b.z));
}

ERG_FN ergi_vec ergi_vec_cross(ergi_vec a, ergi_vec b)
{
    return ergi_vec_make(ergi_fma(a.y, b.z, -(a.z * b.y)), ergi_fma(a.z, b.x, -(a.x * b.z)),
                         ergi_fma(a.x, b.y, -(a.y * b.x)));
}

// c - a x b
ERG_FN ergi_vec ergi_vec_less_cross(ergi_vec c, ergi_vec a, ergi_vec b)
{
    return ergi_vec_make(ergi_fma(a.z, b.y, ergi_fma(-a.y, b.z, c.x)),
                         ergi_fma(a.x, b.z, ergi_fma(-a.z, b.x, c.y)),
                         ergi_fma(a.y, b.x, ergi_fma(-a.x, b.y, c.z)));
}

ERG_FN erg_real ergi_vec_norm(ergi_vec a)
{
    return ergi_sqrt(ergi_vec_dot(a, a));
}

// The part of a across the unit vector n.
ERG_FN ergi_vec ergi_vec_tangent(ergi_vec a, ergi_vec n)
{
    return ergi_vec_madd(-ergi_vec_dot(a, n), n, a);
}

#endif
