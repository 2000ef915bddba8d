// labels: asan
// Emitters, sinks and lost grains: added, present and removed grains balance.
#include "scratch.h"
#include "world_helpers.h"

static erg_world *open_world(bool periodic, erg_shape shape, erg_id *sand, erg_id *kind)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    def.speed = 1;
    def.lower = (erg_vec3){0, 0, -0.05};
    def.upper = (erg_vec3){20e-3, 20e-3, 1};
    def.periodic_x = def.periodic_y = periodic;
    erg_world *world = new_world(&def);
    *sand = new_sand(world, 0.5, 0.5);
    *kind = new_mixed_kind(world, shape, *sand, 0.8e-3, 1e-3);
    return world;
}

static erg_id add_emitter(erg_world *world, erg_id kind, double rate, double stop, uint64_t limit)
{
    erg_error       err;
    erg_id          id = 0;
    erg_emitter_def def = erg_emitter_def_default();
    def.grain = kind;
    def.rate = rate;
    def.region = box_region((erg_vec3){0, 0, 0.1}, (erg_vec3){20e-3, 20e-3, 0.11});
    def.velocity.z = -1;
    def.spread = 0.1;
    def.stop = stop;
    def.limit = limit;
    must(erg_world_add_emitter(world, &def, &id, &err), &err);
    return id;
}

static uint64_t emitted(const erg_world *world, erg_id id, double *mass)
{
    uint64_t  count = 0;
    erg_error err;
    must(erg_world_emitter_total(world, id, &count, mass, &err), &err);
    return count;
}

// rate times time, to the beat: half the time a grain takes to leave its place, 1 ms here.
TEST(emitter_keeps_its_rate)
{
    static const double rates[] = {700, 5000};
    for (int k = 0; k < 2; k++) {
        erg_id     sand, kind;
        erg_world *world = open_world(false, ERG_SHAPE_SPHERE, &sand, &kind);
        erg_id     id = add_emitter(world, kind, rates[k], (double)INFINITY, 0);
        for (int s = 1; s <= 5; s++) {
            run_until(world, 0.02 * s);
            double mass, count = (double)emitted(world, id, &mass);
            CHECK_NEAR(count, rates[k] * erg_world_time(world), rates[k] * 1.1e-3 + 1);
            CHECK(mass > 0);
        }
        erg_world_destroy(world);
    }
}

// From rest, 2000 per second: no pulses. Grains appear at least every 5 ms, and the speed of all
// free-falling grains matches the distance fallen, v = g tau, so that ages are evenly distributed.
TEST(grains_from_rest_come_without_pulses)
{
    erg_id          sand, kind;
    erg_world      *world = open_world(false, ERG_SHAPE_SPHERE, &sand, &kind);
    erg_error       err;
    erg_id          id = 0;
    erg_emitter_def def = erg_emitter_def_default();
    def.grain = kind;
    def.rate = 2000;
    def.region = box_region((erg_vec3){0, 0, 0.1}, (erg_vec3){20e-3, 20e-3, 0.15});
    must(erg_world_add_emitter(world, &def, &id, &err), &err);
    run_until(world, 0.05);
    uint64_t before = emitted(world, id, NULL);
    for (int s = 1; s <= 10; s++) {
        run_until(world, 0.05 + 5.2e-3 * s);
        uint64_t now = emitted(world, id, NULL);
        CHECK(now > before && now - before <= 22);
        before = now;
    }
    size_t    n = (size_t)before, slots[12] = {0};
    erg_vec3 *v = malloc(n * sizeof *v);
    must(erg_world_read(world, ERG_FIELD_VELOCITY, NULL, n, v, &err), &err);
    for (size_t i = 0; i < n; i++) { // by age, in slots of 1 ms
        int slot = (int)(-v[i].z / 9.81 / 1e-3);
        if (slot >= 6 && slot < 18) slots[slot - 6]++;
    }
    for (int k = 0; k < 12; k++) CHECK(slots[k] >= 1 && slots[k] <= 3); // 2 on average
    free(v);
    erg_world_destroy(world);
}

static char warning[300];

static void keep_warning(void *user, erg_log_level level, const char *text)
{
    int *count = user;
    if (level != ERG_LOG_WARNING || !strstr(text, "cannot keep its rate")) return;
    ++*count;
    snprintf(warning, sizeof warning, "%s", text);
}

TEST(an_emitter_that_cannot_keep_its_rate_says_so_once)
{
    int           count = 0;
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    def.speed = 1;
    def.lower = (erg_vec3){0, 0, -0.05};
    def.upper = (erg_vec3){20e-3, 20e-3, 1};
    def.log = keep_warning;
    def.log_user = &count;
    erg_world *world = new_world(&def);
    erg_id     sand = new_sand(world, 0.5, 0.5);
    erg_id     kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, 0.8e-3, 1e-3);
    erg_id     id = add_emitter(world, kind, 1e9, (double)INFINITY, 0);
    run_until(world, 0.06);
    double fits = 0, given = (double)emitted(world, id, NULL) / 0.06;
    CHECK(count == 1);
    CHECK(
        sscanf(
            warning,
            "emitter number 1 cannot keep its rate of 1000000000 grains per second: its region had "
            "room for about %lf",
            &fits) == 1);
    CHECK_NEAR(fits, given, 0.3 * given);
    CHECK(!strstr(warning, "e+"));
    erg_world_destroy(world);
}

TEST(emitter_heeds_stop_and_limit)
{
    erg_id     sand, kind;
    erg_world *world = open_world(false, ERG_SHAPE_SPHERE, &sand, &kind);
    erg_id     stopped = add_emitter(world, kind, 1000, 0.03, 0);
    erg_id     limited = add_emitter(world, kind, 1000, (double)INFINITY, 17);
    run_until(world, 0.08);
    CHECK_NEAR((double)emitted(world, stopped, NULL), 30, 3);
    CHECK(emitted(world, limited, NULL) == 17);
    CHECK(stats_of(world).emitted == emitted(world, stopped, NULL) + 17);
    erg_world_destroy(world);
}

// Grains and mass: in = inside + taken by the sink + lost at the bounds, at every moment.
TEST(nothing_is_lost_uncounted)
{
    static const erg_shape shapes[] = {ERG_SHAPE_SPHERE, ERG_SHAPE_TETRAHEDRON};
    for (int k = 0; k < 2; k++) {
        erg_id       sand, kind;
        erg_world   *world = open_world(false, shapes[k], &sand, &kind);
        erg_id       id = add_emitter(world, kind, 1500, 0.1, 0), drain = 0;
        erg_error    err;
        erg_sink_def sink = erg_sink_def_default();
        sink.region = box_region((erg_vec3){0, 0, 0}, (erg_vec3){10e-3, 20e-3, 0.02});
        must(erg_world_add_sink(world, &sink, &drain, &err), &err);
        uint64_t taken = 0;
        for (int s = 1; s <= 12; s++) {
            run_until(world, 0.02 * s);
            erg_stats stats = stats_of(world);
            double    in, out;
            uint64_t  given = emitted(world, id, &in);
            must(erg_world_sink_total(world, drain, &taken, &out, &err), &err);
            CHECK(given == stats.emitted && taken == stats.removed);
            CHECK(stats.emitted == stats.grains + stats.removed + stats.lost);
            CHECK(stats.lost > 0 || in >= stats.mass + out - 1e-12);
            if (stats.lost == 0) CHECK_NEAR(in, stats.mass + out, 1e-9 * in);
        }
        erg_stats stats = stats_of(world);
        CHECK(taken > 20 && stats.lost > 20);
        CHECK(stats.grains == 0); // all out in the end
        erg_world_destroy(world);
    }
}

// Above a floor that fills up the emitter waits; no grain overlaps another, even across a periodic
// boundary.
TEST(blocked_emitter_never_overlaps)
{
    for (int periodic = 0; periodic < 2; periodic++) {
        erg_id       sand, kind;
        erg_world   *world = open_world(periodic == 1, ERG_SHAPE_SPHERE, &sand, &kind);
        erg_wall_def plane = floor_def(sand);
        plane.plane.point.z = 0.095;
        new_wall(world, &plane);
        if (!periodic) {
            erg_wall_def box =
                box_def(sand, (erg_vec3){0, 0, 0}, (erg_vec3){20e-3, 20e-3, 0.2}, ERG_FACE_Z_MAX);
            new_wall(world, &box);
        }
        erg_id id = add_emitter(world, kind, 30000, (double)INFINITY, 0);
        for (int s = 1; s <= 5; s++) {
            erg_error err;
            CHECK(erg_world_run(world, 0.01 * s, NULL, NULL, &err) == ERG_OK);
            CHECK(stats_of(world).max_overlap_ratio < 0.1);
        }
        uint64_t count = emitted(world, id, NULL);
        CHECK(count > 300 && count < 1300); // about what the room below holds
        erg_world_destroy(world);
    }
}

TEST(lost_grains_are_counted)
{
    erg_id     sand, kind;
    erg_world *world = open_world(false, ERG_SHAPE_SPHERE, &sand, &kind);
    erg_vec3   none = {0, 0, 0};
    new_grain(world, kind, (erg_vec3){10e-3, 10e-3, 0}, (erg_vec3){1, 0, 0}, none);
    erg_gid stays = new_grain(world, kind, (erg_vec3){10e-3, 10e-3, 0.9}, none, none);
    run_until(world, 0.015);
    erg_stats s = stats_of(world);
    CHECK(s.lost == 1 && s.grains == 1 && s.removed == 0);
    CHECK(read3(world, ERG_FIELD_POSITION, stays).z < 0.9);
    erg_world_destroy(world);
}

TEST(periodic_grains_come_round)
{
    erg_id     sand, kind;
    erg_world *world = open_world(true, ERG_SHAPE_DIMER, &sand, &kind);
    erg_gid    id = new_grain(world, kind, (erg_vec3){1e-3, 19e-3, 0.5}, (erg_vec3){-0.5, 0.25, 0},
                              (erg_vec3){0, 0, 0});
    run_until(world, 0.1);
    double   t = erg_world_time(world);
    erg_vec3 x = read3(world, ERG_FIELD_POSITION, id);
    CHECK_NEAR(remainder(x.x - (1e-3 - 0.5 * t), 20e-3), 0, 1e-7);
    CHECK_NEAR(remainder(x.y - (19e-3 + 0.25 * t), 20e-3), 0, 1e-7);
    CHECK(x.x > -2e-3 && x.x < 22e-3 && x.y > -2e-3 && x.y < 22e-3);
    CHECK(stats_of(world).lost == 0);
    erg_world_destroy(world);
}

// ---- Emitters near walls, and under commands ---------------------------------------------------
static erg_id emitter_in(erg_world *world, erg_id kind, erg_vec3 low, erg_vec3 high, double rate,
                         double speed, double spread)
{
    erg_error       err;
    erg_id          id = 0;
    erg_emitter_def def = erg_emitter_def_default();
    def.grain = kind;
    def.rate = rate;
    def.region = box_region(low, high);
    def.velocity.x = speed;
    def.spread = spread;
    must(erg_world_add_emitter(world, &def, &id, &err), &err);
    return id;
}

static void order(erg_world *world, erg_command c)
{
    erg_error err;
    must(erg_world_command(world, &c, &err), &err);
}

static size_t outside_of(const erg_world *world, erg_vec3 low, erg_vec3 high)
{
    erg_error err;
    size_t    n = erg_world_grain_count(world), count = 0;
    erg_vec3 *x = malloc((n + 1) * sizeof *x);
    must(erg_world_read(world, ERG_FIELD_POSITION, NULL, n, x, &err), &err);
    for (size_t i = 0; i < n; i++)
        count += x[i].x < low.x || x[i].x > high.x || x[i].y < low.y || x[i].y > high.y ||
                 x[i].z < low.z || x[i].z > high.z;
    free(x);
    return count;
}

// Grains have flown since they appeared, but not through a thin wall: not by their velocity, its
// random part or gravity, even when a command raises gravity.
TEST(no_grain_appears_behind_a_wall)
{
    static const struct {
        double speed, spread, g, later;
    } cases[] = {{0, 1, 9.81, 9.81},   {1e-3, 1, 9.81, 9.81}, {1, 1, 9.81, 9.81},
                 {1e-3, 0, 400, 400},  {0, 0, 0, 400},        {5, 0, 9.81, 9.81},
                 {1e-3, 0.1, 0.1, 400}};
    const erg_vec3 low = {0, 0, 0}, high = {10e-3, 10e-3, 10e-3};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        erg_world_def def = erg_world_def_default();
        def.threads = 1;
        def.speed = 5;
        def.gravity.z = -cases[k].g;
        erg_world   *world = new_world(&def);
        erg_id       sand = new_sand(world, 0.5, 0.5);
        erg_wall_def box = box_def(sand, low, high, 0);
        box.side = ERG_SIDE_BOTH;
        new_wall(world, &box);
        erg_id id = emitter_in(world, new_kind(world, ERG_SHAPE_SPHERE, sand), low, high, 3000,
                               cases[k].speed, cases[k].spread);
        for (int s = 1; s <= 8; s++) {
            run_until(world, 4e-3 * s);
            CHECK(outside_of(world, low, high) == 0);
            order(world,
                  (erg_command){.kind = ERG_COMMAND_GRAVITY, .vector = {0, 0, -cases[k].later}});
        }
        CHECK(emitted(world, id, NULL) > 20);
        erg_world_destroy(world);
    }
}

// Grains of 0.1 mm at 5 m/s fly a radius in 20 microseconds; the rate holds all the same.
TEST(fast_fine_stream_keeps_its_rate)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    def.speed = 5;
    def.lower = (erg_vec3){-1, -1, -1};
    def.upper = (erg_vec3){30e-3, 1, 1};
    erg_world *world = new_world(&def);
    erg_id     sand = new_sand(world, 0.5, 0.5);
    erg_id     kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, 0.1e-3, 0.11e-3);
    erg_id     id =
        emitter_in(world, kind, (erg_vec3){0, 0, 0}, (erg_vec3){1e-3, 5e-3, 5e-3}, 20000, 5, 0);
    run_until(world, 0.01);
    CHECK_NEAR((double)emitted(world, id, NULL), 200, 2);
    erg_world_destroy(world);
}

TEST(emitter_rate_has_one_limit)
{
    erg_id      sand, kind;
    erg_error   err;
    erg_world  *world = open_world(false, ERG_SHAPE_SPHERE, &sand, &kind);
    erg_id      id = add_emitter(world, kind, 1e9, (double)INFINITY, 0);
    erg_command c = {.kind = ERG_COMMAND_EMITTER_RATE, .id = id, .value = 1e9};
    CHECK(erg_world_command(world, &c, &err) == ERG_OK);
    c.value = 1.01e9;
    CHECK(erg_world_command(world, &c, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "rate must be 0 to 1e+09 1/s, got 1.01e+09"));
    erg_world_destroy(world);
}

static erg_world *watched_world(int *warnings, erg_id *emitter)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    def.speed = 1;
    def.lower = (erg_vec3){0, 0, -0.05};
    def.upper = (erg_vec3){20e-3, 20e-3, 1};
    def.log = keep_warning;
    def.log_user = warnings;
    erg_world *world = new_world(&def);
    erg_id     sand = new_sand(world, 0.5, 0.5);
    *emitter = add_emitter(world, new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, 0.8e-3, 1e-3), 100,
                           (double)INFINITY, 0);
    return world;
}

// Grains at an earlier rate do not count: no warning after too high a rate for 5 ms; one after
// twenty intervals of 0.7 ms, and the same one when the run is resumed in between.
TEST(warning_counts_since_the_rate_changed)
{
    int        warnings = 0;
    erg_id     id;
    erg_error  err;
    erg_world *world = watched_world(&warnings, &id);
    scratch    folder;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "short.erg");
    run_until(world, 0.05);
    order(world, (erg_command){.kind = ERG_COMMAND_EMITTER_RATE, .id = id, .value = 1e6});
    run_until(world, 0.055);
    order(world, (erg_command){.kind = ERG_COMMAND_EMITTER_RATE, .id = id, .value = 5000});
    run_until(world, 0.11);
    CHECK(warnings == 0);
    order(world, (erg_command){.kind = ERG_COMMAND_EMITTER_RATE, .id = id, .value = 1e6});
    run_until(world, 0.12);
    CHECK(warnings == 0);
    bool saved = erg_world_save(world, path, NULL, NULL, &err) == ERG_OK;
    CHECK(saved == (ERG_WITH_HDF5 != 0));
    run_until(world, 0.13);
    CHECK(warnings == 1);
    erg_world_destroy(world);
    if (!saved) {
        scratch_close(&folder);
        return;
    }

    char said[sizeof warning];
    snprintf(said, sizeof said, "%s", warning);
    warnings = 0;
    world = watched_world(&warnings, &id);
    must(erg_world_load(world, path, &err), &err);
    run_until(world, 0.13);
    CHECK(warnings == 1 && strcmp(said, warning) == 0);
    erg_world_destroy(world);
    scratch_close(&folder);
}

// A grain at rest in the only free place blocks the emitter. At rate 0 nothing is released when
// that grain is removed.
TEST(emitter_at_rate_0_gives_nothing)
{
    erg_world_def def = space_def(ERG_DOUBLE);
    def.speed = 1;
    erg_world *world = new_world(&def);
    erg_id     kind = new_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 0.5, 0.5));
    erg_id     id = emitter_in(world, kind, (erg_vec3){0, 0, 0}, (erg_vec3){2.1e-3, 2.1e-3, 2.1e-3},
                               1000, 0, 0);
    run_until(world, 0.05);
    CHECK(emitted(world, id, NULL) == 1);
    erg_gid   only = 0;
    erg_error err;
    must(erg_world_read(world, ERG_FIELD_ID, NULL, 1, &only, &err), &err);
    order(world, (erg_command){.kind = ERG_COMMAND_EMITTER_RATE, .id = id, .value = 0});
    order(world, (erg_command){.kind = ERG_COMMAND_REMOVE_GRAIN, .grain = only});
    run_until(world, 0.1);
    CHECK(emitted(world, id, NULL) == 1 && erg_world_grain_count(world) == 0);
    erg_world_destroy(world);
}

// The interval depends on gravity, 5 ms and then 1.3 ms here, and steps of RKF45 have any length;
// grains are due since the last release all the same.
TEST(rate_holds_when_the_interval_changes)
{
    for (int k = 0; k < 2; k++) {
        erg_world_def def = erg_world_def_default();
        def.threads = 1;
        def.speed = 1;
        def.lower = (erg_vec3){0, 0, 0.05};
        def.upper = (erg_vec3){20e-3, 20e-3, 1};
        if (k) def.integrator = ERG_RKF45;
        erg_world *world = new_world(&def);
        erg_id     kind = new_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 0.5, 0.5));
        erg_id id = emitter_in(world, kind, (erg_vec3){0, 0, 0.1}, (erg_vec3){20e-3, 20e-3, 0.15},
                               1000, 0, 0);
        run_until(world, 7e-3);
        order(world, (erg_command){.kind = ERG_COMMAND_GRAVITY, .vector = {0, 0, -1000}});
        run_until(world, 30e-3);
        CHECK_NEAR((double)emitted(world, id, NULL), 1000 * erg_world_time(world), 2.5);
        erg_world_destroy(world);
    }
}

TEST(a_region_too_long_for_the_grains_is_refused)
{
    erg_id          sand, kind;
    erg_error       err;
    erg_world      *world = open_world(false, ERG_SHAPE_SPHERE, &sand, &kind);
    uint64_t        hash = erg_world_hash(world);
    erg_emitter_def def = erg_emitter_def_default();
    def.grain = kind;
    def.rate = 1000;
    def.region = (erg_region){.shape = ERG_REGION_SPHERE, .radius = 1e9};
    CHECK(erg_world_add_emitter(world, &def, NULL, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.field, "region");
    CHECK_STR(err.text, "the region is 2e+09 m long, too long for grains of radius 0.0008 m");
    CHECK(erg_world_emitter_count(world) == 0 && erg_world_hash(world) == hash);
    erg_world_destroy(world);
}

// ---- Cancelling --------------------------------------------------------------------------------
// Two emitters, one after the other, that give too many grains to be placed without being asked.
static erg_world *crowded_world(erg_continue_fn keep_going, void *user)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    def.dt = 1e-4;
    def.keep_going = keep_going;
    def.keep_going_user = user;
    erg_world       *world = new_world(&def);
    erg_material_def soft = erg_material_def_default();
    soft.young = 1e5;
    erg_id kind = new_kind(world, ERG_SHAPE_SPHERE, new_material(world, &soft));
    emitter_in(world, kind, (erg_vec3){0, 0, 0}, (erg_vec3){0.03, 0.03, 0.03}, 2e4, 0, 0);
    emitter_in(world, kind, (erg_vec3){1, 0, 0}, (erg_vec3){1.025, 0.025, 0.025}, 1e9, 0, 0);
    return world;
}

static bool count_calls(void *user)
{
    int *left = user;
    return *left > 0 && --*left > 0;
}

TEST(a_cancelled_release_leaves_the_world_as_it_was)
{
    erg_error  err;
    int        left = 1000000;
    erg_world *unbroken = crowded_world(count_calls, &left);
    run_until(unbroken, 0.012);
    int calls = 1000000 - left;
    CHECK(calls > 2);

    for (int k = 1; k <= calls; k += (calls + 4) / 5) {
        left = k;
        erg_world *world = crowded_world(count_calls, &left);
        CHECK(erg_world_run(world, 0.012, NULL, NULL, &err) == ERG_CANCELLED);
        uint64_t   steps = erg_world_steps(world), hash = erg_world_hash(world);
        int        all = 1000000;
        erg_world *same = crowded_world(count_calls, &all);
        step(same, steps);
        CHECK(erg_world_hash(same) == hash);
        CHECK(erg_world_grain_count(same) == erg_world_grain_count(world));
        // again at once, and then to the end
        left = 1;
        CHECK(erg_world_step(world, 1, &err) == ERG_CANCELLED);
        CHECK(erg_world_steps(world) == steps && erg_world_hash(world) == hash);
        left = 1000000;
        run_until(world, 0.012);
        CHECK(erg_world_hash(world) == erg_world_hash(unbroken));
        erg_world_destroy(same);
        erg_world_destroy(world);
    }
    erg_world_destroy(unbroken);
}

// A command of the same step is undone with it.
TEST(a_cancelled_step_undoes_its_commands)
{
    erg_error  err;
    int        left = 1000000;
    erg_world *world = crowded_world(count_calls, &left);
    while (erg_world_grain_count(world) == 0) step(world, 1);
    uint64_t steps = 0;
    left = 0;
    while (erg_world_step(world, 1, &err) == ERG_OK) steps++;
    CHECK(steps > 0);
    uint64_t hash = erg_world_hash(world), at = erg_world_steps(world);
    order(world, (erg_command){.kind = ERG_COMMAND_GRAVITY, .vector = {0, 0, -1}});
    CHECK(erg_world_step(world, 1, &err) == ERG_CANCELLED);
    CHECK(erg_world_steps(world) == at && erg_world_hash(world) == hash);
    left = 1000000;
    step(world, 1);
    CHECK(erg_world_steps(world) == at + 1);
    erg_world_destroy(world);
}

TEST_MAIN(emitter_keeps_its_rate, grains_from_rest_come_without_pulses,
          an_emitter_that_cannot_keep_its_rate_says_so_once, emitter_heeds_stop_and_limit,
          nothing_is_lost_uncounted, blocked_emitter_never_overlaps, lost_grains_are_counted,
          periodic_grains_come_round, no_grain_appears_behind_a_wall,
          fast_fine_stream_keeps_its_rate, emitter_rate_has_one_limit,
          warning_counts_since_the_rate_changed, emitter_at_rate_0_gives_nothing,
          rate_holds_when_the_interval_changes, a_region_too_long_for_the_grains_is_refused,
          a_cancelled_release_leaves_the_world_as_it_was, a_cancelled_step_undoes_its_commands)
