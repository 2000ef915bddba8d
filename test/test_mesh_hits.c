// A sphere on a triangle mesh, compared with surfaces in closed form; and the spheres inscribed in
// bodies.
// labels: asan clang
#include "check.h"

#include "base/random.h"
#include "geom/inscribe.h"
#include "geom/primitive.h"
#include "geom/surface.h"
#include "world_helpers.h"

static ergi_solid new_solid(erg_primitive shape)
{
    ergi_mesh  mesh;
    ergi_solid solid;
    erg_error  err;
    must(ergi_primitive(&shape, &mesh, &err), &err);
    must(ergi_solid_make(&mesh, &solid, &err), &err);
    return solid;
}

static ergi_solid new_box(double x, double y, double z)
{
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_BOX);
    shape.size = ergi_vec3(x, y, z);
    return new_solid(shape);
}

static ergi_surface mesh_surface(const ergi_solid *solid, ergi_surface_side side, erg_vec3 origin,
                                 erg_vec3 ez)
{
    ergi_surface s = {.kind = ERGI_SURFACE_MESH, .side = side, .mesh = &solid->view};
    ergi_surface_place(&s, origin, ez);
    return s;
}

static uint64_t dice;

static double roll(double half)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return half * (2.0 * (double)(dice >> 11) / 9007199254740992.0 - 1.0);
}

static bool same_hit(const ergi_surface_hit *a, const ergi_surface_hit *b)
{
    return fabs(a->gap - b->gap) < 1e-12 && ergi_distance(a->normal, b->normal) < 1e-9 &&
           ergi_distance(a->point, b->point) < 1e-12;
}

// ---- Hits --------------------------------------------------------------------------------------
TEST(a_box_of_triangles_is_felt_as_the_box)
{
    ergi_solid   box = new_box(0.4, 0.3, 0.2);
    erg_vec3     at = {0.3, -0.2, 0.7}, up = {1, 2, -1};
    ergi_surface mesh = mesh_surface(&box, ERGI_SIDE_OUTSIDE, at, up), known = mesh;
    known.kind = ERGI_SURFACE_BOX;
    known.half[0] = 0.2;
    known.half[1] = 0.15;
    known.half[2] = 0.1;
    known.faces = ERG_FACE_ALL;
    int touching = 0, inside = 0;
    for (int k = 0; k < 20000; k++) {
        ergi_surface_hit got[ERGI_SURFACE_MAX_HITS], want[ERGI_SURFACE_MAX_HITS];
        erg_vec3         p = {at.x + roll(0.35), at.y + roll(0.35), at.z + roll(0.35)};
        int              n = ergi_surface_hits(&known, p, 0.05, want);
        int              m = ergi_surface_hits(&mesh, p, 0.05, got);
        // However far, and from inside too.
        ergi_surface_hit near = ergi_surface_nearest(&mesh, p);
        ergi_surface_hit known_near = ergi_surface_nearest(&known, p);
        CHECK_NEAR(near.gap, known_near.gap, 1e-12);
        CHECK(near.gap < 0 || same_hit(&near, &known_near)); // the middle has several nearest
        CHECK_NEAR(ergi_distance(ergi_madd(near.point, near.gap, near.normal), p), 0, 1e-12);
        if (n && want[0].gap < -0.045) continue; // deeper than the mesh looks
        touching += n > 0;
        inside += n && want[0].gap < 0;
        CHECK(n == m && (n == 0 || same_hit(&got[0], &want[0])));
        CHECK(n == 0 || !ergi_surface_far(&mesh, p, 0.05));
    }
    CHECK(touching > 1000 && inside > 100);
    ergi_solid_free(&box);
}

// In the corner of a container all three walls push, and nothing else.
TEST(hollow_corners_push_from_all_sides)
{
    ergi_solid   box = new_box(1, 1, 1);
    ergi_surface mesh =
        mesh_surface(&box, ERGI_SIDE_INSIDE, ergi_vec3(0, 0, 0), ergi_vec3(0, 0, 1));
    ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
    erg_vec3         p = {0.45, 0.46, -0.47};
    for (int turn = 0; turn < 4; turn++) { // whichever way the faces were cut into triangles
        int n = ergi_surface_hits(&mesh, p, 0.1, hits);
        CHECK(n == 3);
        double gaps = 0;
        for (int k = 0; k < n; k++) gaps += hits[k].gap;
        CHECK_NEAR(gaps, 0.05 + 0.04 + 0.03, 1e-12);
        p = ergi_vec3(-p.y, p.x, p.z);
    }
    ergi_solid_free(&box);
}

// A round hollow of flat sides: one hit wherever the sphere is smaller than the hollow.
TEST(the_flat_sides_of_a_round_hollow_push_once)
{
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_CYLINDER);
    shape.radius = 0.5;
    shape.height = 2;
    ergi_solid   pipe = new_solid(shape);
    ergi_surface mesh =
        mesh_surface(&pipe, ERGI_SIDE_INSIDE, ergi_vec3(0, 0, 0), ergi_vec3(0, 0, 1));
    ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
    for (int k = 0; k < 5000; k++) {
        double   a = roll(3.15);
        erg_vec3 p = {0.41 * cos(a), 0.41 * sin(a), roll(0.8)};
        int      n = ergi_surface_hits(&mesh, p, 0.1, hits);
        CHECK(n == 1);
        CHECK_NEAR(hits[0].gap, 0.09, 0.5 * (1 - cos(3.15 / 48)));
    }
    ergi_solid_free(&pipe);
}

// All triangles of a cone meet at its tip, more than the limit per sphere.
TEST(the_tip_of_a_cone_of_many_triangles_is_felt)
{
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_CONE);
    shape.radius = 0.5;
    shape.height = 1;
    shape.segments = 1024;
    ergi_solid   cone = new_solid(shape);
    double       top = cone.high.z;
    ergi_surface mesh =
        mesh_surface(&cone, ERGI_SIDE_OUTSIDE, ergi_vec3(0, 0, 0), ergi_vec3(0, 0, 1));
    ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
    for (int k = 0; k < 50; k++) {
        // Above the tip, on its axis at first; nearer to it than to any side
        double   height = 0.02 + 0.1 * k / 50, aside = k ? 0.4 * height : 0;
        erg_vec3 p = {aside * cos(k), aside * sin(k), top + height}, tip = {0, 0, top};
        int      n = ergi_surface_hits(&mesh, p, 0.15, hits);
        CHECK(n == 1 && fabs(hits[0].gap - ergi_distance(p, tip)) < 1e-9);
        CHECK(n == 1 && ergi_distance(hits[0].point, tip) < 1e-9);
    }
    CHECK(ergi_surface_hits(&mesh, ergi_vec3(0, 0, top), 0.15, hits) == 1);
    CHECK(fabs(hits[0].gap) < 1e-12);
    ergi_solid_free(&cone);
}

// They have no sharp edge within.
TEST(patches_are_smooth_parts)
{
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_CYLINDER);
    ergi_solid    rod = new_solid(shape), box = new_box(1, 1, 1);
    CHECK(rod.patches == 3);
    CHECK(box.patches == 6);
    ergi_solid_free(&rod);
    ergi_solid_free(&box);
}

// ---- Balls -------------------------------------------------------------------------------------
static void check_inside(const ergi_solid *solid, const ergi_inscribed_list *balls)
{
    for (size_t k = 0; k < balls->count; k++) {
        double room = -ergi_solid_distance(solid, balls->ball[k].centre);
        CHECK(balls->ball[k].radius > 0 && balls->ball[k].radius <= room * (1 + 1e-6));
    }
}

// Largest distance from a direction's farthest vertex to the farthest ball: how much is cut off.
static double cut_off(const ergi_solid *solid, const ergi_inscribed_list *balls)
{
    double most = 0;
    for (int k = 0; k < 2000; k++) {
        erg_vec3 d = ergi_normalize(ergi_vec3(roll(1), roll(1), roll(1)));
        double   mesh = -HUGE_VAL, ball = -HUGE_VAL;
        for (size_t v = 0; v < solid->mesh.vertices; v++)
            mesh = fmax(mesh, ergi_dot(d, solid->mesh.vertex[v]));
        for (size_t b = 0; b < balls->count; b++)
            ball = fmax(ball, ergi_dot(d, balls->ball[b].centre) + balls->ball[b].radius);
        most = fmax(most, mesh - ball);
    }
    return most;
}

TEST(balls_fill_bodies_up_to_their_rounding)
{
    erg_primitive_kind kinds[] = {ERG_PRIMITIVE_BOX,   ERG_PRIMITIVE_CYLINDER,
                                  ERG_PRIMITIVE_CONE,  ERG_PRIMITIVE_CAPSULE,
                                  ERG_PRIMITIVE_TORUS, ERG_PRIMITIVE_BUCKET};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        erg_primitive shape = erg_primitive_default(kinds[k]);
        if (kinds[k] == ERG_PRIMITIVE_TORUS) shape.thickness = 0.5;
        if (kinds[k] == ERG_PRIMITIVE_BUCKET) shape.thickness = 0.1;
        ergi_solid          solid = new_solid(shape);
        ergi_inscribed_list balls;
        erg_error           err;
        double              size = cbrt(ergi_mesh_mass_of(&solid.mesh).volume);
        must(ergi_inscribe(&solid, 0.02, size, &balls, &err), &err);
        CHECK(balls.count > 0 && balls.count < 2000);
        check_inside(&solid, &balls);
        // A right-angled corner loses (sqrt(3) - 1) roundings, the tip of a cone up to three.
        CHECK(cut_off(&solid, &balls) < (kinds[k] == ERG_PRIMITIVE_CONE ? 3 : 1) * 0.02);
        ergi_inscribed_free(&balls);
        ergi_solid_free(&solid);
    }
}

TEST(a_sphere_is_one_ball)
{
    ergi_solid          solid = new_solid(erg_primitive_default(ERG_PRIMITIVE_SPHERE));
    ergi_inscribed_list balls;
    erg_error           err;
    must(ergi_inscribe(&solid, 0.04, 1.6, &balls, &err), &err);
    REQUIRE(balls.count == 1);
    double radius = erg_primitive_default(ERG_PRIMITIVE_SPHERE).radius;
    CHECK_NEAR(balls.ball[0].radius / radius, 1, 0.01);
    CHECK(ergi_norm(balls.ball[0].centre) < 1e-3 * radius);
    ergi_inscribed_free(&balls);
    ergi_solid_free(&solid);
}

TEST_MAIN(a_box_of_triangles_is_felt_as_the_box, hollow_corners_push_from_all_sides,
          the_flat_sides_of_a_round_hollow_push_once, the_tip_of_a_cone_of_many_triangles_is_felt,
          patches_are_smooth_parts, balls_fill_bodies_up_to_their_rounding, a_sphere_is_one_ball)
