// labels: asan tsan view
// The simulation thread of the viewer, without a window: it runs on its own, takes commands, never
// waits for the reader, and its record replays to the same bits.
#include "world_helpers.h"

#include "base/clock.h"
#include "sim.h"

#include <string.h>
#include <time.h>

static const char SCENE[] = "seed: 3\n"
                            "materials:\n"
                            "  sand: {density: 2500, young: 1e6}\n"
                            "grains:\n"
                            "  bead: {shape: sphere, radius: 2e-3, material: sand}\n"
                            "fill:\n"
                            "  - {name: bed, grain: bead, count: 60, region: {box: {min: [-0.01, "
                            "-0.01, 0], max: [0.01, 0.01, "
                            "0.1]}}}\n"
                            "walls:\n"
                            "  - {name: floor, plane: {}, material: sand}\n"
                            "  - {name: lid, plane: {point: [0, 0, 0.2], normal: [0, 0, -1]}, "
                            "material: sand, motion: {user: "
                            "true}}\n"
                            "run: {time: 1, threads: 1}\n";

static erg_scene *load(void)
{
    erg_scene *scene = NULL;
    erg_error  err;
    must(erg_scene_load_text(SCENE, strlen(SCENE), "show.yaml", NULL, 0, &scene, &err), &err);
    return scene;
}

static view_sim *begin(const erg_scene *scene, bool lock_step, bool paused)
{
    view_engine *engine;
    view_sim    *sim = NULL;
    erg_error    err;
    erg_look     look = erg_look_default();
    must(view_engine_scene(scene, NULL, "show.yaml", 1, ERG_BACKEND_CPU, &engine, &err), &err);
    must(view_sim_begin(engine, &look, lock_step, paused, NULL, &sim, &err), &err);
    return sim;
}

static void wait_a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

// Until the thread has come to a state; a machine may be slow, but not for ever.
static bool wait_for(view_sim *sim, bool (*there)(const view_status *), view_status *status)
{
    double start = ergi_clock_seconds();
    bool   fresh;
    do {
        view_sim_fetch(sim, status, &fresh);
        if (there(status)) return true;
        wait_a_little();
    } while (ergi_clock_seconds() - start < 120);
    return false;
}

static bool is_ready(const view_status *s)
{
    return s->state == VIEW_READY && s->facts.grains == 60;
}
static bool has_stepped(const view_status *s)
{
    return s->facts.steps > 200;
}
static bool began_again(const view_status *s)
{
    return s->restarts == 1 && s->facts.steps < 200;
}
static bool has_commands(const view_status *s)
{
    return s->facts.commands == 1;
}

// ---- In lock step ------------------------------------------------------------------------------
static uint64_t play(const erg_scene *scene, view_status *end)
{
    view_sim *sim = begin(scene, true, false);
    uint64_t  hash = 0;
    for (int frame = 0; frame < 12; frame++) {
        if (frame == 4)
            view_sim_command(sim, &(erg_command){.kind = ERG_COMMAND_ADD_BALL,
                                                 .id = 1,
                                                 .value = 5e-3,
                                                 .amount = 7800,
                                                 .point = {0, 0, 0.13},
                                                 .vector = {0, 0, -1}});
        if (frame == 6)
            view_sim_command(sim, &(erg_command){.kind = ERG_COMMAND_PULL,
                                                 .point = {0, 0, 0.01},
                                                 .value = 0.02,
                                                 .amount = 0.2});
        if (frame == 8) view_sim_pause(sim, true);
        if (frame == 9) view_sim_step(sim, 3);
        if (frame == 10) view_sim_pause(sim, false);
        view_sim_advance(sim, 1.0 / 120);
    }
    view_sim_end(sim, end, &hash);
    return hash;
}

TEST(lock_step_is_the_same_every_time)
{
    erg_scene  *scene = load();
    view_status a, b;
    uint64_t    first = play(scene, &a), second = play(scene, &b);
    CHECK(first == second && first != 0);
    CHECK(a.facts.steps == b.facts.steps && a.facts.commands == 2 && a.facts.grains == 61);
    // Ten of the twelve pictures let time pass; the single steps come on top.
    CHECK(a.facts.time >= 10.0 / 120 && a.facts.time < 10.0 / 120 + 5 * a.facts.dt);
    erg_scene_destroy(scene);
}

// The record of a window session, replayed in a world without a window.
TEST(what_a_window_did_can_be_replayed)
{
    erg_scene   *scene = load();
    view_engine *engine;
    erg_error    err;
    must(view_engine_scene(scene, NULL, "show.yaml", 2, ERG_BACKEND_CPU, &engine, &err), &err);
    must(engine->open(engine, &err), &err);
    must(engine->advance(engine, 0.02, HUGE_VAL, &err), &err);
    erg_command touches[] = {
        {.kind = ERG_COMMAND_ADD_BALL,
         .id = 1,
         .value = 4e-3,
         .point = {0, 0, 0.15},
         .vector = {0, 0, -1}},
        {.kind = ERG_COMMAND_FRICTION, .value = 0.1},
        {.kind = ERG_COMMAND_GRAVITY, .vector = {3, 0, -9}},
        {.kind = ERG_COMMAND_WALL_VELOCITY, .id = 2, .vector = {0, 0, -0.3}, .value = 0.5},
        {.kind = ERG_COMMAND_PULL, .point = {0, 0, 0}, .value = 0.05, .amount = -0.1}};
    for (size_t i = 0; i < sizeof touches / sizeof *touches; i++) {
        must(engine->command(engine, &touches[i], &err), &err);
        while (engine->time(engine) < 0.02 + 0.01 * (double)(i + 1))
            must(engine->advance(engine, 0.02 + 0.01 * (double)(i + 1), HUGE_VAL, &err), &err);
    }
    view_facts     facts;
    erg_run_result result;
    engine->tell(engine, &facts);
    must(engine->save(engine, NULL, &result, &err), &err);
    CHECK(facts.commands == 5 && facts.walls == 1);
    erg_command log[8];
    CHECK(view_engine_scene_log(engine, log, 8) == 5);
    engine->destroy(engine);

    erg_world *world = NULL;
    must(erg_scene_build(scene, NULL, NULL, &world, &err), &err);
    for (int i = 0; i < 5; i++) command(world, log[i]);
    step(world, facts.steps);
    CHECK(erg_world_hash(world) == result.state_hash);
    erg_world_destroy(world);
    erg_scene_destroy(scene);
}

// A slider for all emitters keeps the ratio of their rates in the scene, whatever rates were set in
// between.
TEST(emitters_pour_together)
{
    static const char text[] =
        "materials:\n  sand: {density: 2500, young: 1e6}\n"
        "grains:\n  bead: {shape: sphere, radius: 2e-3, material: sand}\n"
        "emitters:\n"
        "  - {grain: bead, rate: 100, region: {box: {min: [0, 0, 0], max: [0.1, 0.1, 0.1]}}}\n"
        "  - {grain: bead, rate: 300, region: {box: {min: [1, 0, 0], max: [1.1, 0.1, 0.1]}}}\n"
        "run: {time: 1, threads: 1}\n";
    static const erg_id id[] = {1, 2, 1, 2};
    static const double value[] = {200, 600, 0, 0};
    erg_scene          *scene = NULL;
    view_engine        *engine;
    view_facts          facts;
    erg_command         log[8];
    erg_error           err;
    must(erg_scene_load_text(text, strlen(text), "pour.yaml", NULL, 0, &scene, &err), &err);
    must(view_engine_scene(scene, NULL, "pour.yaml", 1, ERG_BACKEND_CPU, &engine, &err), &err);
    must(engine->open(engine, &err), &err);
    engine->tell(engine, &facts);
    CHECK(facts.emitters == 2 && facts.pouring == 400);
    for (int i = 0; i < 2; i++)
        must(engine->command(engine,
                             &(erg_command){.kind = ERG_COMMAND_EMITTER_RATE, .value = 800.0 * i},
                             &err),
             &err);
    must(engine->step(engine, 1, &err), &err);
    engine->tell(engine, &facts);
    CHECK(facts.pouring == 800);
    REQUIRE(view_engine_scene_log(engine, log, 8) == 4);
    for (int i = 0; i < 4; i++) {
        const erg_command *c = &log[i < 2 ? i + 2 : i - 2]; // nothing first, then twice as much
        CHECK(c->kind == ERG_COMMAND_EMITTER_RATE && c->id == id[i] && c->value == value[i]);
    }
    engine->destroy(engine);
    erg_scene_destroy(scene);
}

// ---- Freely ------------------------------------------------------------------------------------
TEST(it_runs_whether_or_not_anybody_looks)
{
    erg_scene  *scene = load();
    view_sim   *sim = begin(scene, false, false);
    view_status s;
    REQUIRE(wait_for(sim, is_ready, &s));
    REQUIRE(wait_for(sim, has_stepped, &s)); // pictures were fetched now and then
    uint64_t before = s.facts.steps;
    for (int i = 0; i < 50; i++) wait_a_little(); // nobody fetches
    view_sim_end(sim, &s, NULL);
    CHECK(s.facts.steps > before);
    erg_scene_destroy(scene);
}

TEST(it_pauses_steps_and_begins_again)
{
    erg_scene  *scene = load();
    view_sim   *sim = begin(scene, false, true);
    view_status s;
    bool        fresh;
    REQUIRE(wait_for(sim, is_ready, &s));
    CHECK(s.facts.steps == 0 && s.paused);
    view_sim_step(sim, 250);
    REQUIRE(wait_for(sim, has_stepped, &s));
    CHECK(s.facts.steps == 250);
    view_sim_command(sim, &(erg_command){.kind = ERG_COMMAND_FRICTION, .value = 0.2});
    view_sim_step(sim, 1);
    REQUIRE(wait_for(sim, has_commands, &s));
    CHECK(s.facts.steps == 251);
    CHECK_NEAR(s.facts.friction, 0.2, 0);
    view_sim_restart(sim);
    REQUIRE(wait_for(sim, began_again, &s));
    view_sim_fetch(sim, &s, &fresh);
    CHECK(s.facts.steps == 0 && s.facts.commands == 0 && s.paused);
    view_sim_end(sim, NULL, NULL);
    erg_scene_destroy(scene);
}

static bool was_refused(const view_status *s)
{
    return s->notes == 1;
}
static bool has_stopped(const view_status *s)
{
    return s->state == VIEW_STOPPED;
}

// A command that is refused is a note; physics that is none stops the run, and the window lives on.
TEST(what_goes_wrong_is_told)
{
    erg_scene  *scene = load();
    view_sim   *sim = begin(scene, false, true);
    view_status s;
    REQUIRE(wait_for(sim, is_ready, &s));
    view_sim_command(sim, &(erg_command){.kind = ERG_COMMAND_FRICTION, .value = -1});
    REQUIRE(wait_for(sim, was_refused, &s));
    CHECK_STR(s.note, "friction must be 0 to 1e+06, got -1");
    view_sim_command(sim,
                     &(erg_command){.kind = ERG_COMMAND_PUSH, .value = 1, .vector = {0, 0, 1e6}});
    view_sim_pause(sim, false);
    REQUIRE(wait_for(sim, has_stopped, &s));
    CHECK(strstr(s.problem, "is too fast") != NULL);
    view_sim_restart(sim);
    REQUIRE(wait_for(sim, began_again, &s));
    REQUIRE(wait_for(sim, has_stepped, &s));
    view_sim_end(sim, NULL, NULL);
    erg_scene_destroy(scene);
}

// A mesh is played like a result: from the sowing to the last move, and back by hand.
TEST(samples_spread_over_a_mesh)
{
    erg_primitive  torus = erg_primitive_default(ERG_PRIMITIVE_TORUS);
    erg_sample_def def = erg_sample_def_default(ERG_SAMPLE_SURFACE);
    erg_look       look = erg_look_default();
    erg_mesh      *mesh = NULL;
    view_engine   *engine = NULL;
    view_sim      *sim = NULL;
    view_status    status;
    erg_error      err;
    bool           fresh;
    def.radius = 0.1;
    torus.segments = 24;
    must(erg_mesh_primitive(&torus, &mesh, &err), &err);
    must(view_engine_mesh(mesh, &def, &engine, &err), &err);
    must(view_sim_begin(engine, &look, true, false, NULL, &sim, &err), &err);
    for (int i = 0; i < 3; i++) view_sim_advance(sim, 1.0 / 15);
    CHECK(view_sim_fetch(sim, &status, &fresh) != NULL);
    CHECK(status.state == VIEW_READY && status.facts.is_mesh && status.facts.no_contacts);
    CHECK(status.facts.index == 3 && status.facts.count > 10 && status.facts.grains > 50);
    view_sim_advance(sim, 1000);
    view_sim_fetch(sim, &status, &fresh);
    CHECK(status.facts.index == status.facts.count - 1); // it stays at its end
    view_sim_step(sim, -2);
    view_sim_command(sim, &(erg_command){.kind = ERG_COMMAND_GRAVITY});
    view_sim_advance(sim, 1);
    view_sim_fetch(sim, &status, &fresh);
    CHECK(status.facts.index == status.facts.count - 3);
    CHECK_STR(status.note, "a mesh can only be viewed; use erg view SCENE to interact");
    view_sim_end(sim, NULL, NULL);
    erg_mesh_destroy(mesh);
}

TEST_MAIN(lock_step_is_the_same_every_time, what_a_window_did_can_be_replayed,
          emitters_pour_together, it_runs_whether_or_not_anybody_looks,
          it_pauses_steps_and_begins_again, what_goes_wrong_is_told, samples_spread_over_a_mesh)
