#include "base/hash.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "check.h"

static int bits(uint64_t x)
{
    int count = 0;
    for (; x; x &= x - 1) count++;
    return count;
}

TEST(every_flipped_bit_shows)
{
    unsigned char data[259];
    for (size_t i = 0; i < sizeof data; i++) data[i] = (unsigned char)(i * 37);
    for (size_t size = 0; size <= sizeof data; size += 37) {
        uint64_t whole = ergi_hash_bytes(data, size, 1);
        int      changed = 0;
        for (size_t i = 0; i < 8 * size; i++) {
            data[i / 8] ^= (unsigned char)(1u << i % 8);
            uint64_t other = ergi_hash_bytes(data, size, 1);
            data[i / 8] ^= (unsigned char)(1u << i % 8);
            CHECK(other != whole);
            changed += bits(other ^ whole);
        }
        if (size > 0) CHECK_NEAR(changed / (8.0 * (double)size), 32.0, 1.5);
    }
}

TEST(length_and_seed_and_place_matter)
{
    unsigned char zeros[96] = {0};
    for (size_t i = 0; i <= sizeof zeros; i++) {
        for (size_t k = 0; k < i; k++)
            CHECK(ergi_hash_bytes(zeros, i, 0) != ergi_hash_bytes(zeros, k, 0));
    }
    CHECK(ergi_hash_bytes(zeros, 96, 0) != ergi_hash_bytes(zeros, 96, 1));
    CHECK(ergi_hash_word(ergi_hash_word(0, 1), 2) != ergi_hash_word(ergi_hash_word(0, 2), 1));
}

TEST(swapped_blocks_show)
{
    uint64_t a[12], b[12];
    for (int i = 0; i < 12; i++) a[i] = b[i] = ergi_mix64((uint64_t)i);
    for (int i = 0; i < 12; i++) {
        for (int k = 0; k < i; k++) {
            b[i] = a[k], b[k] = a[i];
            CHECK(ergi_hash_bytes(a, sizeof a, 0) != ergi_hash_bytes(b, sizeof b, 0));
            b[i] = a[i], b[k] = a[k];
        }
    }
}

TEST(mix_spreads_every_bit)
{
    ergi_random r = {.seed = 3};
    for (int bit = 0; bit < 64; bit++) {
        int changed = 0;
        for (int i = 0; i < 1000; i++) {
            uint64_t x = ergi_random_u64(&r);
            changed += bits(ergi_mix64(x) ^ ergi_mix64(x ^ 1ull << bit));
        }
        CHECK_NEAR(changed / 1000.0, 32.0, 1.5);
    }
}

TEST(large_blocks_are_quick)
{
    size_t    size = (size_t)1 << 26;
    erg_error err;
    char     *data = ergi_memory_new(size, 1, "test", &err);
    REQUIRE(data);
    double best = 1e9;
    for (int i = 0; i < 5; i++) {
        double start = ergi_clock_seconds();
        data[i] = (char)ergi_hash_bytes(data, size, 0);
        double took = ergi_clock_seconds() - start;
        if (took < best) best = took;
    }
    printf("    %.1f GB/s\n", 1e-9 * (double)size / best);
    CHECK(best < (double)size / 0.2e9); // ten times slower than we want, for sanitizers
    ergi_memory_free(data);
}

TEST(memory_grows_and_keeps_its_content)
{
    erg_error err;
    int      *x = NULL;
    size_t    room = 0;
    for (int i = 0; i < 10000; i++) {
        REQUIRE(ergi_memory_grow(&x, &room, (size_t)i + 1, sizeof *x, "test", &err) == ERG_OK);
        CHECK(x[i] == 0 && (uintptr_t)x % ERGI_CACHE_LINE == 0);
        x[i] = i;
    }
    for (int i = 0; i < 10000; i++) CHECK(x[i] == i);
    CHECK(room < 20001);
    int *before = x;
    CHECK(ergi_memory_grow(&x, &room, SIZE_MAX / 2, sizeof *x, "test", &err) == ERG_NO_MEMORY);
    CHECK(strstr(err.text, "for test"));
    CHECK(x == before && x[9999] == 9999);
    ergi_memory_free(x);
    x = ergi_memory_new(0, sizeof *x, "nothing", &err);
    CHECK(x != NULL);
    ergi_memory_free(x);
    ergi_memory_free(NULL);
}

TEST_MAIN(every_flipped_bit_shows, length_and_seed_and_place_matter, swapped_blocks_show,
          mix_spreads_every_bit, large_blocks_are_quick, memory_grows_and_keeps_its_content)
