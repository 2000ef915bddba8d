// Morton keys of cells: the bits of three axes, interleaved.
#ifndef ERGI_MORTON_H
#define ERGI_MORTON_H

#include <stdint.h>

#define ERGI_AXIS_BITS 21
#define ERGI_AXIS_CELLS ((int64_t)1 << ERGI_AXIS_BITS)

// Spreads the low 21 bits of x so that two empty bits follow each.
static inline uint64_t ergi_spread(uint64_t x)
{
    x &= 0x1fffff;
    x = (x | x << 32) & 0x001f00000000ffff;
    x = (x | x << 16) & 0x001f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    x = (x | x << 2) & 0x1249249249249249;
    return x;
}

#endif
