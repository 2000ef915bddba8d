#include "geom/union.h"

#include "base/clock.h"
#include "base/random.h"
#include "check.h"

static ergi_mass mass_of(const erg_sphere *s, size_t n)
{
    ergi_mass  m = {0};
    erg_error  err;
    erg_status status = ergi_union_mass(s, n, &m, &err);
    if (status != ERG_OK) printf("    %s\n", err.text);
    CHECK(status == ERG_OK);
    return m;
}

static double trace(const ergi_mass *m)
{
    return m->inertia.m[0][0] + m->inertia.m[1][1] + m->inertia.m[2][2];
}

static double off_diagonal(const ergi_mass *m)
{
    return fabs(m->inertia.m[0][1]) + fabs(m->inertia.m[0][2]) + fabs(m->inertia.m[1][2]);
}

TEST(one_sphere)
{
    erg_sphere s = {3, -2, 5, 0.5};
    ergi_mass  m = mass_of(&s, 1);
    double     v = 4.0 / 3.0 * ERGI_PI * 0.125;
    CHECK_NEAR(m.volume / v, 1.0, 1e-14);
    CHECK_NEAR(m.centre.x, 3.0, 1e-15);
    CHECK_NEAR(m.centre.z, 5.0, 1e-15);
    CHECK_NEAR(m.inertia.m[1][1] / (0.4 * v * 0.25), 1.0, 1e-14);
    CHECK_NEAR(off_diagonal(&m), 0.0, 1e-16);
    CHECK_NEAR(m.bounding_radius, 0.5, 1e-14);
}

// The union is ball plus ball less lens; the lens is two caps of heights h1 and h2 with
// V = pi h^2 (3 r - h)/3 and centre 3 (2 r - h)^2 / (4 (3 r - h)) from the centre of its sphere.
// Second moments of the union along the axis by Simpson's rule over the exact cross-sections.
static void check_pair(double r1, double r2, double d, erg_vec3 axis, erg_vec3 at)
{
    axis = ergi_normalize(axis);
    erg_vec3   b = ergi_madd(at, d, axis);
    erg_sphere s[2] = {{at.x, at.y, at.z, r1}, {b.x, b.y, b.z, r2}};
    ergi_mass  m = mass_of(s, 2);

    double cut = (d * d + r1 * r1 - r2 * r2) / (2.0 * d);
    double h1 = r1 - cut, h2 = r2 - (d - cut);
    double v1 = 4.0 / 3.0 * ERGI_PI * pow(r1, 3), v2 = 4.0 / 3.0 * ERGI_PI * pow(r2, 3);
    double c1 = ERGI_PI * h1 * h1 * (3.0 * r1 - h1) / 3.0;
    double c2 = ERGI_PI * h2 * h2 * (3.0 * r2 - h2) / 3.0;
    double z1 = 3.0 * pow(2.0 * r1 - h1, 2) / (4.0 * (3.0 * r1 - h1));
    double z2 = d - 3.0 * pow(2.0 * r2 - h2, 2) / (4.0 * (3.0 * r2 - h2));
    double volume = v1 + v2 - c1 - c2;
    double centre = (v2 * d - c1 * z1 - c2 * z2) / volume;
    CHECK_NEAR(m.volume / volume, 1.0, 1e-12);
    CHECK_NEAR(ergi_distance(m.centre, ergi_madd(at, centre, axis)) / d, 0.0, 1e-12);

    double along = 0.0, across = 0.0;
    enum { N = 2000 };
    for (int half = 0; half < 2; half++) { // each side of the cut is a polynomial of degree 4
        double from = half ? cut : -r1, to = half ? d + r2 : cut, step = (to - from) / N;
        for (int i = 0; i <= N; i++) {
            double z = from + i * step, w = (i == 0 || i == N ? 1.0
                                             : i % 2          ? 4.0
                                                              : 2.0) *
                                            step / 3.0;
            double q = half ? r2 * r2 - (z - d) * (z - d) : r1 * r1 - z * z;
            along += w * ERGI_PI * q * (z - centre) * (z - centre);
            across += w * 0.25 * ERGI_PI * q * q;
        }
    }
    erg_vec3 spin = ergi_mat3_mul(m.inertia, axis), side = ergi_perpendicular(axis);
    CHECK_NEAR(ergi_dot(spin, axis) / (2.0 * across), 1.0, 1e-9);
    CHECK_NEAR(ergi_dot(ergi_mat3_mul(m.inertia, side), side) / (along + across), 1.0, 1e-9);
    CHECK_NEAR(ergi_norm(ergi_cross(spin, axis)) / (along + across), 0.0, 1e-12);
}

TEST(two_overlapping_spheres_are_the_closed_form)
{
    check_pair(1.0, 1.0, 1.0, ergi_vec3(0, 0, 1), ergi_vec3(0, 0, 0));
    check_pair(1.0, 0.6, 1.2, ergi_vec3(1, 0, 0), ergi_vec3(4, 5, 6));
    check_pair(2e-3, 1e-3, 1.3e-3, ergi_vec3(1, -2, 3), ergi_vec3(0.01, 0, -0.02));
    check_pair(1.0, 0.3, 0.75, ergi_vec3(-1, 2, 0.1),
               ergi_vec3(0, 0, 0)); // centre of one in the other
    check_pair(1.0, 1.0, 1.999, ergi_vec3(0, 1, 0), ergi_vec3(0, 0, 0));
}

TEST(four_touching_spheres_are_isotropic)
{
    double     c = 1.0 / sqrt(2.0), v = 4.0 / 3.0 * ERGI_PI;
    erg_sphere s[4] = {{c, c, c, 1}, {c, -c, -c, 1}, {-c, c, -c, 1}, {-c, -c, c, 1}};
    ergi_mass  m = mass_of(s, 4);
    // four balls of 2/5 r^2, carried out to the circumradius sqrt(3/2): 2/3 of its square each
    double inertia = 4.0 * v * (0.4 + 2.0 / 3.0 * 1.5);
    CHECK_NEAR(m.volume / (4.0 * v), 1.0, 1e-14);
    for (int k = 0; k < 3; k++) CHECK_NEAR(m.inertia.m[k][k] / inertia, 1.0, 1e-14);
    CHECK_NEAR(off_diagonal(&m) / inertia, 0.0, 1e-14);
    CHECK_NEAR(m.bounding_radius, 1.0 + sqrt(1.5), 1e-14);
}

// A large group by slices against the closed form of a pair: a third sphere overlaps the pair only
// inside it, so that it adds nothing but forces the general algorithm.
TEST(slices_agree_with_the_pair)
{
    erg_sphere pair[2] = {{0, 0, 0, 1}, {1.2, 0.3, 0.4, 0.8}};
    erg_sphere three[3] = {{0, 0, 0, 1}, {1.2, 0.3, 0.4, 0.8}, {0.72, 0.18, 0.24, 0.42}};
    ergi_mass  a = mass_of(pair, 2), b = mass_of(three, 3);
    CHECK_NEAR(b.volume / a.volume, 1.0, 1e-11);
    CHECK_NEAR(ergi_distance(a.centre, b.centre), 0.0, 1e-11);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            CHECK_NEAR((b.inertia.m[i][k] - a.inertia.m[i][k]) / trace(&a), 0.0, 1e-11);
    }
}

// The slices lie otherwise in the turned grain, so that the two answers are independent
// quadratures.
TEST(turning_the_grain_turns_the_answer)
{
    enum { N = 7 };
    ergi_random random = {.seed = 5};
    for (int round = 0; round < 5; round++) {
        erg_sphere s[N], t[N];
        erg_quat   q = ergi_random_rotation(&random);
        erg_vec3   shift = {0.3, -2.0, 1.0};
        for (int i = 0; i < N; i++) {
            erg_vec3 p = ergi_random_in_ball(&random);
            s[i] = (erg_sphere){p.x, p.y, p.z, ergi_random_range(&random, 0.3, 0.9)};
            erg_vec3 w = ergi_add(ergi_quat_rotate(q, p), shift);
            t[i] = (erg_sphere){w.x, w.y, w.z, s[i].radius};
        }
        ergi_mass a = mass_of(s, N), b = mass_of(t, N);
        CHECK_NEAR(b.volume / a.volume, 1.0, 1e-10);
        CHECK_NEAR(ergi_distance(b.centre, ergi_add(ergi_quat_rotate(q, a.centre), shift)), 0.0,
                   1e-10);
        ergi_mat3 turn = ergi_mat3_from_quat(q);
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++) {
                double want = 0.0;
                for (int m = 0; m < 3; m++) {
                    for (int n = 0; n < 3; n++)
                        want += turn.m[i][m] * a.inertia.m[m][n] * turn.m[k][n];
                }
                CHECK_NEAR((b.inertia.m[i][k] - want) / trace(&a), 0.0, 1e-10);
            }
        }
        CHECK_NEAR(b.bounding_radius / a.bounding_radius, 1.0, 1e-10);
    }
}

// Against counting points: nothing in common with the slices.
TEST(counting_points_agrees)
{
    enum { N = 6, GRID = 120 };
    ergi_random random = {.seed = 9};
    erg_sphere  s[N];
    for (int i = 0; i < N; i++) {
        erg_vec3 p = ergi_random_in_ball(&random);
        s[i] = (erg_sphere){p.x, p.y, p.z, ergi_random_range(&random, 0.3, 0.7)};
    }
    ergi_mass m = mass_of(s, N);
    double    step = 3.6 / GRID, count = 0.0, xx = 0.0, xz = 0.0;
    erg_vec3  first = {0};
    for (int k = 0; k < GRID; k++) {
        for (int j = 0; j < GRID; j++) {
            for (int i = 0; i < GRID; i++) {
                erg_vec3 p = {(i + 0.5) * step - 1.8, (j + 0.5) * step - 1.8,
                              (k + 0.5) * step - 1.8};
                bool     in = false;
                for (int b = 0; b < N && !in; b++)
                    in = ergi_distance(p, ergi_vec3(s[b].x, s[b].y, s[b].z)) < s[b].radius;
                if (!in) continue;
                count += 1.0;
                first = ergi_add(first, p);
                xx += (p.y - m.centre.y) * (p.y - m.centre.y) +
                      (p.z - m.centre.z) * (p.z - m.centre.z);
                xz -= (p.x - m.centre.x) * (p.z - m.centre.z);
            }
        }
    }
    double cell = step * step * step;
    CHECK_NEAR(count * cell / m.volume, 1.0, 1e-3);
    CHECK_NEAR(ergi_distance(ergi_scale(first, 1.0 / count), m.centre), 0.0, 1e-3);
    CHECK_NEAR(xx * cell / m.inertia.m[0][0], 1.0, 2e-3);
    CHECK_NEAR(xz * cell / m.inertia.m[0][0], m.inertia.m[0][2] / m.inertia.m[0][0], 2e-3);
}

TEST(overlapping_cube_is_isotropic_and_quick)
{
    erg_sphere s[8];
    for (int i = 0; i < 8; i++)
        s[i] = (erg_sphere){i & 1 ? 0.7 : -0.7, i & 2 ? 0.7 : -0.7, i & 4 ? 0.7 : -0.7, 1.0};
    double    start = ergi_clock_seconds();
    ergi_mass m = mass_of(s, 8);
    double    took = ergi_clock_seconds() - start;
    printf("    8 overlapping spheres: %.2f ms\n", 1e3 * took);
    CHECK(took < 0.5); // 50 ms wanted; sanitizers are slow
    CHECK_NEAR(m.inertia.m[0][0] / m.inertia.m[2][2], 1.0, 1e-10);
    CHECK_NEAR(m.inertia.m[1][1] / m.inertia.m[2][2], 1.0, 1e-10);
    CHECK_NEAR(off_diagonal(&m), 0.0, 1e-10);
    CHECK_NEAR(ergi_norm(m.centre), 0.0, 1e-12);
}

TEST(many_overlapping_spheres_agree_with_themselves_turned)
{
    enum { N = 200 };
    ergi_random random = {.seed = 21};
    erg_sphere  s[N], t[N];
    for (int i = 0; i < N; i++) {
        erg_vec3 p = ergi_scale(ergi_random_in_ball(&random), 3.0);
        s[i] = (erg_sphere){p.x, p.y, p.z, ergi_random_range(&random, 0.3, 0.9)};
        t[i] = (erg_sphere){p.y, p.z, p.x, s[i].radius};
    }
    double    start = ergi_clock_seconds();
    ergi_mass a = mass_of(s, N);
    printf("    %d overlapping spheres: %.0f ms\n", N, 1e3 * (ergi_clock_seconds() - start));
    ergi_mass b = mass_of(t, N);
    CHECK_NEAR(b.volume / a.volume, 1.0, 1e-9);
    CHECK_NEAR(b.inertia.m[2][2] / a.inertia.m[0][0], 1.0, 1e-9);
}

TEST(spheres_within_spheres_add_nothing)
{
    erg_sphere s[5] = {
        {0, 0, 0, 1}, {0.1, 0, 0, 0.2}, {0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0.5, 0, 0.5}};
    ergi_mass m = mass_of(s, 5);
    CHECK_NEAR(m.volume, 4.0 / 3.0 * ERGI_PI, 1e-13);
    CHECK_NEAR(m.inertia.m[0][0], 1.6 / 3.0 * ERGI_PI, 1e-13);
}

TEST(spheres_of_one_circle_and_columns)
{
    // three in a line through one common circle, and a stack along z: the degenerate slices
    erg_sphere line[3] = {{-0.6, 0, 0, 1}, {0, 0, 0, 0.8}, {0.6, 0, 0, 1}};
    erg_sphere ends[2] = {{-0.6, 0, 0, 1}, {0.6, 0, 0, 1}};
    CHECK_NEAR(mass_of(line, 3).volume / mass_of(ends, 2).volume, 1.0, 1e-11);
    erg_sphere stack[3] = {{0, 0, -1, 1}, {0, 0, 0, 1}, {0, 0, 1, 1}};
    erg_sphere row[3] = {{-1, 0, 0, 1}, {0, 0, 0, 1}, {1, 0, 0, 1}};
    double     lens = ERGI_PI * 5.0 / 12.0; // of two unit spheres at distance 1
    double     want = 4.0 * ERGI_PI - 2.0 * lens;
    CHECK_NEAR(mass_of(stack, 3).volume / want, 1.0, 1e-11);
    CHECK_NEAR(mass_of(row, 3).volume / want, 1.0, 1e-11);
}

TEST(bad_spheres_are_named)
{
    ergi_mass  m;
    erg_error  err;
    erg_sphere s[2] = {{0, 0, 0, 1}, {1, 0, 0, -1}};
    CHECK(ergi_union_mass(s, 2, &m, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "sphere 1 of a grain: radius must be above 0 m, got -1");
    s[1] = (erg_sphere){1, (double)NAN, 0, 1};
    CHECK(ergi_union_mass(s, 2, &m, &err) == ERG_BAD_INPUT);
    CHECK(ergi_union_mass(s, 0, &m, NULL) == ERG_BAD_INPUT);
}

TEST(principal_axes_diagonalise)
{
    ergi_mat3 a = {{{4, 1, -0.5}, {1, 3, 0.25}, {-0.5, 0.25, 2}}}, axes;
    double    value[3];
    ergi_principal_axes(a, value, &axes);
    for (int k = 0; k < 3; k++) {
        erg_vec3 v = {axes.m[0][k], axes.m[1][k], axes.m[2][k]};
        CHECK_NEAR(ergi_distance(ergi_mat3_mul(a, v), ergi_scale(v, value[k])), 0.0, 1e-12);
        CHECK_NEAR(ergi_norm(v), 1.0, 1e-14);
    }
    erg_vec3 x = {axes.m[0][0], axes.m[1][0], axes.m[2][0]};
    erg_vec3 y = {axes.m[0][1], axes.m[1][1], axes.m[2][1]};
    erg_vec3 z = {axes.m[0][2], axes.m[1][2], axes.m[2][2]};
    CHECK_NEAR(ergi_dot(ergi_cross(x, y), z), 1.0, 1e-14);
    erg_quat q = ergi_quat_from_mat3(axes);
    CHECK_NEAR(ergi_distance(ergi_quat_rotate(q, ergi_vec3(1, 0, 0)), x), 0.0, 1e-14);
}

TEST(rotations_agree_with_each_other)
{
    ergi_random random = {.seed = 4};
    for (int i = 0; i < 200; i++) {
        erg_quat  q = ergi_random_rotation(&random), p = ergi_random_rotation(&random);
        erg_vec3  v = ergi_random_in_ball(&random);
        ergi_mat3 m = ergi_mat3_from_quat(q);
        CHECK_NEAR(ergi_distance(ergi_mat3_mul(m, v), ergi_quat_rotate(q, v)), 0.0, 1e-14);
        erg_quat back = ergi_quat_from_mat3(m);
        CHECK_NEAR(fabs(back.x * q.x + back.y * q.y + back.z * q.z + back.w * q.w), 1.0, 1e-14);
        CHECK_NEAR(ergi_distance(ergi_quat_rotate(ergi_quat_mul(p, q), v),
                                 ergi_quat_rotate(p, ergi_quat_rotate(q, v))),
                   0.0, 1e-14);
        CHECK_NEAR(ergi_distance(ergi_quat_unrotate(q, ergi_quat_rotate(q, v)), v), 0.0, 1e-14);
        double   angle = ergi_random_range(&random, 0.0, i % 2 ? 3.0 : 3e-3);
        erg_vec3 axis = ergi_normalize(v);
        erg_quat a = ergi_quat_from_axis_angle(axis, angle),
                 b = ergi_quat_exp(ergi_scale(axis, angle));
        CHECK_NEAR(fabs(a.x - b.x) + fabs(a.y - b.y) + fabs(a.z - b.z) + fabs(a.w - b.w), 0.0,
                   1e-15);
        CHECK_NEAR(ergi_dot(ergi_perpendicular(axis), axis), 0.0, 1e-15);
    }
    erg_quat quarter = ergi_quat_from_axis_angle(ergi_vec3(0, 0, 1), 0.5 * ERGI_PI);
    CHECK_NEAR(ergi_distance(ergi_quat_rotate(quarter, ergi_vec3(1, 0, 0)), ergi_vec3(0, 1, 0)),
               0.0, 1e-15);
}

TEST_MAIN(one_sphere, two_overlapping_spheres_are_the_closed_form,
          four_touching_spheres_are_isotropic, slices_agree_with_the_pair,
          turning_the_grain_turns_the_answer, counting_points_agrees,
          overlapping_cube_is_isotropic_and_quick,
          many_overlapping_spheres_agree_with_themselves_turned, spheres_within_spheres_add_nothing,
          spheres_of_one_circle_and_columns, bad_spheres_are_named, principal_axes_diagonalise,
          rotations_agree_with_each_other)
