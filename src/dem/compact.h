// Keeping the candidates that touch: a branch for each would be guessed wrong every third time.
// Included by the pair pass alone.
#ifndef ERGI_COMPACT_H
#define ERGI_COMPACT_H

#include "law/row.h"

#if defined(__AVX512VL__) && defined(__AVX512DQ__) && !defined(ERG_REAL_DOUBLE)

#include <immintrin.h>

// Moves the columns' numbers k for which touches[k] is set to the front, writes first + k to
// `entry`, and returns how many there are. `count` is a multiple of 8.
ERG_FN uint32_t compact(erg_real *const column[4], const int32_t *touches, uint32_t count,
                        uint32_t first, uint32_t *entry)
{
    uint32_t n = 0;
    __m256i  at =
        _mm256_add_epi32(_mm256_set1_epi32((int)first), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    for (uint32_t k = 0; k < count; k += 8) {
        __mmask8 mask = _mm256_movepi32_mask(_mm256_loadu_si256((const void *)(touches + k)));
        for (int c = 0; c < 4; c++)
            _mm256_storeu_ps(column[c] + n,
                             _mm256_maskz_compress_ps(mask, _mm256_loadu_ps(column[c] + k)));
        _mm256_storeu_si256((void *)(entry + n), _mm256_maskz_compress_epi32(mask, at));
        at = _mm256_add_epi32(at, _mm256_set1_epi32(8));
        n += (uint32_t)__builtin_popcount(mask);
    }
    return n;
}

#else

ERG_FN uint32_t compact(erg_real *const column[4], const int32_t *touches, uint32_t count,
                        uint32_t first, uint32_t *entry)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < count; k++) {
        for (int c = 0; c < 4; c++) column[c][n] = column[c][k];
        entry[n] = first + k;
        n -= (uint32_t)touches[k]; // -1 where set
    }
    return n;
}

#endif
#endif
