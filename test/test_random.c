#include "base/random.h"
#include "check.h"

// Known answers published with Random123 (Salmon et al. 2011) for philox4x32, 10 rounds.
TEST(philox_gives_the_published_answers)
{
    static const uint32_t cases[3][10] = {
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d,
         0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09,
         0x94fdcceb, 0x5001e420, 0x24126ea1}};
    for (int i = 0; i < 3; i++) {
        uint32_t out[4];
        ergi_philox(cases[i], cases[i] + 4, out);
        for (int k = 0; k < 4; k++) CHECK(out[k] == cases[i][6 + k]);
    }
}

TEST(every_part_of_the_key_matters)
{
    const ergi_random plain = {.seed = 1, .stream = 2, .id = 3, .step = 4};
    ergi_random       r[7] = {plain, plain, plain, plain, plain, plain, plain};
    r[1].seed = 2;
    r[2].stream = 3;
    r[3].id = 3 + (1ull << 32);
    r[4].step = 4 + (1ull << 39);
    r[5].draw = 1;
    r[6].seed = 2, r[6].stream = 1; // not the sum of the two
    uint64_t got[7];
    for (int i = 0; i < 7; i++) got[i] = ergi_random_u64(&r[i]);
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < i; j++) CHECK(got[i] != got[j]);
    }
    ergi_random again = plain;
    CHECK(ergi_random_u64(&again) == got[0]);
    CHECK(again.draw == 1);
    CHECK(ergi_random_u64(&again) == got[5]);
}

TEST(uniform_and_normal_have_their_moments)
{
    enum { N = 200000 };
    ergi_random r = {.seed = 7};
    double      sum = 0.0, squares = 0.0, normal = 0.0, normal2 = 0.0, normal4 = 0.0;
    for (int i = 0; i < N; i++) {
        double u = ergi_random_uniform(&r), g = ergi_random_normal(&r);
        CHECK(u >= 0.0 && u < 1.0);
        sum += u;
        squares += u * u;
        normal += g;
        normal2 += g * g;
        normal4 += g * g * g * g;
    }
    CHECK_NEAR(sum / N, 0.5, 0.004);
    CHECK_NEAR(squares / N, 1.0 / 3.0, 0.004);
    CHECK_NEAR(normal / N, 0.0, 0.01);
    CHECK_NEAR(normal2 / N, 1.0, 0.02);
    CHECK_NEAR(normal4 / N, 3.0, 0.1);
}

TEST(ball_and_rotation_are_even)
{
    enum { N = 100000 };
    ergi_random r = {.seed = 11};
    double      x = 0.0, z2 = 0.0, r2 = 0.0, w2 = 0.0, xy = 0.0;
    for (int i = 0; i < N; i++) {
        erg_vec3 p = ergi_random_in_ball(&r);
        erg_quat q = ergi_random_rotation(&r);
        double   d2 = p.x * p.x + p.y * p.y + p.z * p.z;
        CHECK(d2 <= 1.0 + 1e-12);
        CHECK_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1.0, 1e-12);
        x += p.x;
        z2 += p.z * p.z;
        r2 += d2;
        w2 += q.w * q.w;
        xy += q.x * q.y;
    }
    CHECK_NEAR(x / N, 0.0, 0.006);
    CHECK_NEAR(z2 / N, 0.2, 0.003); // 1/5 each axis, 3/5 in all
    CHECK_NEAR(r2 / N, 0.6, 0.003);
    CHECK_NEAR(w2 / N, 0.25, 0.003);
    CHECK_NEAR(xy / N, 0.0, 0.003);
}

TEST_MAIN(philox_gives_the_published_answers, every_part_of_the_key_matters,
          uniform_and_normal_have_their_moments, ball_and_rotation_are_even)
