#include "world/shape.h"

#include "check.h"
#include "geom/vec3.h"

static const double unit_ball = 4.0 / 3.0 * ERGI_PI;

static ergi_shape make(erg_shape kind)
{
    ergi_shape s = {0};
    CHECK(ergi_shape_make(kind, NULL, 0, &s, NULL) == ERG_OK);
    return s;
}

TEST(named_shapes_have_their_closed_forms)
{
    ergi_shape s = make(ERG_SHAPE_SPHERE);
    CHECK(s.is_sphere && s.isotropic && s.count == 1);
    CHECK(s.bounding_radius == 1.0 && s.offset[0] == 0.0);
    CHECK_NEAR(s.volume, unit_ball, 1e-14);
    CHECK_NEAR(s.inertia[0], 0.4 * unit_ball, 1e-14);
    ergi_shape_free(&s);

    s = make(ERG_SHAPE_DIMER);
    CHECK(!s.is_sphere && !s.isotropic && s.count == 2);
    CHECK_NEAR(s.volume, 2.0 * unit_ball, 1e-14);
    CHECK_NEAR(s.inertia[0], 0.8 * unit_ball, 1e-13);
    CHECK_NEAR(s.inertia[1], 2.8 * unit_ball, 1e-13);
    CHECK_NEAR(s.inertia[2], 2.8 * unit_ball, 1e-13);
    CHECK_NEAR(s.bounding_radius, 2.0, 1e-15);
    CHECK_NEAR(s.offset[3], 1.0, 1e-15);
    CHECK(s.principal_to_input.w == 1.0);
    ergi_shape_free(&s);

    s = make(ERG_SHAPE_TETRAHEDRON);
    CHECK(s.isotropic && s.count == 4);
    CHECK(s.inertia[0] == s.inertia[1] && s.inertia[1] == s.inertia[2]);
    CHECK_NEAR(s.inertia[0], 4.0 * unit_ball * 1.4, 1e-13);
    CHECK_NEAR(s.bounding_radius, 1.0 + sqrt(1.5), 1e-14);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < i; j++) {
            const double *a = &s.offset[3 * i], *b = &s.offset[3 * j];
            CHECK_NEAR(hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]), 2.0, 1e-14);
        }
    }
    ergi_shape_free(&s);

    s = make(ERG_SHAPE_CUBE);
    CHECK(s.isotropic && s.count == 8);
    CHECK_NEAR(s.inertia[0], 8.0 * unit_ball * 2.4, 1e-13);
    CHECK_NEAR(s.bounding_radius, 1.0 + sqrt(3.0), 1e-14);
    ergi_shape_free(&s);
}

TEST(a_list_is_carried_into_its_principal_frame)
{
    // an L of three overlapping spheres, turned and shifted; in metres
    erg_quat   q = ergi_quat_normalize((erg_quat){0.3, -0.2, 0.5, 0.7});
    erg_vec3   plain[3] = {{0, 0, 0}, {3e-3, 0, 0}, {0, 1.5e-3, 0}};
    erg_sphere list[3];
    for (int i = 0; i < 3; i++) {
        erg_vec3 p = ergi_add(ergi_quat_rotate(q, plain[i]), ergi_vec3(0.1, 0.2, 0.3));
        list[i] = (erg_sphere){p.x, p.y, p.z, 2e-3 - 2e-4 * i};
    }
    ergi_shape s;
    REQUIRE(ergi_shape_make(ERG_SHAPE_SPHERES, list, 3, &s, NULL) == ERG_OK);
    CHECK(!s.isotropic && !s.is_sphere);
    CHECK_NEAR(s.smallest_radius, 1.6e-3, 1e-18);
    CHECK_NEAR(s.largest_radius, 2e-3, 1e-18);
    for (int i = 0; i < 3; i++) { // the way back
        erg_vec3 o = {s.offset[3 * i], s.offset[3 * i + 1], s.offset[3 * i + 2]};
        erg_vec3 p = ergi_add(s.centre, ergi_quat_rotate(s.principal_to_input, o));
        CHECK_NEAR(ergi_distance(p, ergi_vec3(list[i].x, list[i].y, list[i].z)), 0.0, 1e-15);
    }
    // handing in the principal frame gives the same moments and no turn
    erg_sphere again[3];
    for (int i = 0; i < 3; i++)
        again[i] =
            (erg_sphere){s.offset[3 * i], s.offset[3 * i + 1], s.offset[3 * i + 2], s.radius[i]};
    ergi_shape t;
    REQUIRE(ergi_shape_make(ERG_SHAPE_SPHERES, again, 3, &t, NULL) == ERG_OK);
    CHECK_NEAR(fabs(t.principal_to_input.w), 1.0, 1e-9);
    CHECK_NEAR(ergi_norm(t.centre), 0.0, 1e-13);
    for (int k = 0; k < 3; k++) CHECK_NEAR(t.inertia[k] / s.inertia[k], 1.0, 1e-9);
    ergi_shape_free(&s);
    ergi_shape_free(&t);
}

TEST(overlaps_count_once)
{
    erg_sphere list[2] = {{0, 0, 0, 1}, {1, 0, 0, 1}};
    ergi_shape s;
    REQUIRE(ergi_shape_make(ERG_SHAPE_SPHERES, list, 2, &s, NULL) == ERG_OK);
    CHECK_NEAR(s.volume, 2.0 * unit_ball - ERGI_PI * 5.0 / 12.0, 1e-13);
    CHECK_NEAR(s.offset[0], -0.5, 1e-14);
    ergi_shape_free(&s);
}

TEST(bad_shapes_leave_nothing_behind)
{
    ergi_shape s = {.count = 77};
    erg_error  err;
    erg_sphere list[1] = {{0, 0, 0, 0}};
    CHECK(ergi_shape_make(ERG_SHAPE_SPHERES, list, 1, &s, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "sphere 0 of a grain: radius must be above 0 m, got 0");
    CHECK(ergi_shape_make(ERG_SHAPE_SPHERES, NULL, 3, &s, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "a grain has 1 to 1024 spheres, got 0");
    CHECK(ergi_shape_make((erg_shape)99, NULL, 0, &s, &err) == ERG_BAD_INPUT);
    CHECK(s.count == 77);
}

static void moments(const erg_sizes *sizes, double *mean, double *deviation)
{
    enum { N = 50000 };
    double sum = 0.0, squares = 0.0, cubes = 0.0, least, most;
    REQUIRE(ergi_sizes_check(sizes, NULL) == ERG_OK);
    ergi_sizes_range(sizes, &least, &most);
    for (uint64_t i = 0; i < N; i++) {
        ergi_random r = {.seed = 5, .id = i};
        double      x = ergi_sizes_draw(sizes, &r);
        CHECK(x >= least && x <= most);
        sum += x;
        squares += x * x;
        cubes += x * x * x;
    }
    CHECK_NEAR(ergi_sizes_mean_cube(sizes), cubes / N, 0.01 * cubes / N);
    *mean = sum / N;
    *deviation = sqrt(squares / N - *mean * *mean);
}

TEST(sizes_follow_their_law)
{
    double       mean, deviation;
    const double values[3] = {1, 2, 9}, weights[3] = {3, 1, 0};
    moments(&(erg_sizes){.law = ERG_SIZE_FIXED, .radius = 2}, &mean, &deviation);
    CHECK_NEAR(mean, 2.0, 1e-12);
    moments(&(erg_sizes){.law = ERG_SIZE_UNIFORM, .min = 1, .max = 2}, &mean, &deviation);
    CHECK_NEAR(mean, 1.5, 0.005);
    CHECK_NEAR(deviation, sqrt(1.0 / 12.0), 0.003);
    moments(&(erg_sizes){.law = ERG_SIZE_NORMAL, .mean = 1, .deviation = 0.1}, &mean, &deviation);
    CHECK_NEAR(mean, 1.0, 0.002);
    CHECK_NEAR(deviation, 0.0987, 0.001); // cut at three deviations
    moments(
        &(erg_sizes){.law = ERG_SIZE_NORMAL, .mean = 1, .deviation = 0.5, .min = 0.9, .max = 1.2},
        &mean, &deviation);
    CHECK(mean > 1.0 && mean < 1.1);
    erg_sizes listed = {.law = ERG_SIZE_LISTED, .values = values, .weights = weights, .count = 3};
    moments(&listed, &mean, &deviation);
    CHECK_NEAR(mean, 1.25, 0.01);
    double least, most;
    ergi_sizes_range(&listed, &least, &most);
    CHECK(least == 1.0 && most == 2.0);
    listed.weights = NULL;
    moments(&listed, &mean, &deviation);
    CHECK_NEAR(mean, 4.0, 0.05);
}

static void refused(erg_sizes sizes, const char *text)
{
    erg_error err;
    CHECK(ergi_sizes_check(&sizes, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, text);
}

TEST(bad_sizes_are_refused)
{
    const double values[2] = {1, -1}, weights[2] = {0, 0};
    refused((erg_sizes){.law = ERG_SIZE_FIXED, .radius = -1e-3},
            "grain radius must be above 0 m, got -0.001");
    refused((erg_sizes){.law = ERG_SIZE_UNIFORM, .min = 2, .max = 1},
            "sizes: min must be above 0 and max at least min, got 2 and 1");
    refused((erg_sizes){.law = ERG_SIZE_NORMAL, .mean = 1, .deviation = 0.5},
            "sizes: mean 1 minus three deviations of 0.5 is not above 0: give a min");
    refused((erg_sizes){.law = ERG_SIZE_NORMAL, .mean = 1, .deviation = 0.1, .min = 1.1, .max = 2},
            "sizes: the mean 1 must lie from min to max, 1.1 to 2");
    refused((erg_sizes){.law = ERG_SIZE_LISTED}, "sizes: the list of values is empty");
    refused((erg_sizes){.law = ERG_SIZE_LISTED, .values = values, .count = 2},
            "sizes: value 1 must be above 0, got -1");
    refused((erg_sizes){.law = ERG_SIZE_LISTED, .values = values, .weights = weights, .count = 1},
            "sizes: the sum of the weights must be above 0, got 0");
}

TEST_MAIN(named_shapes_have_their_closed_forms, a_list_is_carried_into_its_principal_frame,
          overlaps_count_once, bad_shapes_leave_nothing_behind, sizes_follow_their_law,
          bad_sizes_are_refused)
