// labels: asan
// Fine particles in a world: they follow the grains, stay out of walls, and none is lost.
#include "erg/upsample.h"
#include "world_helpers.h"

#include <string.h>

static const double R = 2e-3;

static erg_world *new_one(int threads, bool periodic)
{
    erg_world_def def = erg_world_def_default();
    def.threads = threads;
    def.fixed_threads = true;
    def.speed = 2;
    def.periodic_x = periodic;
    def.lower = (erg_vec3){0, -1, -1};
    def.upper = (erg_vec3){periodic ? 0.03 : 1, 1, 1};
    return new_world(&def);
}

static erg_id soft_sand(erg_world *world)
{
    erg_material_def m = erg_material_def_default();
    m.young = 1e7;
    return new_material(world, &m);
}

static void upsample(erg_world *world, double ratio, double start)
{
    erg_upsample_def def = erg_upsample_def_default();
    erg_error        err;
    def.ratio = ratio;
    def.start = start;
    must(erg_world_set_upsample(world, &def, &err), &err);
}

static erg_fine_view view_of(const erg_world *world)
{
    erg_fine_view v;
    erg_error     err;
    must(erg_world_view_fine(world, &v, &err), &err);
    return v;
}

// A box of grains of mixed sizes with a thin paddle that oscillates in it.
static erg_world *box_of_sand(int threads, erg_shape shape, bool periodic)
{
    erg_world *world = new_one(threads, periodic);
    erg_id     sand = soft_sand(world);
    erg_id     kind = new_mixed_kind(world, shape, sand, 0.7 * R, R);
    // Walls have no periodic images, so a periodic box is made of planes.
    erg_wall_def box =
        box_def(sand, (erg_vec3){0, 0, 0}, (erg_vec3){0.03, 0.03, 0.2}, ERG_FACE_Z_MAX);
    erg_wall_def ground = floor_def(sand), side = floor_def(sand);
    new_wall(world, periodic ? &ground : &box);
    erg_wall_def paddle =
        box_def(sand, (erg_vec3){0.010, 0.0145, 0.004}, (erg_vec3){0.018, 0.0155, 0.05}, 0);
    paddle.side = ERG_SIDE_OUTSIDE;
    paddle.motion[0] = erg_motion_def_default(ERG_MOTION_OSCILLATION);
    paddle.motion[0].amplitude.x = 3e-3;
    paddle.motion[0].frequency = 5;
    paddle.motion_count = 1;
    new_wall(world, &paddle);
    for (int k = -1; k <= 1 && periodic; k += 2) {
        side.plane.point = (erg_vec3){0, k < 0 ? 0.03 : 0, 0};
        side.plane.normal = (erg_vec3){0, k, 0};
        new_wall(world, &side);
    }
    fill_box(world, kind, shape == ERG_SHAPE_SPHERE ? 200 : 120, (erg_vec3){0.001, 0, 0},
             (erg_vec3){0.029, 0.03, 0.15});
    return world;
}

TEST(they_follow_a_falling_grain)
{
    erg_world *world = new_one(1, false);
    erg_id     kind = new_kind(world, ERG_SHAPE_SPHERE, soft_sand(world));
    erg_gid    id =
        new_grain(world, kind, (erg_vec3){0.5, 0, 0.9}, (erg_vec3){0.3, 0, 0}, (erg_vec3){0, 0, 0});
    upsample(world, 0.25, 0);
    run_until(world, 0.35);
    erg_vec3      x = read3(world, ERG_FIELD_POSITION, id);
    erg_fine_view v = view_of(world);
    CHECK(v.count == 64);
    double farthest = 0, time = erg_world_time(world), frame = floor(time * 60 + 1e-9) / 60;
    for (size_t k = 0; k < v.count; k++) {
        erg_vec3 p = erg_fine_position(&v, k);
        p.z -= 9.81 * 0.5 * (time * time - frame * frame); // add the motion since the last frame
        p.x += 0.3 * (time - frame);
        farthest = fmax(farthest, ergi_distance(p, x));
    }
    CHECK_NEAR(farthest, 1.2e-3, 0.15e-3);
    erg_world_destroy(world);
}

// Farthest particle from the nearest of the grains in a row along x, 0.1 m apart [m].
static double farthest_from_row(const erg_world *world, const erg_gid *id, size_t count)
{
    erg_fine_view v = view_of(world);
    double        farthest = 0;
    for (size_t k = 0; k < v.count; k++) {
        erg_vec3 p = erg_fine_position(&v, k);
        double   nearest = HUGE_VAL;
        for (size_t g = 0; g < count; g++)
            nearest = fmin(nearest, ergi_distance(p, read3(world, ERG_FIELD_POSITION, id[g])));
        farthest = fmax(farthest, nearest);
    }
    return farthest;
}

// Grains that moved up to 30 radii within a frame and stopped at the floor.
TEST(they_stay_with_grains_that_hit_the_floor)
{
    enum { ROW = 8 };
    erg_world       *world = new_one(1, false);
    erg_material_def m = erg_material_def_default();
    m.young = 1e7;
    m.restitution = 0.05;
    erg_id       sand = new_material(world, &m), kind = new_kind(world, ERG_SHAPE_SPHERE, sand);
    erg_wall_def ground = floor_def(sand);
    erg_gid      id[ROW];
    new_wall(world, &ground);
    for (size_t k = 0; k < ROW; k++)
        id[k] = new_grain(world, kind, (erg_vec3){0.1 * (double)k, 0, 0.12 + 0.006 * (double)k},
                          (erg_vec3){0, 0, -2}, (erg_vec3){0, 0, 0});
    upsample(world, 0.4, 0);
    run_until(world, 0.3);
    CHECK(erg_world_fine_count(world) > 12 * ROW);
    CHECK(farthest_from_row(world, id, ROW) < 2e-3);
    erg_world_destroy(world);
}

// A grain that the caller places elsewhere leaves its particles behind; one that he moves a little
// takes them along.
TEST(they_do_not_follow_a_grain_that_is_placed_elsewhere)
{
    erg_world_def def = space_def(ERG_FLOAT);
    def.dt = 1.0 / 600;
    def.solver = ERG_SOLVER_PBD;
    erg_world *world = new_world(&def);
    erg_id     kind = new_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 0.5, 0.5));
    erg_gid    id =
        new_grain(world, kind, (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 0});
    erg_error err;
    upsample(world, 0.4, 0);
    run_until(world, 0.1);
    CHECK_NEAR(farthest_from_row(world, &id, 1), 1.5e-3, 0.4e-3);
    must(erg_world_write(world, ERG_FIELD_POSITION, &id, 1, &(erg_vec3){3e-3, 0, 0}, &err), &err);
    run_until(world, 0.2);
    CHECK_NEAR(farthest_from_row(world, &id, 1), 1.5e-3, 0.4e-3);
    must(erg_world_write(world, ERG_FIELD_POSITION, &id, 1, &(erg_vec3){0.05, 0, 0}, &err), &err);
    run_until(world, 0.3);
    CHECK(farthest_from_row(world, &id, 1) > 0.045);
    erg_world_destroy(world);
}

// Substeps add up to whole frames, so that the particles are where their grain is at each of them.
TEST(they_lag_behind_at_no_frame)
{
    enum { SUBSTEPS = 8, FRAMES = 600, APART = 10 };
    erg_world_def def = space_def(ERG_FLOAT);
    def.solver = ERG_SOLVER_PBD;
    def.pbd.substeps = SUBSTEPS;
    erg_world *world = new_world(&def);
    erg_id     kind = new_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 0.5, 0.5));
    erg_gid    id =
        new_grain(world, kind, (erg_vec3){0, 0, 0}, (erg_vec3){1, 0, 0}, (erg_vec3){0, 0, 0});
    int late = 0, behind = 0;
    upsample(world, 0.4, 0);
    for (int k = 1; k <= FRAMES; k++) {
        if (k % APART && k > APART) continue;
        run_until(world, k / 60.0);
        late += erg_world_steps(world) != (uint64_t)(SUBSTEPS * k);
        behind += farthest_from_row(world, &id, 1) > 2e-3;
    }
    CHECK(late == 0);
    CHECK(behind == 0);
    CHECK(erg_world_time(world) == 10);
    erg_world_destroy(world);
}

static bool inside_box(erg_vec3 p, double keep, bool periodic)
{
    return (periodic || (p.x > keep && p.x < 0.03 - keep)) && p.y > keep && p.y < 0.03 - keep &&
           p.z > keep;
}

static void check_box(erg_shape shape, bool periodic)
{
    erg_world *one = box_of_sand(1, shape, periodic), *two = box_of_sand(2, shape, periodic);
    upsample(one, 0.3, 0.08);
    upsample(two, 0.3, 0.08);
    size_t expected = erg_world_fine_expected(one);
    for (int k = 1; k <= 6; k++) {
        run_until(one, 0.05 * k);
        run_until(two, 0.05 * k);
        CHECK(erg_world_hash(one) == erg_world_hash(two));
        erg_fine_view v = view_of(one);
        CHECK(v.count == (k < 2 ? 0 : expected));
        int            outside = 0, in_paddle = 0;
        erg_wall_state paddle;
        erg_error      err;
        must(erg_world_wall_state(one, 2, &paddle, &err), &err);
        for (size_t i = 0; i < v.count; i++) {
            erg_vec3 p = erg_fine_position(&v, i), q = ergi_sub(p, paddle.position);
            outside += !inside_box(p, 0.5 * v.radius, periodic);
            // a smaller box: the paddle has moved since the last frame
            in_paddle += q.x > 0.0115 && q.x < 0.0165 && q.y > 0.0147 && q.y < 0.0153 &&
                         q.z < 0.0497 && q.z > 0.005;
        }
        CHECK_NEAR(outside, 0, 0);
        CHECK_NEAR(in_paddle, 0, 0);
    }
    CHECK(expected > 5000);
    erg_world_destroy(one);
    erg_world_destroy(two);
}

TEST(they_stay_out_of_walls_and_none_is_lost)
{
    check_box(ERG_SHAPE_SPHERE, false);
    check_box(ERG_SHAPE_DIMER, true);
}

TEST(they_start_when_the_grains_have_settled)
{
    erg_world *world = box_of_sand(2, ERG_SHAPE_SPHERE, false);
    upsample(world, 0.4, ERG_UPSAMPLE_SETTLED);
    run_until(world, 0.05);
    CHECK(erg_world_fine_count(world) == 0);
    run_until(world, 0.8);
    CHECK(erg_world_fine_count(world) == erg_world_fine_expected(world));
    CHECK(erg_world_fine_count(world) > 1000);
    erg_world_destroy(world);
}

// Particles in a pile at rest do not drift.
TEST(a_pile_at_rest_keeps_its_look)
{
    erg_world   *world = new_one(2, false);
    erg_id       sand = soft_sand(world), kind = new_kind(world, ERG_SHAPE_SPHERE, sand);
    erg_wall_def box =
        box_def(sand, (erg_vec3){0, 0, 0}, (erg_vec3){0.016, 0.016, 0.2}, ERG_FACE_Z_MAX);
    new_wall(world, &box);
    fill_box(world, kind, 400, (erg_vec3){0, 0, 0}, (erg_vec3){0.016, 0.016, 0.1});
    upsample(world, 0.3, 0.7);
    run_until(world, 0.75);
    erg_fine_view v = view_of(world);
    size_t        n = v.count;
    erg_vec3     *at = calloc(n, sizeof *at);
    REQUIRE(n > 10000);
    for (size_t i = 0; i < n; i++) at[v.id[i] - 1] = erg_fine_position(&v, i);
    run_until(world, 1.4);
    v = view_of(world);
    CHECK(v.count == n);
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += ergi_distance(at[v.id[i] - 1], erg_fine_position(&v, i));
    CHECK(sum / (double)n < 0.03e-3); // grains have a radius of 1 mm
    free(at);
    erg_world_destroy(world);
}

TEST(emitters_bring_them_and_sinks_take_them)
{
    erg_world      *world = new_one(2, false);
    erg_id          kind = new_kind(world, ERG_SHAPE_SPHERE, soft_sand(world));
    erg_error       err;
    erg_emitter_def pour = erg_emitter_def_default();
    pour.grain = kind;
    pour.rate = 400;
    pour.limit = 100;
    pour.velocity.z = -1;
    pour.region = box_region((erg_vec3){0.1, 0, 0.5}, (erg_vec3){0.13, 0.03, 0.52});
    must(erg_world_add_emitter(world, &pour, NULL, &err), &err);
    erg_sink_def drain = erg_sink_def_default();
    drain.region = box_region((erg_vec3){-1, -1, 0}, (erg_vec3){1, 1, 0.2});
    must(erg_world_add_sink(world, &drain, NULL, &err), &err);
    upsample(world, 0.5, ERG_UPSAMPLE_SETTLED);
    run_until(world, 0.1);
    size_t grains = erg_world_grain_count(world);
    CHECK(grains > 30 && erg_world_fine_count(world) > 7 * (grains - 8) &&
          erg_world_fine_count(world) <= 8 * grains);
    run_until(world, 0.8);
    erg_fine_stats s;
    must(erg_world_fine_stats(world, &s, &err), &err);
    CHECK(erg_world_grain_count(world) == 0 && erg_world_fine_count(world) == 0);
    CHECK(s.taken > 780 && s.taken <= 800 && s.lost == 0);
    erg_world_destroy(world);
}

// ---- Materials ---------------------------------------------------------------------------------
// Grains of the first material fill the left half of a box, those of the second the right half;
// some more of the second are poured onto the left one, and a sink takes a corner away.
static erg_world *two_sands(int threads)
{
    erg_world *world = new_one(threads, false);
    erg_error  err;
    erg_id     first = soft_sand(world), second = soft_sand(world);
    erg_id     left = new_kind(world, ERG_SHAPE_SPHERE, first),
           right = new_kind(world, ERG_SHAPE_DIMER, second);
    erg_wall_def box =
        box_def(first, (erg_vec3){0, 0, 0}, (erg_vec3){0.03, 0.03, 0.2}, ERG_FACE_Z_MAX);
    new_wall(world, &box);
    fill_box(world, left, 100, (erg_vec3){0, 0, 0}, (erg_vec3){0.014, 0.03, 0.1});
    fill_box(world, right, 50, (erg_vec3){0.016, 0, 0}, (erg_vec3){0.03, 0.03, 0.1});
    erg_emitter_def pour = erg_emitter_def_default();
    pour.grain = right;
    pour.rate = 200;
    pour.velocity.z = -1;
    pour.region = box_region((erg_vec3){0, 0, 0.12}, (erg_vec3){0.014, 0.03, 0.15});
    must(erg_world_add_emitter(world, &pour, NULL, &err), &err);
    erg_sink_def drain = erg_sink_def_default();
    drain.region = box_region((erg_vec3){0, 0, 0}, (erg_vec3){0.005, 0.005, 0.02});
    drain.start = 0.1;
    must(erg_world_add_sink(world, &drain, NULL, &err), &err);
    upsample(world, 0.4, 0);
    return world;
}

TEST(each_has_the_material_of_its_grain)
{
    enum { MOST = 30000 };
    static uint8_t material[MOST]; // by id
    erg_world     *one = two_sands(1), *two = two_sands(2);
    size_t         wrong = 0, changed = 0, differ = 0;
    run_until(one, 0.001);
    erg_fine_view v = view_of(one);
    CHECK(v.count > 2000);
    for (size_t i = 0; i < v.count; i++) {
        double x = erg_fine_position(&v, i).x;
        wrong += v.material[i] != (x < 0.015 ? 1 : 2) && fabs(x - 0.015) > R;
        material[v.id[i]] = v.material[i];
    }
    CHECK(wrong == 0);
    uint64_t first = v.count + 1;
    for (int k = 1; k <= 20; k++) {
        run_until(one, 0.02 * k);
        run_until(two, 0.02 * k);
        v = view_of(one);
        erg_fine_view w = view_of(two);
        CHECK(v.count == w.count);
        for (size_t i = 0; i < v.count; i++) {
            REQUIRE(v.id[i] < MOST);
            uint8_t was = material[v.id[i]];
            changed += was && was != v.material[i];
            wrong += v.id[i] >= first && v.material[i] != 2;
            differ += v.id[i] != w.id[i] || v.material[i] != w.material[i];
            material[v.id[i]] = v.material[i];
        }
    }
    erg_fine_stats s;
    erg_error      err;
    must(erg_world_fine_stats(one, &s, &err), &err);
    CHECK(s.taken > 10 && material[first + 100] == 2);
    CHECK(wrong == 0 && changed == 0 && differ == 0);
    erg_world_destroy(one);
    erg_world_destroy(two);
}

// ---- Number ------------------------------------------------------------------------------------
// Grains of mixed sizes fall into the middle of an empty world.
static erg_world *new_stream(uint64_t limit, double stop)
{
    erg_world      *world = new_one(2, false);
    erg_error       err;
    erg_emitter_def pour = erg_emitter_def_default();
    pour.grain = new_mixed_kind(world, ERG_SHAPE_SPHERE, soft_sand(world), 0.3 * R, 0.5 * R);
    pour.rate = 1000;
    pour.limit = limit;
    pour.stop = stop;
    pour.velocity.z = -1;
    pour.region = box_region((erg_vec3){0.4, 0, 0.5}, (erg_vec3){0.44, 0.04, 0.52});
    must(erg_world_add_emitter(world, &pour, NULL, &err), &err);
    return world;
}

static void upsample_count(erg_world *world, uint64_t count, double until, const erg_region *region)
{
    erg_upsample_def def = erg_upsample_def_default();
    erg_error        err;
    def.start = 0;
    def.count = count;
    def.until = until;
    def.region = region;
    must(erg_world_set_upsample(world, &def, &err), &err);
}

// That `count` particles were announced, and that about as many came with the grains of 0.2 s.
static void check_count(erg_world *world, double count)
{
    size_t bytes = erg_world_expected_bytes(world, 0.2);
    CHECK((double)erg_world_fine_expected(world) == count && (double)bytes > 60 * count);
    run_until(world, 0.1);
    CHECK_NEAR((double)erg_world_fine_count(world), 0.5 * count, 0.05 * count);
    run_until(world, 0.22);
    CHECK(erg_world_grain_count(world) >= 198);
    CHECK_NEAR((double)erg_world_fine_count(world), count, 0.05 * count);
    erg_world_destroy(world);
}

TEST(count_includes_the_grains_of_emitters)
{
    erg_world *limited = new_stream(200, INFINITY), *stopped = new_stream(0, 0.2),
              *to_the_end = new_stream(200000, INFINITY);
    upsample_count(limited, 20000, INFINITY, NULL);
    upsample_count(stopped, 20000, INFINITY, NULL);
    upsample_count(to_the_end, 20000, 0.2, NULL);
    check_count(limited, 20000);
    check_count(stopped, 20000);
    CHECK((double)erg_world_fine_expected(to_the_end) == 20000);
    run_until(to_the_end, 0.2);
    CHECK_NEAR((double)erg_world_fine_count(to_the_end), 20000, 2500); // the last frame is missing
    erg_world_destroy(to_the_end);
}

TEST(count_is_for_grains_of_fills_and_emitters_together)
{
    erg_world *world = new_stream(200, INFINITY);
    fill_box(world, 1, 200, (erg_vec3){0.4, 0.2, 0.5}, (erg_vec3){0.48, 0.28, 0.6});
    upsample_count(world, 20000, INFINITY, NULL);
    CHECK(erg_world_fine_expected(world) == 20000);
    run_until(world, 0.001);
    CHECK_NEAR((double)erg_world_fine_count(world), 10000, 500);
    run_until(world, 0.22);
    CHECK_NEAR((double)erg_world_fine_count(world), 20000, 1000);
    erg_world_destroy(world);
}

// Half of the emitter is in the region.
TEST(count_is_for_grains_in_the_region)
{
    erg_world *world = new_stream(200, INFINITY);
    erg_region half = box_region((erg_vec3){0, 0, 0}, (erg_vec3){0.42, 1, 1});
    upsample_count(world, 20000, INFINITY, &half);
    check_count(world, 20000);
}

TEST(expected_number_by_ratio_includes_the_grains_of_emitters)
{
    erg_world *endless = new_stream(0, INFINITY), *limited = new_stream(200, INFINITY);
    upsample(endless, 0.25, 0);
    upsample(limited, 0.25, 0);
    CHECK(erg_world_fine_expected(endless) == 0);
    double expected = (double)erg_world_fine_expected(limited);
    run_until(limited, 0.22);
    CHECK(expected > 10000);
    CHECK_NEAR((double)erg_world_fine_count(limited), expected, 0.05 * expected);
    erg_world_destroy(endless);
    erg_world_destroy(limited);
}

TEST(a_count_without_a_known_number_of_grains_is_refused)
{
    erg_world *world = new_stream(0, INFINITY);
    erg_error  err;
    upsample_count(world, 20000, INFINITY, NULL);
    CHECK(erg_world_prepare(world, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.field, "upsample.count");
    CHECK(strstr(err.text, "use ratio instead"));
    erg_world_destroy(world);
}

// ---- Errors ------------------------------------------------------------------------------------
TEST(what_is_wrong_is_said)
{
    erg_world       *world = new_one(1, false);
    erg_upsample_def def = erg_upsample_def_default();
    erg_error        err;
    def.ratio = 3;
    CHECK(erg_world_set_upsample(world, &def, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.field, "ratio");
    def = erg_upsample_def_default();
    def.until = -1;
    CHECK(erg_world_set_upsample(world, &def, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.field, "until");
    def = erg_upsample_def_default();
    must(erg_world_set_upsample(world, &def, &err), &err);
    CHECK(erg_world_set_upsample(world, &def, &err) == ERG_BAD_INPUT);
    CHECK(erg_world_fine_count(world) == 0 && erg_world_fine_expected(world) == 0);
    erg_world_destroy(world);
}

TEST_MAIN(they_follow_a_falling_grain, they_stay_with_grains_that_hit_the_floor,
          they_do_not_follow_a_grain_that_is_placed_elsewhere, they_lag_behind_at_no_frame,
          they_stay_out_of_walls_and_none_is_lost, they_start_when_the_grains_have_settled,
          a_pile_at_rest_keeps_its_look, emitters_bring_them_and_sinks_take_them,
          each_has_the_material_of_its_grain, count_includes_the_grains_of_emitters,
          count_is_for_grains_of_fills_and_emitters_together, count_is_for_grains_in_the_region,
          expected_number_by_ratio_includes_the_grains_of_emitters,
          a_count_without_a_known_number_of_grains_is_refused, what_is_wrong_is_said)
