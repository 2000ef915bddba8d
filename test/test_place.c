#include "world/place.h"

#include "base/clock.h"
#include "base/hash.h"
#include "check.h"
#include "geom/region.h"
#include "geom/vec3.h"

#include <stdlib.h>
#include <string.h>

static const erg_region unit_box = {.shape = ERG_REGION_BOX, .b = {1, 1, 1}};

// No two overlap, all lie in the region. Quadratic, so for a few thousand.
static void check_placed(const ergi_place_def *def, const ergi_placed *p)
{
    double scale = def->shape->bounding_radius;
    for (size_t i = 0; i < p->count; i++) {
        double ri = p->size[i] * scale;
        CHECK(ergi_region_depth(def->region, p->position[i]) >= ri * (1 - 1e-8));
        for (size_t j = 0; j < i; j++) {
            double reach = (ri + p->size[j] * scale) * (1 - 1e-12);
            CHECK(ergi_distance(p->position[i], p->position[j]) >= reach);
        }
    }
}

static uint64_t hash_of(const ergi_placed *p)
{
    uint64_t hash = ergi_hash_bytes(p->position, p->count * sizeof *p->position, 0);
    hash = ergi_hash_bytes(p->orientation, p->count * sizeof *p->orientation, hash);
    return ergi_hash_bytes(p->size, p->count * sizeof *p->size, hash);
}

typedef struct fixture {
    ergi_shape     shape;
    erg_sizes      sizes;
    ergi_place_def def;
    ergi_placed    placed;
    erg_error      err;
} fixture;

static void begin(fixture *f, erg_shape kind, erg_sizes sizes, const erg_region *region)
{
    *f = (fixture){.sizes = sizes, .def = ergi_place_def_default()};
    CHECK(ergi_shape_make(kind, NULL, 0, &f->shape, &f->err) == ERG_OK);
    f->def.shape = &f->shape;
    f->def.sizes = &f->sizes;
    f->def.region = region;
    f->def.seed = 1;
}

static erg_status place(fixture *f)
{
    ergi_placed_free(&f->placed);
    erg_status status = ergi_place(&f->def, &f->placed, NULL, &f->err);
    CHECK(status == ERG_OK || f->placed.count == 0);
    return status;
}

static void end(fixture *f)
{
    ergi_placed_free(&f->placed);
    ergi_shape_free(&f->shape);
}

static const erg_sizes small = {.law = ERG_SIZE_FIXED, .radius = 0.03};
static const erg_sizes mixed = {.law = ERG_SIZE_UNIFORM, .min = 0.01, .max = 0.06};

TEST(both_ways_fill_without_overlap)
{
    static const erg_region plug = {
        .shape = ERG_REGION_SPHERE, .a = {0.5, 0.5, 0.4}, .radius = 0.25};
    static const erg_region regions[] = {
        {.shape = ERG_REGION_BOX, .b = {1, 1, 1}, .minus = &plug, .minus_count = 1},
        {.shape = ERG_REGION_CYLINDER,
         .a = {0, 0, 0},
         .b = {0.5, 0.2, 1},
         .radius = 0.5,
         .inner_radius = 0.1},
        {.shape = ERG_REGION_SPHERE, .a = {3, 2, 1}, .radius = 0.7},
        {.shape = ERG_REGION_CONE, .a = {0, 0, 0}, .b = {0, 0, 1}, .radius = 0.2, .radius_b = 0.8}};
    for (int i = 0; i < 16; i++) {
        fixture f;
        begin(&f, i & 1 ? ERG_SHAPE_TETRAHEDRON : ERG_SHAPE_SPHERE, i & 2 ? mixed : small,
              &regions[i / 4]);
        if (i & 1) f.sizes.radius /= 2, f.sizes.min /= 2, f.sizes.max /= 2;
        for (int random = 0; random < 2; random++) {
            f.def.placing = random ? ERG_PLACE_RANDOM : ERG_PLACE_LATTICE;
            f.def.count = 250;
            CHECK(place(&f) == ERG_OK);
            CHECK(f.placed.count == 250);
            check_placed(&f.def, &f.placed);
            f.def.count = 0;
            f.def.attempts = 200;
            CHECK(place(&f) == ERG_OK);
            CHECK(f.placed.count > 250);
            check_placed(&f.def, &f.placed);
        }
        end(&f);
    }
}

TEST(the_lattice_is_dense_and_fills_from_below)
{
    fixture f;
    begin(&f, ERG_SHAPE_SPHERE, small, &unit_box);
    f.def.gap = 0.0;
    REQUIRE(place(&f) == ERG_OK);
    double filled = (double)f.placed.count * 4.0 / 3.0 * ERGI_PI * pow(0.03, 3);
    CHECK(filled > 0.62 && filled < 0.7405);
    f.def.count = 100; // less than one layer
    REQUIRE(place(&f) == ERG_OK);
    for (size_t i = 0; i < f.placed.count; i++) CHECK_NEAR(f.placed.position[i].z, 0.03, 1e-12);
    f.def.count = 500;
    f.def.gap = 0.1;
    f.def.jitter = 1.0;
    REQUIRE(place(&f) == ERG_OK);
    double off = 0.0;
    for (size_t i = 0; i < 100; i++) off += fabs(f.placed.position[i].z - 0.03);
    CHECK(off > 100 * 1e-4);
    CHECK(f.placed.position[499].z > f.placed.position[0].z + 0.05);
    end(&f);
}

TEST(too_many_says_how_many_fit)
{
    fixture  f;
    uint64_t fit = 0;
    begin(&f, ERG_SHAPE_SPHERE, small, &unit_box);
    REQUIRE(place(&f) == ERG_OK);
    uint64_t all = f.placed.count;
    f.def.count = 2000000000;
    ergi_placed untouched = {.count = 5};
    CHECK(ergi_place(&f.def, &untouched, &fit, &f.err) == ERG_BAD_INPUT);
    CHECK(untouched.count == 5 && fit == all);
    char want[80];
    snprintf(want, sizeof want, "2000000000 requested, only %llu fit", (unsigned long long)all);
    CHECK_STR(f.err.text, want);
    f.def.count = all; // and that many do
    CHECK(place(&f) == ERG_OK);
    f.def.placing = ERG_PLACE_RANDOM;
    f.def.attempts = 100;
    CHECK(ergi_place(&f.def, &untouched, &fit, &f.err) == ERG_BAD_INPUT);
    CHECK(fit > 1500 && fit < all);
    CHECK(strstr(f.err.text, " requested, only ") && strstr(f.err.text, "lattice"));
    // as emitters do: place what fits, without an error
    f.def.partial = true;
    CHECK(place(&f) == ERG_OK);
    CHECK(f.placed.count > 1500 && f.placed.count < all);
    check_placed(&f.def, &f.placed);

    f.sizes.radius = 0.6;
    CHECK(place(&f) == ERG_OK && f.placed.count == 0);
    f.def.partial = false;
    f.def.count = 1;
    CHECK(place(&f) == ERG_BAD_INPUT);
    CHECK_STR(f.err.text, "1 requested, only 0 fit at random; a lattice packs closer");
    f.def.count = 0;
    f.def.placing = ERG_PLACE_LATTICE;
    CHECK(place(&f) == ERG_BAD_INPUT);
    CHECK_STR(f.err.text, "no grain fits into the region");
    f.sizes.radius = 0.5; // exactly one
    CHECK(place(&f) == ERG_OK && f.placed.count == 1);
    f.def.placing = ERG_PLACE_RANDOM;
    CHECK(place(&f) == ERG_OK && f.placed.count == 1);
    end(&f);
}

static bool upper_half(void *user, erg_vec3 centre, double radius)
{
    ++*(int *)user;
    return centre.z - radius >= 0.5;
}

TEST(obstacles_are_asked)
{
    fixture f;
    int     asked = 0;
    begin(&f, ERG_SHAPE_SPHERE, small, &unit_box);
    f.def.is_free = upper_half;
    f.def.user = &asked;
    f.def.count = 300;
    for (int random = 0; random < 2; random++) {
        asked = 0;
        f.def.placing = random ? ERG_PLACE_RANDOM : ERG_PLACE_LATTICE;
        REQUIRE(place(&f) == ERG_OK);
        CHECK(asked >= 300);
        for (size_t i = 0; i < 300; i++) CHECK(f.placed.position[i].z >= 0.53);
    }
    end(&f);
}

TEST(seed_stream_and_number_name_the_grains)
{
    fixture f;
    begin(&f, ERG_SHAPE_TETRAHEDRON,
          (erg_sizes){.law = ERG_SIZE_UNIFORM, .min = 0.005, .max = 0.02}, &unit_box);
    f.def.count = 400;
    for (int random = 0; random < 2; random++) {
        f.def.placing = random ? ERG_PLACE_RANDOM : ERG_PLACE_LATTICE;
        REQUIRE(place(&f) == ERG_OK);
        uint64_t one = hash_of(&f.placed);
        double   size7 = f.placed.size[7];
        REQUIRE(place(&f) == ERG_OK);
        CHECK(hash_of(&f.placed) == one);
        f.def.seed = 2;
        REQUIRE(place(&f) == ERG_OK);
        CHECK(hash_of(&f.placed) != one);
        f.def.seed = 1;
        f.def.stream = 1;
        REQUIRE(place(&f) == ERG_OK);
        CHECK(hash_of(&f.placed) != one);
        f.def.stream = 0;
        f.def.first = 7;
        REQUIRE(place(&f) == ERG_OK);
        CHECK(f.placed.size[0] == size7);
        f.def.first = 0;
    }
    end(&f);
}

TEST(grains_are_turned_or_not)
{
    fixture f;
    begin(&f, ERG_SHAPE_DIMER, small, &unit_box);
    f.def.count = 100;
    REQUIRE(place(&f) == ERG_OK);
    double w2 = 0.0;
    for (size_t i = 0; i < 100; i++) w2 += f.placed.orientation[i].w * f.placed.orientation[i].w;
    CHECK_NEAR(w2 / 100, 0.25, 0.1);
    f.def.aligned = true;
    REQUIRE(place(&f) == ERG_OK);
    for (size_t i = 0; i < 100; i++) CHECK(f.placed.orientation[i].w == 1.0);
    end(&f);
}

TEST(wide_mixtures_are_placed_the_largest_first)
{
    fixture      f;
    const double values[2] = {0.2, 0.01}, weights[2] = {1, 200};
    begin(&f, ERG_SHAPE_SPHERE,
          (erg_sizes){.law = ERG_SIZE_LISTED, .values = values, .weights = weights, .count = 2},
          &unit_box);
    f.def.placing = ERG_PLACE_RANDOM;
    f.def.count = 1000;
    CHECK(place(&f) == ERG_OK);
    check_placed(&f.def, &f.placed);
    int large = 0;
    for (size_t i = 0; i < f.placed.count; i++) large += f.placed.size[i] > 0.1;
    CHECK(large >= 2);
    end(&f);
}

TEST(bad_orders_are_refused)
{
    fixture f;
    begin(&f, ERG_SHAPE_SPHERE, small, &unit_box);
    f.def.jitter = 1.5;
    CHECK(place(&f) == ERG_BAD_INPUT);
    CHECK_STR(f.err.text, "jitter must be from 0 to 1, got 1.5");
    f.def.jitter = 0;
    f.def.gap = -0.1;
    CHECK(place(&f) == ERG_BAD_INPUT);
    f.def.gap = 0;
    f.def.count = 1ull << 40;
    CHECK(place(&f) == ERG_BAD_INPUT);
    f.def.count = 5;
    f.sizes.radius = 1e-15;
    CHECK(place(&f) == ERG_BAD_INPUT);
    f.sizes.radius = 0;
    CHECK(place(&f) == ERG_BAD_INPUT);
    CHECK_STR(f.err.text, "grain radius must be above 0 m, got 0");
    end(&f);
}

TEST(large_fills_are_quick)
{
    fixture f;
    begin(&f, ERG_SHAPE_SPHERE, (erg_sizes){.law = ERG_SIZE_FIXED, .radius = 0.01}, &unit_box);
    f.def.count = 100000;
    f.sizes.radius = 0.009;
    double start = ergi_clock_seconds();
    CHECK(place(&f) == ERG_OK);
    double lattice = ergi_clock_seconds() - start;
    f.def.placing = ERG_PLACE_RANDOM;
    f.def.count = 20000;
    f.sizes.radius = cbrt(0.3 * 0.75 / ERGI_PI / 20000);
    start = ergi_clock_seconds();
    CHECK(place(&f) == ERG_OK);
    double random = ergi_clock_seconds() - start;
    printf("    lattice, 100,000: %.0f ms; at random, 20,000 at 0.3: %.0f ms\n", 1e3 * lattice,
           1e3 * random);
    CHECK(lattice < 3.0 && random < 10.0); // a tenth of that is wanted; sanitizers are slow
    end(&f);
}

// What is blocked, or not: the half space below a tilted plane.
static bool above_plane(void *user, erg_vec3 centre, double radius)
{
    const erg_vec3 *n = user;
    return ergi_dot(centre, *n) >= radius;
}

static bool below_plane(void *user, erg_vec3 low, erg_vec3 high, double radius)
{
    const erg_vec3 *n = user;
    erg_vec3        half = ergi_scale(ergi_sub(high, low), 0.5);
    double          way = fabs(n->x) * half.x + fabs(n->y) * half.y + fabs(n->z) * half.z;
    return ergi_dot(ergi_add(low, half), *n) + way < radius;
}

static bool count_down(void *user)
{
    int *left = user;
    return --*left > 0;
}

// A region of 1e20 sites and more, nearly all of them of no use: the work follows the grains.
TEST(few_grains_in_a_vast_region)
{
    const erg_region vast = {.shape = ERG_REGION_SPHERE, .radius = 1e3};
    erg_vec3         normal[] = {{0, 0, 1}, {0.6, 0, 0.8}, {0.36, 0.48, 0.8}};
    fixture          f;
    begin(&f, ERG_SHAPE_SPHERE, (erg_sizes){.law = ERG_SIZE_FIXED, .radius = 1e-4}, &vast);
    f.def.count = 2000;
    CHECK(place(&f) == ERG_OK);
    check_placed(&f.def, &f.placed);
    for (int k = 0; k < 3; k++) {
        f.def.is_free = above_plane;
        f.def.is_barred = below_plane;
        f.def.user = &normal[k];
        CHECK(place(&f) == ERG_OK && f.placed.count == 2000);
        check_placed(&f.def, &f.placed);
        for (size_t i = 0; i < f.placed.count; i++)
            CHECK(ergi_dot(f.placed.position[i], normal[k]) >= 1e-4);
    }
    // the same places, whether boxes are left out as a whole or not
    const erg_region small_ball = {.shape = ERG_REGION_SPHERE, .radius = 0.5};
    f.def.region = &small_ball;
    f.sizes.radius = 0.02;
    f.def.count = 0;
    REQUIRE(place(&f) == ERG_OK);
    uint64_t with = hash_of(&f.placed);
    f.def.is_barred = NULL;
    REQUIRE(place(&f) == ERG_OK);
    CHECK(hash_of(&f.placed) == with);
    end(&f);
}

TEST(fills_without_end_are_refused)
{
    const erg_region vast = {.shape = ERG_REGION_SPHERE, .radius = 1};
    fixture          f;
    begin(&f, ERG_SHAPE_SPHERE, (erg_sizes){.law = ERG_SIZE_FIXED, .radius = 1e-9}, &vast);
    f.def.bytes = 500;
    CHECK(place(&f) == ERG_BAD_INPUT);
    CHECK(strstr(f.err.text, "grains fit, which would need ") != NULL);
    CHECK(strstr(f.err.text, "give a count, a smaller region or larger grains") != NULL);
    f.def.count = 2147483647;
    f.def.bytes = 1e6;
    CHECK(place(&f) == ERG_BAD_INPUT);
    CHECK(strncmp(f.err.text, "2147483647 grains would need about 2.15e+06 GB", 46) == 0);

    // What exists already counts.
    f.def.count = 10;
    f.def.bytes = 1;
    f.def.held = 1e300;
    CHECK(place(&f) == ERG_BAD_INPUT);
    CHECK(strstr(f.err.text, "but there are 0 GB left after those before, enough for 0"));
    f.def.held = 0;

    // no free position anywhere, and no callback that rejects whole boxes at once
    erg_vec3 up = {0, 0, 1e-9};
    f.def.count = 5;
    f.def.bytes = 0;
    f.sizes.radius = 1e-4;
    f.def.user = &up;
    f.def.is_free = above_plane;
    CHECK(place(&f) == ERG_BAD_INPUT);
    CHECK(strstr(f.err.text, " places were tried, but only 0 were free") != NULL);
    int left = 3;
    f.def.keep_going = count_down;
    f.def.keep_going_user = &left;
    CHECK(place(&f) == ERG_CANCELLED && left == 0);
    f.def.placing = ERG_PLACE_RANDOM;
    left = 2;
    CHECK(place(&f) == ERG_CANCELLED && left == 0);
    end(&f);
}

TEST_MAIN(few_grains_in_a_vast_region, fills_without_end_are_refused,
          both_ways_fill_without_overlap, the_lattice_is_dense_and_fills_from_below,
          too_many_says_how_many_fit, obstacles_are_asked, seed_stream_and_number_name_the_grains,
          grains_are_turned_or_not, wide_mixtures_are_placed_the_largest_first,
          bad_orders_are_refused, large_fills_are_quick)
