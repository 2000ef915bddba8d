// Output times: at the first step boundary at or after k * every, once, for any step.
#include "check.h"
#include "run/schedule.h"

TEST(each_moment_comes_once)
{
    double        dt = 1e-4;
    ergi_schedule s = {.every = 0.2};
    int           taken = 0;
    for (uint64_t step = 0; step <= 30000; step++) {
        double time = (double)step * dt;
        if (!ergi_schedule_due(&s, time)) continue;
        CHECK_NEAR(time, 0.2 * taken, 1e-9); // rounding does not put it off by a step
        ergi_schedule_advance(&s, time);
        CHECK(!ergi_schedule_due(&s, time));
        taken++;
    }
    CHECK(taken == 16);
}

TEST(moments_within_a_step_are_one)
{
    ergi_schedule s = {.every = 1e-3};
    CHECK(ergi_schedule_due(&s, 0.0));
    ergi_schedule_advance(&s, 0.0);
    ergi_schedule_advance(&s, 0.0105);
    CHECK(s.next == 11);
}

TEST(no_period_is_never)
{
    ergi_schedule s = {.every = 0.0};
    CHECK(!ergi_schedule_due(&s, 1e300));
    ergi_schedule_advance(&s, 1.0);
    CHECK(s.next == 0);
}

// Moments that no whole number counts: one at every step, and no search for the next.
TEST(a_period_of_nothing_is_every_step)
{
    const double every[] = {1e-22, 1e-300, 5e-324};
    for (int i = 0; i < 3; i++) {
        ergi_schedule s = {.every = every[i]};
        CHECK(!ergi_schedule_counts(every[i], 1.0));
        for (int step = 0; step < 4; step++) {
            CHECK(ergi_schedule_due(&s, 1e-3 * step));
            ergi_schedule_advance(&s, 1e-3 * step);
        }
    }
    CHECK(ergi_schedule_counts(1e-9, 1.0));
    CHECK(ergi_schedule_counts(0.0, 1.0));
}

TEST_MAIN(each_moment_comes_once, moments_within_a_step_are_one, no_period_is_never,
          a_period_of_nothing_is_every_step)
