// labels: asan tsan clang
// The step of fine particles on plain arrays: compared with the formulas in double precision, and
// identical for any number of threads and any instruction set.
#include "base/memory.h"
#include "base/random.h"
#include "check.h"
#include "upsample/fine_order.h"
#include "upsample/fine_step.h"

#include <stdlib.h>

enum { SIDE = 10, GRAINS = SIDE * SIDE * SIDE, FINE = 20000 };

static const double RADIUS = 2.5e-3, DT = 1.0 / 60;

typedef struct bed {
    ergi_fine_frame lattice;
    double          grain[4 * GRAINS];
    float           speed[3 * GRAINS];
    uint32_t        place[3][FINE];
    float           velocity[3][FINE];
} bed;

static ergi_fine_columns columns(bed *b)
{
    return (ergi_fine_columns){{b->place[0], b->place[1], b->place[2]},
                               {b->velocity[0], b->velocity[1], b->velocity[2]},
                               FINE};
}

static ergi_fine_law law(void)
{
    return (ergi_fine_law){(float)DT, {0, 0, -9.81f}, ERGI_FINE_C1, ERGI_FINE_C2};
}

static double position(const bed *b, int axis, size_t i)
{
    return ergi_fine_position(&b->lattice, axis, b->place[axis][i]);
}

// Grains of two sizes in a cube, fine particles in and around it, all with random velocities.
static bed *make(bool periodic)
{
    bed        *b = calloc(1, sizeof *b);
    ergi_random r = {.seed = 7};
    double      wide = 2 * RADIUS * SIDE;
    for (int a = 0; a < 3; a++) {
        b->lattice.origin[a] = periodic && a < 2 ? 0 : 0.01;
        b->lattice.step[a] = periodic && a < 2 ? wide / 4294967296.0 : 1e-9;
        b->lattice.periodic[a] = periodic && a < 2;
    }
    for (size_t i = 0; i < GRAINS; i++) {
        size_t at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        r.id = i;
        r.draw = 0;
        for (size_t a = 0; a < 3; a++) {
            b->grain[4 * i + a] =
                2 * RADIUS * ((double)at[a] + 0.5 + 0.2 * ergi_random_uniform(&r));
            b->speed[3 * i + a] = (float)ergi_random_range(&r, -0.5, 0.5);
        }
        b->grain[4 * i + 3] = RADIUS * (i % 3 ? 1 : 0.6);
    }
    for (size_t i = 0; i < FINE; i++) {
        r.id = GRAINS + i;
        r.draw = 0;
        for (int a = 0; a < 3; a++) {
            double x =
                ergi_random_range(&r, periodic ? 0 : -0.2 * wide, periodic ? wide : 1.2 * wide);
            (void)ergi_fine_to_fixed(&b->lattice, a, x, &b->place[a][i]);
            b->velocity[a][i] = (float)ergi_random_range(&r, -0.5, 0.5);
        }
    }
    return b;
}

static erg_status step(bed *b, const ergi_coarse_spheres *samples, const char *isa, int threads)
{
    ergi_fine_columns        fine = columns(b);
    ergi_coarse_spheres      grains = {b->grain, b->speed, GRAINS};
    ergi_fine_law            l = law();
    ergi_threads             team = {.count = threads};
    ergi_fine_scratch        scratch = {0};
    const ergi_fine_kernels *kernels = ergi_fine_kernels_for(isa);
    erg_error                err;
    erg_status               status =
        ergi_fine_step(&fine, &b->lattice, &grains, samples, &l, kernels, &team, &scratch, &err);
    ergi_fine_scratch_free(&scratch);
    return status;
}

static void sort(bed *b, int threads)
{
    ergi_fine_columns fine = columns(b);
    ergi_fine_order   order = {0};
    ergi_threads      team = {.count = threads};
    const uint32_t   *index;
    erg_error         err;
    double            side = ergi_fine_order_side(RADIUS, 1);
    REQUIRE(ergi_fine_order_find(&order, &fine, 0, FINE, &b->lattice, side, &team, &index, &err) ==
            ERG_OK);
    for (int a = 0; a < 3; a++) {
        ergi_fine_order_apply(&order, b->place[a], 4, FINE, index, &team);
        ergi_fine_order_apply(&order, b->velocity[a], 4, FINE, index, &team);
    }
    ergi_fine_order_free(&order);
}

// ---- The formulas ------------------------------------------------------------------------------
typedef struct sums {
    double weight, top, v[3];
} sums;

static double nearest_image(const bed *b, int axis, double d)
{
    double period = b->lattice.periodic[axis] ? b->lattice.step[axis] * 4294967296.0 : 0;
    return period > 0 ? d - period * floor(d / period + 0.5) : d;
}

static sums add_up(const bed *b, const double x[3], const double *grain, const float *speed,
                   size_t n)
{
    sums s = {0};
    for (size_t j = 0; j < n; j++) {
        double d2 = 0, h = 3 * grain[4 * j + 3];
        for (int a = 0; a < 3; a++) {
            double d = nearest_image(b, a, grain[4 * j + (size_t)a] - x[a]);
            d2 += d * d;
        }
        double q = 1 - d2 / (h * h), w = q > 0 ? q * q * q : 0;
        s.weight += w;
        s.top = fmax(s.top, w);
        for (size_t a = 0; a < 3; a++) s.v[a] += w * (double)speed[3 * j + a];
    }
    return s;
}

// Reference result for particle i. False: too near to a threshold for a comparison.
static bool reference(const bed *b, size_t i, const ergi_coarse_spheres *samples, double to[3],
                      double v[3])
{
    double x[3] = {position(b, 0, i), position(b, 1, i), position(b, 2, i)};
    double c1 = ERGI_FINE_C1, c2 = ERGI_FINE_C2, g[3] = {0, 0, -9.81};
    sums   s = add_up(b, x, b->grain, b->speed, GRAINS);
    if (samples && s.weight > 0) {
        sums more = add_up(b, x, samples->position, samples->velocity, samples->count);
        s.weight += more.weight;
        s.top = fmax(s.top, more.top);
        for (int a = 0; a < 3; a++) s.v[a] += more.v[a];
    }
    bool   alone = !(s.weight > 0);
    double alpha = s.top <= c1 || s.top / s.weight >= c2 ? 1 - s.top : 0;
    for (int a = 0; a < 3; a++) {
        double mean = alone ? 0 : s.v[a] / s.weight;
        if (alone) alpha = 1;
        v[a] = (1 - alpha) * mean + alpha * ((double)b->velocity[a][i] + DT * g[a]);
        to[a] = x[a] + DT * v[a];
    }
    return alone ||
           (fabs(s.top - c1) > 1e-5 && fabs(s.top / s.weight - c2) > 1e-5 && s.weight > 1e-15);
}

static void compare(bool periodic, bool sorted)
{
    bed *before = make(periodic), *after = calloc(1, sizeof *after);
    if (sorted) sort(before, 1);
    *after = *before;
    REQUIRE(step(after, NULL, NULL, 2) == ERG_OK);
    double worst = 0, worst_speed = 0;
    int    free_ones = 0, left_out = 0;
    for (size_t i = 0; i < FINE; i++) {
        double to[3], v[3];
        if (!reference(before, i, NULL, to, v)) {
            left_out++;
            continue;
        }
        for (int a = 0; a < 3; a++) {
            worst = fmax(worst, fabs(nearest_image(before, a, position(after, a, i) - to[a])));
            worst_speed = fmax(worst_speed, fabs((double)after->velocity[a][i] - v[a]));
        }
        free_ones += fabs(v[2] - ((double)before->velocity[2][i] - 9.81 * DT)) < 1e-9;
    }
    CHECK_NEAR(worst, 0, 6e-8);
    CHECK_NEAR(worst_speed, 0, 4e-6);
    CHECK(left_out < FINE / 200);
    CHECK(periodic || free_ones > 1000);
    free(before);
    free(after);
}

TEST(a_step_is_that_of_the_formulas)
{
    compare(false, true);
    compare(true, true);
}

TEST(any_order_in_memory_will_do)
{
    compare(false, false);
}

TEST(any_number_of_threads_and_instruction_set)
{
    const char *const isa[] = {"scalar", "avx2", "avx512"};
    bed              *first = make(false);
    sort(first, 2);
    bed *other = calloc(1, sizeof *other), *start = calloc(1, sizeof *start);
    *start = *first;
    REQUIRE(step(first, NULL, NULL, 1) == ERG_OK && step(first, NULL, NULL, 1) == ERG_OK);
    for (size_t k = 0; k < 3; k++) {
        if (!ergi_fine_kernels_for(isa[k])) continue;
        *other = *start;
        REQUIRE(step(other, NULL, isa[k], 2) == ERG_OK && step(other, NULL, isa[k], 3) == ERG_OK);
        CHECK(memcmp(first, other, sizeof *first) == 0);
    }
    CHECK(ergi_fine_kernels_for("mmx") == NULL);
    free(first);
    free(other);
    free(start);
}

TEST(sorting_does_not_depend_on_threads_and_loses_nobody)
{
    bed *one = make(false), *two = make(false), *start = make(false);
    sort(one, 1);
    sort(two, 3);
    CHECK(memcmp(one, two, sizeof *one) == 0);
    uint64_t before = 0, after = 0;
    for (size_t i = 0; i < FINE; i++) {
        before += (uint64_t)start->place[0][i] * start->place[1][i] ^ start->place[2][i];
        after += (uint64_t)one->place[0][i] * one->place[1][i] ^ one->place[2][i];
    }
    CHECK(before == after);
    free(one);
    free(two);
    free(start);
}

TEST(neighbours_on_the_curve_are_neighbours_in_space)
{
    enum { BITS = 4, N = 1 << BITS };
    static uint32_t cell[N * N * N];
    for (uint32_t z = 0; z < N; z++)
        for (uint32_t y = 0; y < N; y++)
            for (uint32_t x = 0; x < N; x++) {
                uint32_t key = ergi_fine_hilbert(x, y, z, BITS);
                REQUIRE(key < N * N * N);
                cell[key] = x | y << 8 | z << 16;
            }
    int jumps = 0;
    for (int k = 1; k < N * N * N; k++) {
        uint32_t a = cell[k - 1], b = cell[k];
        int      way = 0;
        for (int s = 0; s < 24; s += 8) way += abs((int)(a >> s & 255) - (int)(b >> s & 255));
        jumps += way != 1;
    }
    CHECK(jumps == 0);
}

// Samples of a tool affect only particles that a grain reaches too.
TEST(sand_does_not_stick_to_tools)
{
    bed                *b = make(false), *after = calloc(1, sizeof *after);
    double              tool[4 * GRAINS];
    float               speed[3 * GRAINS];
    ergi_coarse_spheres samples = {tool, speed, GRAINS};
    for (size_t j = 0; j < GRAINS; j++) {
        for (size_t a = 0; a < 3; a++) {
            tool[4 * j + a] = b->grain[4 * j + a] - (a == 2 ? 0.03 : 0);
            speed[3 * j + a] = 3;
        }
        tool[4 * j + 3] = RADIUS;
    }
    *after = *b;
    REQUIRE(step(after, &samples, NULL, 2) == ERG_OK);
    int    falls = 0, wrong = 0, joined = 0;
    double worst = 0;
    for (size_t i = 0; i < FINE; i++) {
        double to[3], v[3], alone[3],
            x[3] = {position(b, 0, i), position(b, 1, i), position(b, 2, i)};
        if (!reference(b, i, &samples, to, v) || !reference(b, i, NULL, to, alone)) continue;
        sums grains = add_up(b, x, b->grain, b->speed, GRAINS),
             body = add_up(b, x, tool, speed, GRAINS);
        for (int a = 0; a < 3; a++) worst = fmax(worst, fabs((double)after->velocity[a][i] - v[a]));
        if (grains.weight > 0) joined += body.weight > 0;
        if (grains.weight > 0 || !(body.weight > 0)) continue;
        falls++;
        float fall = b->velocity[2][i] + (float)(-9.81f * (float)DT);
        wrong += after->velocity[2][i] != fall;
    }
    CHECK(falls > 100 && wrong == 0 && joined > 100);
    CHECK_NEAR(worst, 0, 5e-6);
    free(b);
    free(after);
}

TEST(no_grains_is_free_flight)
{
    bed                *b = make(false);
    ergi_fine_columns   fine = columns(b);
    ergi_coarse_spheres none = {0};
    ergi_fine_law       l = law();
    ergi_fine_scratch   scratch = {0};
    ergi_threads        team = {.count = 1};
    erg_error           err;
    float               before = b->velocity[2][5];
    REQUIRE(ergi_fine_step(&fine, &b->lattice, &none, NULL, &l, ergi_fine_kernels_for(NULL), &team,
                           &scratch, &err) == ERG_OK);
    CHECK_NEAR(b->velocity[2][5], before - 9.81f / 60, 1e-7);
    fine.count = 0;
    CHECK(ergi_fine_step(&fine, &b->lattice, &none, NULL, &l, ergi_fine_kernels_for(NULL), &team,
                         &scratch, &err) == ERG_OK);
    ergi_fine_scratch_free(&scratch);
    free(b);
}

TEST_MAIN(a_step_is_that_of_the_formulas, any_order_in_memory_will_do,
          any_number_of_threads_and_instruction_set,
          sorting_does_not_depend_on_threads_and_loses_nobody,
          neighbours_on_the_curve_are_neighbours_in_space, sand_does_not_stick_to_tools,
          no_grains_is_free_flight)
