#include "draw/matrix.h"

#include "geom/vec3.h"

ergi_matrix ergi_matrix_multiply(const ergi_matrix *a, const ergi_matrix *b)
{
    ergi_matrix c;
    for (int col = 0; col < 4; col++)
        for (int row = 0; row < 4; row++) {
            float sum = 0;
            for (int k = 0; k < 4; k++) sum += a->m[4 * k + row] * b->m[4 * col + k];
            c.m[4 * col + row] = sum;
        }
    return c;
}

ergi_matrix ergi_matrix_look(erg_vec3 eye, erg_vec3 target, erg_vec3 up, erg_vec3 origin)
{
    erg_vec3 back = ergi_normalize(ergi_sub(eye, target));
    erg_vec3 right = ergi_cross(up, back);
    // Looking along `up`: any direction will do.
    if (ergi_norm(right) < 1e-9 * ergi_norm(up)) right = ergi_perpendicular(back);
    right = ergi_normalize(right);
    erg_vec3       top = ergi_cross(back, right), shift = ergi_sub(origin, eye);
    const erg_vec3 axis[3] = {right, top, back};
    ergi_matrix    a = {{0}};
    for (int row = 0; row < 3; row++) {
        a.m[row] = (float)axis[row].x;
        a.m[4 + row] = (float)axis[row].y;
        a.m[8 + row] = (float)axis[row].z;
        a.m[12 + row] = (float)ergi_dot(axis[row], shift);
    }
    a.m[15] = 1;
    return a;
}

ergi_matrix ergi_matrix_perspective(double angle, double aspect, double near, double far)
{
    double      f = 1.0 / tan(0.5 * angle * ERGI_PI / 180.0);
    ergi_matrix a = {{0}};
    a.m[0] = (float)(f / aspect);
    a.m[5] = (float)f;
    a.m[10] = (float)(-(far + near) / (far - near));
    a.m[11] = -1;
    a.m[14] = (float)(-2.0 * far * near / (far - near));
    return a;
}

ergi_matrix ergi_matrix_parallel(double half, double near, double far)
{
    ergi_matrix a = {{0}};
    a.m[0] = a.m[5] = (float)(1.0 / half);
    a.m[10] = (float)(-2.0 / (far - near));
    a.m[14] = (float)(-(far + near) / (far - near));
    a.m[15] = 1;
    return a;
}

ergi_matrix ergi_matrix_inverse_rigid(const ergi_matrix *a)
{
    ergi_matrix b = {{0}};
    for (int row = 0; row < 3; row++) {
        for (int col = 0; col < 3; col++) b.m[4 * col + row] = a->m[4 * row + col];
        for (int k = 0; k < 3; k++) b.m[12 + row] -= a->m[4 * row + k] * a->m[12 + k];
    }
    b.m[15] = 1;
    return b;
}

void ergi_matrix_direction(const ergi_matrix *a, const float d[3], float out[3])
{
    for (int row = 0; row < 3; row++)
        out[row] = a->m[row] * d[0] + a->m[4 + row] * d[1] + a->m[8 + row] * d[2];
}

void ergi_matrix_point(const ergi_matrix *a, const float p[3], float out[3])
{
    ergi_matrix_direction(a, p, out);
    for (int row = 0; row < 3; row++) out[row] += a->m[12 + row];
}
