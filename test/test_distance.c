// labels: asan clang
// Distances to meshes: the tree against all triangles, signs against a closed form, the field
// against closed forms within error bounds that follow from its spacing.
#include "base/clock.h"
#include "base/random.h"
#include "check.h"
#include "geom/field.h"
#include "mesh_shapes.h"

#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
enum { MANY = 20000 };
#else
enum { MANY = 1000000 };
#endif

static const ergi_threads one = {.count = 1}, four = {.count = 4};

static erg_vec3 draw(ergi_random *r, double half)
{
    double x = ergi_random_range(r, -half, half), y = ergi_random_range(r, -half, half);
    return ergi_vec3(x, y, ergi_random_range(r, -half, half));
}

// ---- The closest point of a triangle -----------------------------------------------------------
TEST(closest_point_of_a_triangle)
{
    const erg_vec3 a = {0, 0, 0}, b = {4, 0, 0}, c = {0, 3, 0};
    static const struct {
        erg_vec3  p, q;
        ergi_part part;
    } cases[] = {
        {{1, 1, 5}, {1, 1, 0}, ERGI_PART_FACE},       {{2, -1, 1}, {2, 0, 0}, ERGI_PART_EDGE_0},
        {{5, 5, 0}, {0, 0, 0}, ERGI_PART_EDGE_1},     {{-1, 1, -2}, {0, 1, 0}, ERGI_PART_EDGE_2},
        {{-1, -1, 0}, {0, 0, 0}, ERGI_PART_CORNER_0}, {{9, -1, 3}, {4, 0, 0}, ERGI_PART_CORNER_1},
        {{-1, 9, 3}, {0, 3, 0}, ERGI_PART_CORNER_2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ergi_part part;
        erg_vec3  q = ergi_closest(a, b, c, cases[i].p, &part);
        CHECK(part == cases[i].part);
        if (part == ERGI_PART_EDGE_1) { // on the edge, and straight below p
            CHECK_NEAR(q.x / 4.0 + q.y / 3.0, 1.0, 1e-15);
            CHECK_NEAR((5.0 - q.x) * -4.0 + (5.0 - q.y) * 3.0, 0.0, 1e-14);
        } else
            CHECK(ergi_distance(q, cases[i].q) < 1e-15);
    }
}

TEST(the_tree_against_every_triangle)
{
    ergi_solid  solid = solid_of(trefoil_mesh(0.4, 60, 9));
    ergi_random random = {.seed = 3};
    for (int i = 0; i < 3000; i++) {
        erg_vec3 p = draw(&random, 4.0);
        double   best = HUGE_VAL;
        uint32_t first = UINT32_MAX;
        for (uint32_t t = 0; t < solid.mesh.triangles; t++) {
            erg_vec3  q[3];
            ergi_part part;
            ergi_mesh_corners(&solid.mesh, t, q);
            erg_vec3 d = ergi_sub(p, ergi_closest(q[0], q[1], q[2], p, &part));
            if (ergi_dot(d, d) < best) best = ergi_dot(d, d), first = t;
        }
        ergi_bvh_hit hit = ergi_bvh_closest(&solid.bvh, p, HUGE_VAL);
        CHECK(hit.triangle == first && hit.distance == sqrt(best));
        CHECK(ergi_bvh_closest(&solid.bvh, p, sqrt(best) * 1.0001).triangle == first);
        CHECK(ergi_bvh_closest(&solid.bvh, p, sqrt(best) * 0.9999).triangle == UINT32_MAX);

        ergi_bvh_hit near[2000];
        size_t       count = ergi_bvh_near_points(&solid.bvh, p, 0.7, near, 2000), expected = 0;
        CHECK(count == ergi_bvh_near_points(&solid.bvh, p, 0.7, NULL, 0));
        for (size_t k = 0; k < count; k++)
            CHECK(near[k].distance == ergi_distance(p, near[k].point));
        for (uint32_t t = 0; t < solid.mesh.triangles; t++) {
            erg_vec3  q[3];
            ergi_part part;
            ergi_mesh_corners(&solid.mesh, t, q);
            expected += ergi_distance(p, ergi_closest(q[0], q[1], q[2], p, &part)) < 0.7;
        }
        CHECK(count == expected);
    }
    ergi_solid_free(&solid);
}

// Not a test of speed, but where docs/meshes.md has its figures from.
TEST(questions_to_a_large_mesh)
{
    ergi_solid  solid = solid_of(blob_mesh(96));
    ergi_random random = {.seed = 3};
    for (int near = 0; near < 2; near++) {
        double start = ergi_clock_seconds();
        size_t inside = 0;
        for (int i = 0; i < MANY / 10; i++) {
            erg_vec3 p = draw(&random, 1.3);
            if (near) // within a hundredth of the mesh's size
                p = ergi_madd(solid.mesh.vertex[(size_t)i * 7 % solid.mesh.vertices], 0.02, p);
            inside += ergi_solid_nearest(&solid, p, near ? 0.05 : HUGE_VAL).distance < 0.0;
        }
        double each = (ergi_clock_seconds() - start) / (MANY / 10);
        if (getenv("ERG_SHOW"))
            printf("    %zu triangles, %s: %.2f us a question\n", solid.mesh.triangles,
                   near ? "near" : "anywhere", 1e6 * each);
        CHECK(inside > 0 && inside < MANY / 10);
    }
    ergi_solid_free(&solid);
}

// Many triangles in one place: the tree has nothing to cut by, and must still end.
TEST(a_tree_of_equal_triangles)
{
    ergi_mesh mesh = {0};
    for (int k = 0; k < 3; k++) ergi_mesh_add_vertex(&mesh, ergi_vec3(k == 1, k == 2, 0), NULL);
    for (int i = 0; i < 1000; i++) ergi_mesh_add_triangle(&mesh, 0, 1, 2, NULL);
    ergi_solid   solid = solid_of(mesh);
    ergi_bvh_hit hit = ergi_bvh_closest(&solid.bvh, ergi_vec3(0.2, 0.2, 2.0), HUGE_VAL);
    CHECK(hit.triangle == 0 && hit.distance == 2.0);
    ergi_solid_free(&solid);
}

// ---- Signs -------------------------------------------------------------------------------------
// A star of seven needles, cut out of thin sheet. Inside is known: inside the polygon, and between
// the faces.
enum { POINTS = 7 };
static const double THIN = 0.01;

static erg_vec3 star_corner(int i)
{
    double angle = ERGI_PI * i / POINTS, r = i % 2 ? 0.12 : 1.0;
    return ergi_vec3(r * cos(angle), r * sin(angle), 0.0);
}

static ergi_mesh star(void)
{
    enum { N = 2 * POINTS };
    ergi_mesh mesh = {0};
    for (int side = 0; side < 2; side++) {
        ergi_mesh_add_vertex(&mesh, ergi_vec3(0, 0, side ? THIN : -THIN), NULL);
        for (int i = 0; i < N; i++) {
            erg_vec3 p = star_corner(i);
            p.z = side ? THIN : -THIN;
            ergi_mesh_add_vertex(&mesh, p, NULL);
        }
    }
    for (size_t i = 0; i < N; i++) {
        size_t a = 1 + i, b = 1 + (i + 1) % N, top = N + 1;
        ergi_mesh_add_triangle(&mesh, 0, b, a, NULL);
        ergi_mesh_add_triangle(&mesh, top, top + a, top + b, NULL);
        ergi_mesh_add_triangle(&mesh, a, b, top + b, NULL);
        ergi_mesh_add_triangle(&mesh, a, top + b, top + a, NULL);
    }
    return mesh;
}

static bool in_star(erg_vec3 p)
{
    if (fabs(p.z) >= THIN) return false;
    bool inside = false;
    for (int i = 0; i < 2 * POINTS; i++) { // rays along x cross the border an odd number of times
        erg_vec3 a = star_corner(i), b = star_corner(i + 1);
        if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x))
            inside = !inside;
    }
    return inside;
}

TEST(signs_of_a_thin_sharp_star)
{
    ergi_solid  solid = solid_of(star());
    ergi_random random = {.seed = 8};
    size_t      wrong = 0, inside = 0;
    for (int i = 0; i < MANY; i++) {
        random.id = (uint64_t)i;
        random.draw = 0;
        erg_vec3 p = draw(&random, 1.1);
        p.z *= i % 2 ? 0.02 : 1.0; // half of them close to the sheet
        ergi_nearest near = ergi_solid_nearest(&solid, p, HUGE_VAL);
        bool         in = in_star(p);
        inside += in;
        if (fabs(near.distance) > 1e-14) wrong += in != (near.distance < 0.0);
    }
    CHECK(wrong == 0 && inside > MANY / 100);
    ergi_solid_free(&solid);
}

// The normals of faces alone would get this wrong, which is why they are not used: points whose
// closest point is the tip of a needle, or lies on one of its edges.
TEST(signs_near_edges_and_tips)
{
    ergi_solid  solid = solid_of(star());
    ergi_random random = {.seed = 9};
    size_t      wrong = 0, edges = 0, corners = 0, by_face = 0;
    for (int i = 0; i < MANY / 10; i++) {
        erg_vec3     tip = ergi_madd(star_corner(2 * (i % POINTS)), 1.0, ergi_vec3(0, 0, THIN));
        erg_vec3     p = ergi_add(tip, draw(&random, 0.02));
        ergi_nearest near = ergi_solid_nearest(&solid, p, HUGE_VAL);
        wrong += in_star(p) != (near.distance < 0.0);
        edges += near.part >= ERGI_PART_EDGE_0 && near.part <= ERGI_PART_EDGE_2;
        corners += near.part >= ERGI_PART_CORNER_0;
        erg_vec3 out = ergi_sub(p, near.point);
        by_face += in_star(p) != (ergi_dot(out, solid.face_normal[near.triangle]) < 0.0);
    }
    CHECK(wrong == 0 && edges > MANY / 1000 && corners > MANY / 1000);
    CHECK(by_face > MANY / 1000);
    ergi_solid_free(&solid);
}

// ---- The field ---------------------------------------------------------------------------------
typedef double (*form)(erg_vec3 p, double *second);

// Each: the true distance, and a bound of |d_xx| + |d_yy| + |d_zz| at p, HUGE_VAL near creases.
static double ball(erg_vec3 p, double *second)
{
    double rho = ergi_norm(p);
    *second = 2.0 / rho;
    return rho - 0.5;
}

static double cube(erg_vec3 p, double *second)
{
    double   x = fabs(p.x) - 0.5, y = fabs(p.y) - 0.5, z = fabs(p.z) - 0.5;
    erg_vec3 out = ergi_vec3(fmax(x, 0.0), fmax(y, 0.0), fmax(z, 0.0));
    double   beyond = ergi_norm(out), least = fmax(x, fmax(y, z));
    *second = HUGE_VAL; // edges are creases within
    return beyond + fmin(least, 0.0);
}

static double ring(erg_vec3 p, double *second)
{
    double r = hypot(p.x, p.y), rho = hypot(r - 0.5, p.z);
    *second = 1.0 / rho + 1.0 / r; // around the tube, and around the axis
    return rho - 0.2;
}

static double pill(erg_vec3 p, double *second)
{
    double z = p.z - fmax(-0.5, fmin(0.5, p.z)), rho = sqrt(p.x * p.x + p.y * p.y + z * z);
    *second = 2.0 / rho;
    return rho - 0.5;
}

// Compares at random points of the band. `flat`: how far the triangles are from the true surface.
static void compare(const char *name, erg_primitive shape, form truth, double flat)
{
    double              h = 1.0 / 32.0, band = 3.0 * h;
    ergi_solid          solid = solid_of(shape_mesh(shape));
    ergi_distance_field field;
    ergi_random         random = {.seed = 4};
    REQUIRE(ergi_distance_field_build(&solid, h, 0.0, band, &four, &field, NULL) == ERG_OK);
    double worst = 0.0, worst_slope = 0.0;
    size_t in_band = 0, wrong = 0, side = 0;
    for (int i = 0; i < MANY / 5; i++) {
        erg_vec3 p = draw(&random, 1.2), gradient;
        double   second, d = truth(p, &second);
        bool     near;
        double   f = ergi_distance_field_at(&field, p, &gradient, &near);
        if (fabs(d) >= band - flat) { // the side is known everywhere
            side += !near && (f < 0.0) != (d < 0.0);
            continue;
        }
        in_band++;
        wrong += !near;
        // smooth where no centre of curvature is within the cube, else only Lipschitz
        double second_near = second / (1.0 - fmin(second * sqrt(3.0) * h, 0.9));
        double bound = fmin(h * h / 8.0 * second_near, sqrt(0.75) * h) + flat + 1e-6;
        if (!(fabs(f - d) <= bound)) wrong++;
        ergi_surface_hit hit;
        double           way = 0.0; // from the place that is touched back to p
        bool             touches = ergi_distance_field_hit(&field, p, 0.5 * band, &hit);
        if (touches) way = ergi_distance(ergi_madd(hit.point, f, hit.normal), p);
        wrong += touches != (f < 0.5 * band) || (touches && hit.gap != f) || way > 1e-12;
        worst = fmax(worst, fabs(f - d) - flat);
        if (second < 0.2 / h) worst_slope = fmax(worst_slope, fabs(ergi_norm(gradient) - 1.0));
    }
    CHECK(in_band > MANY / 1000 && wrong == 0 && side == 0);
    if (wrong || side) printf("    %s: %zu wrong, %zu on the wrong side\n", name, wrong, side);
    if (getenv("ERG_SHOW"))
        printf("    %s: off by %.3g of a spacing at most, slope by %.3g; %zu blocks of %d\n", name,
               worst / h, worst_slope, field.kept,
               field.blocks[0] * field.blocks[1] * field.blocks[2]);
    ergi_distance_field_free(&field);
    ergi_solid_free(&solid);
}

// Vertices lie on the true surface, so a facet with sides of angle 2 pi / n is at most
// r (1 - cos(pi / n)) below it along each of two directions.
static double sagitta(double r, int n)
{
    return 2.0 * r * (1.0 - cos(ERGI_PI / n));
}

TEST(field_of_a_ball)
{
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_SPHERE);
    shape.segments = 128;
    compare("ball", shape, ball, sagitta(0.5, 128));
}

TEST(field_of_a_box)
{
    compare("box", erg_primitive_default(ERG_PRIMITIVE_BOX), cube, 0.0);
}

TEST(field_of_a_torus)
{
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_TORUS);
    shape.segments = 128;
    compare("torus", shape, ring, sagitta(0.7, 128));
}

TEST(field_of_a_capsule)
{
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_CAPSULE);
    shape.segments = 128;
    compare("capsule", shape, pill, sagitta(0.5, 128));
}

// Beside a face, away from edges, trilinear is exact: what is left is the rounding to float.
TEST(field_is_exact_beside_a_plane)
{
    ergi_solid          solid = solid_of(shape_mesh(erg_primitive_default(ERG_PRIMITIVE_BOX)));
    ergi_distance_field field;
    double              h = 0.05;
    REQUIRE(ergi_distance_field_build(&solid, h, 0.0, 0.1, &one, &field, NULL) == ERG_OK);
    ergi_random random = {.seed = 5};
    for (int i = 0; i < 10000; i++) {
        erg_vec3 p = ergi_scale(draw(&random, 0.3), 1.0), gradient;
        p.z = 0.5 + ergi_random_range(&random, -0.09, 0.09);
        CHECK_NEAR(ergi_distance_field_at(&field, p, &gradient, NULL), p.z - 0.5, 1e-8);
        CHECK_NEAR(gradient.z, 1.0, 1e-6);
        CHECK_NEAR(gradient.x, 0.0, 1e-6);
    }
    ergi_distance_field_free(&field);
    ergi_solid_free(&solid);
}

// Across the thin star, much thinner than a spacing, the error stays below sqrt(3)/2 spacing, and
// at the lattice points themselves there is none.
TEST(field_of_a_star_thinner_than_its_spacing)
{
    ergi_solid          solid = solid_of(star());
    ergi_distance_field field;
    double              h = 0.1;
    REQUIRE(ergi_distance_field_build(&solid, h, 0.0, 0.3, &one, &field, NULL) == ERG_OK);
    ergi_random random = {.seed = 6};
    size_t      wrong = 0;
    for (int i = 0; i < MANY / 10; i++) {
        erg_vec3 p = draw(&random, 1.2);
        double   d = ergi_solid_distance(&solid, p),
               f = ergi_distance_field_at(&field, p, NULL, NULL);
        if (fabs(d) < 0.3) wrong += fabs(f - d) > sqrt(0.75) * h + 1e-6;
    }
    CHECK(wrong == 0);
    for (int k = 0; k < 8 * field.blocks[2]; k++)
        for (int i = 0; i < 8 * field.blocks[0]; i++) {
            erg_vec3 p = ergi_madd(field.origin, h, ergi_vec3(i, 12.0, k));
            bool     near;
            // a hair inside the cube, as a lattice point may round to either side
            double f =
                ergi_distance_field_at(&field, ergi_madd(p, 1e-9, ergi_vec3(1, 1, 1)), NULL, &near);
            if (near) CHECK_NEAR(f, ergi_solid_distance(&solid, p), 1e-7);
        }
    ergi_distance_field_free(&field);
    ergi_solid_free(&solid);
}

TEST(field_on_any_number_of_threads)
{
    ergi_solid          solid = solid_of(blob_mesh(24));
    ergi_distance_field a, b;
    REQUIRE(ergi_distance_field_build(&solid, 0.08, 0.0, 0.2, &one, &a, NULL) == ERG_OK);
    REQUIRE(ergi_distance_field_build(&solid, 0.08, 0.0, 0.2, &four, &b, NULL) == ERG_OK);
    size_t count = (size_t)a.blocks[0] * (size_t)a.blocks[1] * (size_t)a.blocks[2];
    CHECK(a.kept == b.kept && memcmp(a.block, b.block, count * sizeof *a.block) == 0);
    CHECK(memcmp(a.distance, b.distance, a.kept * ERGI_FIELD_POINTS * sizeof *a.distance) == 0);
    ergi_distance_field_free(&a);
    ergi_distance_field_free(&b);
    ergi_solid_free(&solid);
}

// A shell of blocks: their number grows with the area, not with the volume.
TEST(a_fine_field_is_sparse)
{
    ergi_solid          solid = solid_of(shape_mesh(erg_primitive_default(ERG_PRIMITIVE_SPHERE)));
    ergi_distance_field field;
    double              h = 1.0 / 256.0, side = 8.0 * h, band = 2.0 * h;
    REQUIRE(ergi_distance_field_build(&solid, h, 0.0, band, &four, &field, NULL) == ERG_OK);
    // a kept block's middle is within band + sqrt(3)/2 side of the surface
    double reach = band + sqrt(0.75) * side, r = 0.5;
    double shell = 4.0 / 3.0 * ERGI_PI * (pow(r + reach, 3) - pow(r - reach, 3));
    size_t all = (size_t)field.blocks[0] * (size_t)field.blocks[1] * (size_t)field.blocks[2];
    CHECK_NEAR((double)field.kept * side * side * side, shell, 0.1 * shell);
    CHECK(field.kept < all / 4);
    // and the side is known where nothing is kept
    CHECK(ergi_distance_field_at(&field, ergi_vec3(0, 0, 0), NULL, NULL) == -band);
    CHECK(ergi_distance_field_at(&field, ergi_vec3(0.49, 0.49, 0.49), NULL, NULL) == band);
    CHECK(ergi_distance_field_at(&field, ergi_vec3(9, 9, 9), NULL, NULL) == band);
    CHECK(ergi_distance_field_at(&field, ergi_vec3(NAN, 0, 0), NULL, NULL) == band);
    ergi_distance_field_free(&field);
    ergi_solid_free(&solid);
}

TEST(fields_that_cannot_be)
{
    ergi_solid          solid = solid_of(shape_mesh(erg_primitive_default(ERG_PRIMITIVE_BOX)));
    ergi_distance_field field;
    erg_error           err;
    CHECK(ergi_distance_field_build(&solid, 0.0, 0.0, 1.0, &one, &field, &err) == ERG_BAD_INPUT);
    CHECK(ergi_distance_field_build(&solid, 1e-6, 0.0, 1e-5, &one, &field, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "too large; choose a larger spacing"));
    CHECK(ergi_distance_field_build(&solid, NAN, 0.0, 1.0, &one, &field, &err) == ERG_BAD_INPUT);
    ergi_solid_free(&solid);
}

// ---- Surfaces of equal distance ----------------------------------------------------------------
TEST(offset_surfaces_are_closed)
{
    ergi_solid          solid = solid_of(shape_mesh(erg_primitive_default(ERG_PRIMITIVE_BOX)));
    ergi_distance_field field;
    double              h = 0.02, level = 0.1;
    for (int sign = -1; sign <= 1; sign += 2) {
        ergi_mesh mesh;
        REQUIRE(ergi_distance_field_build(&solid, h, sign * level, h, &one, &field, NULL) ==
                ERG_OK);
        REQUIRE(ergi_distance_field_surface(&field, &mesh, NULL) == ERG_OK);
        ergi_distance_field_free(&field);
        double     volume = ergi_mesh_mass_of(&mesh).volume;
        ergi_solid skin = solid_of(mesh);
        for (size_t e = 0; e < skin.edges.edges; e++) CHECK(skin.edges.edge[e].count == 2);
        // a box with round edges (Steiner): a^3 + 6 a^2 l + 3 pi a l^2 + 4/3 pi l^3; inside a box
        double expected = sign < 0 ? pow(1.0 - 2.0 * level, 3)
                                   : 1.0 + 6.0 * level + 3.0 * ERGI_PI * level * level +
                                         4.0 / 3.0 * ERGI_PI * level * level * level;
        // A cut moved by a twentieth of an edge, of sqrt(3) h at most, over the whole area; the
        // field's error where edges are round (curvature 1 / rho), or, inside, sqrt(3)/2 h along
        // strips of width sqrt(3) h on both sides of the twelve creases.
        double area = ergi_mesh_mass_of(&skin.mesh).area, wide = sqrt(3.0) * h;
        double bound = 0.05 * wide * area;
        bound += sign > 0 ? h * h / 4.0 / (level - wide) * area
                          : 12.0 * (1.0 - 2.0 * level) * 2.0 * wide * 0.5 * wide;
        CHECK_NEAR(volume, expected, bound);
        CHECK(volume > 0.0);
        ergi_solid_free(&skin);
    }
    ergi_solid_free(&solid);
}

TEST_MAIN(closest_point_of_a_triangle, the_tree_against_every_triangle, questions_to_a_large_mesh,
          a_tree_of_equal_triangles, signs_of_a_thin_sharp_star, signs_near_edges_and_tips,
          field_of_a_ball, field_of_a_box, field_of_a_torus, field_of_a_capsule,
          field_is_exact_beside_a_plane, field_of_a_star_thinner_than_its_spacing,
          field_on_any_number_of_threads, a_fine_field_is_sparse, fields_that_cannot_be,
          offset_surfaces_are_closed)
