// labels: asan clang
// Fixed-point positions: their differences equal those of the positions, anywhere.
#include "base/random.h"
#include "check.h"
#include "dem/fixed_point.h"

#include <math.h>
#include <string.h>

static uint32_t count_of(double x, double inverse)
{
    double   shifted = x * inverse + ERGI_FIXED_POINT_SHIFT;
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    return (uint32_t)bits;
}

static double apart(double a, double b, const ergi_fixed_point *l, int axis)
{
    uint32_t d = count_of(a, l->inverse[axis]) - count_of(b, l->inverse[axis]);
    return (double)(int32_t)d * l->step[axis];
}

TEST(resolves_a_ten_millionth_of_a_diameter_anywhere)
{
    const double     d = 2e-3;
    ergi_space       open = {{0}, {0}};
    ergi_fixed_point l = ergi_fixed_point_make(&open, 4 * d);
    CHECK(l.step[0] < 1e-8 * d);
    double worst = 0;
    for (uint64_t k = 0; k < 20000; k++) {
        ergi_random r = {.seed = 1, .id = k};
        double      at = ergi_random_range(&r, -1e4 * d, 1e4 * d);
        double      way = ergi_random_range(&r, -3.9 * d, 3.9 * d), other = at + way;
        worst = fmax(worst, fabs(apart(other, at, &l, 0) - (other - at)));
    }
    CHECK(worst < 1e-7 * d);
    CHECK(worst > 0); // it is a lattice, after all
}

TEST(nearest_image_on_a_periodic_axis)
{
    const double     d = 2e-3, period = 0.0531;
    ergi_space       space = {{0}, {period, 0, 0}};
    ergi_fixed_point l = ergi_fixed_point_make(&space, 4 * d);
    double           turns = period / (l.step[0] * 0x1p32);
    CHECK_NEAR(turns, nearbyint(turns), 1e-12 * turns);
    CHECK(0.5 * period / turns >= 4 * d);
    double worst = 0;
    for (uint64_t k = 0; k < 20000; k++) {
        ergi_random r = {.seed = 2, .id = k};
        double a = ergi_random_range(&r, 0, period), way = ergi_random_range(&r, -3.9 * d, 3.9 * d);
        double b = a + way, wrapped = b - period * floor(b / period);
        worst = fmax(worst, fabs(apart(wrapped, a, &l, 0) - way));
    }
    CHECK(worst < 1e-7 * d);
}

TEST(a_period_shorter_than_the_reach_is_one_turn)
{
    ergi_space       space = {{0}, {5e-3, 5e-3, 0}};
    ergi_fixed_point l = ergi_fixed_point_make(&space, 8e-3);
    CHECK_NEAR(l.step[0] * 0x1p32, 5e-3, 1e-15);
    CHECK_NEAR(apart(4.9e-3, 0.1e-3, &l, 1), -0.2e-3, 1e-11);
}

TEST_MAIN(resolves_a_ten_millionth_of_a_diameter_anywhere, nearest_image_on_a_periodic_axis,
          a_period_shorter_than_the_reach_is_one_turn)
