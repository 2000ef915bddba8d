// labels: asan clang
// Space sorting by recursive bisection.
#include "check.h"
#include "contact/bisection.h"

#include <stdlib.h>

enum { SIDE = 12, MOST = 4 * SIDE * SIDE * SIDE, CHUNK = 512 };

static ergi_bisection_item item[MOST + 1];

// A block of grains 1 m apart, longest along one axis, in an order that is none.
static size_t fill_block(int wide, int deep, int high)
{
    size_t n = (size_t)wide * (size_t)deep * (size_t)high;
    for (size_t k = 0; k < n; k++) {
        size_t at = k * 7919 % n; // a prime: every place once
        item[k].x[0] = (float)(at % (size_t)wide);
        item[k].x[1] = (float)(at / (size_t)wide % (size_t)deep);
        item[k].x[2] = (float)(at / (size_t)wide / (size_t)deep);
        item[k].number = (uint32_t)at;
    }
    return n;
}

static bool is_permutation(size_t n)
{
    static bool seen[MOST + 1];
    memset(seen, 0, sizeof seen);
    for (size_t k = 0; k < n; k++) {
        if (item[k].number >= n || seen[item[k].number]) return false;
        seen[item[k].number] = true;
    }
    return true;
}

static void check_halves(size_t n, int axis)
{
    size_t half = ergi_bisection_middle(n, CHUNK);
    float  below = -INFINITY, above = INFINITY;
    ergi_bisection_sort(item, n, CHUNK);
    for (size_t k = 0; k < half; k++) below = fmaxf(below, item[k].x[axis]);
    for (size_t k = half; k < n; k++) above = fminf(above, item[k].x[axis]);
    CHECK(is_permutation(n));
    CHECK(half % CHUNK == 0 && half >= n / 2 - CHUNK && half <= n / 2 + CHUNK);
    CHECK(below <= above);
}

TEST(halves_lie_on_both_sides_of_a_plane)
{
    check_halves(fill_block(2 * SIDE, SIDE, SIDE), 0);
    check_halves(fill_block(SIDE, 2 * SIDE, SIDE), 1);
    check_halves(fill_block(SIDE, SIDE, 2 * SIDE), 2);
}

TEST(one_far_away_does_not_turn_the_cut)
{
    size_t n = fill_block(2 * SIDE, SIDE, SIDE);
    item[n] = (ergi_bisection_item){{5, 5, 1e6f}, (uint32_t)n};
    check_halves(n + 1, 0);
}

// Pairs 1 m apart of which one is in another chunk.
static int pairs_across(size_t n, int wide, int deep, int high)
{
    static int chunk[MOST + 1];
    int        across = 0, number = 0;
    for (size_t k = 0; k < n; k++) chunk[item[k].number] = (int)k / CHUNK;
    for (int z = 0; z < high; z++)
        for (int y = 0; y < deep; y++)
            for (int x = 0; x < wide; x++, number++) {
                across += x + 1 < wide && chunk[number] != chunk[number + 1];
                across += y + 1 < deep && chunk[number] != chunk[number + wide];
                across += z + 1 < high && chunk[number] != chunk[number + wide * deep];
            }
    return across;
}

TEST(chunks_are_compact)
{
    size_t n = fill_block(16, 16, 16); // 8 cubes of 8: 3 planes of 256
    ergi_bisection_sort(item, n, CHUNK);
    CHECK(pairs_across(n, 16, 16, 16) == 3 * 256);
    n = fill_block(60, 60, 1); // 8 chunks of some 21 x 24
    for (size_t k = 0; k < n; k++) item[k].x[2] = 1e-6f * (float)(k * 7 % 11);
    ergi_bisection_sort(item, n, CHUNK);
    CHECK(is_permutation(n));
    CHECK(pairs_across(n, 60, 60, 1) < 350);
}

TEST(few_none_and_all_in_one_place)
{
    ergi_bisection_sort(item, 0, CHUNK);
    size_t n = fill_block(1, 1, 1);
    ergi_bisection_sort(item, n, CHUNK);
    CHECK(is_permutation(n));
    n = fill_block(SIDE, SIDE, SIDE);
    for (size_t k = 0; k < n; k++) item[k].x[0] = item[k].x[1] = item[k].x[2] = 3;
    ergi_bisection_sort(item, n, CHUNK);
    CHECK(is_permutation(n));
}

TEST_MAIN(halves_lie_on_both_sides_of_a_plane, one_far_away_does_not_turn_the_cut,
          chunks_are_compact, few_none_and_all_in_one_place)
