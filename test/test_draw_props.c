// labels: draw asan
// Triangle meshes in pictures, checked in their pixels.
#include "check.h"
#include "draw/model.h"
#include "erg/mesh.h"
#include "shot.h"

// ---- Things ------------------------------------------------------------------------------------
static erg_prop prop_of(const erg_mesh *mesh)
{
    erg_prop prop = erg_prop_of_mesh(mesh);
    prop.colour = (erg_vec3){0.75, 0.45, 0.25};
    return prop;
}

static erg_mesh *make(erg_primitive shape)
{
    erg_error err;
    erg_mesh *mesh = NULL;
    must(erg_mesh_primitive(&shape, &mesh, &err), &err);
    return mesh;
}

static erg_mesh *cube(double half)
{
    erg_primitive box = erg_primitive_default(ERG_PRIMITIVE_BOX);
    box.size = (erg_vec3){2 * half, 2 * half, 2 * half};
    return make(box);
}

static erg_mesh *ball(double radius, int segments)
{
    erg_primitive sphere = erg_primitive_default(ERG_PRIMITIVE_SPHERE);
    sphere.radius = radius;
    sphere.segments = segments;
    return make(sphere);
}

// Pixels of a row and of a column through the middle that are not sky.
static void extent(const shot *t, int *across, int *down)
{
    *across = *down = 0;
    for (int i = 0; i < SIZE; i++) {
        *across += !is_sky(t, i, SIZE / 2);
        *down += !is_sky(t, SIZE / 2, i);
    }
}

static bool alike(const uint8_t *a, const uint8_t *b, int tolerance)
{
    for (int k = 0; k < 3; k++)
        if (abs(a[k] - b[k]) > tolerance) return false;
    return true;
}

// ---- A cube ------------------------------------------------------------------------------------
static void check_cube(erg_quality quality)
{
    const double half = 0.03;
    scene        s = new_scene();
    erg_mesh    *mesh = cube(half);
    erg_prop     prop = prop_of(mesh);
    int          across, down;
    s.look.quality = quality;
    shot t = take_with(&s, &prop, 1);
    extent(&t, &across, &down); // its front is nearer than its middle
    CHECK_NEAR(across, 2 * half * focal(&s) / (0.4 - half), 1.0);
    CHECK_NEAR(down, 2 * half * focal(&s) / (0.4 - half), 1.0);
    release(&t);
    // Turned by an eighth the edges left and right are as far as the middle.
    prop.orientation = ergi_quat_from_axis_angle(ergi_vec3(0, 0, 1), 0.25 * ERGI_PI);
    t = take_with(&s, &prop, 1);
    extent(&t, &across, &down);
    CHECK_NEAR(across, 2 * sqrt(2) * half * focal(&s) / 0.4, 1.0);
    CHECK_NEAR(down, 2 * half * focal(&s) / (0.4 - sqrt(2) * half), 1.0);
    release(&t);
    erg_mesh_destroy(mesh);
    erg_world_destroy(s.world);
}

TEST(a_cube_has_the_size_it_must)
{
    check_cube(ERG_QUALITY_FAST);
    check_cube(ERG_QUALITY_FINE);
}

// A distant camera, so that view directions are nearly parallel: 0.1 m at 4 m are 1.4 degrees. Over
// that angle shades differ only by the change of the specular term, at most a tenth of the light.
static scene far_scene(void)
{
    scene s = new_scene();
    s.look.camera.position = (erg_vec3){2.0, -2.8, 2.0};
    s.look.camera.angle = 3;
    s.look.light.direction = (erg_vec3){0.3, 0.8, -0.9};
    return s;
}

TEST(its_faces_have_the_shades_of_a_sphere)
{
    const erg_vec3 normal[3] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}};
    const double   half = 0.03, middle[3] = {0, 0, 0};
    scene          s = far_scene();
    erg_mesh      *mesh = cube(half);
    erg_prop       prop = prop_of(mesh);
    shot           solid = take_with(&s, &prop, 1);
    s.look.props = ERG_PROPS_SPHERES;
    prop.spheres = middle;
    prop.sphere_count = 1;
    prop.sphere_radius = half;
    shot round = take_with(&s, &prop, 1);
    int  shade[3];
    for (int k = 0; k < 3; k++) {
        int x, y;
        project(&s, ergi_scale(normal[k], half), &x, &y);
        CHECK(alike(pixel(&solid, x, y), pixel(&round, x, y), 4));
        shade[k] = brightness(&solid, x, y);
        // A face is of one shade, up to its edges: it is not smoothed away.
        erg_vec3 aside = normal[(k + 1) % 3];
        for (double share = -0.9; share < 1; share += 0.2) {
            project(&s, ergi_madd(ergi_scale(normal[k], half), share * half, aside), &x, &y);
            CHECK_NEAR(brightness(&solid, x, y), shade[k], 9);
        }
    }
    CHECK(shade[2] > shade[1] + 20);  // above, towards the lamp
    CHECK(shade[1] > shade[0] + 100); // to the right the lamp does not come
    release(&solid);
    release(&round);
    erg_mesh_destroy(mesh);
    erg_world_destroy(s.world);
}

TEST(its_shadow_falls_where_it_must)
{
    scene     s = new_scene();
    erg_mesh *mesh = cube(0.02);
    erg_prop  prop = prop_of(mesh);
    s.look.camera.position = (erg_vec3){0, -0.5, 0.45};
    s.look.camera.angle = 40;
    s.look.ground = ERG_GROUND_AT;
    s.look.ground_height = -0.06;
    s.look.light.direction = (erg_vec3){1, 0, -1};
    shot with = take_with(&s, &prop, 1);
    s.look.light.shadows = false;
    shot without = take_with(&s, &prop, 1);
    // Seen along the light the cube reaches from (-0.02, -0.02) to (0.02, 0.02) across; on the
    // ground that is from x = 0.02 to 0.10, from y = -0.02 to 0.02. The cube itself hides none of
    // it right of x = 0.04.
    for (int i = 0; i <= 12; i++)
        for (int j = -4; j <= 4; j++) {
            erg_vec3 at = {0.045 + 0.01 * i, 0.008 * j, -0.06};
            double   out = fmax(at.x - 0.10, fabs(at.y) - 0.02);
            int      x, y;
            if (fabs(out) < 0.003) continue; // the edge is soft
            project(&s, at, &x, &y);
            int darker = brightness(&without, x, y) - brightness(&with, x, y);
            if (out < 0)
                CHECK(darker > 100);
            else
                CHECK(abs(darker) <= 3);
        }
    release(&with);
    release(&without);
    erg_mesh_destroy(mesh);
    erg_world_destroy(s.world);
}

// ---- Smooth ------------------------------------------------------------------------------------
// A mesh and a sphere, each drawn alone.
static void draw_both(scene *s, double r, shot *smooth, shot *round)
{
    const double middle[3] = {0, 0, 0};
    erg_mesh    *mesh = ball(r, 96);
    erg_prop     prop = prop_of(mesh);
    prop.spheres = middle;
    prop.sphere_count = 1;
    prop.sphere_radius = r;
    *smooth = take_with(s, &prop, 1);
    s->look.props = ERG_PROPS_SPHERES;
    *round = take_with(s, &prop, 1);
    erg_mesh_destroy(mesh);
}

// With 96 segments normals between corners are off by (pi/96)^2 / 8 at most, a tenth of a permille,
// and the outline by as much of its radius. What remains is the depth in the shadow's map.
TEST(a_round_mesh_looks_like_a_sphere)
{
    const double r = 0.05;
    scene        s = new_scene();
    shot         smooth, round;
    int          far_off = 0, inside = 0;
    double       want = focal(&s) * tan(asin(r / 0.4)), radius, x, y;
    draw_both(&s, r, &smooth, &round);
    for (int j = 0; j < SIZE; j++)
        for (int i = 0; i < SIZE; i++) {
            if (hypot(i + 0.5 - 0.5 * SIZE, j + 0.5 - 0.5 * SIZE) > want - 2) continue;
            inside++;
            far_off += !alike(pixel(&smooth, i, j), pixel(&round, i, j), 4);
        }
    CHECK(inside > 10000);
    CHECK(far_off < inside / 200);
    outline(&smooth, &radius, &x, &y);
    CHECK_NEAR(radius, want, 0.7);
    release(&smooth);
    release(&round);
    erg_world_destroy(s.world);
}

// In fine pictures grains have grit and bodies have none: means over a third of the radius agree,
// up to the deviation that waves of two to six such parts around the sphere leave.
TEST(a_round_mesh_looks_like_a_sphere_in_fine_pictures)
{
    enum { PART = 32 };
    const double r = 0.05;
    scene        s = new_scene();
    shot         smooth, round;
    s.look.quality = ERG_QUALITY_FINE;
    draw_both(&s, r, &smooth, &round);
    for (int j = SIZE / 2 - 2 * PART; j < SIZE / 2 + 2 * PART; j += PART)
        for (int i = SIZE / 2 - 2 * PART; i < SIZE / 2 + 2 * PART; i += PART) {
            double sum[2] = {0, 0};
            for (int q = 0; q < PART * PART; q++) {
                sum[0] += brightness(&smooth, i + q % PART, j + q / PART);
                sum[1] += brightness(&round, i + q % PART, j + q / PART);
            }
            CHECK_NEAR(sum[0] / (PART * PART), sum[1] / (PART * PART), 40);
        }
    release(&smooth);
    release(&round);
    erg_world_destroy(s.world);
}

// Corners of a model: a cube has three at each vertex, a sphere one, a cylinder two along its rims
// and one in the middle of each lid.
static size_t corners_of(erg_mesh *mesh, bool *closed)
{
    erg_prop    prop = prop_of(mesh);
    ergi_model *model = NULL;
    erg_error   err;
    must(ergi_model_make(&prop, &model, &err), &err);
    size_t corners = model->corners;
    *closed = model->closed;
    ergi_model_free(model);
    erg_mesh_destroy(mesh);
    return corners;
}

TEST(sharp_edges_are_kept_and_gentle_ones_smoothed)
{
    bool          closed;
    size_t        vertices;
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_CYLINDER);
    erg_mesh     *sphere = ball(1, 24);
    erg_mesh_vertices(sphere, &vertices);
    CHECK(corners_of(cube(1), &closed) == 24);
    CHECK(closed);
    CHECK(corners_of(sphere, &closed) == vertices);
    shape.segments = 11; // 33 degrees from side to side
    erg_mesh *cylinder = make(shape);
    erg_mesh_vertices(cylinder, &vertices);
    CHECK(corners_of(cylinder, &closed) == vertices + 22);
    shape.segments = 10; // 36: ten flat sides of their own
    cylinder = make(shape);
    erg_mesh_vertices(cylinder, &vertices);
    CHECK(corners_of(cylinder, &closed) == vertices + 40);
}

// ---- Several, glass, cut -----------------------------------------------------------------------
TEST(one_shape_stands_in_many_places)
{
    scene     s = new_scene();
    erg_mesh *mesh = cube(0.01);
    erg_prop  prop[3] = {prop_of(mesh), prop_of(mesh), prop_of(mesh)};
    int       x, y;
    prop[0].position.x = -0.05;
    prop[1].position.x = 0.05;
    prop[1].colour = (erg_vec3){0.2, 0.3, 0.9};
    prop[2].position.z = 0.05;
    prop[2].orientation = ergi_quat_from_axis_angle(ergi_vec3(0, 1, 0), 0.25 * ERGI_PI);
    shot t = take_with(&s, prop, 3);
    project(&s, prop[0].position, &x, &y);
    CHECK(!is_sky(&t, x, y) && pixel(&t, x, y)[0] > pixel(&t, x, y)[2] + 40);
    project(&s, prop[1].position, &x, &y);
    CHECK(pixel(&t, x, y)[2] > pixel(&t, x, y)[0] + 40);
    project(&s, ergi_vec3(0, 0, 0.05 + 0.0135), &x, &y); // a tip of the turned one
    CHECK(!is_sky(&t, x, y));
    CHECK(is_sky(&t, SIZE / 2, SIZE / 2));
    release(&t);
    erg_mesh_destroy(mesh);
    erg_world_destroy(s.world);
}

TEST(glass_lets_one_see_what_is_behind)
{
    scene     s = new_scene();
    erg_mesh *mesh = cube(0.01), *large = ball(0.03, 48);
    erg_prop  prop[2] = {prop_of(mesh), prop_of(large)};
    prop[0].position.y = 0.06;
    shot alone = take_with(&s, prop, 1);
    prop[1].glass = true;
    shot behind = take_with(&s, prop, 2);
    prop[1].glass = false;
    shot   hidden = take_with(&s, prop, 2);
    int    middle = SIZE / 2;
    double want = focal(&s) * tan(asin(0.03 / 0.4));
    int    rim = middle + (int)(want - 2), deep = middle + (int)(0.8 * want);
    CHECK(alike(pixel(&alone, middle, middle), pixel(&behind, middle, middle), 40));
    CHECK(!alike(pixel(&behind, deep, middle), pixel(&hidden, deep, middle), 40));
    CHECK(brightness(&behind, rim, middle) < brightness(&alone, rim, middle) - 10);
    release(&alone);
    release(&behind);
    release(&hidden);
    erg_mesh_destroy(mesh);
    erg_mesh_destroy(large);
    erg_world_destroy(s.world);
}

// The front half is taken away: the rest ends in a flat face at the depth of the middle, in the
// light.
TEST(a_cut_body_shows_a_flat_face)
{
    scene     s = new_scene();
    erg_mesh *mesh = ball(0.03, 96), *front = cube(0.03);
    erg_prop  prop = prop_of(mesh), other = prop_of(front);
    s.look.light.direction = (erg_vec3){0.3, 1, -0.4};
    shot flat = take_with(&s, &other, 1);
    s.look.cut = true;
    s.look.cut_normal = (erg_vec3){0, -1, 0};
    shot   t = take_with(&s, &prop, 1);
    double radius, x, y;
    outline(&t, &radius, &x, &y);
    CHECK_NEAR(radius, focal(&s) * 0.03 / 0.4, 0.7);
    for (int off = -20; off <= 20; off += 5) {
        const uint8_t *want = pixel(&flat, SIZE / 2 + off, SIZE / 2);
        CHECK(alike(pixel(&t, SIZE / 2 + off, SIZE / 2), want, 4));
        CHECK(
            alike(pixel(&t, SIZE / 2, SIZE / 2 + off), pixel(&flat, SIZE / 2, SIZE / 2 + off), 4));
    }
    release(&t);
    s.look.cut_point.y = 0.05; // all of it is before the plane
    t = take_with(&s, &prop, 1);
    CHECK(is_sky(&t, SIZE / 2, SIZE / 2));
    release(&t);
    release(&flat);
    erg_mesh_destroy(mesh);
    erg_mesh_destroy(front);
    erg_world_destroy(s.world);
}

// ---- What is asked -----------------------------------------------------------------------------
TEST(a_ray_meets_it)
{
    scene     s = new_scene();
    erg_mesh *mesh = cube(0.03);
    erg_prop  prop = prop_of(mesh);
    prop.id = 7;
    prop.position = (erg_vec3){0.1, 0.2, 0.3};
    prop.orientation = ergi_quat_from_axis_angle(ergi_vec3(0, 0, 1), 0.25 * ERGI_PI);
    shot    t = take_with(&s, &prop, 1);
    erg_ray ray = {{0.1, -1, 0.3}, {0, 1, 0}}, beside = {{0.15, -1, 0.3}, {0, 1, 0}};
    CHECK_NEAR(erg_picture_meet(t.picture, &ray), 1.2 - sqrt(2) * 0.03, 1e-7);
    CHECK_NEAR(erg_picture_meet_prop(t.picture, &ray, 7), 1.2 - sqrt(2) * 0.03, 1e-7);
    CHECK(isinf(erg_picture_meet_prop(t.picture, &ray, 8)));
    CHECK(isinf(erg_picture_meet_prop(t.picture, &beside, 7)));
    CHECK_NEAR(erg_picture_clearance(t.picture, ergi_vec3(0.1, 0.2, 0.4)), 0.07, 1e-7);
    release(&t);
    erg_mesh_destroy(mesh);
    erg_world_destroy(s.world);
}

TEST(bad_triangles_are_refused_and_nothing_is_lost)
{
    scene          s = new_scene();
    erg_mesh      *mesh = cube(0.03);
    erg_prop       good = prop_of(mesh), bad = good;
    const uint32_t beyond[3] = {0, 1, 99};
    erg_error      err;
    shot           t = take_with(&s, &good, 1);
    bad.triangles = beyond;
    bad.triangle_count = 1;
    CHECK(erg_picture_set_props(t.picture, &bad, 1, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "99") != NULL);
    must(erg_picture_take(t.picture, &s.look, s.world, NULL, &err), &err);
    must(erg_canvas_draw(t.canvas, t.picture, &err), &err);
    CHECK(!is_sky(&t, SIZE / 2, SIZE / 2));
    must(erg_picture_set_props(t.picture, NULL, 0, &err), &err); // and gone
    must(erg_picture_take(t.picture, &s.look, s.world, NULL, &err), &err);
    must(erg_canvas_draw(t.canvas, t.picture, &err), &err);
    CHECK(is_sky(&t, SIZE / 2, SIZE / 2));
    release(&t);
    erg_mesh_destroy(mesh);
    erg_world_destroy(s.world);
}

TEST_MAIN(a_cube_has_the_size_it_must, its_faces_have_the_shades_of_a_sphere,
          its_shadow_falls_where_it_must, a_round_mesh_looks_like_a_sphere,
          a_round_mesh_looks_like_a_sphere_in_fine_pictures,
          sharp_edges_are_kept_and_gentle_ones_smoothed, one_shape_stands_in_many_places,
          glass_lets_one_see_what_is_behind, a_cut_body_shows_a_flat_face, a_ray_meets_it,
          bad_triangles_are_refused_and_nothing_is_lost)
