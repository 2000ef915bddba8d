// Fused multiply-add rounds once, also where the processor lacks it: against the library's fmaf.
// labels: clang asan
#include "base/hash.h"
#include "check.h"
#include "law/real.h"

static float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static bool same(float a, float b, float c)
{
    float got = ergi_fma(a, b, c), wanted = fmaf(a, b, c);
    if (isnan(wanted)) return isnan(got);
    return bits_of(got) == bits_of(wanted);
}

// Exponents within a few steps of 1: what the sum loses matters.
static float near_one(uint64_t random)
{
    return float_of((uint32_t)(random & 0x807fffff) | (uint32_t)(123 + (random >> 40) % 9) << 23);
}

TEST(any_numbers)
{
    for (uint64_t k = 0; k < 2000000; k++) {
        uint64_t r = ergi_mix64(k), s = ergi_mix64(~k);
        CHECK(same(float_of((uint32_t)r), float_of((uint32_t)(r >> 32)), float_of((uint32_t)s)));
    }
}

TEST(numbers_of_like_size)
{
    for (uint64_t k = 0; k < 2000000; k++)
        CHECK(same(near_one(ergi_mix64(3 * k)), near_one(ergi_mix64(3 * k + 1)),
                   near_one(ergi_mix64(3 * k + 2))));
}

// Half way between two floats, and slightly off it, where rounding twice gives a wrong result.
TEST(halfway)
{
    int differs = 0;
    for (uint64_t k = 0; k < 1000000; k++) {
        uint64_t r = ergi_mix64(k);
        float    c = near_one(r);
        int      exponent;
        (void)frexpf(c, &exponent);
        float half = ldexpf(1, exponent - 25); // half a step of c
        float sign = r >> 60 & 1 ? -1.0f : 1.0f,
              a = sign * half * (1 + 0x1p-23f * (float)(r >> 61)),
              b = 1 + 0x1p-23f * (float)((r >> 50 & 7)) - 0x1p-24f * (float)((r >> 53 & 7));
        CHECK(same(a, b, c));
        differs += bits_of((float)((double)a * (double)b + (double)c)) != bits_of(fmaf(a, b, c));
    }
    CHECK(differs > 1000);
}

TEST(edges)
{
    const float edge[] = {0.0f,      -0.0f,           1.0f,
                          -1.0f,     0x1p-149f,       -0x1p-149f,
                          0x1p-126f, 0x1.fffffep127f, -0x1.fffffep127f,
                          INFINITY,  -INFINITY,       NAN,
                          0x1p-75f,  0x1.000002p-75f};
    enum { EDGES = sizeof edge / sizeof *edge };
    for (int i = 0; i < EDGES; i++)
        for (int k = 0; k < EDGES; k++)
            for (int l = 0; l < EDGES; l++) CHECK(same(edge[i], edge[k], edge[l]));
}

TEST_MAIN(any_numbers, numbers_of_like_size, halfway, edges)
