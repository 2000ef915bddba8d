// labels: asan clang
// Probes: planes and discs that count grains, and heaps whose slope is known.
#include "base/random.h"
#include "check.h"
#include "erg/erg.h"
#include "geom/vec3.h"
#include "run/median.h"
#include "run/probe_flow.h"
#include "run/probe_repose.h"

#include <stdlib.h>

// ---- Order statistics --------------------------------------------------------------------------
TEST(quantiles)
{
    double v[] = {5, 1, 4, 2, 3};
    CHECK_NEAR(ergi_quantile(v, 5, 0.5), 3.0, 0.0);
    CHECK_NEAR(ergi_quantile(v, 5, 0.0), 1.0, 0.0);
    CHECK_NEAR(ergi_quantile(v, 5, 1.0), 5.0, 0.0);
    CHECK_NEAR(ergi_quantile(v, 5, 0.125), 1.5, 1e-15);
    CHECK(isnan(ergi_quantile(v, 0, 0.5)));
}

// ---- Flow --------------------------------------------------------------------------------------
TEST(crossing_counts_along_the_normal)
{
    ergi_flow down = {.point = {0, 0, 1}, .normal = {0, 0, -1}};
    CHECK(ergi_flow_crossing(&down, ergi_vec3(0, 0, 1.1), ergi_vec3(0, 0, 0.9)) == 1);
    CHECK(ergi_flow_crossing(&down, ergi_vec3(0, 0, 0.9), ergi_vec3(0, 0, 1.1)) == -1);
    CHECK(ergi_flow_crossing(&down, ergi_vec3(0, 0, 0.9), ergi_vec3(5, 5, 0.8)) == 0);
    // A grain that rests exactly in the plane belongs to one side: there and back adds up to
    // nothing.
    int there = ergi_flow_crossing(&down, ergi_vec3(0, 0, 1.1), ergi_vec3(0, 0, 1.0));
    int back = ergi_flow_crossing(&down, ergi_vec3(0, 0, 1.0), ergi_vec3(0, 0, 1.1));
    int on = ergi_flow_crossing(&down, ergi_vec3(0, 0, 1.0), ergi_vec3(0, 0, 0.9));
    CHECK(there + back == 0);
    CHECK(there + on == 1);
}

TEST(crossing_meets_the_disc)
{
    ergi_flow disc = {.point = {0, 0, 0}, .normal = {0, 0, -1}, .radius = 1.0};
    // From outside the disc to outside the disc, through its middle; and beside it.
    CHECK(ergi_flow_crossing(&disc, ergi_vec3(-2, 0, 2), ergi_vec3(2, 0, -2)) == 1);
    CHECK(ergi_flow_crossing(&disc, ergi_vec3(0, 0, 0.5), ergi_vec3(4, 0, -0.5)) == 0);
    CHECK(ergi_flow_crossing(&disc, ergi_vec3(0, 0, 0.1), ergi_vec3(4, 0, -0.9)) == 1);
}

TEST(period_lets_no_grain_past)
{
    for (double speed = 0.0; speed < 100.0; speed = speed * 3.0 + 0.01) {
        double t = ergi_flow_period(speed, 0.01);
        CHECK(t > 0.0);
        CHECK_NEAR(speed * t + 25.0 * t * t, 0.01, 1e-12);
        CHECK(ergi_flow_jump_distance(speed, t) > 0.01);
    }
}

// ---- Angle of repose ---------------------------------------------------------------------------
typedef struct heap {
    size_t count;
    double centre[3 * 60000], radius[60000];
} heap;

static void put(heap *h, erg_vec3 x, double r)
{
    h->centre[3 * h->count] = x.x;
    h->centre[3 * h->count + 1] = x.y;
    h->centre[3 * h->count + 2] = x.z;
    h->radius[h->count++] = r;
}

// A cone of spheres at random places, cut off at height `cut` [share], its axis through (0.3,
// -0.2).
static heap *cone(double degrees, double size, double cut, uint64_t seed)
{
    heap       *h = calloc(1, sizeof *h);
    ergi_random random = {.seed = seed};
    double      top = tan(degrees * ERGI_PI / 180.0);
    while (h && h->count < 40000) {
        erg_vec3 x = {2.0 * ergi_random_uniform(&random) - 1.0,
                      2.0 * ergi_random_uniform(&random) - 1.0, top * ergi_random_uniform(&random)};
        double   r = size * (0.7 + 0.6 * ergi_random_uniform(&random));
        double   surface = top * (1.0 - sqrt(x.x * x.x + x.y * x.y));
        if (x.z < r || x.z + r > fmin(surface, cut * top)) continue;
        put(h, ergi_vec3(x.x + 0.3, x.y - 0.2, x.z + 5.0), r);
    }
    return h;
}

static double angle_of(const heap *h)
{
    double degrees = 0.0;
    CHECK(ergi_repose_angle(h->centre, h->radius, h->count, ergi_vec3(0.3, -0.2, 0.0),
                            ergi_vec3(0.0, 0.0, 1.0), &degrees, NULL) == ERG_OK);
    return degrees;
}

TEST(repose_of_cones)
{
    for (int i = 0; i < 6; i++) {
        double degrees = 12.0 + 5.0 * i;
        heap  *h = cone(degrees, 0.012, 1.0, (uint64_t)i);
        REQUIRE(h);
        CHECK_NEAR(angle_of(h), degrees, 1.0);
        free(h);
    }
}

TEST(repose_of_a_flat_topped_heap)
{
    heap *h = cone(27.0, 0.012, 0.7, 3);
    REQUIRE(h);
    CHECK_NEAR(angle_of(h), 27.0, 1.0);
    free(h);
}

TEST(repose_sees_through_dirt)
{
    heap       *h = cone(24.0, 0.012, 1.0, 9);
    ergi_random random = {.seed = 77};
    REQUIRE(h);
    for (int i = 0; i < 300; i++) // grains in flight above the heap
        put(h,
            ergi_vec3(2.0 * ergi_random_uniform(&random) - 0.7,
                      2.0 * ergi_random_uniform(&random) - 1.2, 5.0 + ergi_random_uniform(&random)),
            0.012);
    for (int i = 0; i < 300; i++) // the stream that pours it
        put(h,
            ergi_vec3(0.3 + 0.1 * (ergi_random_uniform(&random) - 0.5),
                      -0.2 + 0.1 * (ergi_random_uniform(&random) - 0.5),
                      5.0 + 2.0 * ergi_random_uniform(&random)),
            0.012);
    for (int i = 0; i < 2000; i++) { // strays on the floor far around
        double turn = 2.0 * ERGI_PI * ergi_random_uniform(&random),
               far = 1.0 + ergi_random_uniform(&random);
        put(h, ergi_vec3(0.3 + far * cos(turn), -0.2 + far * sin(turn), 5.012), 0.012);
    }
    for (int i = 0; i < 20; i++) // and some that fell through
        put(h, ergi_vec3(0.3, 0.1, 4.0 - ergi_random_uniform(&random)), 0.012);
    CHECK_NEAR(angle_of(h), 24.0, 1.0);
    free(h);
}

TEST(repose_without_a_heap)
{
    heap       *h = calloc(1, sizeof *h);
    ergi_random random = {.seed = 5};
    REQUIRE(h);
    CHECK(isnan(angle_of(h)));
    for (int i = 0; i < 5000; i++) // a layer
        put(h, ergi_vec3(ergi_random_uniform(&random), ergi_random_uniform(&random), 0.01), 0.01);
    CHECK(isnan(angle_of(h)));
    free(h);
}

// ---- Probes over a world -----------------------------------------------------------------------
enum { SIDE = 10 };
static const double RADIUS = 1e-3;

static erg_world *empty_world(bool periodic, double gravity, erg_id *kind)
{
    erg_world_def def = erg_world_def_default();
    erg_error     err;
    erg_world    *world = NULL;
    erg_id        sand = 0;
    def.gravity = ergi_vec3(0.0, 0.0, -gravity);
    def.threads = 1;
    if (periodic) {
        def.periodic_x = true;
        def.lower.x = 0.0;
        def.upper.x = 0.1;
    }
    erg_material_def material = erg_material_def_default();
    erg_grain_def    grain = erg_grain_def_default();
    grain.sizes.radius = RADIUS;
    bool good = erg_world_create(&def, &world, &err) == ERG_OK &&
                erg_world_add_material(world, &material, &sand, &err) == ERG_OK;
    grain.material = sand;
    good = good && erg_world_add_grain_kind(world, &grain, kind, &err) == ERG_OK;
    CHECK(good);
    if (!good) printf("    %s\n", err.text);
    return world;
}

static double mass_of_one(void)
{
    return erg_material_def_default().density * 4.0 / 3.0 * ERGI_PI * RADIUS * RADIUS * RADIUS;
}

// Steps to `time` and samples the probes whenever they are due. Returns the number of samples.
static int run_and_watch(erg_world *world, erg_probes *probes, double time)
{
    int looks = 0;
    while (erg_world_time(world) < time) {
        double until = fmin(time, erg_world_time(world) + erg_probes_period(probes));
        CHECK(erg_world_run(world, until, NULL, NULL, NULL) == ERG_OK);
        CHECK(erg_probes_watch(probes, world, NULL) == ERG_OK);
        looks++;
    }
    return looks;
}

TEST(flow_counts_what_falls_through)
{
    erg_id     kind = 0;
    erg_world *world = empty_world(false, 9.81, &kind);
    erg_vec3   at[SIDE * SIDE], up[SIDE * SIDE];
    int        within = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        at[i] = ergi_vec3(0.005 * (i % SIDE) - 0.0225, 0.005 * (i / SIDE) - 0.0225, 0.02);
        up[i] = ergi_vec3(0.0, 0.0, i == 55 ? 3.0 : 0.0); // one flies up and stays above
        within += i != 55 && sqrt(at[i].x * at[i].x + at[i].y * at[i].y) <= 0.012;
    }
    erg_grains grains = {.kind = kind, .count = SIDE * SIDE, .position = at, .velocity = up};
    REQUIRE(erg_world_add_grains(world, &grains, NULL, NULL) == ERG_OK);
    REQUIRE(erg_world_prepare(world, NULL) == ERG_OK);

    erg_probe_def defs[2] = {erg_probe_def_default(), erg_probe_def_default()};
    defs[0].name = "disc";
    defs[0].normal = ergi_vec3(0.0, 0.0, -2.0);
    defs[0].radius = 0.012;
    defs[1].name = "plane"; // upwards: what falls counts against it
    erg_probes *probes = NULL;
    erg_error   err;
    REQUIRE(erg_probes_create(defs, 2, world, &probes, &err) == ERG_OK);
    REQUIRE(erg_probes_columns(probes) == 6);
    CHECK_STR(erg_probes_column_name(probes, 0), "disc.mass");
    CHECK_STR(erg_probes_column_name(probes, 4), "plane.grains");

    double value[6];
    CHECK(erg_probes_read(probes, world, value, NULL) == ERG_OK);
    CHECK(value[0] == 0.0 && value[1] == 0.0 && isnan(value[2]));
    int looks = run_and_watch(world, probes, 0.2);
    CHECK(looks > 5 && looks < 1000);
    CHECK(erg_probes_read(probes, world, value, NULL) == ERG_OK);
    CHECK_NEAR(value[1], within, 0.0);
    CHECK_NEAR(value[0], within * mass_of_one(), 1e-6 * mass_of_one());
    CHECK_NEAR(value[2], value[0] / erg_world_time(world), 1e-9);
    CHECK_NEAR(value[4], -(SIDE * SIDE - 1), 0.0);
    erg_probes_destroy(probes);
    erg_world_destroy(world);
}

TEST(flow_through_a_periodic_border)
{
    erg_id     kind = 0;
    erg_world *world = empty_world(true, 0.0, &kind);
    erg_vec3   at[2] = {{0.02, 0.0, 0.0}, {0.06, 0.0, 0.01}},
             fast[2] = {{1.0, 0.0, 0.0}, {-0.5, 0.0, 0.0}};
    erg_grains grains = {.kind = kind, .count = 2, .position = at, .velocity = fast};
    REQUIRE(erg_world_add_grains(world, &grains, NULL, NULL) == ERG_OK);
    REQUIRE(erg_world_prepare(world, NULL) == ERG_OK);
    erg_probe_def def = erg_probe_def_default();
    def.name = "gate";
    def.point = ergi_vec3(0.04, 0.0, 0.0);
    def.normal = ergi_vec3(1.0, 0.0, 0.0);
    erg_probes *probes = NULL;
    REQUIRE(erg_probes_create(&def, 1, world, &probes, NULL) == ERG_OK);
    run_and_watch(world, probes, 1.0);
    double value[3];
    CHECK(erg_probes_read(probes, world, value, NULL) == ERG_OK);
    CHECK_NEAR(value[1], 10.0 - 5.0, 0.0); // laps of 0.1 m
    erg_probes_destroy(probes);
    erg_world_destroy(world);
}

TEST(region_centre_and_height)
{
    erg_id     kind = 0;
    erg_world *world = empty_world(false, 0.0, &kind);
    erg_vec3   at[5] = {{0, 0, 0.01}, {0, 0, 0.02}, {0, 0, 0.03}, {0, 0, 0.04}, {0.05, 0, 0.5}};
    erg_grains grains = {.kind = kind, .count = 5, .position = at};
    REQUIRE(erg_world_add_grains(world, &grains, NULL, NULL) == ERG_OK);
    REQUIRE(erg_world_prepare(world, NULL) == ERG_OK);

    erg_region box = {.shape = ERG_REGION_BOX, .a = {-0.01, -0.01, 0.0}, .b = {0.01, 0.01, 0.035}};
    erg_probe_def defs[5];
    for (int i = 0; i < 5; i++) defs[i] = erg_probe_def_default();
    defs[0].name = "inside";
    defs[0].kind = ERG_PROBE_REGION;
    defs[1].name = "all";
    defs[1].kind = ERG_PROBE_CENTRE;
    defs[2].name = "some";
    defs[2].kind = ERG_PROBE_CENTRE;
    defs[3].name = "bed";
    defs[3].kind = ERG_PROBE_HEIGHT;
    defs[3].share = 0.75;
    defs[4].name = "heap";
    defs[4].kind = ERG_PROBE_REPOSE;
    defs[0].has_region = defs[2].has_region = true;
    defs[0].region = defs[2].region = box;
    erg_probes *probes = NULL;
    REQUIRE(erg_probes_create(defs, 5, world, &probes, NULL) == ERG_OK);
    REQUIRE(erg_probes_columns(probes) == 2 + 3 + 3 + 1 + 1);
    CHECK(isinf(erg_probes_period(probes)));
    double v[10];
    REQUIRE(erg_probes_read(probes, world, v, NULL) == ERG_OK);
    CHECK_NEAR(v[0], 3.0, 0.0);
    CHECK_NEAR(v[1], 3.0 * mass_of_one(), 1e-6 * mass_of_one());
    CHECK_NEAR(v[2], 0.01, 1e-9);
    CHECK_NEAR(v[4], 0.12, 1e-9);
    CHECK_NEAR(v[7], 0.02, 1e-9);
    CHECK_NEAR(v[8], 0.04, 1e-9);
    CHECK(isnan(v[9]));
    erg_probes_destroy(probes);
    erg_world_destroy(world);
}

TEST(force_and_contacts_of_grains_at_rest)
{
    erg_id       kind = 0, floor = 0;
    erg_world   *world = empty_world(false, 9.81, &kind);
    erg_wall_def plane = erg_wall_def_default(ERG_WALL_PLANE);
    plane.material = 1;
    REQUIRE(erg_world_add_wall(world, &plane, &floor, NULL) == ERG_OK);
    erg_vec3   at[3] = {{0, 0, RADIUS}, {0.01, 0, RADIUS}, {0.02, 0, RADIUS}};
    erg_grains grains = {.kind = kind, .count = 3, .position = at};
    REQUIRE(erg_world_add_grains(world, &grains, NULL, NULL) == ERG_OK);
    erg_probe_def defs[2] = {erg_probe_def_default(), erg_probe_def_default()};
    defs[0].name = "floor";
    defs[0].kind = ERG_PROBE_FORCE;
    defs[0].wall = floor;
    defs[1].name = "touch";
    defs[1].kind = ERG_PROBE_CONTACTS;
    erg_probes *probes = NULL;
    REQUIRE(erg_world_prepare(world, NULL) == ERG_OK);
    REQUIRE(erg_probes_create(defs, 2, world, &probes, NULL) == ERG_OK);
    REQUIRE(erg_world_run(world, 0.5, NULL, NULL, NULL) == ERG_OK);
    double v[10], weight = 9.81 * mass_of_one();
    REQUIRE(erg_probes_read(probes, world, v, NULL) == ERG_OK);
    CHECK_NEAR(v[2], -3.0 * weight, 0.03 * weight);
    CHECK_NEAR(v[6], 3.0, 0.0);
    CHECK_NEAR(v[7], 1.0, 0.0);
    CHECK_NEAR(v[8], weight, 0.03 * weight);
    CHECK_NEAR(v[9], weight, 0.03 * weight);
    erg_probes_destroy(probes);
    erg_world_destroy(world);
}

TEST(bad_probes_are_refused)
{
    erg_id        kind = 0;
    erg_world    *world = empty_world(false, 0.0, &kind);
    erg_probe_def defs[2] = {erg_probe_def_default(), erg_probe_def_default()};
    erg_probes   *probes = NULL;
    erg_error     err;
    defs[0].name = defs[1].name = "twice";
    CHECK(erg_probes_create(defs, 2, world, &probes, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "two probes are named 'twice'");
    defs[0].name = "a,b";
    CHECK(erg_probes_create(defs, 1, world, &probes, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "the name of probe 0 contains a comma, quote or control character");
    defs[0].name = "piston";
    defs[0].kind = ERG_PROBE_FORCE;
    defs[0].wall = 3;
    CHECK(erg_probes_create(defs, 1, world, &probes, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "probe 'piston' refers to wall 3, which does not exist");
    defs[0].kind = ERG_PROBE_FLOW;
    defs[0].normal = ergi_vec3(0.0, 0.0, 0.0);
    CHECK(erg_probes_create(defs, 1, world, &probes, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "probe 'piston' needs a finite point and a normal that is not zero");
    defs[0].kind = ERG_PROBE_REGION;
    CHECK(erg_probes_create(defs, 1, world, &probes, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "probe 'piston' needs a region to count in");
    CHECK(probes == NULL);
    erg_world_destroy(world);
}

TEST_MAIN(quantiles, crossing_counts_along_the_normal, crossing_meets_the_disc,
          period_lets_no_grain_past, repose_of_cones, repose_of_a_flat_topped_heap,
          repose_sees_through_dirt, repose_without_a_heap, flow_counts_what_falls_through,
          flow_through_a_periodic_border, region_centre_and_height,
          force_and_contacts_of_grains_at_rest, bad_probes_are_refused)
