// Hits of spheres on a height field and the spheres on it, against plain loops over all of them.
// labels: asan clang
#include "height_helpers.h"

#include "geom/query_heights.h"
#include "geom/surface.h"
#include "world/wall.h"

static ergi_random any = {.seed = 3};

static erg_vec3 any_point(const some_heights *h, double beyond, double low, double high)
{
    const ergi_height_field *f = &h->field;
    double x = ergi_random_range(&any, f->lower[0] - beyond, ergi_heights_end(f, 0) + beyond);
    double y = ergi_random_range(&any, f->lower[1] - beyond, ergi_heights_end(f, 1) + beyond);
    return ergi_vec3(x, y, ergi_random_range(&any, low, high));
}

// ---- The smooth surface ------------------------------------------------------------------------
static double column_at(some_heights *h, int32_t i, int32_t j)
{
    int32_t nx = h->field.count[0], ny = h->field.count[1];
    return (double)*column_of(h,
                              i < 0     ? 0
                              : i >= nx ? nx - 1
                                        : i,
                              j < 0     ? 0
                              : j >= ny ? ny - 1
                                        : j);
}

// Height and slopes at a point, from the definition.
static void plain_surface(some_heights *h, double x, double y, double *z, double slope[2])
{
    const ergi_height_field *f = &h->field;
    double  u = (x - f->lower[0]) / f->spacing - 0.5, v = (y - f->lower[1]) / f->spacing - 0.5;
    int32_t i = (int32_t)floor(u), j = (int32_t)floor(v);
    *z = slope[0] = slope[1] = 0;
    for (int32_t a = 0; a < 2; a++)
        for (int32_t b = 0; b < 2; b++) {
            double share = (a ? u - i : 1 - u + i) * (b ? v - j : 1 - v + j);
            *z += share * column_at(h, i + a, j + b);
            slope[0] += share * 0.5 / f->spacing *
                        (column_at(h, i + a + 1, j + b) - column_at(h, i + a - 1, j + b));
            slope[1] += share * 0.5 / f->spacing *
                        (column_at(h, i + a, j + b + 1) - column_at(h, i + a, j + b - 1));
        }
}

static bool same_hit(const ergi_surface_hit *a, const ergi_surface_hit *b)
{
    return a->feature == b->feature && a->gap == b->gap && a->curvature == b->curvature &&
           ergi_distance(a->normal, b->normal) == 0 && ergi_distance(a->point, b->point) == 0;
}

TEST(the_surface_is_interpolated)
{
    some_heights h = new_heights(-0.4, 0.3, 0.02, 37, 21, 8);
    ergi_surface s = surface_of(&h);
    roughen_heights(&h, &any, -0.01, 0.01);
    for (int n = 0; n < 3000; n++) {
        erg_vec3         p = any_point(&h, 0.03, -0.2, 0.03);
        ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
        double           z, slope[2], reach = 0.011;
        int              count = ergi_surface_hits(&s, p, reach, hits);
        if (!ergi_heights_inside(&h.field, p.x, p.y)) {
            CHECK(count == 0);
            continue;
        }
        plain_surface(&h, p.x, p.y, &z, slope);
        double   across = sqrt(1 + slope[0] * slope[0] + slope[1] * slope[1]);
        erg_vec3 n_want = ergi_scale(ergi_vec3(-slope[0], -slope[1], 1), 1 / across);
        double   gap = (p.z - z) / across;
        if (fabs(gap - reach) < 1e-9 || p.z > h.field.high) continue; // see the cliff below
        CHECK(count == (gap < reach));
        if (count == 0) continue;
        CHECK(hits[0].feature == 0 && hits[0].curvature == 0 && hits[0].others == 0);
        CHECK_NEAR(hits[0].gap, gap, 1e-12);
        CHECK_NEAR(ergi_distance(hits[0].normal, n_want), 0, 1e-12);
        CHECK_NEAR(ergi_distance(hits[0].point, ergi_madd(p, -gap, n_want)), 0, 1e-12);
        ergi_surface_hit near = ergi_surface_nearest(&s, p);
        CHECK(same_hit(&near, &hits[0]));
    }
    free_heights(&h);
}

TEST(a_slope_is_a_plane)
{
    some_heights h = new_heights(0, 0, 0.02, 32, 32, 16);
    ergi_surface s = surface_of(&h);
    double       rise[2] = {0.5, -0.625}; // exact in single precision, as are the heights
    for (int32_t j = 0; j < 32; j++)
        for (int32_t i = 0; i < 32; i++)
            *column_of(&h, i, j) = (float)((i * rise[0] + j * rise[1]) * 0.03125);
    h.field.spacing = 0.03125;
    bound_heights(&h);
    erg_vec3 n = ergi_normalize(ergi_vec3(-rise[0], -rise[1], 1));
    for (int k = 0; k < 500; k++) {
        erg_vec3         p = any_point(&h, -2 * 0.03125, 0, 0);
        ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
        double           gap = ergi_random_range(&any, -0.05, 0.03), half = 0.5 * 0.03125;
        p.z = (p.x - half) * rise[0] + (p.y - half) * rise[1] + gap / n.z;
        int count = ergi_surface_hits(&s, p, 0.03, hits);
        REQUIRE(count == 1);
        CHECK_NEAR(hits[0].gap, gap, 1e-12);
        CHECK_NEAR(ergi_distance(hits[0].normal, n), 0, 1e-12);
    }
    free_heights(&h);
}

TEST(the_outer_half_columns_are_level)
{
    some_heights     h = new_heights(0, 0, 1, 3, 2, 8);
    ergi_surface     s = surface_of(&h);
    ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
    const float      z[2][3] = {{1, 3, 2}, {4, 0, 2}};
    for (int32_t j = 0; j < 2; j++)
        for (int32_t i = 0; i < 3; i++) *column_of(&h, i, j) = z[j][i];
    bound_heights(&h);
    const double edge[2] = {0, 0.25};
    for (int k = 0; k < 2; k++) {
        REQUIRE(ergi_surface_hits(&s, ergi_vec3(edge[k], edge[k], -9), 1, hits) == 1);
        CHECK_NEAR(hits[0].point.z + hits[0].gap * hits[0].normal.z, -9, 1e-12);
        CHECK_NEAR(hits[0].gap / hits[0].normal.z, -10, 1e-12); // 10 below the corner's height, 1
        REQUIRE(ergi_surface_hits(&s, ergi_vec3(3 - edge[k], 2 - edge[k], 0), 1, hits) == 1);
        CHECK_NEAR(hits[0].gap / hits[0].normal.z, -2, 1e-12);
    }
    // At the edge the slope is half of that a half column further in.
    REQUIRE(ergi_surface_hits(&s, ergi_vec3(0, 0, -9), 1, hits) == 1);
    CHECK(hits[0].normal.z > 0.7 && hits[0].normal.z < 1);
    CHECK(ergi_surface_hits(&s, ergi_vec3(-1e-9, 1, -9), 1, hits) == 0);
    CHECK(ergi_surface_hits(&s, ergi_vec3(1, 2 + 1e-9, -9), 1, hits) == 0);
    CHECK(ergi_surface_hits(&s, ergi_vec3((double)NAN, 1, -9), 1, hits) == 0);
    free_heights(&h);
}

// A sphere that rolls over the columns, across blocks, feels no jump.
TEST(gap_and_normal_do_not_jump)
{
    some_heights     h = new_heights(0, 0, 0.02, 64, 40, 8);
    ergi_surface     s = surface_of(&h);
    ergi_surface_hit before = {0};
    roughen_heights(&h, &any, 0, 0.005);
    for (int k = 0; k <= 100000; k++) {
        double           t = k * 1e-5;
        erg_vec3         p = {0.03 + 1.2 * t, 0.05 + 0.7 * t, 0.008};
        ergi_surface_hit hit = ergi_surface_nearest(&s, p);
        if (k > 0) CHECK(fabs(hit.gap - before.gap) < 3e-5);
        if (k > 0) CHECK(ergi_distance(hit.normal, before.normal) < 1e-3);
        before = hit;
        if (check_failures > 5) break;
    }
    free_heights(&h);
}

TEST(nothing_is_felt_in_the_air_above_a_cliff)
{
    some_heights     h = new_heights(0, 0, 0.02, 20, 20, 8);
    ergi_surface     s = surface_of(&h);
    ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
    for (int32_t j = 0; j < 20; j++)
        for (int32_t i = 10; i < 20; i++) *column_of(&h, i, j) = 0.2f;
    bound_heights(&h);
    for (int k = 0; k < 2000; k++) {
        erg_vec3 p = any_point(&h, 0, 0.211, 0.6);
        CHECK(ergi_surface_hits(&s, p, 0.01, hits) == 0);
    }
    free_heights(&h);
}

// ---- Spheres -----------------------------------------------------------------------------------
static int by_feature(const void *a, const void *b)
{
    uint32_t x = ((const ergi_surface_hit *)a)->feature, y = ((const ergi_surface_hit *)b)->feature;
    return (x > y) - (x < y);
}

TEST(all_spheres_within_reach_are_hit_once)
{
    static const double SIZES[][2] = {{0.01, 0.01}, {0.001, 0.02}};
    for (int k = 0; k < 2; k++) {
        some_heights h = new_heights(-0.3, -0.2, 0.02, 30, 20, 16);
        ergi_surface s = surface_of(&h);
        size_t       touched = 0;
        roughen_heights(&h, &any, -10, -9);
        scatter_spheres(&h, &any, 800, 0, 0.05, SIZES[k][0], SIZES[k][1]);
        for (int n = 0; n < 3000; n++) {
            ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS], want[ERGI_SURFACE_MAX_HITS];
            erg_vec3         p = any_point(&h, 0.03, -0.05, 0.1);
            double           reach = ergi_random_range(&any, 0.001, n % 10 ? 0.012 : 0.03);
            int              count = 0, found = ergi_surface_hits(&s, p, reach, hits);
            for (size_t i = 0; i < h.spheres && count < ERGI_SURFACE_MAX_HITS; i++) {
                const double *c = h.sphere + 4 * i;
                erg_vec3      centre = {c[0], c[1], c[2]}, d = ergi_sub(p, centre);
                double        gap = ergi_norm(d) - c[3];
                erg_vec3      normal = ergi_normalize(d);
                if (gap < reach)
                    want[count++] =
                        ergi_hit_make(ERGI_BUMP_FEATURE | (uint32_t)h.id[i], gap, normal, 1 / c[3],
                                      ergi_madd(centre, c[3], normal));
            }
            if (count == ERGI_SURFACE_MAX_HITS) continue;
            touched += (size_t)count;
            CHECK(found == count);
            CHECK(ergi_surface_far(&s, p, reach) == (count == 0));
            if (found != count) continue;
            qsort(hits, (size_t)count, sizeof *hits, by_feature);
            for (int i = 0; i < count; i++) {
                CHECK(hits[i].feature == want[i].feature);
                CHECK(ergi_surface_has_feature(&s, hits[i].feature));
                CHECK_NEAR(hits[i].gap, want[i].gap, 1e-14);
                CHECK_NEAR(hits[i].curvature, want[i].curvature, 1e-9);
                CHECK_NEAR(ergi_distance(hits[i].normal, want[i].normal), 0, 1e-12);
                CHECK_NEAR(ergi_distance(hits[i].point, want[i].point), 0, 1e-13);
            }
        }
        CHECK(touched > 500);
        free_heights(&h);
    }
}

TEST(hits_do_not_depend_on_the_order_of_the_spheres)
{
    some_heights h = new_heights(-0.3, -0.2, 0.02, 30, 20, 16), other = h;
    roughen_heights(&h, &any, -0.01, 0.01);
    scatter_spheres(&h, &any, 500, 0, 0.02, 0.008, 0.01);
    other.field = h.field;
    other.spheres = h.spheres;
    other.sphere = calloc(4 * h.spheres, sizeof *other.sphere);
    other.id = calloc(h.spheres, sizeof *other.id);
    for (size_t i = 0; i < h.spheres; i++) {
        size_t to = i * 223 % h.spheres;
        memcpy(other.sphere + 4 * to, h.sphere + 4 * i, 4 * sizeof(double));
        other.id[to] = h.id[i];
    }
    index_spheres(&other);
    ergi_surface a = surface_of(&h), b = surface_of(&other);
    int          sum = 0;
    for (int n = 0; n < 2000; n++) {
        ergi_surface_hit first[ERGI_SURFACE_MAX_HITS], second[ERGI_SURFACE_MAX_HITS];
        erg_vec3         p = any_point(&h, 0, 0, 0.04);
        int              count = ergi_surface_hits(&a, p, 0.01, first);
        CHECK(ergi_surface_hits(&b, p, 0.01, second) == count);
        for (int k = 0; k < count; k++) CHECK(same_hit(&first[k], &second[k]));
        sum += count;
    }
    CHECK(sum > 2000);
    other.surface = NULL;
    free_heights(&other);
    free_heights(&h);
}

TEST(cells_are_rebuilt_in_place)
{
    some_heights h = new_heights(0, 0, 0.02, 30, 20, 16);
    ergi_surface s = surface_of(&h);
    erg_error    err;
    roughen_heights(&h, &any, -10, -9);
    scatter_spheres(&h, &any, 400, 0, 0.02, 0.008, 0.01);
    size_t bytes = ergi_frozen_cells_bytes(&h.cells);
    CHECK(bytes > 400 * (4 * sizeof(double) + 4));
    const double *kept = h.cells.sphere;
    for (size_t count = 400; count-- > 0;) {
        ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
        h.spheres = count;
        index_spheres(&h);
        const double *gone = h.sphere + 4 * count;
        int found = ergi_surface_hits(&s, ergi_vec3(gone[0], gone[1], gone[2]), 1e-6, hits);
        for (int k = 0; k < found; k++)
            CHECK(hits[k].feature != (ERGI_BUMP_FEATURE | (uint32_t)h.id[count]));
    }
    CHECK(h.cells.sphere == kept && ergi_frozen_cells_bytes(&h.cells) == bytes);
    CHECK(h.field.spheres == 0);
    // No feature is the one that stands for none.
    h.spheres = 2;
    h.id[0] = 0x7fffffff;
    h.id[1] = UINT64_MAX;
    index_spheres(&h);
    for (size_t k = 0; k < 2; k++)
        CHECK(ergi_surface_has_feature(&s, h.field.feature[k]) && h.field.feature[k] >> 31 == 1 &&
              h.field.feature[k] != UINT32_MAX);
    CHECK(ergi_surface_has_feature(&s, 0) && !ergi_surface_has_feature(&s, 1) &&
          !ergi_surface_has_feature(&s, UINT32_MAX));
    // What no sphere can be is refused, and no sphere is left.
    const double bad[][4] = {
        {0, 0, 0, 0}, {0, (double)NAN, 0, 1}, {0, 0, (double)INFINITY, 1}, {1e300, 0, 0, 1}};
    for (size_t k = 0; k < 4; k++) {
        CHECK(ergi_frozen_cells_build(&h.cells, &h.field, bad[k], h.id, 1, &err) == ERG_BAD_INPUT);
        CHECK(h.field.spheres == 0);
    }
    free_heights(&h);
}

// ---- Clearance ---------------------------------------------------------------------------------
static erg_vec3 any_way(double length)
{
    return ergi_scale(ergi_random_in_ball(&any), length);
}

// What is listed near a point are the spheres of its hits, and the bounds are those of clearance;
// nothing is near a point of a box that is above the field.
TEST(what_is_listed_is_what_can_be_touched)
{
    int above = 0, listed = 0;
    for (int round = 0; round < 40; round++) {
        some_heights h = new_heights(-0.2, -0.1, 0.02, 21, 13, 8);
        ergi_surface s = surface_of(&h);
        roughen_heights(&h, &any, 0, round % 4 == 3 ? 0.2 : 0.02);
        scatter_spheres(&h, &any, round % 2 ? 150 : 0, 0, 0.03, 0.005, 0.01);
        for (int n = 0; n < 400; n++) {
            const double      touch = 0.012, reach = 0.02;
            uint32_t          sphere[64];
            ergi_surface_hit  hits[ERGI_SURFACE_MAX_HITS], same[ERGI_SURFACE_MAX_HITS];
            erg_vec3          p = any_point(&h, 0.03, -0.02, 0.1);
            ergi_heights_near near = ergi_surface_look(&s, p, touch, reach, sphere, 64);
            bool              smooth = near.surface < touch;
            int               count = ergi_surface_hits(&s, p, touch, hits);
            CHECK(near.spheres <= 64);
            CHECK(near.clearance == ergi_surface_clearance(&s, p, reach));
            CHECK(count ==
                  ergi_surface_listed_hits(&s, p, touch, sphere, near.spheres, smooth, same));
            for (int k = 0; k < count; k++)
                CHECK(hits[k].feature == same[k].feature && hits[k].gap == same[k].gap);
            listed += near.spheres > 0;
            double wide = ergi_random_range(&any, 0, 0.05);
            double low[3] = {p.x - reach - wide, p.y - reach, p.z - reach},
                   high[3] = {p.x + reach, p.y + reach + wide, p.z + reach};
            if (!ergi_surface_below(&s, low, high)) continue;
            above++;
            CHECK(near.clearance == reach);
        }
        free_heights(&h);
    }
    CHECK(listed > 500 && above > 3000);
}

// A sphere that is not listed cannot touch before it and the surface have moved as far as it may.
TEST(clearance_is_a_bound)
{
    const double reach = 0.02;
    int          far = 0, close = 0;
    for (int round = 0; round < 40; round++) {
        some_heights h = new_heights(-0.2, -0.1, 0.02, 21, 13, 8);
        ergi_surface s = surface_of(&h);
        double       steep = round % 4 == 3 ? 0.2 : 0.02;
        roughen_heights(&h, &any, 0, steep);
        scatter_spheres(&h, &any, round % 2 ? 150 : 0, 0, 0.03, 0.005, 0.01);
        for (int n = 0; n < 400; n++) {
            some_heights     moved = h;
            ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
            erg_vec3         p = any_point(&h, 0.03, -0.02, steep + 0.05);
            double           least = ergi_surface_clearance(&s, p, reach);
            CHECK(ergi_surface_far(&s, p, reach) == !(least < reach));
            CHECK(least <= reach);
            double touch = 0.2 * least;
            if (!(touch > 0)) {
                close++;
                continue;
            }
            // Both use up the rest, in some proportion.
            double own = ergi_random_range(&any, 0, 0.8) * least, other = 0.8 * least - own;
            size_t columns = 6 * 64;
            moved.surface = malloc(columns * sizeof *moved.surface);
            moved.cells = (ergi_frozen_cells){0};
            moved.sphere = malloc(4 * (h.spheres + 1) * sizeof *moved.sphere);
            memcpy(moved.surface, h.surface, columns * sizeof *moved.surface);
            memcpy(moved.sphere, h.sphere, 4 * h.spheres * sizeof *moved.sphere);
            moved.field.surface = moved.surface;
            for (int32_t j = 0; j < 13; j++)
                for (int32_t i = 0; i < 21; i++)
                    *column_of(&moved, i, j) += (float)ergi_random_range(&any, -other, other);
            bound_heights(&moved);
            for (size_t i = 0; i < h.spheres; i++) {
                erg_vec3 way = any_way(other);
                moved.sphere[4 * i] += way.x;
                moved.sphere[4 * i + 1] += way.y;
                moved.sphere[4 * i + 2] += way.z;
            }
            index_spheres(&moved);
            ergi_surface there = surface_of(&moved);
            for (int k = 0; k < 20; k++) {
                erg_vec3 way = any_way(own);
                if (k % 2) way = ergi_scale(way, own / ergi_norm(way));
                CHECK(ergi_surface_hits(&there, ergi_add(p, way), touch * (1 - 1e-6), hits) == 0);
            }
            moved.id = NULL;
            free_heights(&moved);
            far++;
        }
        free_heights(&h);
    }
    CHECK(far > 2000 && close > 2000);
}

// Also for reaches at which it does not look at all columns or cells.
TEST(a_large_reach_is_never_far_by_mistake)
{
    some_heights h = new_heights(0, 0, 0.02, 300, 300, 64);
    ergi_surface s = surface_of(&h);
    roughen_heights(&h, &any, 0, 0.02);
    scatter_spheres(&h, &any, 400, 0.05, 0.06, 0.005, 0.01);
    for (int n = 0; n < 3000; n++) {
        double   reach = pow(10, ergi_random_range(&any, -2, 1));
        erg_vec3 p = any_point(&h, 2 * reach, -1, 2 * reach);
        double   least = HUGE_VAL;
        for (size_t i = 0; i < h.spheres; i++) {
            const double *c = h.sphere + 4 * i;
            least = fmin(least, ergi_distance(p, ergi_vec3(c[0], c[1], c[2])) - c[3]);
        }
        ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
        bool             touches = least < reach || ergi_surface_hits(&s, p, reach, hits) > 0;
        if (touches) CHECK(!ergi_surface_far(&s, p, reach));
        if (p.z > 0.07 + reach) CHECK(ergi_surface_far(&s, p, reach));
    }
    free_heights(&h);
}

TEST(the_box_holds_columns_and_spheres)
{
    some_heights h = new_heights(-1, 2, 0.5, 10, 4, 8);
    ergi_wall    wall = {.surface = surface_of(&h)};
    ergi_pose    pose = ergi_pose_identity();
    erg_vec3     low, high;
    roughen_heights(&h, &any, 3, 4);
    CHECK(ergi_wall_bounds(&wall, &pose, &low, &high));
    CHECK_NEAR(ergi_distance(low, ergi_vec3(-1, 2, h.field.low)), 0, 1e-12);
    CHECK_NEAR(ergi_distance(high, ergi_vec3(4, 4, h.field.high)), 0, 1e-12);
    CHECK_NEAR(
        ergi_distance(ergi_surface_middle(&wall.surface), ergi_scale(ergi_add(low, high), 0.5)), 0,
        1e-12);
    CHECK_NEAR(ergi_surface_extent(&wall.surface), 0.5 * ergi_distance(low, high), 1e-12);
    h.sphere = calloc(4, sizeof *h.sphere);
    h.id = calloc(1, sizeof *h.id);
    memcpy(h.sphere, (const double[]){3.9, 3, 5, 0.5}, 4 * sizeof *h.sphere);
    h.spheres = 1;
    index_spheres(&h);
    CHECK(ergi_wall_bounds(&wall, &pose, &low, &high));
    CHECK_NEAR(ergi_distance(high, ergi_vec3(4.4, 4, 5.5)), 0, 1e-12);
    // A block of space inside of the sphere is full; the surface blocks nothing for certain.
    CHECK(ergi_wall_blocks(&wall, &pose, ergi_vec3(3.8, 2.9, 4.9), ergi_vec3(4, 3.1, 5.1), 0.1));
    CHECK(!ergi_wall_blocks(&wall, &pose, ergi_vec3(0, 3, 4.2), ergi_vec3(1, 3.5, 4.4), 0.1));
    CHECK(ergi_wall_sweep(&wall, &pose, &pose, 1) == 0);
    CHECK(!ergi_wall_encloses(&wall, &pose, ergi_vec3(1, 3, 0)));
    free_heights(&h);
}

TEST_MAIN(the_surface_is_interpolated, a_slope_is_a_plane, the_outer_half_columns_are_level,
          gap_and_normal_do_not_jump, nothing_is_felt_in_the_air_above_a_cliff,
          all_spheres_within_reach_are_hit_once, hits_do_not_depend_on_the_order_of_the_spheres,
          cells_are_rebuilt_in_place, what_is_listed_is_what_can_be_touched, clearance_is_a_bound,
          a_large_reach_is_never_far_by_mistake, the_box_holds_columns_and_spheres)
