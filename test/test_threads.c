#include "base/thread_tuning.h"
#include "base/threads.h"

#include "world_helpers.h"

#include <stdlib.h>

enum { N = 100003, GRAIN = 64 };

typedef struct work {
    const double *value;
    double       *part;
    int          *seen;
    bool          bad_chunk;
} work;

static void add(void *ctx, erg_index begin, erg_index end, int chunk)
{
    work *w = ctx;
    if (begin != (erg_index)chunk * GRAIN || end - begin > GRAIN) w->bad_chunk = true;
    double sum = 0.0;
    for (erg_index i = begin; i < end; i++) {
        w->seen[i]++;
        sum += w->value[i];
    }
    w->part[chunk] = sum;
}

static double ordered_sum(const ergi_threads *t, const double *value, int *seen)
{
    int    chunks = ergi_chunk_count(N, GRAIN);
    double part[(N + GRAIN - 1) / GRAIN], sum = 0.0;
    work   w = {.value = value, .part = part, .seen = seen};
    ergi_parallel_for(t, N, GRAIN, add, &w);
    CHECK(!w.bad_chunk);
    for (int i = 0; i < chunks; i++) sum += part[i];
    return sum;
}

TEST(chunks_are_counted)
{
    CHECK(ergi_chunk_count(0, 8) == 0);
    CHECK(ergi_chunk_count(1, 8) == 1);
    CHECK(ergi_chunk_count(8, 8) == 1);
    CHECK(ergi_chunk_count(9, 8) == 2);
    CHECK(ergi_chunk_count(INT32_MAX, 1) == INT32_MAX);
    CHECK(ergi_chunk_count(INT32_MAX, INT32_MAX) == 1);
    CHECK(ergi_threads_default_count() >= 1);
}

// Runs the tasks last first, and remembers how many there were.
static void backwards(void *user, void (*task)(void *arg, int index), void *arg, int tasks)
{
    *(int *)user = tasks;
    for (int i = tasks - 1; i >= 0; i--) task(arg, i);
}

TEST(any_number_of_threads_gives_the_same_bits)
{
    double *value = malloc(N * sizeof *value);
    int    *seen = calloc(N, sizeof *seen);
    REQUIRE(value && seen);
    for (int i = 0; i < N; i++) value[i] = 1.0 / (1.0 + i);
    ergi_threads one = {.count = 1};
    double       want = ordered_sum(&one, value, seen);
    for (int count = 2; count <= 8; count++) {
        ergi_threads t = {.count = count};
        CHECK(ordered_sum(&t, value, seen) == want);
    }
    int          tasks = 0;
    ergi_threads hooked = {.count = 5, .hook = backwards, .hook_user = &tasks};
    CHECK(ordered_sum(&hooked, value, seen) == want);
    CHECK(tasks == 5);
    for (int i = 0; i < N; i++) CHECK(seen[i] == 9);
    free(value);
    free(seen);
}

static void mark(void *ctx, erg_index begin, erg_index end, int chunk)
{
    int *runs = ctx;
    runs[chunk] = end - begin;
}

TEST(few_and_no_elements)
{
    int          runs[3] = {0};
    ergi_threads t = {.count = 8};
    ergi_parallel_for(&t, 0, 10, mark, runs);
    CHECK(runs[0] == 0);
    ergi_parallel_for(&t, 21, 10, mark, runs);
    CHECK(runs[0] == 10 && runs[1] == 10 && runs[2] == 1);
}

TEST(the_number_that_most_steps_had)
{
    ergi_thread_tuning tuning = ergi_thread_tuning_make(4, false);
    CHECK(ergi_thread_tuning_most_used(&tuning) == 4);
    for (int i = 0; i < 10; i++) {
        tuning.count = i < 3 ? 4 : 1;
        ergi_thread_tuning_step(&tuning);
    }
    CHECK(ergi_thread_tuning_most_used(&tuning) == 1);
    ergi_thread_tuning given = ergi_thread_tuning_make(3, true);
    ergi_thread_tuning_step(&given);
    CHECK(ergi_thread_tuning_most_used(&given) == 3);
}

// A machine on which a step takes alone[s] on one thread and together[s] on all.
typedef struct machine {
    double now, alone, together; // [s]
} machine;

static void run_steps(machine *m, ergi_thread_tuning *tuning, int steps)
{
    for (int k = 0; k < steps; k++) {
        m->now += tuning->count == 1 ? m->alone : m->together;
        tuning->steps++;
        ergi_thread_tuning_step_at(tuning, m->now);
    }
}

TEST(the_faster_number_is_used)
{
    ergi_thread_tuning tuning = ergi_thread_tuning_make(2, false);
    machine            m = {.now = tuning.since, .alone = 1e-3, .together = 3e-3}; // busy
    run_steps(&m, &tuning, 90);
    CHECK(tuning.count == 1 && tuning.trial == ERGI_TRIAL_NONE);
    run_steps(&m, &tuning, 1000);
    CHECK(tuning.count == 1);
    m.together = 0.6e-3; // the machine is idle again
    run_steps(&m, &tuning, 7000);
    CHECK(tuning.count == 2);
}

// A trial of the slower number ends after the time of the faster, and large worlds try less often.
TEST(trials_cost_little)
{
    for (int k = 0; k < 2; k++) {
        ergi_thread_tuning tuning = ergi_thread_tuning_make(16, false);
        machine            m = {.now = tuning.since, .alone = 1, .together = 0.08};
        if (k == 1) m = (machine){.now = tuning.since, .alone = 0.3e-3, .together = 30e-3};
        run_steps(&m, &tuning, 1000);
        double fastest = fmin(m.alone, m.together), begin = m.now;
        int    steps = 100000;
        run_steps(&m, &tuning, steps);
        CHECK(m.now - begin < 1.03 * steps * fastest);
    }
}

TEST(a_number_that_is_given_is_the_most)
{
    erg_world_def def = erg_world_def_default();
    for (int fixed = 0; fixed < 2; fixed++) {
        def.threads = 2;
        def.fixed_threads = fixed;
        erg_world *world = new_world(&def);
        CHECK(world->thread_tuning.most == 2 && world->thread_tuning.fixed == (fixed == 1));
        erg_world_destroy(world);
    }
}

TEST_MAIN(chunks_are_counted, any_number_of_threads_gives_the_same_bits, few_and_no_elements,
          the_number_that_most_steps_had, the_faster_number_is_used, trials_cost_little,
          a_number_that_is_given_is_the_most)
