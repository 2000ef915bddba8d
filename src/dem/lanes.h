// SIMD rows: four numbers, such as a position with its radius, or eight, such as velocity and spin
// or force and torque. Arithmetic is lane by lane and rounds like scalar arithmetic, so that the
// same source gives bitwise the same results with every instruction set.
#ifndef ERGI_LANES_H
#define ERGI_LANES_H

#include <stdint.h>
#include <string.h>

#include "law/real.h"

typedef double   ergi_row64 __attribute__((vector_size(32)));
typedef erg_real ergi_row __attribute__((vector_size(4 * sizeof(erg_real))));

ERG_FN ergi_row64 ergi_row64_load(const double *from)
{
    ergi_row64 r;
    memcpy(&r, from, sizeof r);
    return r;
}

ERG_FN void ergi_row64_store(double *to, ergi_row64 r)
{
    memcpy(to, &r, sizeof r);
}

ERG_FN ergi_row ergi_row_load(const erg_real *from)
{
    ergi_row r;
    memcpy(&r, from, sizeof r);
    return r;
}

ERG_FN void ergi_row_store(erg_real *to, ergi_row r)
{
    memcpy(to, &r, sizeof r);
}

#if defined(__AVX__) && !defined(ERG_REAL_DOUBLE)
#include <immintrin.h>
#endif

// Access three numbers and no memory beyond them: load sets the fourth to 0, store ignores it.
#if defined(__AVX512VL__) && !defined(ERG_REAL_DOUBLE)
ERG_FN ergi_row ergi_row_load3(const erg_real *from)
{
    return (ergi_row)_mm_maskz_loadu_ps(7, from);
}
ERG_FN void ergi_row_store3(erg_real *to, ergi_row r)
{
    _mm_mask_storeu_ps(to, 7, (__m128)r);
}
#elif defined(__AVX__) && !defined(ERG_REAL_DOUBLE)
ERG_FN ergi_row ergi_row_load3(const erg_real *from)
{
    return (ergi_row)_mm_maskload_ps(from, _mm_setr_epi32(-1, -1, -1, 0));
}
ERG_FN void ergi_row_store3(erg_real *to, ergi_row r)
{
    _mm_maskstore_ps(to, _mm_setr_epi32(-1, -1, -1, 0), (__m128)r);
}
#else
ERG_FN ergi_row ergi_row_load3(const erg_real *from)
{
    return (ergi_row){from[0], from[1], from[2], 0};
}
ERG_FN void ergi_row_store3(erg_real *to, ergi_row r)
{
    memcpy(to, &r, 3 * sizeof *to);
}
#endif

// Intrinsics, because gcc compiles __builtin_convertvector to four instructions here.
#if defined(__AVX__) && !defined(ERG_REAL_DOUBLE)
ERG_FN ergi_row64 ergi_row_widen(ergi_row r)
{
    return (ergi_row64)_mm256_cvtps_pd((__m128)r);
}
ERG_FN ergi_row ergi_row_narrow(ergi_row64 r)
{
    return (ergi_row)_mm256_cvtpd_ps((__m256d)r);
}
#else
ERG_FN ergi_row64 ergi_row_widen(ergi_row r)
{
    return __builtin_convertvector(r, ergi_row64);
}
ERG_FN ergi_row ergi_row_narrow(ergi_row64 r)
{
    return __builtin_convertvector(r, ergi_row);
}
#endif

ERG_FN ergi_row ergi_row_all(erg_real x)
{
    return (ergi_row){x, x, x, x};
}

// Marks on the lanes of a row: a lane is marked if it is negative.
#if defined(ERG_REAL_DOUBLE)
typedef int64_t ergi_row_mask __attribute__((vector_size(32)));
#define ERGI_ROW_MAGNITUDE INT64_MAX
#else
typedef int32_t ergi_row_mask __attribute__((vector_size(16)));
#define ERGI_ROW_MAGNITUDE INT32_MAX
#endif

// Marks lanes where |r| is above the limit or NaN. Positive floating-point numbers order as their
// bits do, and NaN is above all of them. Marks are combined with |.
ERG_FN ergi_row_mask ergi_row_beyond(ergi_row r, ergi_row limit)
{
    return (ergi_row_mask)limit - ((ergi_row_mask)r & ERGI_ROW_MAGNITUDE);
}

ERG_FN bool ergi_row_marked(ergi_row_mask m)
{
    return (m[0] | m[1] | m[2] | m[3]) < 0;
}
// Larger of `most` (>= 0) and |r|, compared by their bits: NaN is kept.
ERG_FN ergi_row ergi_row_larger(ergi_row most, ergi_row r)
{
    ergi_row_mask a = (ergi_row_mask)most, b = (ergi_row_mask)r & ERGI_ROW_MAGNITUDE;
#if defined(__AVX__) && !defined(ERG_REAL_DOUBLE)
    return (ergi_row)_mm_max_epi32((__m128i)a, (__m128i)b);
#else
    ergi_row_mask more = b > a;
    return (ergi_row)((b & more) | (a & ~more));
#endif
}

// Number k of row c becomes number c of row k.
ERG_FN void ergi_row_transpose(ergi_row r[4])
{
    ergi_row a = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5),
             b = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7),
             c = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5),
             d = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    r[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    r[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

ERG_FN void ergi_row64_transpose(ergi_row64 r[4])
{
    ergi_row64 a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6),
               b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7),
               c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6),
               d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    r[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    r[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

// Cross product of the first three numbers; the fourth comes out as 0.
ERG_FN ergi_row ergi_row_cross(ergi_row a, ergi_row b)
{
    ergi_row c = a * __builtin_shufflevector(b, b, 1, 2, 0, 3) -
                 __builtin_shufflevector(a, a, 1, 2, 0, 3) * b;
    return __builtin_shufflevector(c, c, 1, 2, 0, 3);
}

// a b + c, rounded once.
ERG_FN ergi_row ergi_row_fma(ergi_row a, ergi_row b, ergi_row c)
{
    return (ergi_row){ergi_fma(a[0], b[0], c[0]), ergi_fma(a[1], b[1], c[1]),
                      ergi_fma(a[2], b[2], c[2]), ergi_fma(a[3], b[3], c[3])};
}

// ---- Rows of eight -----------------------------------------------------------------------------
// One AVX register, or two rows of four. ergi_rows_transpose transposes each half separately.
#if defined(__AVX__) && !defined(ERG_REAL_DOUBLE)
typedef erg_real ergi_rows __attribute__((vector_size(8 * sizeof(erg_real))));

ERG_FN ergi_rows ergi_rows_load(const erg_real *from)
{
    ergi_rows r;
    memcpy(&r, from, sizeof r);
    return r;
}
ERG_FN void ergi_rows_store(erg_real *to, ergi_rows r)
{
    memcpy(to, &r, sizeof r);
}
ERG_FN ergi_rows ergi_rows_of(ergi_row low, ergi_row high)
{
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}
ERG_FN ergi_row ergi_rows_low(ergi_rows r)
{
    return __builtin_shufflevector(r, r, 0, 1, 2, 3);
}
ERG_FN ergi_row ergi_rows_high(ergi_rows r)
{
    return __builtin_shufflevector(r, r, 4, 5, 6, 7);
}
ERG_FN ergi_rows ergi_rows_add(ergi_rows a, ergi_rows b)
{
    return a + b;
}
ERG_FN ergi_rows ergi_rows_sub(ergi_rows a, ergi_rows b)
{
    return a - b;
}
ERG_FN ergi_rows ergi_rows_mul(ergi_rows a, ergi_rows b)
{
    return a * b;
}
// a b + c, rounded once.
ERG_FN ergi_rows ergi_rows_fma(ergi_rows a, ergi_rows b, ergi_rows c)
{
#if defined(__FMA__)
    return (ergi_rows)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
    return ergi_rows_of(ergi_row_fma(ergi_rows_low(a), ergi_rows_low(b), ergi_rows_low(c)),
                        ergi_row_fma(ergi_rows_high(a), ergi_rows_high(b), ergi_rows_high(c)));
#endif
}
// The last number of each half, four times.
ERG_FN ergi_rows ergi_rows_last(ergi_rows r)
{
    return __builtin_shufflevector(r, r, 3, 3, 3, 3, 7, 7, 7, 7);
}
// The low halves of both; *high gets the high ones.
ERG_FN ergi_rows ergi_rows_halves(ergi_rows a, ergi_rows b, ergi_rows *high)
{
    *high = __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
}
// Marks as for rows of four; mark_beyond adds to existing marks.
typedef int32_t       ergi_rows_mask __attribute__((vector_size(32)));
ERG_FN ergi_rows_mask ergi_rows_unmarked(void)
{
    return (ergi_rows_mask){0};
}
ERG_FN ergi_rows_mask ergi_rows_mark_beyond(ergi_rows_mask m, ergi_rows r, ergi_rows limit)
{
    return m | ((ergi_rows_mask)limit - ((ergi_rows_mask)r & ERGI_ROW_MAGNITUDE));
}
ERG_FN bool ergi_rows_marked(ergi_rows_mask m)
{
    return _mm256_movemask_ps((__m256)m) != 0;
}
ERG_FN ergi_rows ergi_rows_larger(ergi_rows most, ergi_rows r)
{
    return (ergi_rows)_mm256_max_epi32((__m256i)most,
                                       (__m256i)((ergi_rows_mask)r & ERGI_ROW_MAGNITUDE));
}
// Bit k is set if a[k] < b[k].
ERG_FN uint32_t ergi_rows_below(ergi_rows a, ergi_rows b)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_LT_OQ));
}
ERG_FN void ergi_rows_transpose(ergi_rows r[4])
{
    ergi_rows a = __builtin_shufflevector(r[0], r[1], 0, 8, 1, 9, 4, 12, 5, 13),
              b = __builtin_shufflevector(r[0], r[1], 2, 10, 3, 11, 6, 14, 7, 15),
              c = __builtin_shufflevector(r[2], r[3], 0, 8, 1, 9, 4, 12, 5, 13),
              d = __builtin_shufflevector(r[2], r[3], 2, 10, 3, 11, 6, 14, 7, 15);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 8, 9, 4, 5, 12, 13);
    r[1] = __builtin_shufflevector(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
    r[2] = __builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
}
#else
typedef struct ergi_rows {
    ergi_row low, high;
} ergi_rows;

ERG_FN ergi_rows ergi_rows_load(const erg_real *from)
{
    return (ergi_rows){ergi_row_load(from), ergi_row_load(from + 4)};
}
ERG_FN void ergi_rows_store(erg_real *to, ergi_rows r)
{
    ergi_row_store(to, r.low);
    ergi_row_store(to + 4, r.high);
}
ERG_FN ergi_rows ergi_rows_of(ergi_row low, ergi_row high)
{
    return (ergi_rows){low, high};
}
ERG_FN ergi_row ergi_rows_low(ergi_rows r)
{
    return r.low;
}
ERG_FN ergi_row ergi_rows_high(ergi_rows r)
{
    return r.high;
}
ERG_FN ergi_rows ergi_rows_add(ergi_rows a, ergi_rows b)
{
    return (ergi_rows){a.low + b.low, a.high + b.high};
}
ERG_FN ergi_rows ergi_rows_sub(ergi_rows a, ergi_rows b)
{
    return (ergi_rows){a.low - b.low, a.high - b.high};
}
ERG_FN ergi_rows ergi_rows_mul(ergi_rows a, ergi_rows b)
{
    return (ergi_rows){a.low * b.low, a.high * b.high};
}
ERG_FN ergi_rows ergi_rows_fma(ergi_rows a, ergi_rows b, ergi_rows c)
{
    return (ergi_rows){ergi_row_fma(a.low, b.low, c.low), ergi_row_fma(a.high, b.high, c.high)};
}
ERG_FN ergi_rows ergi_rows_last(ergi_rows r)
{
    return (ergi_rows){__builtin_shufflevector(r.low, r.low, 3, 3, 3, 3),
                       __builtin_shufflevector(r.high, r.high, 3, 3, 3, 3)};
}
ERG_FN ergi_rows ergi_rows_halves(ergi_rows a, ergi_rows b, ergi_rows *high)
{
    *high = (ergi_rows){a.high, b.high};
    return (ergi_rows){a.low, b.low};
}
typedef struct ergi_rows_mask {
    ergi_row_mask low, high;
} ergi_rows_mask;
ERG_FN ergi_rows_mask ergi_rows_unmarked(void)
{
    return (ergi_rows_mask){{0}, {0}};
}
ERG_FN ergi_rows_mask ergi_rows_mark_beyond(ergi_rows_mask m, ergi_rows r, ergi_rows limit)
{
    return (ergi_rows_mask){m.low | ergi_row_beyond(r.low, limit.low),
                            m.high | ergi_row_beyond(r.high, limit.high)};
}
ERG_FN bool ergi_rows_marked(ergi_rows_mask m)
{
    return ergi_row_marked(m.low | m.high);
}
ERG_FN ergi_rows ergi_rows_larger(ergi_rows most, ergi_rows r)
{
    return (ergi_rows){ergi_row_larger(most.low, r.low), ergi_row_larger(most.high, r.high)};
}
ERG_FN uint32_t ergi_rows_below(ergi_rows a, ergi_rows b)
{
    uint32_t bits = 0;
    for (int k = 0; k < 4; k++)
        bits |= (uint32_t)(a.low[k] < b.low[k]) << k | (uint32_t)(a.high[k] < b.high[k]) << (k + 4);
    return bits;
}
ERG_FN void ergi_rows_transpose(ergi_rows r[4])
{
    ergi_row low[4] = {r[0].low, r[1].low, r[2].low, r[3].low},
             high[4] = {r[0].high, r[1].high, r[2].high, r[3].high};
    ergi_row_transpose(low);
    ergi_row_transpose(high);
    for (int k = 0; k < 4; k++) r[k] = (ergi_rows){low[k], high[k]};
}
#endif

ERG_FN ergi_rows ergi_rows_all(erg_real x)
{
    return ergi_rows_of(ergi_row_all(x), ergi_row_all(x));
}

#endif
