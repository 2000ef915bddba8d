#include "base/hash.h"

#include <string.h>

// Four lanes keep four multiplications in flight. Each step is a bijection of the lane for a given
// word and of the word for a given lane, so one changed word always changes the hash.
enum { LANES = 4, STRIPE = LANES * sizeof(uint64_t) };

static uint64_t load(const unsigned char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

static uint64_t mix_word(uint64_t lane, uint64_t word)
{
    lane = (lane ^ word) * 0x9fb21c651e98df25u;
    return lane ^ lane >> 32;
}

uint64_t ergi_hash_bytes(const void *bytes, size_t size, uint64_t seed)
{
    const unsigned char *p = bytes;
    uint64_t             hash = ergi_hash_word(seed, size);
    uint64_t             lane[LANES];
    for (int i = 0; i < LANES; i++) lane[i] = ergi_hash_word(hash, (uint64_t)i);

    size_t left = size;
    for (; left >= STRIPE; left -= STRIPE, p += STRIPE) {
        for (int i = 0; i < LANES; i++) lane[i] = mix_word(lane[i], load(p + 8 * i));
    }
    for (int i = 0; i < LANES; i++) hash = ergi_hash_word(hash, lane[i]);

    for (; left >= 8; left -= 8, p += 8) hash = ergi_hash_word(hash, load(p));
    if (left > 0) {
        unsigned char tail[8] = {0};
        memcpy(tail, p, left);
        hash = ergi_hash_word(hash, load(tail));
    }
    return hash;
}
