// labels: asan tsan view
// Requests of the window to the simulation thread, with an engine that logs its calls: all are
// executed, in order; failed saves are reported; closing does not wait for the thread.
#include "check.h"

#include "base/clock.h"
#include "base/error.h"
#include "sim.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- An engine that logs its calls -------------------------------------------------------------
typedef struct tape {
    view_engine engine;
    char        log[256]; // a letter for each call; the thread's, while it is at work
    double      at, end;  // [s]; an end above 0: played like a result
    uint64_t    opened;
    atomic_int  taking;    // pictures that were begun
    atomic_int  hold_take; // the picture of this number waits until this is another one
    atomic_bool hold_open, opening;
    bool        fails_to_open, fails_to_keep;
    atomic_int *opens, *destroyed;
} tape;

static void note(tape *t, char letter)
{
    size_t length = strlen(t->log);
    if (length + 1 < sizeof t->log) t->log[length] = letter;
}

static void wait_a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

static const double LONG = 60; // nothing here takes so long; a machine may be slow [s]

static erg_status tape_open(view_engine *e, erg_error *err)
{
    tape  *t = (tape *)e;
    double start = ergi_clock_seconds();
    note(t, 'o');
    if (t->opens) ++*t->opens;
    t->opening = true;
    while (t->hold_open && ergi_clock_seconds() - start < LONG) wait_a_little();
    t->at = 0;
    t->opened++;
    return t->fails_to_open ? ergi_fail(err, ERG_BAD_INPUT, "a bad tape") : ERG_OK;
}

static erg_status tape_advance(view_engine *e, double time, double budget, erg_error *err)
{
    tape *t = (tape *)e;
    (void)budget, (void)err;
    t->at = t->end > 0 ? fmin(time, t->end) : time;
    return ERG_OK;
}

static erg_status tape_step(view_engine *e, int steps, erg_error *err)
{
    (void)steps, (void)err;
    note((tape *)e, 's');
    return ERG_OK;
}

static erg_status tape_seek(view_engine *e, double time, erg_error *err)
{
    (void)err;
    note((tape *)e, 't');
    ((tape *)e)->at = time;
    return ERG_OK;
}

static erg_status tape_command(view_engine *e, const erg_command *c, erg_error *err)
{
    (void)err;
    note((tape *)e, (char)('0' + c->id));
    return ERG_OK;
}

static erg_status tape_take(view_engine *e, const erg_look *look, erg_picture *picture,
                            erg_error *err)
{
    tape  *t = (tape *)e;
    double start = ergi_clock_seconds();
    int    number = ++t->taking;
    (void)look, (void)picture, (void)err;
    while (t->hold_take == number && ergi_clock_seconds() - start < LONG) wait_a_little();
    return ERG_OK;
}

static double tape_time(const view_engine *e)
{
    return ((const tape *)e)->at;
}

static uint64_t tape_moment(const view_engine *e)
{
    return (uint64_t)(((const tape *)e)->at * 1000);
}

static void tape_tell(view_engine *e, view_facts *f)
{
    const tape *t = (const tape *)e;
    *f = (view_facts){.time = t->at, .steps = t->opened, .is_result = t->end > 0, .end = t->end};
}

static erg_status tape_keep(view_engine *e, const char *folder, erg_run_result *result,
                            erg_error *err)
{
    tape *t = (tape *)e;
    if (!folder) return ERG_OK; // the show asks for the hash
    note(t, 'k');
    if (t->fails_to_keep) return ergi_fail(err, ERG_IO, "no room for '%s'", folder);
    snprintf(result->out, sizeof result->out, "%s", folder);
    return ERG_OK;
}

static void tape_destroy(view_engine *e)
{
    tape *t = (tape *)e;
    if (t->destroyed) ++*t->destroyed;
    free(t);
}

static tape *make_tape(void)
{
    tape *t = calloc(1, sizeof *t);
    if (!t) abort();
    t->engine =
        (view_engine){tape_open, tape_advance, tape_step, tape_seek, tape_command, tape_take,
                      tape_time, tape_moment,  tape_tell, tape_keep, tape_destroy, NULL};
    return t;
}

static view_sim *begin(tape *t, bool lock_step, bool paused, view_sim *before)
{
    view_sim *sim = NULL;
    erg_error err;
    erg_look  look = erg_look_default();
    CHECK(view_sim_begin(&t->engine, &look, lock_step, paused, before, &sim, &err) == ERG_OK);
    return sim;
}

static bool wait_for(view_sim *sim, bool (*there)(const view_status *), view_status *status)
{
    double start = ergi_clock_seconds();
    bool   fresh;
    do {
        view_sim_fetch(sim, status, &fresh);
        if (there(status)) return true;
        wait_a_little();
    } while (ergi_clock_seconds() - start < LONG);
    return false;
}

// ---- In lock step ------------------------------------------------------------------------------
TEST(in_lock_step_all_is_done_in_the_order_asked)
{
    tape       *t = make_tape();
    view_sim   *sim = begin(t, true, false, NULL);
    view_status status;
    char        log[256];
    bool        fresh;
    view_sim_advance(sim, 0.1);
    view_sim_save(sim, "a");
    view_sim_command(sim, &(erg_command){.id = 1});
    view_sim_step(sim, 1);
    view_sim_command(sim, &(erg_command){.id = 2});
    view_sim_restart(sim);
    view_sim_command(sim, &(erg_command){.id = 3});
    view_sim_seek(sim, 1);
    view_sim_seek(sim, 2); // of two in a row the last one counts
    view_sim_command(sim, &(erg_command){.id = 4});
    view_sim_save(sim, "b");
    view_sim_command(sim, &(erg_command){.id = 5});
    for (int i = 0; i < 50; i++) wait_a_little(); // not as they come
    view_sim_fetch(sim, &status, &fresh);
    CHECK(status.saves == 0 && view_is_saving(&status));
    view_sim_advance(sim, 0.1);
    snprintf(log, sizeof log, "%s", t->log);
    CHECK_STR(log, "ok1s2o3t4k5");
    view_sim_fetch(sim, &status, &fresh);
    CHECK(status.saves == 2 && !view_is_saving(&status));
    CHECK_STR(status.kept.out, "b");
    view_sim_command(sim, &(erg_command){.id = 6}); // also what was asked for last
    view_sim_save(sim, "c");
    view_sim_end(sim, &status, NULL);
    CHECK_STR(status.kept.out, "c");
}

// ---- Saving ------------------------------------------------------------------------------------
// A save that fails is known by its number, whatever was saved before.
TEST(a_save_that_fails_is_told)
{
    tape       *t = make_tape();
    view_sim   *sim = begin(t, true, false, NULL);
    view_status status;
    bool        fresh;
    CHECK(view_sim_save(sim, "first") == 1);
    view_sim_advance(sim, 0.1);
    view_sim_fetch(sim, &status, &fresh);
    CHECK(status.saves == 1 && status.save_status == ERG_OK && status.saves_failed == 0);
    CHECK(status.is_kept);
    t->fails_to_keep = true; // the thread waits for the window
    CHECK(view_sim_save(sim, "second") == 2);
    view_sim_advance(sim, 0.1);
    view_sim_fetch(sim, &status, &fresh);
    CHECK(status.saves == 2 && status.save_status == ERG_IO && status.saves_failed == 1);
    CHECK_STR(status.save_problem, "not saved: no room for 'second'");
    CHECK_STR(status.note, "not saved: no room for 'second'");
    CHECK_STR(status.kept.out, "first");
    view_sim_fetch(sim, &status, &fresh);
    CHECK(status.saves_failed == 0); // told once
    view_sim_save(sim, "third");
    view_sim_end(sim, &status, NULL);
    CHECK(status.saves_failed == 1); // and nobody has seen it
}

static bool has_failed(const view_status *s)
{
    return s->state == VIEW_FAILED;
}
static bool was_saved(const view_status *s)
{
    return s->saves == 1;
}

TEST(what_could_not_begin_cannot_be_saved)
{
    tape *t = make_tape();
    t->fails_to_open = true;
    view_sim   *sim = begin(t, false, false, NULL);
    view_status status;
    REQUIRE(wait_for(sim, has_failed, &status));
    view_sim_save(sim, "a");
    REQUIRE(wait_for(sim, was_saved, &status));
    CHECK(!view_is_saving(&status) && status.save_status == ERG_BAD_INPUT);
    CHECK_STR(status.note, "not saved: there is nothing to save");
    view_sim_end(sim, NULL, NULL);
}

// ---- Freely ------------------------------------------------------------------------------------
static bool is_ready(const view_status *s)
{
    return s->state == VIEW_READY && s->facts.steps == 1;
}
static bool began_again(const view_status *s)
{
    return s->restarts == 1;
}

// The number of beginnings and the facts change together: sliders are set by both.
TEST(it_has_begun_again_when_the_facts_say_so)
{
    tape       *t = make_tape();
    view_sim   *sim = begin(t, false, true, NULL);
    view_status status;
    bool        fresh;
    REQUIRE(wait_for(sim, is_ready, &status));
    t->hold_take = t->taking + 1;
    view_sim_restart(sim);
    for (double start = ergi_clock_seconds();
         t->taking < t->hold_take && ergi_clock_seconds() - start < LONG;)
        wait_a_little();
    view_sim_fetch(sim, &status, &fresh);
    CHECK(status.restarts == 0 && status.facts.steps == 1);
    t->hold_take = 0;
    REQUIRE(wait_for(sim, began_again, &status));
    CHECK(status.facts.steps == 2);
    view_sim_end(sim, NULL, NULL);
}

static bool is_at_end(const view_status *s)
{
    return s->facts.is_result && s->facts.time >= s->facts.end;
}

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// A thread that polls its clock would use a whole processor.
TEST(at_its_end_a_result_sleeps)
{
    tape *t = make_tape();
    t->end = 0.02;
    view_sim   *sim = begin(t, false, false, NULL);
    view_status status;
    REQUIRE(wait_for(sim, is_at_end, &status));
    double busy = processor_seconds();
    nanosleep(&(struct timespec){.tv_nsec = 600000000}, NULL);
    busy = processor_seconds() - busy;
    if (!(busy < 0.1)) printf("    %g s of 0.6 s\n", busy);
    CHECK(busy < 0.1);
    view_sim_end(sim, NULL, NULL);
}

static double goal; // [s]

static bool is_there(const view_status *s)
{
    return s->facts.time > goal;
}

// The playback speed counts from its last change: after fast playback, time does not stand still
// until real time has caught up.
TEST(another_speed_and_another_place_count_from_now)
{
    tape       *t = make_tape();
    view_sim   *sim = begin(t, false, false, NULL);
    view_status status;
    goal = 200;
    view_sim_speed(sim, 1000);
    REQUIRE(wait_for(sim, is_there, &status));
    view_sim_speed(sim, 1);
    goal = status.facts.time + 0.1; // a picture or two may still be of before
    REQUIRE(wait_for(sim, is_there, &status));
    goal = status.facts.time + 0.1;
    REQUIRE(wait_for(sim, is_there, &status));
    view_sim_seek(sim, 1e6);
    goal = 1e6 + 0.1;
    REQUIRE(wait_for(sim, is_there, &status));
    CHECK(status.facts.time < 1e6 + 10);
    view_sim_end(sim, NULL, NULL);
}

// ---- One after the other -----------------------------------------------------------------------
static bool is_open(const view_status *s)
{
    return s->state == VIEW_READY;
}

// The window switches to the next scene at once; the previous simulation ends in the background,
// before the next one starts.
TEST(nobody_waits_for_a_show_that_ends)
{
    atomic_int  destroyed = 0, opens = 0;
    tape       *slow = make_tape(), *skipped = make_tape(), *next = make_tape();
    view_status status;
    slow->hold_open = true;
    slow->opens = skipped->opens = &opens;
    slow->destroyed = skipped->destroyed = &destroyed;
    slow->fails_to_keep = true;
    view_sim *sim = begin(slow, false, false, NULL);
    while (!slow->opening) wait_a_little();
    view_sim_save(sim, "a");
    double start = ergi_clock_seconds();
    sim = begin(skipped, false, false, sim);
    sim = begin(next, false, false, sim);
    CHECK(ergi_clock_seconds() - start < 0.5 * LONG && destroyed == 0 && !next->opening);
    slow->hold_open = false;
    REQUIRE(wait_for(sim, is_open, &status));
    CHECK(destroyed == 2 && opens == 1); // who is left before it begins does not begin
    CHECK_STR(status.note, "not saved: no room for 'a'"); // though its show is gone
    view_sim_end(sim, NULL, NULL);
}

TEST_MAIN(in_lock_step_all_is_done_in_the_order_asked, a_save_that_fails_is_told,
          what_could_not_begin_cannot_be_saved, it_has_begun_again_when_the_facts_say_so,
          at_its_end_a_result_sleeps, another_speed_and_another_place_count_from_now,
          nobody_waits_for_a_show_that_ends)
