// 64-bit hashes for checkpoints, state hashes and hash tables; not cryptographic. Words are read in
// the byte order of the machine.
#ifndef ERGI_HASH_H
#define ERGI_HASH_H

#include "base/inline.h"

#include <stddef.h>
#include <stdint.h>

// A bijection of 64 bits in which every input bit reaches every output bit.
ERG_INLINE uint64_t ergi_mix64(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    return x;
}

// Adds one word to a hash; the order of the words matters.
ERG_INLINE uint64_t ergi_hash_word(uint64_t hash, uint64_t word)
{
    return ergi_mix64((hash * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u) ^ word);
}

// Two blocks that differ in one aligned word of 8 bytes never collide; others collide with a
// probability of 2^-64. About 5 GB/s.
uint64_t ergi_hash_bytes(const void *bytes, size_t size, uint64_t seed);

#endif
