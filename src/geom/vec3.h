// Vectors, unit quaternions and 3x3 matrices in double, by value.
#ifndef ERGI_VEC3_H
#define ERGI_VEC3_H

#include "erg/base.h"

#include <math.h>

#define ERGI_PI 3.14159265358979323846

static inline erg_vec3 ergi_vec3(double x, double y, double z)
{
    return (erg_vec3){x, y, z};
}

static inline erg_vec3 ergi_add(erg_vec3 a, erg_vec3 b)
{
    return (erg_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline erg_vec3 ergi_sub(erg_vec3 a, erg_vec3 b)
{
    return (erg_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline erg_vec3 ergi_scale(erg_vec3 a, double s)
{
    return (erg_vec3){a.x * s, a.y * s, a.z * s};
}

// a + s b
static inline erg_vec3 ergi_madd(erg_vec3 a, double s, erg_vec3 b)
{
    return (erg_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double ergi_dot(erg_vec3 a, erg_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline erg_vec3 ergi_cross(erg_vec3 a, erg_vec3 b)
{
    return (erg_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double ergi_norm(erg_vec3 a)
{
    return sqrt(ergi_dot(a, a));
}

static inline double ergi_distance(erg_vec3 a, erg_vec3 b)
{
    return ergi_norm(ergi_sub(a, b));
}

// The zero vector stays zero.
static inline erg_vec3 ergi_normalize(erg_vec3 a)
{
    double n = ergi_norm(a);
    return n > 0.0 ? ergi_scale(a, 1.0 / n) : a;
}

static inline bool ergi_finite(erg_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

// Some unit vector across the unit vector n.
static inline erg_vec3 ergi_perpendicular(erg_vec3 n)
{
    erg_vec3 least = {1.0, 0.0, 0.0};
    if (fabs(n.x) > fabs(n.y) || fabs(n.x) > fabs(n.z))
        least = fabs(n.y) < fabs(n.z) ? ergi_vec3(0.0, 1.0, 0.0) : ergi_vec3(0.0, 0.0, 1.0);
    return ergi_normalize(ergi_cross(n, least));
}

// ---- Rotations ---------------------------------------------------------------------------------
static inline erg_quat ergi_quat_identity(void)
{
    return (erg_quat){0.0, 0.0, 0.0, 1.0};
}

// First b, then a.
static inline erg_quat ergi_quat_mul(erg_quat a, erg_quat b)
{
    return (erg_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static inline erg_quat ergi_quat_conjugate(erg_quat q)
{
    return (erg_quat){-q.x, -q.y, -q.z, q.w};
}

static inline erg_quat ergi_quat_normalize(erg_quat q)
{
    double s = 1.0 / sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (erg_quat){q.x * s, q.y * s, q.z * s, q.w * s};
}

// Body frame to world frame.
static inline erg_vec3 ergi_quat_rotate(erg_quat q, erg_vec3 v)
{
    erg_vec3 u = {q.x, q.y, q.z};
    erg_vec3 t = ergi_scale(ergi_cross(u, v), 2.0);
    return ergi_add(ergi_madd(v, q.w, t), ergi_cross(u, t));
}

// World frame to body frame.
static inline erg_vec3 ergi_quat_unrotate(erg_quat q, erg_vec3 v)
{
    return ergi_quat_rotate(ergi_quat_conjugate(q), v);
}

// `axis` is a unit vector.
static inline erg_quat ergi_quat_from_axis_angle(erg_vec3 axis, double angle)
{
    double s = sin(0.5 * angle);
    return (erg_quat){axis.x * s, axis.y * s, axis.z * s, cos(0.5 * angle)};
}

// The rotation by |v| radians about v: the exponential map. Multiply from the left to turn by the
// world-frame vector spin * dt.
static inline erg_quat ergi_quat_exp(erg_vec3 v)
{
    double half2 = 0.25 * ergi_dot(v, v);
    double half = sqrt(half2);
    // sin(x)/x, by its series where the quotient loses digits
    double s = half < 1e-3 ? 1.0 - half2 / 6.0 * (1.0 - half2 / 20.0) : sin(half) / half;
    return (erg_quat){0.5 * s * v.x, 0.5 * s * v.y, 0.5 * s * v.z, cos(half)};
}

// ---- Matrices ----------------------------------------------------------------------------------
typedef struct ergi_mat3 {
    double m[3][3]; // [row][column]
} ergi_mat3;

static inline erg_vec3 ergi_mat3_mul(ergi_mat3 a, erg_vec3 v)
{
    return (erg_vec3){a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z,
                      a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
                      a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z};
}

// False, and nothing written, when it has no inverse.
static inline bool ergi_mat3_invert(const ergi_mat3 *a, ergi_mat3 *inverse)
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

static inline ergi_mat3 ergi_mat3_from_quat(erg_quat q)
{
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (ergi_mat3){{{1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy)},
                        {2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx)},
                        {2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)}}};
}

// `a` is a rotation. Divides by the largest of the four components, so that it is never small.
static inline erg_quat ergi_quat_from_mat3(ergi_mat3 a)
{
    double   xx = a.m[0][0], yy = a.m[1][1], zz = a.m[2][2];
    erg_quat q;
    if (xx + yy + zz > 0.0) {
        q = (erg_quat){a.m[2][1] - a.m[1][2], a.m[0][2] - a.m[2][0], a.m[1][0] - a.m[0][1],
                       1.0 + xx + yy + zz};
    } else if (xx > yy && xx > zz) {
        q = (erg_quat){1.0 + xx - yy - zz, a.m[0][1] + a.m[1][0], a.m[0][2] + a.m[2][0],
                       a.m[2][1] - a.m[1][2]};
    } else if (yy > zz) {
        q = (erg_quat){a.m[0][1] + a.m[1][0], 1.0 - xx + yy - zz, a.m[1][2] + a.m[2][1],
                       a.m[0][2] - a.m[2][0]};
    } else {
        q = (erg_quat){a.m[0][2] + a.m[2][0], a.m[1][2] + a.m[2][1], 1.0 - xx - yy + zz,
                       a.m[1][0] - a.m[0][1]};
    }
    return ergi_quat_normalize(q);
}

#endif
