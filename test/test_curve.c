// labels: asan clang
// The curve along which memory is ordered.
#include "check.h"
#include "contact/curve.h"

#include <stdlib.h>

enum { SIDE = 12, MOST = 4 * SIDE * SIDE * SIDE };

static double position[4 * (MOST + 1)];

// A block of spheres 1 m apart, longest along one axis.
static size_t fill_block(int longest)
{
    size_t n = 0;
    int    cells[3] = {SIDE, SIDE, SIDE};
    cells[longest] *= 2;
    for (int x = 0; x < cells[0]; x++)
        for (int y = 0; y < cells[1]; y++)
            for (int z = 0; z < cells[2]; z++, n++) {
                position[4 * n] = x + 0.25;
                position[4 * n + 1] = y + 0.25;
                position[4 * n + 2] = z + 0.25;
            }
    return n;
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Of the first `part` along the curve, how many lie beyond the cut.
static size_t beyond_cut(const ergi_curve *curve, size_t n, size_t part, int axis, double cut)
{
    static uint64_t key[MOST + 1], sorted[MOST + 1];
    size_t          beyond = 0;
    for (size_t i = 0; i < n; i++) sorted[i] = key[i] = ergi_curve_key(curve, position + 4 * i);
    qsort(sorted, n, sizeof *sorted, compare_keys);
    for (size_t i = 0; i < n; i++)
        beyond += key[i] < sorted[part] && position[4 * i + (size_t)axis] > cut;
    return beyond;
}

TEST(halves_lie_on_both_sides_of_a_plane)
{
    for (int longest = 0; longest < 3; longest++) {
        size_t     n = fill_block(longest);
        ergi_curve curve = ergi_curve_through(position, n, 1, 0.5);
        CHECK(curve.shift[longest] == 2);
        // by samples: a layer more or less
        CHECK_NEAR(curve.middle[longest], SIDE, 1.5);
        size_t before = 0;
        for (size_t i = 0; i < n; i++)
            before += position[4 * i + (size_t)longest] < curve.middle[longest];
        CHECK(beyond_cut(&curve, n, before, longest, curve.middle[longest]) == 0);
    }
}

TEST(the_cut_is_where_it_is_asked_for)
{
    size_t     n = fill_block(1);
    ergi_curve curve = ergi_curve_through(position, n, 1, 0.25);
    CHECK_NEAR(curve.middle[1], 2 * SIDE * 0.25, 1.5);
    CHECK_NEAR(curve.middle[0], SIDE / 2.0, 1.5);
}

TEST(one_far_away_does_not_move_the_cut)
{
    size_t n = fill_block(0);
    position[4 * n] = position[4 * n + 1] = 0.5;
    position[4 * n + 2] = 1e6;
    ergi_curve curve = ergi_curve_through(position, n + 1, 1, 0.5);
    CHECK_NEAR(curve.middle[0], SIDE, 1.5);
    CHECK_NEAR(curve.middle[2], SIDE / 2.0, 1.5);
}

// A layer of 60 x 60 that is not quite flat: neighbours of which one is in another chunk.
TEST(a_thin_layer_stays_together)
{
    enum { WIDE = 60, COUNT = WIDE * WIDE, CHUNK = 512 };
    static uint64_t key[COUNT], sorted[COUNT];
    static int      chunk[COUNT];
    for (int k = 0; k < COUNT; k++) {
        position[4 * k] = k % WIDE + 0.25;
        position[4 * k + 1] = k / WIDE + 0.25;
        position[4 * k + 2] = 1 + 1e-9 * (k * 7 % 11 - 5);
    }
    ergi_curve curve = ergi_curve_through(position, COUNT, 1, 0.5);
    for (int k = 0; k < COUNT; k++) sorted[k] = key[k] = ergi_curve_key(&curve, position + 4 * k);
    qsort(sorted, COUNT, sizeof *sorted, compare_keys);
    for (int k = 0; k < COUNT; k++) {
        const uint64_t *at = bsearch(&key[k], sorted, COUNT, sizeof *sorted, compare_keys);
        chunk[k] = (int)(at - sorted) / CHUNK;
    }
    int across = 0;
    for (int k = 0; k < COUNT; k++) {
        across += k % WIDE + 1 < WIDE && chunk[k] != chunk[k + 1];
        across += k + WIDE < COUNT && chunk[k] != chunk[k + WIDE];
    }
    CHECK(across < 600);
    if (!(across < 600)) printf("    %d\n", across);
}

TEST(nothing_and_no_numbers_have_a_place)
{
    ergi_curve none = ergi_curve_through(position, 0, 1, 0);
    CHECK(none.cells >= 1);
    size_t n = fill_block(2);
    position[0] = NAN;
    position[4] = INFINITY;
    position[9] = -INFINITY;
    ergi_curve curve = ergi_curve_through(position, n, 1, 0.5);
    uint64_t   most = (uint64_t)1 << 63;
    for (size_t i = 0; i < 3; i++) CHECK(ergi_curve_key(&curve, position + 4 * i) < most);
}

TEST_MAIN(halves_lie_on_both_sides_of_a_plane, the_cut_is_where_it_is_asked_for,
          one_far_away_does_not_move_the_cut, a_thin_layer_stays_together,
          nothing_and_no_numbers_have_a_place)
