// Counts that may pass 2^64: 128 bits in two words, as plain data that can be saved.
#ifndef ERGI_U128_H
#define ERGI_U128_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ergi_u128 {
    uint64_t low, high;
} ergi_u128;

static inline ergi_u128 ergi_u128_add(ergi_u128 a, uint64_t n)
{
    a.low += n;
    a.high += a.low < n;
    return a;
}

// At most what is there.
static inline ergi_u128 ergi_u128_subtract(ergi_u128 a, uint64_t n)
{
    a.high -= a.low < n;
    a.low -= n;
    return a;
}

// Of two sums, of the lower and of the upper halves of 64-bit numbers; exact for up to 2^32 of
// them.
static inline ergi_u128 ergi_u128_of_halves(uint64_t lower, uint64_t upper)
{
    return ergi_u128_add((ergi_u128){upper << 32, upper >> 32}, lower);
}

static inline bool ergi_u128_equal(ergi_u128 a, ergi_u128 b)
{
    return a.low == b.low && a.high == b.high;
}

static inline bool ergi_u128_less(ergi_u128 a, ergi_u128 b)
{
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

// At most a.
static inline ergi_u128 ergi_u128_minus(ergi_u128 a, ergi_u128 b)
{
    a = ergi_u128_subtract(a, b.low);
    a.high -= b.high;
    return a;
}

// Rounded down; digit by digit.
static inline ergi_u128 ergi_u128_divide(ergi_u128 a, uint32_t by)
{
    const uint64_t digit[4] = {a.high >> 32, a.high & UINT32_MAX, a.low >> 32, a.low & UINT32_MAX};
    uint64_t       of[4], rest = 0;
    for (int k = 0; k < 4; k++) {
        rest = rest << 32 | digit[k];
        of[k] = rest / by;
        rest %= by;
    }
    return (ergi_u128){of[2] << 32 | of[3], of[0] << 32 | of[1]};
}

static inline double ergi_u128_number(ergi_u128 a)
{
    return (double)a.high * 0x1p64 + (double)a.low;
}

#endif
