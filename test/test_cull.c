// labels: asan tsan
// Every culled sphere is hidden: rays from the camera to all parts of it are blocked by nearer
// spheres. Visible spheres are not culled as outside the picture.
#include "base/random.h"
#include "check.h"
#include "draw/cull.h"
#include "geom/vec3.h"

#include <stdlib.h>

enum { COUNT = 3000, WIDTH = 320, HEIGHT = 200 };

static ergi_ball *random_balls(uint64_t seed)
{
    ergi_random r = {.seed = seed};
    ergi_ball  *balls = malloc(COUNT * sizeof *balls);
    for (uint32_t i = 0; i < COUNT; i++) {
        balls[i].x = (float)ergi_random_range(&r, -1, 1);
        balls[i].y = (float)ergi_random_range(&r, -1, 1);
        balls[i].z = (float)ergi_random_range(&r, -1, 1);
        balls[i].r = (float)ergi_random_range(&r, 0.05, 0.15);
        balls[i].colour = i;
    }
    return balls;
}

static ergi_cull_view sight_of(bool parallel, bool hide, double angle)
{
    ergi_cull_view s = {.parallel = parallel,
                        .hide = hide,
                        .cut = {0, 0, 0, -1e30f},
                        .mean = 0.1,
                        .width = WIDTH,
                        .height = HEIGHT,
                        .largest_point = 200,
                        .threads = {.count = 2}};
    s.view = ergi_matrix_look(ergi_scale(ergi_vec3(1, -4, 2), angle > 60 ? 0.45 : 1),
                              ergi_vec3(0, 0, 0), ergi_vec3(0, 0, 1), ergi_vec3(0, 0, 0));
    s.projection = parallel ? ergi_matrix_parallel(1.5, 0.5, 9)
                            : ergi_matrix_perspective(angle, (double)WIDTH / HEIGHT, 0.1, 20);
    if (parallel) s.projection.m[0] *= (float)HEIGHT / WIDTH;
    return s;
}

static void seen_by_eye(const ergi_cull_view *s, const ergi_ball *b, double c[3])
{
    float at[3] = {b->x, b->y, b->z}, out[3];
    ergi_matrix_point(&s->view, at, out);
    for (int k = 0; k < 3; k++) c[k] = (double)out[k];
}

// Depth at which the ray through (x, y), as shares of the picture from its middle, meets a sphere;
// HUGE_VAL: it does not. The eye is at the origin, or at infinity.
static double hit(const ergi_cull_view *s, const double c[3], double r, double x, double y)
{
    double from[3] = {0, 0, 0},
           d[3] = {x / (double)s->projection.m[0], y / (double)s->projection.m[5], -1};
    if (s->parallel) {
        from[0] = d[0];
        from[1] = d[1];
        d[0] = d[1] = 0;
    }
    double a = d[0] * d[0] + d[1] * d[1] + 1, b = 0, e = -r * r;
    for (int k = 0; k < 3; k++) {
        b += d[k] * (c[k] - from[k]);
        e += (c[k] - from[k]) * (c[k] - from[k]);
    }
    double root = b * b - a * e;
    return root < 0 ? HUGE_VAL : (b - sqrt(root)) / a; // along -z the depth is the parameter
}

// Number of rays that hit this sphere first; rays outside the picture do not count.
static int count_open_rays(const ergi_cull_view *s, const ergi_ball *balls, size_t which)
{
    double c[3], r = (double)balls[which].r;
    int    open = 0;
    seen_by_eye(s, &balls[which], c);
    double near = s->parallel ? 1 : -c[2] - r;
    double reach_x = r * (double)s->projection.m[0] / near,
           reach_y = r * (double)s->projection.m[5] / near;
    double scale = s->parallel ? 1 : -c[2];
    double mx = c[0] * (double)s->projection.m[0] / scale,
           my = c[1] * (double)s->projection.m[5] / scale;
    for (int i = -6; i <= 6; i++)
        for (int k = -6; k <= 6; k++) {
            double x = mx + reach_x * i / 6, y = my + reach_y * k / 6;
            double depth = hit(s, c, r, x, y);
            bool   first = depth < HUGE_VAL && fabs(x) < 1 && fabs(y) < 1;
            for (size_t o = 0; o < COUNT && first; o++) {
                double other[3];
                if (o == which) continue;
                seen_by_eye(s, &balls[o], other);
                first = !(hit(s, other, (double)balls[o].r, x, y) < depth);
            }
            open += first;
        }
    return open;
}

static void check_hidden(bool parallel, uint64_t seed, double angle)
{
    erg_error      err;
    ergi_cull     *cull = ergi_cull_new(&err);
    ergi_ball     *balls = random_balls(seed);
    ergi_cull_view sight = sight_of(parallel, true, angle);
    ergi_visible   seen;
    bool           kept[COUNT] = {false};
    REQUIRE(cull != NULL);
    REQUIRE(ergi_cull_spheres(cull, balls, COUNT, &sight, &seen, &err) == ERG_OK);
    for (size_t i = 0; i < seen.point_count; i++) kept[seen.points[i].colour] = true;
    for (size_t i = 0; i < seen.square_count; i++) kept[seen.squares[i].colour] = true;
    size_t left = seen.point_count + seen.square_count;
    CHECK(left > COUNT / 20 && left < COUNT * 2 / 3); // it does something
    int wrong = 0;
    for (size_t i = 0; i < COUNT; i += 3)
        if (!kept[i]) wrong += count_open_rays(&sight, balls, i) > 0;
    CHECK(wrong == 0);

    // Again, with the memory of before: the same.
    ergi_visible again;
    REQUIRE(ergi_cull_spheres(cull, balls, COUNT, &sight, &again, &err) == ERG_OK);
    CHECK(again.point_count + again.square_count == left);
    ergi_cull_free(cull);
    free(balls);
}

TEST(what_goes_is_hidden_from_an_eye)
{
    check_hidden(false, 1, 30);
    check_hidden(false, 2, 30);
    for (uint64_t seed = 4; seed < 8; seed++)
        check_hidden(false, seed, 95); // much of it at a slant
}

TEST(what_goes_is_hidden_from_a_lamp)
{
    check_hidden(true, 3, 30);
}

TEST(nothing_goes_without_hiding_but_what_is_beside_the_picture)
{
    erg_error      err;
    ergi_cull     *cull = ergi_cull_new(&err);
    ergi_cull_view sight = sight_of(false, false, 30);
    ergi_visible   seen;
    ergi_ball      balls[] = {{0, 0, 0, 0.1f, 0},      // in the middle
                              {0, 1, -0.5f, 0.1f, 1},  // behind it
                              {9, 0, 0, 0.1f, 2},      // beside
                              {2, -9, 4, 0.1f, 3},     // behind the eye
                              {0, 0, 0, 1.5f, 4},      // larger than points may be
                              {1, -3.9f, 2, 0.2f, 5}}; // around the eye
    REQUIRE(cull != NULL);
    REQUIRE(ergi_cull_spheres(cull, balls, 6, &sight, &seen, &err) == ERG_OK);
    CHECK(seen.point_count == 2 && seen.points[0].colour == 0 && seen.points[1].colour == 1);
    CHECK(seen.square_count == 2 && seen.squares[0].colour == 4 && seen.squares[1].colour == 5);
    REQUIRE(ergi_cull_spheres(cull, balls, 0, &sight, &seen, &err) == ERG_OK);
    CHECK(seen.point_count == 0 && seen.square_count == 0);
    ergi_cull_free(cull);
}

// Somebody else's threads: how many were asked for at once.
static void count_tasks(void *user, void (*task)(void *arg, int index), void *arg, int tasks)
{
    int *most = user;
    if (tasks > *most) *most = tasks;
    for (int i = 0; i < tasks; i++) task(arg, i);
}

TEST(as_many_threads_as_asked_for_find_the_same)
{
    erg_error  err;
    ergi_cull *cull = ergi_cull_new(&err);
    ergi_ball *balls = random_balls(9);
    size_t     first = 0;
    REQUIRE(cull != NULL);
    for (int count = 1; count <= 20; count++) {
        int            most = 1;
        ergi_visible   seen;
        ergi_cull_view sight = sight_of(false, true, 30);
        sight.threads = (ergi_threads){count, count_tasks, &most};
        REQUIRE(ergi_cull_spheres(cull, balls, COUNT, &sight, &seen, &err) == ERG_OK);
        CHECK(most <= count && (count > 16 || most == count)); // a picture has no more layers
        if (count == 1) first = seen.point_count + seen.square_count;
        CHECK(seen.point_count + seen.square_count == first);
    }
    ergi_cull_free(cull);
    free(balls);
}

TEST_MAIN(what_goes_is_hidden_from_an_eye, what_goes_is_hidden_from_a_lamp,
          nothing_goes_without_hiding_but_what_is_beside_the_picture,
          as_many_threads_as_asked_for_find_the_same)
