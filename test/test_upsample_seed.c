// labels: asan tsan clang
// Initial positions of fine particles.
#include "base/clock.h"
#include "base/random.h"
#include "check.h"
#include "geom/points.h"
#include "geom/vec3.h"
#include "upsample/fine_seed.h"

#include <stdlib.h>

enum { SIDE = 8, SPHERES = SIDE * SIDE * SIDE };

static const double RADIUS = 2.5e-3;

static double *bed(void)
{
    double     *x = calloc(4 * SPHERES, sizeof *x);
    ergi_random r = {.seed = 3};
    for (size_t i = 0; i < SPHERES; i++) {
        size_t at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        for (size_t a = 0; a < 3; a++)
            x[4 * i + a] = 2 * RADIUS * ((double)at[a] + 0.2 * ergi_random_uniform(&r));
        x[4 * i + 3] = RADIUS * (i % 4 ? 1 : 0.7);
    }
    return x;
}

// Only points above a plane through the bed are allowed.
static bool above(void *user, size_t sphere, erg_vec3 p)
{
    (void)user;
    (void)sphere;
    return p.z > 0.01;
}

static void check_seeds(const ergi_fine_seed_def *def, const ergi_fine_seeds *s)
{
    CHECK(s->count == def->wanted);
    erg_vec3   *p = (erg_vec3 *)s->position; // 3 doubles each, as in erg_vec3
    ergi_points grid = {0};
    erg_error   err;
    REQUIRE(ergi_points_build(&grid, p, s->count, s->distance, &err) == ERG_OK);
    int    too_near = 0, outside = 0;
    double mean = 0, farthest = 0;
    for (size_t i = 0; i < s->count; i++) {
        double distance;
        (void)ergi_points_nearest(&grid, p[i], (uint32_t)i, 2.5 * s->distance, &distance);
        too_near += distance < s->distance * (1 - 1e-5);
        mean += distance / (double)s->count;
        farthest = fmax(farthest, distance);
        const double *x = def->position + 4 * (size_t)s->sphere[i];
        outside += ergi_distance(p[i], ergi_vec3(x[0], x[1], x[2])) > 1.3001 * x[3];
        outside += def->may && !def->may(NULL, 0, p[i]);
    }
    CHECK(too_near == 0 && outside == 0);
    CHECK(mean < 1.15 * s->distance && farthest < 2.1 * s->distance);
    ergi_points_free(&grid);
}

TEST(as_many_as_wanted_none_too_near)
{
    double            *x = bed();
    ergi_fine_seed_def def = {.position = x, .count = SPHERES, .wanted = 20000, .seed = 1};
    ergi_fine_seeds    one, two;
    erg_error          err;
    ergi_threads       alone = {.count = 1}, team = {.count = 2};
    REQUIRE(ergi_fine_seed(&def, &alone, &one, &err) == ERG_OK);
    REQUIRE(ergi_fine_seed(&def, &team, &two, &err) == ERG_OK);
    check_seeds(&def, &one);
    CHECK(one.count == two.count &&
          memcmp(one.position, two.position, 3 * one.count * sizeof(double)) == 0);
    ergi_fine_seeds_free(&two);
    def.may = above;
    REQUIRE(ergi_fine_seed(&def, &team, &two, &err) == ERG_OK);
    check_seeds(&def, &two);
    CHECK(two.distance < one.distance); // the same number in a smaller volume
    ergi_fine_seeds_free(&one);
    ergi_fine_seeds_free(&two);
    free(x);
}

TEST(few_and_none)
{
    double             x[4] = {1, 2, 3, RADIUS};
    ergi_fine_seed_def def = {.position = x, .count = 1, .wanted = 5, .seed = 9};
    ergi_fine_seeds    s;
    erg_error          err;
    ergi_threads       alone = {.count = 1};
    REQUIRE(ergi_fine_seed(&def, &alone, &s, &err) == ERG_OK);
    CHECK(s.count == 5);
    ergi_fine_seeds_free(&s);
    def.wanted = 0;
    REQUIRE(ergi_fine_seed(&def, &alone, &s, &err) == ERG_OK && s.count == 0);
}

// The directions to nearest neighbours are isotropic: the mean of x^4 over unit vectors is 1/5 for
// each axis. For a cubic lattice along the axes it would be 1/3.
TEST(there_is_no_lattice_in_it)
{
    double            *x = bed();
    ergi_fine_seed_def def = {.position = x, .count = SPHERES, .wanted = 20000, .seed = 5};
    ergi_fine_seeds    s;
    erg_error          err;
    ergi_threads       alone = {.count = 2};
    REQUIRE(ergi_fine_seed(&def, &alone, &s, &err) == ERG_OK);
    erg_vec3   *p = (erg_vec3 *)s.position;
    ergi_points grid = {0};
    REQUIRE(ergi_points_build(&grid, p, s.count, s.distance, &err) == ERG_OK);
    double fourth[3] = {0};
    for (size_t i = 0; i < s.count; i++) {
        double   distance;
        uint32_t j = ergi_points_nearest(&grid, p[i], (uint32_t)i, 2.5 * s.distance, &distance);
        erg_vec3 d = ergi_scale(ergi_sub(p[j], p[i]), 1 / distance);
        fourth[0] += pow(d.x, 4) / (double)s.count;
        fourth[1] += pow(d.y, 4) / (double)s.count;
        fourth[2] += pow(d.z, 4) / (double)s.count;
    }
    for (int a = 0; a < 3; a++) CHECK_NEAR(fourth[a], 0.2, 0.01);
    ergi_points_free(&grid);
    ergi_fine_seeds_free(&s);
    free(x);
}

TEST_MAIN(as_many_as_wanted_none_too_near, few_and_none, there_is_no_lattice_in_it)
