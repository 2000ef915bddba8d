// Vectors of eight single-precision numbers. Every operation rounds like its scalar counterpart,
// and none is fused, so that all instruction sets give bitwise identical results.
#ifndef ERGI_PBD_LANES_H
#define ERGI_PBD_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/inline.h"

#if defined(__AVX__)
#include <immintrin.h>
#endif

typedef float   ergi_pbd_vec __attribute__((vector_size(32)));
typedef int32_t ergi_pbd_mask __attribute__((vector_size(32)));
typedef float   ergi_pbd_quad __attribute__((vector_size(16)));

#define ERGI_PBD_FN static inline __attribute__((always_inline))

ERGI_PBD_FN ergi_pbd_vec load8(const float *from)
{
    ergi_pbd_vec r;
    memcpy(&r, from, sizeof r);
    return r;
}

ERGI_PBD_FN void store8(float *to, ergi_pbd_vec v)
{
    memcpy(to, &v, sizeof v);
}

ERGI_PBD_FN ergi_pbd_vec all8(float x)
{
    return (ergi_pbd_vec){x, x, x, x, x, x, x, x};
}

ERGI_PBD_FN ergi_pbd_vec zero8(void)
{
    return all8(0.0f);
}

// Selects `yes` where the mask is set, else `no`.
ERGI_PBD_FN ergi_pbd_vec pick8(ergi_pbd_mask mask, ergi_pbd_vec yes, ergi_pbd_vec no)
{
    return (ergi_pbd_vec)((mask & (ergi_pbd_mask)yes) | (~mask & (ergi_pbd_mask)no));
}

ERGI_PBD_FN ergi_pbd_vec keep8(ergi_pbd_mask mask, ergi_pbd_vec v)
{
    return (ergi_pbd_vec)(mask & (ergi_pbd_mask)v);
}

ERGI_PBD_FN ergi_pbd_vec max8(ergi_pbd_vec a, ergi_pbd_vec b)
{
    return pick8(a > b, a, b);
}

ERGI_PBD_FN ergi_pbd_vec min8(ergi_pbd_vec a, ergi_pbd_vec b)
{
    return pick8(a < b, a, b);
}

ERGI_PBD_FN bool any8(ergi_pbd_mask m)
{
#if defined(__AVX__)
    return !_mm256_testz_si256((__m256i)m, (__m256i)m);
#else
    int32_t r = 0;
    for (int l = 0; l < 8; l++) r |= m[l];
    return r != 0;
#endif
}

ERGI_PBD_FN ergi_pbd_vec sqrt8(ergi_pbd_vec v)
{
#if defined(__AVX__)
    return (ergi_pbd_vec)_mm256_sqrt_ps((__m256)v);
#else
    ergi_pbd_vec r;
    for (int l = 0; l < 8; l++) r[l] = sqrtf(v[l]);
    return r;
#endif
}

ERGI_PBD_FN float highest8(ergi_pbd_vec v)
{
    float r = v[0];
    for (int l = 1; l < 8; l++) r = v[l] > r ? v[l] : r;
    return r;
}

ERGI_PBD_FN float sum8(ergi_pbd_vec v)
{
    float r = 0;
    for (int l = 0; l < 8; l++) r += v[l];
    return r;
}

// ---- Vectors in space, eight at a time ---------------------------------------------------------
typedef struct ergi_pbd_vec3 {
    ergi_pbd_vec x, y, z;
} ergi_pbd_vec3;

// From three consecutive groups of eight floats.
ERGI_PBD_FN ergi_pbd_vec3 vec3_load(const float *from)
{
    return (ergi_pbd_vec3){load8(from), load8(from + 8), load8(from + 16)};
}

ERGI_PBD_FN void vec3_store(float *to, ergi_pbd_vec3 v)
{
    store8(to, v.x);
    store8(to + 8, v.y);
    store8(to + 16, v.z);
}

ERGI_PBD_FN ergi_pbd_vec3 add3(ergi_pbd_vec3 a, ergi_pbd_vec3 b)
{
    return (ergi_pbd_vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

ERGI_PBD_FN ergi_pbd_vec3 sub3(ergi_pbd_vec3 a, ergi_pbd_vec3 b)
{
    return (ergi_pbd_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

ERGI_PBD_FN ergi_pbd_vec3 scale3(ergi_pbd_vec s, ergi_pbd_vec3 a)
{
    return (ergi_pbd_vec3){s * a.x, s * a.y, s * a.z};
}

// a + s b
ERGI_PBD_FN ergi_pbd_vec3 madd3(ergi_pbd_vec3 a, ergi_pbd_vec s, ergi_pbd_vec3 b)
{
    return (ergi_pbd_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

ERGI_PBD_FN ergi_pbd_vec dot3(ergi_pbd_vec3 a, ergi_pbd_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

ERGI_PBD_FN ergi_pbd_vec3 cross3(ergi_pbd_vec3 a, ergi_pbd_vec3 b)
{
    return (ergi_pbd_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// ---- Rows to lanes and back --------------------------------------------------------------------
#define ergi_pbd_shuffle __builtin_shufflevector

// Eight rows of eight numbers become eight columns.
ERGI_PBD_FN void transpose8(ergi_pbd_vec r[8])
{
    ergi_pbd_vec t0 = ergi_pbd_shuffle(r[0], r[1], 0, 8, 1, 9, 4, 12, 5, 13),
                 t1 = ergi_pbd_shuffle(r[0], r[1], 2, 10, 3, 11, 6, 14, 7, 15),
                 t2 = ergi_pbd_shuffle(r[2], r[3], 0, 8, 1, 9, 4, 12, 5, 13),
                 t3 = ergi_pbd_shuffle(r[2], r[3], 2, 10, 3, 11, 6, 14, 7, 15),
                 t4 = ergi_pbd_shuffle(r[4], r[5], 0, 8, 1, 9, 4, 12, 5, 13),
                 t5 = ergi_pbd_shuffle(r[4], r[5], 2, 10, 3, 11, 6, 14, 7, 15),
                 t6 = ergi_pbd_shuffle(r[6], r[7], 0, 8, 1, 9, 4, 12, 5, 13),
                 t7 = ergi_pbd_shuffle(r[6], r[7], 2, 10, 3, 11, 6, 14, 7, 15);
    ergi_pbd_vec u0 = ergi_pbd_shuffle(t0, t2, 0, 1, 8, 9, 4, 5, 12, 13),
                 u1 = ergi_pbd_shuffle(t0, t2, 2, 3, 10, 11, 6, 7, 14, 15),
                 u2 = ergi_pbd_shuffle(t1, t3, 0, 1, 8, 9, 4, 5, 12, 13),
                 u3 = ergi_pbd_shuffle(t1, t3, 2, 3, 10, 11, 6, 7, 14, 15),
                 u4 = ergi_pbd_shuffle(t4, t6, 0, 1, 8, 9, 4, 5, 12, 13),
                 u5 = ergi_pbd_shuffle(t4, t6, 2, 3, 10, 11, 6, 7, 14, 15),
                 u6 = ergi_pbd_shuffle(t5, t7, 0, 1, 8, 9, 4, 5, 12, 13),
                 u7 = ergi_pbd_shuffle(t5, t7, 2, 3, 10, 11, 6, 7, 14, 15);
    r[0] = ergi_pbd_shuffle(u0, u4, 0, 1, 2, 3, 8, 9, 10, 11);
    r[1] = ergi_pbd_shuffle(u1, u5, 0, 1, 2, 3, 8, 9, 10, 11);
    r[2] = ergi_pbd_shuffle(u2, u6, 0, 1, 2, 3, 8, 9, 10, 11);
    r[3] = ergi_pbd_shuffle(u3, u7, 0, 1, 2, 3, 8, 9, 10, 11);
    r[4] = ergi_pbd_shuffle(u0, u4, 4, 5, 6, 7, 12, 13, 14, 15);
    r[5] = ergi_pbd_shuffle(u1, u5, 4, 5, 6, 7, 12, 13, 14, 15);
    r[6] = ergi_pbd_shuffle(u2, u6, 4, 5, 6, 7, 12, 13, 14, 15);
    r[7] = ergi_pbd_shuffle(u3, u7, 4, 5, 6, 7, 12, 13, 14, 15);
}

ERGI_PBD_FN void rows_load(const float *rows, const uint32_t *index, ergi_pbd_vec r[8])
{
    for (int l = 0; l < 8; l++) r[l] = load8(rows + 8 * (size_t)index[l]);
    transpose8(r);
}

ERGI_PBD_FN void rows_store(float *rows, const uint32_t *index, ergi_pbd_vec r[8])
{
    transpose8(r);
    for (int l = 0; l < 8; l++) store8(rows + 8 * (size_t)index[l], r[l]);
}

// Two rows of four numbers in one register.
ERGI_PBD_FN ergi_pbd_vec quads(const float *rows, uint32_t low, uint32_t high)
{
    ergi_pbd_quad a, b;
    memcpy(&a, rows + 4 * (size_t)low, sizeof a);
    memcpy(&b, rows + 4 * (size_t)high, sizeof b);
    return ergi_pbd_shuffle(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
}

ERGI_PBD_FN void quads_transpose(ergi_pbd_vec r[4])
{
    ergi_pbd_vec t0 = ergi_pbd_shuffle(r[0], r[1], 0, 8, 1, 9, 4, 12, 5, 13),
                 t1 = ergi_pbd_shuffle(r[0], r[1], 2, 10, 3, 11, 6, 14, 7, 15),
                 t2 = ergi_pbd_shuffle(r[2], r[3], 0, 8, 1, 9, 4, 12, 5, 13),
                 t3 = ergi_pbd_shuffle(r[2], r[3], 2, 10, 3, 11, 6, 14, 7, 15);
    r[0] = ergi_pbd_shuffle(t0, t2, 0, 1, 8, 9, 4, 5, 12, 13);
    r[1] = ergi_pbd_shuffle(t0, t2, 2, 3, 10, 11, 6, 7, 14, 15);
    r[2] = ergi_pbd_shuffle(t1, t3, 0, 1, 8, 9, 4, 5, 12, 13);
    r[3] = ergi_pbd_shuffle(t1, t3, 2, 3, 10, 11, 6, 7, 14, 15);
}

// Eight rows of four become four columns. Register l holds rows index[l] and index[l + 4] first.
ERGI_PBD_FN void quads_load(const float *rows, const uint32_t *index, ergi_pbd_vec r[4])
{
    for (int l = 0; l < 4; l++) r[l] = quads(rows, index[l], index[l + 4]);
    quads_transpose(r);
}

// As quads_load, for the first four numbers of rows of eight.
ERGI_PBD_FN void moves_load(const float *rows, const uint32_t *index, ergi_pbd_vec r[4])
{
    for (int l = 0; l < 4; l++) r[l] = quads(rows, 2 * index[l], 2 * index[l + 4]);
    quads_transpose(r);
}

ERGI_PBD_FN void quads_store(float *rows, const uint32_t *index, ergi_pbd_vec r[4])
{
    quads_transpose(r);
    for (int l = 0; l < 4; l++) {
        ergi_pbd_quad low = ergi_pbd_shuffle(r[l], r[l], 0, 1, 2, 3),
                      high = ergi_pbd_shuffle(r[l], r[l], 4, 5, 6, 7);
        memcpy(rows + 4 * (size_t)index[l], &low, sizeof low);
        memcpy(rows + 4 * (size_t)index[l + 4], &high, sizeof high);
    }
}

#endif
