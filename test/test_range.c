// labels: asan
// Limits of the colour scale: a single fast grain does not set the scale, legends have round
// numbers, and a colour has the same meaning throughout a film.
#include "draw/range.h"
#include "world_helpers.h"

#include <stdlib.h>

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

TEST(ranks_are_those_of_the_sorted_values)
{
    for (size_t n = 1; n < 300; n += n / 3 + 1)
        for (int kind = 0; kind < 4; kind++) {
            double      v[300], sorted[300], at[2];
            ergi_random r = {.seed = n, .stream = (uint32_t)kind};
            for (size_t i = 0; i < n; i++) {
                double u = ergi_random_uniform(&r);
                v[i] = kind == 0 ? u : kind == 1 ? floor(4 * u) : kind == 2 ? (double)i : 1;
            }
            memcpy(sorted, v, n * sizeof *v);
            qsort(sorted, n, sizeof *sorted, by_size);
            size_t low = n / 10, high = n - 1 - n / 7;
            if (high < low) high = low;
            ergi_ranks(v, n, low, high, at);
            CHECK(at[0] == sorted[low] && at[1] == sorted[high]);
        }
}

static void check_ticks(double low, double high, bool whole, int count, double first, double last)
{
    double tick[ERGI_TICKS];
    int    n = ergi_range_ticks(low, high, whole, tick);
    CHECK(n == count);
    CHECK_NEAR(tick[0], first, 1e-12 * fabs(first));
    CHECK_NEAR(tick[n - 1], last, 1e-12 * fabs(last));
}

TEST(legends_have_round_numbers)
{
    check_ticks(0, 1, false, 6, 0, 1);           // 0, 0.2, ...
    check_ticks(0, 1.5, false, 4, 0, 1.5);       // 0, 0.5, ...
    check_ticks(0, 3e-5, false, 7, 0, 3e-5);     // 0, 5e-6, ...
    check_ticks(0.13, 0.87, false, 4, 0.2, 0.8); // of ends that somebody chose
    check_ticks(-0.02, 0.02, false, 5, -0.02, 0.02);
    check_ticks(1, 4, true, 4, 1, 4); // ids
    check_ticks(1, 2600, true, 5, 500, 2500);
    check_ticks(2e-3, 2e-3, false, 1, 2e-3, 2e-3);
    check_ticks(0, HUGE_VAL, false, 1, 0, 0);
    check_ticks(0, 5e-324, false, 1, 0, 0);
}

// ---- Pictures ----------------------------------------------------------------------------------
enum { GRAINS = 400 };

typedef struct stage {
    erg_world   *world;
    erg_picture *picture;
    erg_look     look;
    double       position[3 * GRAINS], velocity[3 * GRAINS], radius[GRAINS];
    erg_moment   moment;
} stage;

// A heap of grains, each with a speed up to `fastest`, and one in flight.
static void set_speeds(stage *s, double fastest, double flying)
{
    for (size_t i = 0; i < GRAINS; i++) s->velocity[3 * i] = fastest * (double)(i + 1) / GRAINS;
    s->velocity[3 * 17] = flying;
}

static stage *build(void)
{
    stage        *s = calloc(1, sizeof *s);
    erg_world_def def = erg_world_def_default();
    erg_error     err;
    if (!s) exit(1);
    s->world = new_world(&def);
    s->look = erg_look_default();
    s->look.colour = ERG_COLOUR_SPEED;
    must(erg_picture_create(&s->picture, &err), &err);
    for (size_t i = 0; i < GRAINS; i++) {
        s->position[3 * i] = 0.01 * (double)(i % 20);
        s->position[3 * i + 1] = 0.01 * (double)(i / 20);
        s->radius[i] = 5e-3;
    }
    s->moment.spheres = (erg_sphere_view){
        .count = GRAINS, .position = s->position, .velocity = s->velocity, .radius = s->radius};
    s->moment.grains = GRAINS;
    return s;
}

static double take(stage *s, double *low)
{
    erg_error err;
    double    high;
    must(erg_picture_take(s->picture, &s->look, s->world, &s->moment, &err), &err);
    erg_picture_range(s->picture, low, &high);
    return high;
}

static void release(stage *s)
{
    erg_picture_destroy(s->picture);
    erg_world_destroy(s->world);
    free(s);
}

TEST(a_grain_in_flight_does_not_set_the_scale)
{
    stage *s = build();
    double low;
    set_speeds(s, 0.02, 7);
    CHECK_NEAR(take(s, &low), 0.02, 1e-12);
    CHECK(low == 0);
    s->position[3 * 17 + 2] = 5;
    s->look.colour = ERG_COLOUR_HEIGHT;
    CHECK_NEAR(take(s, &low), 0, 1e-12);
    CHECK_NEAR(low, 0, 1e-12);
    release(s);
}

TEST(a_film_keeps_the_meaning_of_its_colours)
{
    stage *s = build();
    double low, before = 0;
    int    changes = 0;
    for (int k = 0; k < 300; k++) { // speeds come, shake and go
        double t = k / 300.0;
        set_speeds(s, 1.9 * t * (1 - t) * (1 + 0.2 * sin(40 * t)) + 1e-6, 3 + sin(k));
        double high = take(s, &low);
        CHECK(low == 0 && high >= before);
        changes += k > 0 && high != before;
        before = high;
    }
    CHECK(changes < 12);
    CHECK_NEAR(before, 1, 1e-12);
    // Those who draw one picture while they take the next keep it too.
    erg_picture *next;
    erg_error    err;
    must(erg_picture_create(&next, &err), &err);
    erg_picture_follow(next, s->picture);
    must(erg_picture_take(next, &s->look, s->world, &s->moment, &err), &err);
    double high;
    erg_picture_range(next, &low, &high);
    CHECK(high == before);
    erg_picture_destroy(next);
    // Another quantity starts a new range.
    s->look.colour = ERG_COLOUR_SIZE;
    CHECK(take(s, &low) == 5e-3 && low == 5e-3);
    set_speeds(s, 0.1, 1);
    s->look.colour = ERG_COLOUR_SPEED;
    CHECK_NEAR(take(s, &low), 0.1, 1e-12);
    // Limits given in the look are used unchanged.
    s->look.low = 0.0123;
    s->look.high = 0.456;
    CHECK(take(s, &low) == 0.456 && low == 0.0123);
    release(s);
}

TEST(rest_is_dark)
{
    stage *s = build();
    double low;
    set_speeds(s, 1e-12, 1e-12);
    double high = take(s, &low);
    CHECK(low == 0 && high > 1e-4 && high < 1e-2); // not the noise of what stands still
    release(s);
}

TEST_MAIN(ranks_are_those_of_the_sorted_values, legends_have_round_numbers,
          a_grain_in_flight_does_not_set_the_scale, a_film_keeps_the_meaning_of_its_colours,
          rest_is_dark)
