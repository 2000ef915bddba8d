// Three numbers by value. No fused multiply-adds and a fixed order of sums: negating all inputs of
// a linear expression negates its result exactly, which is how both partners of a contact can work
// out the same force.
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
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

ERG_FN ergi_vec ergi_vec_cross(ergi_vec a, ergi_vec b)
{
    return ergi_vec_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

ERG_FN erg_real ergi_vec_norm(ergi_vec a)
{
    return ergi_sqrt(ergi_vec_dot(a, a));
}

// What is left of a without its part along the unit vector n.
ERG_FN ergi_vec ergi_vec_tangent(ergi_vec a, ergi_vec n)
{
    return ergi_vec_sub(a, ergi_vec_scale(ergi_vec_dot(a, n), n));
}

#endif
