#include "geom/region.h"

#include "check.h"
#include "geom/vec3.h"

static const erg_region box = {.shape = ERG_REGION_BOX, .a = {0, 0, 0}, .b = {1, 2, 3}};
static const erg_region ball = {.shape = ERG_REGION_SPHERE, .a = {1, 0, 0}, .radius = 2};
static const erg_region pipe = {
    .shape = ERG_REGION_CYLINDER, .a = {0, 0, 0}, .b = {0, 3, 4}, .radius = 2, .inner_radius = 1};
static const erg_region cone = {
    .shape = ERG_REGION_CONE, .a = {0, 0, 0}, .b = {0, 0, 2}, .radius = 2, .radius_b = 0.5};
static const erg_region tip = {
    .shape = ERG_REGION_CONE, .a = {1, 1, 1}, .b = {2, 0, 3}, .radius = 0, .radius_b = 1.5};

static const erg_region *const solids[] = {&box, &ball, &pipe, &cone, &tip};

TEST(rooms_by_hand)
{
    CHECK_NEAR(ergi_region_depth(&box, ergi_vec3(0.5, 0.3, 1)), 0.3, 1e-15);
    CHECK_NEAR(ergi_region_depth(&box, ergi_vec3(-3, 1, 7)), -5.0, 1e-15);
    CHECK_NEAR(ergi_region_depth(&ball, ergi_vec3(2, 0, 0)), 1.0, 1e-15);
    CHECK_NEAR(ergi_region_depth(&pipe, ergi_vec3(1.25, 1.5, 2)), 0.25, 1e-15);
    CHECK_NEAR(ergi_region_depth(&pipe, ergi_vec3(0.25, 1.5, 2)), -0.75, 1e-15);
    // (1, 0, 1) is 0.25 from the side along x; the side falls 1.5 in 2
    CHECK_NEAR(ergi_region_depth(&cone, ergi_vec3(1, 0, 1)), 0.25 * 2.0 / 2.5, 1e-15);
    CHECK_NEAR(ergi_region_depth(&cone, ergi_vec3(0, 0, 3)), -1.0, 1e-15);
    CHECK_NEAR(ergi_region_depth(&cone, ergi_vec3(3.5, 0, -2)), -2.5, 1e-15); // from the lower rim
    CHECK(ergi_region_contains(&box, ergi_vec3(1, 2, 3)));
    CHECK(!ergi_region_contains(&box, ergi_vec3(1.0001, 1, 1)));
    CHECK(!ergi_region_contains(&box, ergi_vec3((double)NAN, 1, 1)));
}

// Room is a distance: in a ball of that radius nothing changes sides, and just beyond it something
// does in some direction.
static void check_distance(const erg_region *r, uint64_t seed)
{
    ergi_random random = {.seed = seed};
    for (int i = 0; i < 300; i++) {
        erg_vec3 p = ergi_madd(ergi_vec3(0.7, 0.8, 1.3), 4.0, ergi_random_in_ball(&random));
        double   room = ergi_region_depth(r, p);
        bool     inside = ergi_region_contains(r, p), crossed = false;
        CHECK(inside == (room >= 0.0));
        for (int k = 0; k < 3000; k++) {
            erg_vec3 n = ergi_normalize(ergi_random_in_ball(&random));
            erg_vec3 near = ergi_madd(p, fabs(room) * (1.0 - 1e-9), n);
            erg_vec3 far = ergi_madd(p, fabs(room) * 1.05 + 0.06, n);
            CHECK(ergi_region_contains(r, near) == inside);
            crossed |= ergi_region_contains(r, far) != inside;
        }
        // a rim seen from far away is too thin to be hit by chance
        if (fabs(room) < 1.0) CHECK(crossed);
    }
}

TEST(room_is_a_distance)
{
    for (size_t i = 0; i < sizeof solids / sizeof *solids; i++) check_distance(solids[i], i);
}

TEST(bounds_hold_the_region_tightly)
{
    for (size_t i = 0; i < sizeof solids / sizeof *solids; i++) {
        erg_vec3 low, high, least = {9, 9, 9}, most = {-9, -9, -9};
        ergi_region_bounds(solids[i], &low, &high);
        ergi_random random = {.seed = 2};
        for (int k = 0; k < 100000; k++) {
            erg_vec3 p;
            REQUIRE(ergi_region_draw(solids[i], 0.0, &random, &p));
            least = ergi_vec3(fmin(least.x, p.x), fmin(least.y, p.y), fmin(least.z, p.z));
            most = ergi_vec3(fmax(most.x, p.x), fmax(most.y, p.y), fmax(most.z, p.z));
        }
        CHECK(least.x >= low.x - 1e-12 && least.y >= low.y - 1e-12 && least.z >= low.z - 1e-12);
        CHECK(most.x <= high.x + 1e-12 && most.y <= high.y + 1e-12 && most.z <= high.z + 1e-12);
        CHECK_NEAR(ergi_distance(least, low), 0.0, 0.15);
        CHECK_NEAR(ergi_distance(most, high), 0.0, 0.15);
    }
}

// Over boxes of all sizes: no point of the box has more room than was said.
static void check_most_room(const erg_region *r)
{
    ergi_random random = {.seed = 9};
    for (int i = 0; i < 300; i++) {
        double   width = pow(10.0, ergi_random_range(&random, -3, 1));
        erg_vec3 low = ergi_scale(ergi_random_in_ball(&random), 3.0);
        erg_vec3 size = {width * ergi_random_uniform(&random), width * ergi_random_uniform(&random),
                         width * ergi_random_uniform(&random)};
        double   most = ergi_region_max_depth(r, low, ergi_add(low, size));
        for (int k = 0; k < 40; k++) {
            erg_vec3 p = {low.x + size.x * ergi_random_uniform(&random),
                          low.y + size.y * ergi_random_uniform(&random),
                          low.z + size.z * ergi_random_uniform(&random)};
            CHECK(ergi_region_depth(r, p) <= most + 1e-12);
        }
    }
}

TEST(room_over_a_box_is_bounded)
{
    for (size_t i = 0; i < sizeof solids / sizeof *solids; i++) {
        erg_region cut = *solids[i], hole[2] = {*solids[(i + 1) % 4], *solids[(i + 2) % 4]};
        check_most_room(solids[i]);
        cut.minus = hole;
        cut.minus_count = 1;
        hole[0].minus = &hole[1];
        hole[0].minus_count = 1;
        check_most_room(&cut);
    }
    erg_region unit = {.shape = ERG_REGION_SPHERE, .radius = 1};
    CHECK_NEAR(ergi_region_max_depth(&unit, ergi_vec3(-9, -9, -9), ergi_vec3(9, 9, -0.7)), 0.3,
               1e-12);
}

TEST(volumes)
{
    CHECK_NEAR(ergi_region_volume(&box), 6.0, 1e-14);
    CHECK_NEAR(ergi_region_volume(&ball), 32.0 / 3.0 * ERGI_PI, 1e-12);
    CHECK_NEAR(ergi_region_volume(&pipe), 15.0 * ERGI_PI, 1e-12);
    CHECK_NEAR(ergi_region_volume(&cone), 2.0 / 3.0 * ERGI_PI * (4.0 + 1.0 + 0.25), 1e-12);
    erg_region hole = {.shape = ERG_REGION_SPHERE, .a = {0.5, 1, 1.5}, .radius = 0.5};
    erg_region less = box;
    less.minus = &hole;
    less.minus_count = 1;
    CHECK_NEAR(ergi_region_volume(&less), 6.0 - ERGI_PI / 6.0, 6e-3);
}

// Points of a draw lie where they should and are even: their mean height in a cone by closed form.
TEST(draws_keep_their_margin)
{
    for (size_t i = 0; i < sizeof solids / sizeof *solids; i++) {
        ergi_random random = {.seed = 3};
        for (int k = 0; k < 2000; k++) {
            erg_vec3 p;
            REQUIRE(ergi_region_draw(solids[i], 0.2, &random, &p));
            CHECK(ergi_region_depth(solids[i], p) >= 0.2 - 1e-12);
        }
        erg_vec3 p;
        CHECK(!ergi_region_draw(solids[i], 3.0, &random, &p));
    }
    ergi_random random = {.seed = 4};
    double      sum = 0.0;
    enum { N = 100000 };
    for (int k = 0; k < N; k++) {
        erg_vec3 p;
        ergi_region_draw(&cone, 0.0, &random, &p);
        sum += p.z;
    }
    // frustum: h/4 (R^2 + 2 R r + 3 r^2)/(R^2 + R r + r^2)
    CHECK_NEAR(sum / N, 0.5 * (4.0 + 2.0 + 0.75) / 5.25, 0.005);
    // a slab exactly as thick as the grain still holds it
    erg_region slab = {.shape = ERG_REGION_BOX, .a = {0, 0, 0.1}, .b = {1, 1, 0.3}};
    erg_vec3   p;
    CHECK(ergi_region_draw(&slab, 0.1, &random, &p));
    CHECK_NEAR(p.z, 0.2, 1e-12);
}

TEST(minus_cuts_and_keeps_balls_away)
{
    // a plug in the hole gives back a part of what the hole took
    erg_region plug = {.shape = ERG_REGION_SPHERE, .a = {0.5, 1, 1.5}, .radius = 0.2};
    erg_region hole = {.shape = ERG_REGION_SPHERE,
                       .a = {0.5, 1, 1.5},
                       .radius = 0.4,
                       .minus = &plug,
                       .minus_count = 1};
    erg_region cut = {
        .shape = ERG_REGION_CYLINDER, .a = {0.5, 1, 2.5}, .b = {0.5, 1, 4}, .radius = 0.3};
    erg_region minus[2] = {hole, cut};
    erg_region r = box;
    r.minus = minus;
    r.minus_count = 2;
    REQUIRE(ergi_region_check(&r, NULL) == ERG_OK);
    CHECK(ergi_region_contains(&r, ergi_vec3(0.5, 1, 1.5)));  // in the plug
    CHECK(!ergi_region_contains(&r, ergi_vec3(0.5, 1, 1.8))); // in the hole
    CHECK(!ergi_region_contains(&r, ergi_vec3(0.5, 1, 2.7)));
    CHECK(ergi_region_contains(&r, ergi_vec3(0.5, 1, 2.2)));
    CHECK_NEAR(ergi_region_depth(&r, ergi_vec3(0.5, 1, 1.5)), 0.2, 1e-12);
    CHECK_NEAR(ergi_region_depth(&r, ergi_vec3(0.5, 1, 2.3)), 0.2, 1e-12);
    ergi_random random = {.seed = 8};
    for (int i = 0; i < 2000; i++) {
        erg_vec3 p = {ergi_random_range(&random, 0, 1), ergi_random_range(&random, 0, 2),
                      ergi_random_range(&random, 0, 3)};
        double   room = ergi_region_depth(&r, p);
        for (int k = 0; k < 100 && room > 0.0; k++)
            CHECK(ergi_region_contains(
                &r, ergi_madd(p, room * (1 - 1e-9), ergi_random_in_ball(&random))));
    }
    erg_region copy;
    erg_error  err;
    REQUIRE(ergi_region_copy(&r, &copy, &err) == ERG_OK);
    minus[0].radius = 100.0; // the copy must not notice
    CHECK(ergi_region_contains(&copy, ergi_vec3(0.1, 0.1, 0.1)));
    CHECK(copy.minus_count == 2 && copy.minus[0].minus_count == 1);
    CHECK(copy.minus[0].minus != &plug);
    ergi_region_free(&copy);
}

TEST(bad_regions_are_told)
{
    erg_error  err;
    erg_region r = {.shape = ERG_REGION_BOX, .a = {0, 0, 0}, .b = {1, 0, 1}};
    CHECK(ergi_region_check(&r, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "region box: the first corner must be below the second on every axis, got "
                        "[0, 0, 0] and [1, 0, 1]");
    r = (erg_region){.shape = ERG_REGION_CYLINDER, .b = {0, 0, 1}, .radius = 1, .inner_radius = 1};
    CHECK(ergi_region_check(&r, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text,
              "region cylinder: inner radius must be from 0 m to below the radius 1, got 1");
    r = (erg_region){.shape = ERG_REGION_CONE, .b = {0, 0, 1}};
    CHECK(ergi_region_check(&r, &err) == ERG_BAD_INPUT);
    r = (erg_region){.shape = ERG_REGION_CYLINDER, .radius = 1};
    CHECK(ergi_region_check(&r, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "region cylinder: the ends of the axis must differ");
    r = (erg_region){.shape = ERG_REGION_SPHERE, .radius = (double)NAN};
    CHECK(ergi_region_check(&r, &err) == ERG_BAD_INPUT);
    r = (erg_region){.shape = (erg_region_shape)77};
    CHECK(ergi_region_check(&r, &err) == ERG_BAD_INPUT);
    erg_region chain[12];
    for (int i = 0; i < 12; i++) {
        chain[i] = box;
        chain[i].minus = i < 11 ? &chain[i + 1] : NULL;
        chain[i].minus_count = i < 11;
    }
    CHECK(ergi_region_check(&chain[4], &err) == ERG_OK);
    CHECK(ergi_region_check(&chain[0], &err) == ERG_BAD_INPUT);
}

TEST_MAIN(rooms_by_hand, room_is_a_distance, bounds_hold_the_region_tightly,
          room_over_a_box_is_bounded, volumes, draws_keep_their_margin,
          minus_cuts_and_keeps_balls_away, bad_regions_are_told)
