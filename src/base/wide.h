// Counts that may pass 2^64: 128 bits in two words, as plain data that can be saved.
#ifndef ERGI_WIDE_H
#define ERGI_WIDE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ergi_wide {
    uint64_t low, high;
} ergi_wide;

static inline ergi_wide ergi_wide_add(ergi_wide a, uint64_t n)
{
    a.low += n;
    a.high += a.low < n;
    return a;
}

// At most what is there.
static inline ergi_wide ergi_wide_subtract(ergi_wide a, uint64_t n)
{
    a.high -= a.low < n;
    a.low -= n;
    return a;
}

// Of two sums, of the lower and of the upper halves of 64-bit numbers; exact for up to 2^32 of
// them.
static inline ergi_wide ergi_wide_of_halves(uint64_t lower, uint64_t upper)
{
    return ergi_wide_add((ergi_wide){upper << 32, upper >> 32}, lower);
}

static inline bool ergi_wide_equal(ergi_wide a, ergi_wide b)
{
    return a.low == b.low && a.high == b.high;
}

static inline double ergi_wide_number(ergi_wide a)
{
    return (double)a.high * 0x1p64 + (double)a.low;
}

#endif
