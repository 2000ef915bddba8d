// Compaction: stores the selected lanes of a row of eight next to each other. Branch-free, because
// a branch per lane would be mispredicted about every third time. All eight elements from `to` on
// may be overwritten. Included by pair_pass.h only.
#ifndef ERGI_COMPACT_H
#define ERGI_COMPACT_H

#include "dem/lanes.h"

// Expands bits to bytes: byte k is 1 if bit k is set.
ERG_FN uint64_t bytes_of_bits(uint32_t bits)
{
    const uint64_t one = 0x0101010101010101, each = 0x8040201008040201;
    return (((bits * one) & each) + (0x80 - 1) * one) >> 7 & one;
}

#if defined(__AVX512VL__) && !defined(ERG_REAL_DOUBLE)

#include <immintrin.h>

ERG_FN void compact_row(erg_real *to, ergi_rows r, uint32_t bits)
{
    _mm256_storeu_ps(to, _mm256_maskz_compress_ps((__mmask8)bits, (__m256)r));
}

// Compacts the indices first, first + 1, ... of the selected lanes.
ERG_FN void compact_indices(uint32_t *to, uint32_t first, uint32_t bits)
{
    __m256i at =
        _mm256_add_epi32(_mm256_set1_epi32((int)first), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    _mm256_storeu_si256((void *)to, _mm256_maskz_compress_epi32((__mmask8)bits, at));
}

#else

ERG_FN void compact_row(erg_real *to, ergi_rows r, uint32_t bits)
{
    erg_real number[8];
    ergi_rows_store(number, r);
    for (uint32_t k = 0, n = 0; k < 8; k++) {
        to[n] = number[k];
        n += bits >> k & 1;
    }
}

ERG_FN void compact_indices(uint32_t *to, uint32_t first, uint32_t bits)
{
    for (uint32_t k = 0, n = 0; k < 8; k++) {
        to[n] = first + k;
        n += bits >> k & 1;
    }
}

#endif
#endif
