// 4 x 4 matrices for OpenGL: float, column-major.
#ifndef ERGI_MATRIX_H
#define ERGI_MATRIX_H

#include "erg/base.h"

typedef struct ergi_matrix {
    float m[16]; // element (row, column) at 4 column + row
} ergi_matrix;

ergi_matrix ergi_matrix_multiply(const ergi_matrix *a, const ergi_matrix *b);

// View matrix: from a frame with its origin at `origin` to the eye frame, which looks along -z.
ergi_matrix ergi_matrix_look(erg_vec3 eye, erg_vec3 target, erg_vec3 up, erg_vec3 origin);

// `angle`: vertical field of view [degrees]; depths are positive.
ergi_matrix ergi_matrix_perspective(double angle, double aspect, double near, double far);

// Orthographic projection of what lies within `half` of the axis, at depths from near to far.
ergi_matrix ergi_matrix_parallel(double half, double near, double far);

// Inverse of a rotation with translation.
ergi_matrix ergi_matrix_inverse_rigid(const ergi_matrix *a);

void ergi_matrix_point(const ergi_matrix *a, const float p[3], float out[3]);
void ergi_matrix_direction(const ergi_matrix *a, const float d[3], float out[3]);

#endif
