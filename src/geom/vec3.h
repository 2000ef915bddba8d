// Vectors, unit quaternions and 3x3 matrices in double, by value.
#ifndef ERGI_VEC3_H
#define ERGI_VEC3_H

#include "base/inline.h"
#include "erg/base.h"

#include <math.h>

#define ERGI_PI 3.14159265358979323846

ERG_INLINE erg_vec3 ergi_vec3(double x, double y, double z)
{
    erg_vec3 r = {x, y, z};
    return r;
}

ERG_INLINE erg_vec3 ergi_add(erg_vec3 a, erg_vec3 b)
{
    erg_vec3 r = {a.x + b.x, a.y + b.y, a.z + b.z};
    return r;
}

ERG_INLINE erg_vec3 ergi_sub(erg_vec3 a, erg_vec3 b)
{
    erg_vec3 r = {a.x - b.x, a.y - b.y, a.z - b.z};
    return r;
}

ERG_INLINE erg_vec3 ergi_scale(erg_vec3 a, double s)
{
    erg_vec3 r = {a.x * s, a.y * s, a.z * s};
    return r;
}

// a + s b
ERG_INLINE erg_vec3 ergi_madd(erg_vec3 a, double s, erg_vec3 b)
{
    erg_vec3 r = {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
    return r;
}

ERG_INLINE double ergi_dot(erg_vec3 a, erg_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

ERG_INLINE erg_vec3 ergi_cross(erg_vec3 a, erg_vec3 b)
{
    erg_vec3 r = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return r;
}

ERG_INLINE double ergi_norm(erg_vec3 a)
{
    return sqrt(ergi_dot(a, a));
}

ERG_INLINE double ergi_distance(erg_vec3 a, erg_vec3 b)
{
    return ergi_norm(ergi_sub(a, b));
}

// The zero vector stays zero.
ERG_INLINE erg_vec3 ergi_normalize(erg_vec3 a)
{
    double n = ergi_norm(a);
    return n > 0.0 ? ergi_scale(a, 1.0 / n) : a;
}

ERG_INLINE bool ergi_finite(erg_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

// An arbitrary unit vector perpendicular to the unit vector n.
ERG_INLINE erg_vec3 ergi_perpendicular(erg_vec3 n)
{
    erg_vec3 least = {1.0, 0.0, 0.0};
    if (fabs(n.x) > fabs(n.y) || fabs(n.x) > fabs(n.z))
        least = fabs(n.y) < fabs(n.z) ? ergi_vec3(0.0, 1.0, 0.0) : ergi_vec3(0.0, 0.0, 1.0);
    return ergi_normalize(ergi_cross(n, least));
}

// ---- Rotations ---------------------------------------------------------------------------------
ERG_INLINE erg_quat ergi_quat(double x, double y, double z, double w)
{
    erg_quat r = {x, y, z, w};
    return r;
}

ERG_INLINE erg_quat ergi_quat_identity(void)
{
    return ergi_quat(0.0, 0.0, 0.0, 1.0);
}

// Rotates by b, then by a.
ERG_INLINE erg_quat ergi_quat_mul(erg_quat a, erg_quat b)
{
    erg_quat r = {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                  a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
    return r;
}

ERG_INLINE erg_quat ergi_quat_conjugate(erg_quat q)
{
    erg_quat r = {-q.x, -q.y, -q.z, q.w};
    return r;
}

ERG_INLINE erg_quat ergi_quat_normalize(erg_quat q)
{
    double   s = 1.0 / sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    erg_quat r = {q.x * s, q.y * s, q.z * s, q.w * s};
    return r;
}

// Body frame to world frame.
ERG_INLINE erg_vec3 ergi_quat_rotate(erg_quat q, erg_vec3 v)
{
    erg_vec3 u = {q.x, q.y, q.z};
    erg_vec3 t = ergi_scale(ergi_cross(u, v), 2.0);
    return ergi_add(ergi_madd(v, q.w, t), ergi_cross(u, t));
}

// World frame to body frame.
ERG_INLINE erg_vec3 ergi_quat_unrotate(erg_quat q, erg_vec3 v)
{
    return ergi_quat_rotate(ergi_quat_conjugate(q), v);
}

// `axis` is a unit vector.
ERG_INLINE erg_quat ergi_quat_from_axis_angle(erg_vec3 axis, double angle)
{
    double   s = sin(0.5 * angle);
    erg_quat r = {axis.x * s, axis.y * s, axis.z * s, cos(0.5 * angle)};
    return r;
}

// The rotation by |v| radians about v: the exponential map. Multiply from the left to rotate by the
// world-frame vector spin * dt.
ERG_INLINE erg_quat ergi_quat_exp(erg_vec3 v)
{
    double half2 = 0.25 * ergi_dot(v, v);
    double half = sqrt(half2);
    // sin(x)/x, by its series where the quotient loses digits
    double   s = half < 1e-3 ? 1.0 - half2 / 6.0 * (1.0 - half2 / 20.0) : sin(half) / half;
    erg_quat r = {0.5 * s * v.x, 0.5 * s * v.y, 0.5 * s * v.z, cos(half)};
    return r;
}

// ---- Matrices ----------------------------------------------------------------------------------
typedef struct ergi_mat3 {
    double m[3][3]; // [row][column]
} ergi_mat3;

ERG_INLINE erg_vec3 ergi_mat3_mul(ergi_mat3 a, erg_vec3 v)
{
    erg_vec3 r = {a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z,
                  a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
                  a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z};
    return r;
}

// False when singular; `inverse` is then unchanged.
ERG_INLINE bool ergi_mat3_invert(const ergi_mat3 *a, ergi_mat3 *inverse)
{
    const double(*m)[3] = a->m;
    double c[3][3]; // cofactors
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            c[i][k] = m[i1][k1] * m[i2][k2] - m[i1][k2] * m[i2][k1];
        }
    double det = m[0][0] * c[0][0] + m[0][1] * c[0][1] + m[0][2] * c[0][2];
    if (!(fabs(det) > 0.0)) return false;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) inverse->m[k][i] = c[i][k] / det;
    return true;
}

ERG_INLINE ergi_mat3 ergi_mat3_from_quat(erg_quat q)
{
    double    xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double    xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double    wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    ergi_mat3 r = {{{1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy)},
                    {2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx)},
                    {2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)}}};
    return r;
}

// `a` is a rotation. Divides by the largest of the four components, so that it is never small.
ERG_INLINE erg_quat ergi_quat_from_mat3(ergi_mat3 a)
{
    double   xx = a.m[0][0], yy = a.m[1][1], zz = a.m[2][2];
    erg_quat q;
    if (xx + yy + zz > 0.0) {
        q = ergi_quat(a.m[2][1] - a.m[1][2], a.m[0][2] - a.m[2][0], a.m[1][0] - a.m[0][1],
                      1.0 + xx + yy + zz);
    } else if (xx > yy && xx > zz) {
        q = ergi_quat(1.0 + xx - yy - zz, a.m[0][1] + a.m[1][0], a.m[0][2] + a.m[2][0],
                      a.m[2][1] - a.m[1][2]);
    } else if (yy > zz) {
        q = ergi_quat(a.m[0][1] + a.m[1][0], 1.0 - xx + yy - zz, a.m[1][2] + a.m[2][1],
                      a.m[0][2] - a.m[2][0]);
    } else {
        q = ergi_quat(a.m[0][2] + a.m[2][0], a.m[1][2] + a.m[2][1], 1.0 - xx - yy + zz,
                      a.m[1][0] - a.m[0][1]);
    }
    return ergi_quat_normalize(q);
}

#endif
