// labels: draw asan
// Ray-cast distance fields, checked in their pixels against triangles and closed forms.
#include "check.h"
#include "draw/picture.h"
#include "erg/sdf.h"
#include "shot.h"

#include <epoxy/gl.h>
#include <string.h>

typedef struct thing {
    erg_mesh    *mesh;
    erg_sdf     *field;
    erg_sdf_view view;
    erg_prop     prop;
} thing;

static thing make(erg_primitive shape, double spacing, double level)
{
    thing       t = {.prop = erg_prop_default()};
    erg_error   err;
    erg_sdf_def def = erg_sdf_def_default();
    def.spacing = spacing;
    def.level = level;
    must(erg_mesh_primitive(&shape, &t.mesh, &err), &err);
    must(erg_sdf_create(t.mesh, &def, &t.field, &err), &err);
    t.view = erg_sdf_look(t.field);
    t.prop.vertices = erg_mesh_vertices(t.mesh, &t.prop.vertex_count);
    t.prop.triangles = erg_mesh_triangles(t.mesh, &t.prop.triangle_count);
    t.prop.colour = (erg_vec3){0.75, 0.45, 0.25};
    return t;
}

static shot take_field(const scene *s, thing *t)
{
    t->prop.field = &t->view;
    return take_with(s, &t->prop, 1);
}

static shot take_triangles(const scene *s, thing *t)
{
    t->prop.field = NULL;
    return take_with(s, &t->prop, 1);
}

static void drop(thing *t)
{
    erg_sdf_destroy(t->field);
    erg_mesh_destroy(t->mesh);
}

static erg_primitive ball(double radius)
{
    erg_primitive sphere = erg_primitive_default(ERG_PRIMITIVE_SPHERE);
    sphere.radius = radius;
    sphere.segments = 128;
    return sphere;
}

static erg_primitive cube(double half)
{
    erg_primitive box = erg_primitive_default(ERG_PRIMITIVE_BOX);
    box.size = (erg_vec3){2 * half, 2 * half, 2 * half};
    return box;
}

// Pixels on which one shows something and the other sky, and those whose shades differ by more than
// `most`.
static void compare(const shot *a, const shot *b, int most, int *outline, int *shades, int *both)
{
    *outline = *shades = *both = 0;
    for (int j = 0; j < SIZE; j++)
        for (int i = 0; i < SIZE; i++) {
            bool sky = is_sky(a, i, j);
            *outline += sky != is_sky(b, i, j);
            if (sky || is_sky(b, i, j)) continue;
            (*both)++;
            *shades += abs(brightness(a, i, j) - brightness(b, i, j)) > most;
        }
}

// ---- A ball ------------------------------------------------------------------------------------
// Between lattice points the distance of a ball is off by spacing^2 / (4 r) at most (geom/field.h):
// 0.02 pixels of 45 here. Normals are rounded to 1/127, which is a percent of the lamp's light.
TEST(the_field_of_a_ball_is_a_ball)
{
    const double r = 0.03;
    scene        s = new_scene();
    thing        t = make(ball(r), 0.003, 0);
    shot         cast = take_field(&s, &t), round = take_triangles(&s, &t);
    double       radius, x, y;
    int          outline_off, shades, both;
    outline(&cast, &radius, &x, &y);
    CHECK_NEAR(radius, focal(&s) * tan(asin(r / 0.4)), 0.7);
    CHECK_NEAR(x, 0.5 * SIZE, 0.5);
    CHECK_NEAR(y, 0.5 * SIZE, 0.5);
    compare(&cast, &round, 15, &outline_off, &shades, &both);
    CHECK(both > 6000);
    CHECK(outline_off < 20);
    CHECK(shades < both / 100);
    release(&cast);
    release(&round);
    drop(&t);
    erg_world_destroy(s.world);
}

// No ray slips through the seams between cubes: inside the outline there is no sky.
static void check_seams(erg_quality quality, double spacing)
{
    const double r = 0.05;
    scene        s = new_scene();
    thing        t = make(ball(r), spacing, 0);
    int          holes = 0;
    s.look.quality = quality;
    s.look.camera.position = (erg_vec3){0.23, -0.31, 0.11};
    shot   cast = take_field(&s, &t);
    double want =
        focal(&s) * tan(asin(r / ergi_distance(s.look.camera.position, s.look.camera.target)));
    for (int j = 0; j < SIZE; j++)
        for (int i = 0; i < SIZE; i++)
            if (hypot(i + 0.5 - 0.5 * SIZE, j + 0.5 - 0.5 * SIZE) < want - 1.5)
                holes += is_sky(&cast, i, j);
    CHECK(holes == 0);
    release(&cast);
    drop(&t);
    erg_world_destroy(s.world);
}

TEST(its_cubes_leave_no_gaps)
{
    check_seams(ERG_QUALITY_FAST, 0.002);
    check_seams(ERG_QUALITY_FAST, 0.0071);
    check_seams(ERG_QUALITY_FINE, 0.004);
}

TEST(a_level_outside_is_a_larger_ball)
{
    const double r = 0.02, more = 0.01;
    scene        s = new_scene();
    thing        t = make(ball(r), 0.002, more);
    shot         cast = take_field(&s, &t);
    double       radius, x, y;
    outline(&cast, &radius, &x, &y);
    CHECK_NEAR(radius, focal(&s) * tan(asin((r + more) / 0.4)), 0.7);
    release(&cast);
    drop(&t);
    erg_world_destroy(s.world);
}

// ---- A cube, turned and shifted ----------------------------------------------------------------
TEST(a_turned_field_is_where_its_triangles_are)
{
    scene s = new_scene();
    thing t = make(cube(0.025), 0.002, 0);
    int   outline_off, shades, both;
    t.prop.position = (erg_vec3){0.01, 0.05, -0.015};
    t.prop.orientation = ergi_quat_from_axis_angle(ergi_normalize(ergi_vec3(1, 2, 3)), 0.7);
    shot cast = take_field(&s, &t), flat = take_triangles(&s, &t);
    compare(&cast, &flat, 15, &outline_off, &shades, &both);
    CHECK(both > 5000);
    // Edges are rounder by a spacing at most, which is 2.3 pixels: along nine edges of 60 pixels.
    CHECK(outline_off < 6 * 60);
    CHECK(shades < 9 * 60 * 5);
    release(&cast);
    release(&flat);
    drop(&t);
    erg_world_destroy(s.world);
}

// Its shadow on the ground is that of the triangles.
static void check_shadow(double level)
{
    scene s = new_scene();
    thing t = make(ball(0.02 - level), 0.002, level);
    s.look.camera.position = (erg_vec3){0, -0.5, 0.45};
    s.look.camera.angle = 40;
    s.look.ground = ERG_GROUND_AT;
    s.look.ground_height = -0.05;
    s.look.light.direction = (erg_vec3){0.8, 0.3, -1};
    shot with = take_field(&s, &t);
    s.look.light.shadows = false;
    shot without = take_field(&s, &t);
    int  x, y;
    project(&s, ergi_vec3(0.8 * 0.05, 0.3 * 0.05, -0.05), &x, &y);
    CHECK(brightness(&with, x, y) < brightness(&without, x, y) - 100);
    project(&s, ergi_vec3(0.8 * 0.05 + 0.06, 0.3 * 0.05, -0.05), &x, &y);
    CHECK(abs(brightness(&with, x, y) - brightness(&without, x, y)) <= 3);
    project(&s, ergi_vec3(0, -0.01, 0.017), &x, &y); // its own upper side stays in the light
    CHECK(abs(brightness(&with, x, y) - brightness(&without, x, y)) <= 3);
    release(&with);
    release(&without);
    drop(&t);
    erg_world_destroy(s.world);
}

TEST(it_casts_a_shadow)
{
    check_shadow(0);
    check_shadow(0.005);
}

// ---- Cut ---------------------------------------------------------------------------------------
TEST(a_cut_field_shows_its_inside)
{
    const double r = 0.04;
    scene        s = new_scene();
    thing        t = make(ball(r), 0.002, 0);
    s.look.light.direction = (erg_vec3){0.3, 1, -0.4};
    s.look.cut = true;
    s.look.cut_normal = (erg_vec3){0, -1, 0};
    shot   cast = take_field(&s, &t), flat = take_triangles(&s, &t);
    double radius, x, y;
    int    middle = SIZE / 2, dark = 0, light = 0;
    outline(&cast, &radius, &x, &y);
    CHECK_NEAR(radius, focal(&s) * r / 0.4, 0.7);
    // Deep inside the face is of one shade, that of the triangles' face.
    for (int off = -20; off <= 20; off += 10)
        CHECK_NEAR(brightness(&cast, middle + off, middle), brightness(&flat, middle + off, middle),
                   9);
    // Towards the surface there are bands.
    int plain = brightness(&flat, middle, middle);
    for (int i = (int)(0.91 * radius); i < (int)(0.97 * radius); i++) {
        dark += brightness(&cast, middle + i, middle) < plain - 20;
        light += brightness(&cast, middle + i, middle) > plain - 10;
    }
    CHECK(dark > 0 && light > 0);
    release(&cast);
    release(&flat);
    drop(&t);
    erg_world_destroy(s.world);
}

// ---- What is asked -----------------------------------------------------------------------------
TEST(distances_are_those_of_the_shape)
{
    thing  t = make(ball(0.03), 0.003, 0);
    double bound = 0.003 * 0.003 / (4 * 0.028) + 0.03 * (1 - cos(ERGI_PI / 128)) + 1e-9;
    for (int i = 0; i < 50; i++) {
        double   a = 0.37 * i, far = 0.028 + 0.004 * (i % 5) / 4;
        erg_vec3 p = {far * cos(a) * cos(0.2 * i), far * sin(a) * cos(0.2 * i), far * sin(0.2 * i)};
        erg_vec3 slope;
        CHECK_NEAR(erg_sdf_distance(t.field, p, &slope), far - 0.03, bound);
        // From corner to corner of a cube the direction turns by sqrt(3) 0.003 / 0.028 at most.
        CHECK(ergi_distance(slope, ergi_normalize(p)) < 0.19 + ERGI_PI / 128);
    }
    drop(&t);
}

TEST(bad_fields_are_refused)
{
    erg_error      err;
    erg_mesh      *open = NULL;
    erg_sdf       *field = NULL;
    const double   xyz[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t corners[3] = {0, 1, 2};
    erg_sdf_def    def = erg_sdf_def_default();
    must(erg_mesh_create(xyz, 3, corners, 1, NULL, &open, &err), &err);
    CHECK(erg_sdf_create(open, &def, &field, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "spacing of a field must be above 0") && !field);
    def.spacing = 0.1;
    CHECK(erg_sdf_create(open, &def, &field, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "needs a closed, consistently oriented mesh") &&
          strstr(err.text, "vertex 0 to 1") && !field);
    def.band = -1;
    CHECK(erg_sdf_create(open, &def, &field, &err) == ERG_BAD_INPUT);
    erg_mesh_destroy(open);
}

// What OpenGL holds in the context of the last canvas that drew.
static int count_objects(void)
{
    int count = 0;
    for (GLuint name = 1; name < 1000; name++)
        count += (glIsBuffer(name) != 0) + (glIsVertexArray(name) != 0) + (glIsTexture(name) != 0);
    return count;
}

TEST(a_field_that_opengl_refuses_leaves_nothing_there)
{
    scene       s = new_scene();
    thing       t = make(ball(0.03), 0.004, 0);
    shot        good = take_field(&s, &t);
    erg_canvas *canvas = NULL;
    erg_error   err;
    good.picture->models[0]->field.across[0] = 1 << 24; // blocks, beyond what any OpenGL takes
    must(erg_canvas_create(SIZE, SIZE, &canvas, &err), &err);
    CHECK(erg_canvas_draw(canvas, good.picture, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "choose a larger spacing"));
    int before = count_objects();
    CHECK(before > 0);
    for (int i = 0; i < 3; i++) CHECK(erg_canvas_draw(canvas, good.picture, &err) == ERG_BAD_INPUT);
    CHECK(count_objects() == before);
    erg_canvas_destroy(canvas);
    release(&good);
    drop(&t);
    erg_world_destroy(s.world);
}

TEST_MAIN(the_field_of_a_ball_is_a_ball, its_cubes_leave_no_gaps, a_level_outside_is_a_larger_ball,
          a_turned_field_is_where_its_triangles_are, it_casts_a_shadow,
          a_cut_field_shows_its_inside, distances_are_those_of_the_shape, bad_fields_are_refused,
          a_field_that_opengl_refuses_leaves_nothing_there)
