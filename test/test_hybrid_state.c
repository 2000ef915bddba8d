// labels: asan hdf5
// Columns that wake and grains that sleep, across threads, checkpoints and rollbacks: the same
// bits.
#include "hybrid_worlds.h"
#include "scratch.h"

static const erg_solver SOLVERS[] = {ERG_SOLVER_DEM, ERG_SOLVER_PBD};

static erg_world *stirred(erg_solver solver, int threads)
{
    hybrid_def of = {solver, ERG_FLOAT, HYBRID_STIRS, threads, 0};
    return hybrid_world(&of);
}

TEST(threads)
{
    for (int k = 0; k < 2; k++) {
        erg_world *one = stirred(SOLVERS[k], 1), *two = stirred(SOLVERS[k], 2);
        for (int n = 1; n <= 2; n++) {
            run_until(one, 0.07 * n);
            run_until(two, 0.07 * n);
            CHECK(erg_world_hash(one) == erg_world_hash(two));
        }
        CHECK(terrain_of(one).woken > 150);
        erg_world_destroy(one);
        erg_world_destroy(two);
    }
}

// Saved while grains wake: between two batches, and right after one.
TEST(a_resumed_run_has_the_bits_of_the_unbroken_one)
{
    static const double when[] = {0.06, 0.0522};
    scratch             folder;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "hybrid.h5");
    for (int k = 0; k < 2; k++) {
        erg_world *one = stirred(SOLVERS[k], 1), *two = stirred(SOLVERS[k], 1);
        erg_error  err;
        run_until(one, when[k]);
        must(erg_world_save(one, path, NULL, NULL, &err), &err);
        must(erg_world_load(two, path, &err), &err);
        CHECK(terrain_of(one).woken > 150);
        CHECK(erg_world_hash(one) == erg_world_hash(two));
        run_until(one, 0.12);
        run_until(two, 0.12);
        CHECK(erg_world_hash(one) == erg_world_hash(two));
        erg_world_destroy(one);
        erg_world_destroy(two);
    }
    scratch_close(&folder);
}

// Grains fall asleep and become columns when the run goes on; the first time, soon after the tool
// stopped, which keeps them awake for a while.
static void resume_sleep(double saved)
{
    scratch folder;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "sleep.h5");
    erg_world  *one = stirred(ERG_SOLVER_PBD, 1), *two = stirred(ERG_SOLVER_PBD, 1);
    erg_error   err;
    run_until(one, saved);
    must(erg_world_save(one, path, NULL, NULL, &err), &err);
    must(erg_world_load(two, path, &err), &err);
    uint64_t slept = terrain_of(one).slept;
    run_until(one, 3);
    run_until(two, 3);
    CHECK(terrain_of(one).slept > slept + 100);
    CHECK(erg_world_hash(one) == erg_world_hash(two));
    erg_world_destroy(one);
    erg_world_destroy(two);
    scratch_close(&folder);
}

TEST(sleep_is_resumed)
{
    resume_sleep(0.5);
    resume_sleep(1);
}

// A step that fails is taken back, together with exchanges since the copy.
TEST(rollback)
{
    for (int k = 0; k < 2; k++) {
        erg_world *one = stirred(SOLVERS[k], 1), *two = stirred(SOLVERS[k], 1);
        erg_error  err;
        run_until(one, 0.05);
        run_until(two, 0.05);
        erg_command push = {.kind = ERG_COMMAND_PUSH,
                            .step = erg_world_steps(one) + (k ? 50 : 1200),
                            .value = 10,
                            .vector = {1e7, 0, 0}};
        command(one, push);
        command(two, push);
        erg_status status = erg_world_run(one, 1, NULL, NULL, &err);
        CHECK(status == ERG_BAD_PHYSICS);
        uint64_t steps = erg_world_steps(one);
        CHECK(steps >= push.step && terrain_of(one).batches > 2);
        step(two, steps - erg_world_steps(two));
        CHECK(erg_world_hash(one) == erg_world_hash(two));
        erg_world_destroy(one);
        erg_world_destroy(two);
    }
}

TEST_MAIN(threads, a_resumed_run_has_the_bits_of_the_unbroken_one, sleep_is_resumed, rollback)
