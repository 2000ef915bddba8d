#include "base/random.h"

#include "base/hash.h"

#include <math.h>

#define TWO_PI 6.28318530717958647693

void ergi_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xD2511F53u * c0;
        uint64_t p1 = (uint64_t)0xCD9E8D57u * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)p1;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

// One block of 128 bits. Streams of one seed always have different keys (mix64 is a bijection); id,
// step and draw have their own bits of the counter.
static void draw(ergi_random *r, uint64_t out[2])
{
    uint64_t key = ergi_mix64(ergi_mix64(r->seed + 0x9e3779b97f4a7c15u) ^ r->stream);
    uint64_t when = r->step << 24 | (r->draw & 0xffffffu);
    uint32_t counter[4] = {(uint32_t)r->id, (uint32_t)(r->id >> 32), (uint32_t)when,
                           (uint32_t)(when >> 32)};
    uint32_t keys[2] = {(uint32_t)key, (uint32_t)(key >> 32)};
    uint32_t block[4];
    ergi_philox(counter, keys, block);
    out[0] = (uint64_t)block[1] << 32 | block[0];
    out[1] = (uint64_t)block[3] << 32 | block[2];
    r->draw++;
}

static double unit(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

uint64_t ergi_random_u64(ergi_random *r)
{
    uint64_t bits[2];
    draw(r, bits);
    return bits[0];
}

double ergi_random_uniform(ergi_random *r)
{
    return unit(ergi_random_u64(r));
}

double ergi_random_range(ergi_random *r, double from, double to)
{
    return from + (to - from) * ergi_random_uniform(r);
}

// Box and Muller, Ann. Math. Stat. 29 (1958) 610; the second number of the pair is discarded,
// because the generator has no state.
double ergi_random_normal(ergi_random *r)
{
    uint64_t bits[2];
    draw(r, bits);
    double u = 1.0 - unit(bits[0]); // above 0 for the logarithm
    return sqrt(-2.0 * log(u)) * cos(TWO_PI * unit(bits[1]));
}

// Uses height and angle on the sphere instead of rejection: always two draws.
erg_vec3 ergi_random_in_ball(ergi_random *r)
{
    uint64_t bits[2];
    draw(r, bits);
    double z = 2.0 * unit(bits[0]) - 1.0;
    double angle = TWO_PI * unit(bits[1]);
    double across = sqrt(1.0 - z * z);
    double radius = cbrt(ergi_random_uniform(r));
    return (erg_vec3){radius * across * cos(angle), radius * across * sin(angle), radius * z};
}

// Shoemake, Uniform random rotations, Graphics Gems III (1992).
erg_quat ergi_random_rotation(ergi_random *r)
{
    uint64_t bits[2];
    draw(r, bits);
    double u = unit(bits[0]);
    double a = TWO_PI * unit(bits[1]);
    double b = TWO_PI * ergi_random_uniform(r);
    double s = sqrt(1.0 - u), t = sqrt(u);
    return (erg_quat){s * sin(a), s * cos(a), t * sin(b), t * cos(b)};
}
