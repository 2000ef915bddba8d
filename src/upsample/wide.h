// Vectors of sixteen floats: one AVX-512 register, two AVX2 registers, or a loop. Each lane rounds
// like scalar arithmetic, and multiply-adds are fused only in ergi_wide_fma, so that all
// instruction sets give the same bits.
#ifndef ERGI_UPSAMPLE_WIDE_H
#define ERGI_UPSAMPLE_WIDE_H

#include "law/real.h"

enum { ERGI_WIDE = 16 };

#if defined(__AVX512F__)
#include <immintrin.h>
typedef __m512 ergi_wide;

ERG_FN ergi_wide ergi_wide_load(const float *from)
{
    return _mm512_loadu_ps(from);
}
ERG_FN void ergi_wide_store(float *to, ergi_wide a)
{
    _mm512_storeu_ps(to, a);
}
ERG_FN ergi_wide ergi_wide_all(float x)
{
    return _mm512_set1_ps(x);
}
ERG_FN ergi_wide ergi_wide_add(ergi_wide a, ergi_wide b)
{
    return _mm512_add_ps(a, b);
}
ERG_FN ergi_wide ergi_wide_sub(ergi_wide a, ergi_wide b)
{
    return _mm512_sub_ps(a, b);
}
ERG_FN ergi_wide ergi_wide_mul(ergi_wide a, ergi_wide b)
{
    return _mm512_mul_ps(a, b);
}
ERG_FN ergi_wide ergi_wide_div(ergi_wide a, ergi_wide b)
{
    return _mm512_div_ps(a, b);
}
ERG_FN ergi_wide ergi_wide_fma(ergi_wide a, ergi_wide b, ergi_wide c)
{
    return _mm512_fmadd_ps(a, b, c);
}
// a > b ? a : b, hence b if either is NaN.
ERG_FN ergi_wide ergi_wide_max(ergi_wide a, ergi_wide b)
{
    return _mm512_max_ps(a, b);
}
ERG_FN ergi_wide ergi_wide_abs(ergi_wide a)
{
    return _mm512_abs_ps(a);
}
ERG_FN ergi_wide ergi_wide_sqrt(ergi_wide a)
{
    return _mm512_sqrt_ps(a);
}
ERG_FN uint32_t ergi_wide_below(ergi_wide a, ergi_wide b) // one bit per lane
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}
ERG_FN uint32_t ergi_wide_at_most(ergi_wide a, ergi_wide b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
}
// a where the bit is set, else b.
ERG_FN ergi_wide ergi_wide_choose(uint32_t bits, ergi_wide a, ergi_wide b)
{
    return _mm512_mask_blend_ps((__mmask16)bits, b, a);
}
ERG_FN float ergi_wide_least(ergi_wide a)
{
    return _mm512_reduce_min_ps(a);
}
ERG_FN float ergi_wide_most(ergi_wide a)
{
    return _mm512_reduce_max_ps(a);
}
// Writes first + lane for every set bit; returns their number. May write all sixteen entries.
ERG_FN int ergi_wide_list(uint32_t bits, uint32_t first, uint32_t *list)
{
    __m512i lane =
        _mm512_add_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                         _mm512_set1_epi32((int)first));
    _mm512_storeu_si512(list, _mm512_maskz_compress_epi32((__mmask16)bits, lane));
    return __builtin_popcount(bits);
}

// Stores the lanes whose bit is set contiguously. May write all sixteen entries.
ERG_FN void ergi_wide_pack(float *to, ergi_wide a, uint32_t bits)
{
    _mm512_storeu_ps(to, _mm512_maskz_compress_ps((__mmask16)bits, a));
}
// (place - centre) * step, for differences below 2^31 in magnitude.
ERG_FN ergi_wide ergi_wide_from(const uint32_t *place, uint32_t centre, float step)
{
    __m512i d = _mm512_sub_epi32(_mm512_loadu_si512(place), _mm512_set1_epi32((int)centre));
    return _mm512_mul_ps(_mm512_cvtepi32_ps(d), _mm512_set1_ps(step));
}

#else

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
typedef struct ergi_wide {
    __m256 low, high;
} ergi_wide;

ERG_FN ergi_wide ergi_wide_load(const float *from)
{
    return (ergi_wide){_mm256_loadu_ps(from), _mm256_loadu_ps(from + 8)};
}
ERG_FN void ergi_wide_store(float *to, ergi_wide a)
{
    _mm256_storeu_ps(to, a.low);
    _mm256_storeu_ps(to + 8, a.high);
}
ERG_FN ergi_wide ergi_wide_all(float x)
{
    return (ergi_wide){_mm256_set1_ps(x), _mm256_set1_ps(x)};
}
ERG_FN ergi_wide ergi_wide_add(ergi_wide a, ergi_wide b)
{
    return (ergi_wide){_mm256_add_ps(a.low, b.low), _mm256_add_ps(a.high, b.high)};
}
ERG_FN ergi_wide ergi_wide_sub(ergi_wide a, ergi_wide b)
{
    return (ergi_wide){_mm256_sub_ps(a.low, b.low), _mm256_sub_ps(a.high, b.high)};
}
ERG_FN ergi_wide ergi_wide_mul(ergi_wide a, ergi_wide b)
{
    return (ergi_wide){_mm256_mul_ps(a.low, b.low), _mm256_mul_ps(a.high, b.high)};
}
ERG_FN ergi_wide ergi_wide_div(ergi_wide a, ergi_wide b)
{
    return (ergi_wide){_mm256_div_ps(a.low, b.low), _mm256_div_ps(a.high, b.high)};
}
ERG_FN ergi_wide ergi_wide_fma(ergi_wide a, ergi_wide b, ergi_wide c)
{
    return (ergi_wide){_mm256_fmadd_ps(a.low, b.low, c.low),
                       _mm256_fmadd_ps(a.high, b.high, c.high)};
}
ERG_FN ergi_wide ergi_wide_max(ergi_wide a, ergi_wide b)
{
    return (ergi_wide){_mm256_max_ps(a.low, b.low), _mm256_max_ps(a.high, b.high)};
}
ERG_FN ergi_wide ergi_wide_abs(ergi_wide a)
{
    __m256 sign = _mm256_set1_ps(-0.0f);
    return (ergi_wide){_mm256_andnot_ps(sign, a.low), _mm256_andnot_ps(sign, a.high)};
}
ERG_FN ergi_wide ergi_wide_sqrt(ergi_wide a)
{
    return (ergi_wide){_mm256_sqrt_ps(a.low), _mm256_sqrt_ps(a.high)};
}
ERG_FN uint32_t ergi_wide_below(ergi_wide a, ergi_wide b)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a.low, b.low, _CMP_LT_OQ)) |
           (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a.high, b.high, _CMP_LT_OQ)) << 8;
}
ERG_FN uint32_t ergi_wide_at_most(ergi_wide a, ergi_wide b)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a.low, b.low, _CMP_LE_OQ)) |
           (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a.high, b.high, _CMP_LE_OQ)) << 8;
}
ERG_FN __m256 ergi_wide_mask(uint32_t bits) // of the eight low bits
{
    __m256i lane = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    __m256i set = _mm256_and_si256(_mm256_set1_epi32((int)bits), lane);
    return _mm256_castsi256_ps(_mm256_cmpeq_epi32(set, lane));
}
ERG_FN ergi_wide ergi_wide_choose(uint32_t bits, ergi_wide a, ergi_wide b)
{
    return (ergi_wide){_mm256_blendv_ps(b.low, a.low, ergi_wide_mask(bits)),
                       _mm256_blendv_ps(b.high, a.high, ergi_wide_mask(bits >> 8))};
}
#else
typedef struct ergi_wide {
    float x[ERGI_WIDE];
} ergi_wide;

#define ERGI_WIDE_LANES(value)                                                                     \
    ergi_wide out;                                                                                 \
    for (int k = 0; k < ERGI_WIDE; k++) out.x[k] = (value);                                        \
    return out

ERG_FN ergi_wide ergi_wide_load(const float *from)
{
    ERGI_WIDE_LANES(from[k]);
}
ERG_FN void ergi_wide_store(float *to, ergi_wide a)
{
    memcpy(to, a.x, sizeof a.x);
}
ERG_FN ergi_wide ergi_wide_all(float x)
{
    ERGI_WIDE_LANES(x);
}
ERG_FN ergi_wide ergi_wide_add(ergi_wide a, ergi_wide b)
{
    ERGI_WIDE_LANES(a.x[k] + b.x[k]);
}
ERG_FN ergi_wide ergi_wide_sub(ergi_wide a, ergi_wide b)
{
    ERGI_WIDE_LANES(a.x[k] - b.x[k]);
}
ERG_FN ergi_wide ergi_wide_mul(ergi_wide a, ergi_wide b)
{
    ERGI_WIDE_LANES(a.x[k] * b.x[k]);
}
ERG_FN ergi_wide ergi_wide_div(ergi_wide a, ergi_wide b)
{
    ERGI_WIDE_LANES(a.x[k] / b.x[k]);
}
ERG_FN ergi_wide ergi_wide_fma(ergi_wide a, ergi_wide b, ergi_wide c)
{
    ERGI_WIDE_LANES(ergi_fma(a.x[k], b.x[k], c.x[k]));
}
ERG_FN ergi_wide ergi_wide_max(ergi_wide a, ergi_wide b)
{
    ERGI_WIDE_LANES(a.x[k] > b.x[k] ? a.x[k] : b.x[k]);
}
ERG_FN ergi_wide ergi_wide_abs(ergi_wide a)
{
    ERGI_WIDE_LANES(fabsf(a.x[k]));
}
ERG_FN ergi_wide ergi_wide_sqrt(ergi_wide a)
{
    ERGI_WIDE_LANES(sqrtf(a.x[k]));
}
ERG_FN uint32_t ergi_wide_below(ergi_wide a, ergi_wide b)
{
    uint32_t bits = 0;
    for (int k = 0; k < ERGI_WIDE; k++) bits |= (uint32_t)(a.x[k] < b.x[k]) << k;
    return bits;
}
ERG_FN uint32_t ergi_wide_at_most(ergi_wide a, ergi_wide b)
{
    uint32_t bits = 0;
    for (int k = 0; k < ERGI_WIDE; k++) bits |= (uint32_t)(a.x[k] <= b.x[k]) << k;
    return bits;
}
ERG_FN ergi_wide ergi_wide_choose(uint32_t bits, ergi_wide a, ergi_wide b)
{
    ERGI_WIDE_LANES(bits >> k & 1 ? a.x[k] : b.x[k]);
}
#endif

ERG_FN void ergi_wide_pack(float *to, ergi_wide a, uint32_t bits)
{
    float x[ERGI_WIDE];
    ergi_wide_store(x, a);
    for (; bits; bits &= bits - 1) *to++ = x[__builtin_ctz(bits)];
}
ERG_FN ergi_wide ergi_wide_from(const uint32_t *place, uint32_t centre, float step)
{
    float x[ERGI_WIDE];
    for (int k = 0; k < ERGI_WIDE; k++) x[k] = (float)(int32_t)(place[k] - centre) * step;
    return ergi_wide_load(x);
}
ERG_FN float ergi_wide_least(ergi_wide a)
{
    float x[ERGI_WIDE];
    ergi_wide_store(x, a);
    for (int k = 1; k < ERGI_WIDE; k++) x[0] = x[k] < x[0] ? x[k] : x[0];
    return x[0];
}
ERG_FN float ergi_wide_most(ergi_wide a)
{
    float x[ERGI_WIDE];
    ergi_wide_store(x, a);
    for (int k = 1; k < ERGI_WIDE; k++) x[0] = x[k] > x[0] ? x[k] : x[0];
    return x[0];
}
ERG_FN int ergi_wide_list(uint32_t bits, uint32_t first, uint32_t *list)
{
    int count = 0;
    for (; bits; bits &= bits - 1) list[count++] = first + (uint32_t)__builtin_ctz(bits);
    return count;
}
#endif

#endif
