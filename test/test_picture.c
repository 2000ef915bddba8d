// labels: asan
// Content of a picture before it is drawn: meshes of walls, camera, ground, colours, text.
#include "check.h"
#include "draw/colours.h"
#include "draw/font.h"
#include "draw/picture.h"
#include "erg/upsample.h"
#include "geom/vec3.h"
#include "world_helpers.h"

static erg_picture *take(const erg_world *world, const erg_look *look)
{
    erg_picture *p = NULL;
    erg_error    err;
    must(erg_picture_create(&p, &err), &err);
    must(erg_picture_take(p, look, world, NULL, &err), &err);
    return p;
}

// ---- Walls -------------------------------------------------------------------------------------
// By Gauss: a third of the flux of the place through the surface. Right only when the mesh is whole
// and its normals point outwards.
static double volume(const erg_picture *p, const ergi_sheet *mesh)
{
    double sum = 0;
    for (size_t i = mesh->first; i < mesh->first + mesh->count; i += 3) {
        erg_vec3 q[3], n = {0, 0, 0};
        for (size_t k = 0; k < 3; k++) {
            const ergi_corner *c = &p->corners[i + k];
            q[k] = ergi_vec3((double)c->place[0], (double)c->place[1], (double)c->place[2]);
            n = ergi_add(
                n, ergi_vec3((double)c->normal[0], (double)c->normal[1], (double)c->normal[2]));
        }
        erg_vec3 area = ergi_scale(ergi_cross(ergi_sub(q[1], q[0]), ergi_sub(q[2], q[0])), 0.5);
        double   turned = ergi_dot(area, n) < 0 ? -1 : 1;
        sum += turned * ergi_dot(area, q[0]) / 3;
    }
    return sum;
}

static void check_volume(const erg_wall_def *shape, double want)
{
    erg_world_def def = erg_world_def_default();
    erg_world    *world = new_world(&def);
    erg_wall_def  wall = *shape;
    erg_error     err;
    wall.material = new_sand(world, 0.5, 0.5);
    must(erg_world_add_wall(world, &wall, NULL, &err), &err);
    erg_look look = erg_look_default();
    look.ground = ERG_GROUND_NONE;
    erg_picture *p = take(world, &look);
    CHECK(p->sheet_count == 1);
    if (p->sheet_count) CHECK_NEAR(volume(p, &p->sheets[0]) / want, 1, 7e-3);
    erg_picture_destroy(p);
    erg_world_destroy(world);
}

TEST(closed_walls_are_closed_meshes)
{
    erg_wall_def w = erg_wall_def_default(ERG_WALL_BOX);
    w.box = (erg_wall_box){.min = {-1, 2, 3}, .max = {1, 5, 7}};
    check_volume(&w, 2 * 3 * 4);
    w = erg_wall_def_default(ERG_WALL_SPHERE);
    w.sphere = (erg_wall_sphere){.centre = {3, 2, 1}, .radius = 0.5};
    check_volume(&w, 4.0 / 3 * ERGI_PI * 0.125);
    w = erg_wall_def_default(ERG_WALL_CYLINDER);
    w.cylinder = (erg_wall_cylinder){
        .a = {0, -1, 0}, .b = {0, 1, 1}, .radius = 0.3, .cap_a = true, .cap_b = true};
    check_volume(&w, ERGI_PI * 0.09 * sqrt(5));
    w = erg_wall_def_default(ERG_WALL_CONE);
    w.cone = (erg_wall_cone){
        .b = {0, 0, 2}, .radius_a = 1, .radius_b = 0.5, .cap_a = true, .cap_b = true};
    check_volume(&w, ERGI_PI * 2 / 3 * (1 + 0.5 + 0.25));
    w = erg_wall_def_default(ERG_WALL_CAPSULE);
    w.capsule = (erg_wall_capsule){.b = {1, 0, 0}, .radius = 0.25};
    check_volume(&w, ERGI_PI * 0.0625 + 4.0 / 3 * ERGI_PI * 0.015625);
    w = erg_wall_def_default(ERG_WALL_HOURGLASS);
    w.hourglass.neck_radius = 0.1;
    w.hourglass.bulb_radius = 1;
    w.hourglass.cone_height = 1;
    w.hourglass.height = 3;
    check_volume(&w, 2 * ERGI_PI * ((1 + 0.1 + 0.01) / 3 + 0.5));
}

TEST(walls_stand_where_they_have_moved_to)
{
    erg_world_def def = space_def(ERG_FLOAT);
    erg_world    *world = new_world(&def);
    erg_wall_def  wall = erg_wall_def_default(ERG_WALL_BOX);
    erg_error     err;
    wall.material = new_sand(world, 0.5, 0.5);
    wall.name = "lid";
    wall.box = (erg_wall_box){.min = {0, 0, 0}, .max = {2, 1, 1}, .open = ERG_FACE_Z_MAX};
    wall.motion[0] = erg_motion_def_default(ERG_MOTION_VELOCITY);
    wall.motion[0].velocity = ergi_vec3(0, 0, 2);
    wall.motion[1] = erg_motion_def_default(ERG_MOTION_SPIN);
    wall.motion[1].rate = 0.5 * ERGI_PI;
    wall.motion_count = 2;
    must(erg_world_add_wall(world, &wall, NULL, &err), &err);
    CHECK(erg_world_wall_count(world) == 1);
    erg_wall_surface s;
    must(erg_world_wall_surface(world, 1, (double)NAN, &s, &err), &err);
    CHECK_STR(s.name, "lid");
    CHECK(s.kind == ERG_SURFACE_BOX && s.faces == (ERG_FACE_ALL & ~ERG_FACE_Z_MAX));
    CHECK(s.side == ERG_SIDE_BOTH && s.material == wall.material);
    CHECK_NEAR(s.half[0], 1, 1e-12);
    CHECK_NEAR(ergi_distance(s.origin, ergi_vec3(1, 0.5, 0.5)), 0, 1e-12);
    must(erg_world_wall_surface(world, 1, 1, &s, &err), &err);
    CHECK_NEAR(ergi_distance(s.origin, ergi_vec3(1, 0.5, 2.5)), 0, 1e-12); // up by 2 m
    CHECK_NEAR(ergi_distance(s.ex, ergi_vec3(0, 1, 0)), 0, 1e-12);         // and a quarter round
    CHECK(erg_world_wall_surface(world, 2, 0, &s, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "there is no wall 2, the world has 1");
    CHECK(erg_world_material_name(world, 9) == NULL);
    CHECK(erg_world_get_def(world).gravity.z == 0);
    erg_world_destroy(world);
}

TEST(ground_is_the_lowest_level_plane_or_below_walls)
{
    erg_world_def def = erg_world_def_default();
    erg_world    *world = new_world(&def);
    erg_wall_def  wall = erg_wall_def_default(ERG_WALL_SPHERE);
    erg_error     err;
    erg_look      look = erg_look_default();
    wall.material = new_sand(world, 0.5, 0.5);
    wall.sphere = (erg_wall_sphere){.centre = {0, 0, 2}, .radius = 1};
    must(erg_world_add_wall(world, &wall, NULL, &err), &err);
    erg_picture *p = take(world, &look);
    CHECK(p->has_ground);
    CHECK_NEAR(p->ground, 1 - 2e-3 * 2, 1e-9); // a little below, or the two would show in stripes
    // A grain that is pressed into the wall does not lower it, one that falls far below does.
    erg_id kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, 1, 0.05, 0.05);
    new_grain(world, kind, (erg_vec3){0, 0, 1}, (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 0});
    must(erg_picture_take(p, &look, world, NULL, &err), &err);
    CHECK_NEAR(p->ground, 1 - 2e-3 * 2, 1e-9);
    new_grain(world, kind, (erg_vec3){0, 0, -1}, (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 0});
    must(erg_picture_take(p, &look, world, NULL, &err), &err);
    CHECK(p->ground < -1);
    erg_picture_destroy(p);
    wall = erg_wall_def_default(ERG_WALL_PLANE);
    wall.material = 1;
    wall.plane.point = ergi_vec3(0, 0, 0.25);
    must(erg_world_add_wall(world, &wall, NULL, &err), &err);
    p = take(world, &look);
    CHECK_NEAR(p->ground, 0.25, 1e-12);
    look.ground = ERG_GROUND_NONE;
    must(erg_picture_take(p, &look, world, NULL, &err), &err);
    CHECK(!p->has_ground);
    erg_picture_destroy(p);
    erg_world_destroy(world);
}

// ---- The eye -----------------------------------------------------------------------------------
TEST(the_eye_places_itself_and_turns)
{
    erg_world_def def = erg_world_def_default();
    erg_world    *world = new_world(&def);
    erg_wall_def  wall = erg_wall_def_default(ERG_WALL_SPHERE);
    erg_error     err;
    erg_look      look = erg_look_default();
    wall.material = new_sand(world, 0.5, 0.5);
    wall.sphere = (erg_wall_sphere){.centre = {5, 0, 0}, .radius = 1};
    must(erg_world_add_wall(world, &wall, NULL, &err), &err);
    look.camera.mode = ERG_CAMERA_ORBIT;
    look.camera.turn = 8;
    erg_picture *p = take(world, &look);
    erg_vec3     centre;
    double       radius;
    erg_picture_ball(p, &centre, &radius);
    CHECK_NEAR(centre.x, 5, 1e-9);
    erg_camera eye = erg_picture_eye(p);
    double     distance = ergi_distance(eye.position, centre);
    CHECK(eye.placed && eye.position.z > 0 && eye.position.y < 0); // from the front, from above
    // All is in view, and fills it well.
    erg_vec3 ahead = ergi_scale(ergi_sub(centre, eye.position), 1 / distance);
    erg_vec3 right = ergi_normalize(ergi_cross(ahead, eye.up)), top = ergi_cross(right, ahead);
    double   most = 0, slope = tan(0.5 * eye.angle * ERGI_PI / 180);
    for (int i = 0; i < 8; i++) {
        erg_vec3 d =
            ergi_sub(ergi_vec3(5 + (i & 1 ? 1 : -1), i & 2 ? 1 : -1, i & 4 ? 1 : -1), eye.position);
        double depth = ergi_dot(d, ahead) * slope;
        most = fmax(most, fabs(ergi_dot(d, top)) / depth);
        most = fmax(most, fabs(ergi_dot(d, right)) / (1.4 * depth));
    }
    CHECK(most < 0.95 && most > 0.7);
    erg_picture_turn(p, 4); // half a turn
    erg_camera other = erg_picture_eye(p);
    CHECK_NEAR(other.position.z, eye.position.z, 1e-9);
    CHECK_NEAR(other.position.x + eye.position.x, 10, 1e-9);
    CHECK_NEAR(other.position.y + eye.position.y, 0, 1e-9);
    erg_picture_turn(p, 8);
    CHECK_NEAR(ergi_distance(erg_picture_eye(p).position, eye.position), 0, 1e-9);
    erg_picture_destroy(p);
    erg_world_destroy(world);
}

TEST(grains_astray_do_not_count)
{
    erg_world_def def = space_def(ERG_FLOAT);
    erg_world    *world = new_world(&def);
    erg_id        kind = new_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 0.5, 0.5));
    enum { COUNT = 2000 };
    erg_vec3 *at = calloc(COUNT, sizeof *at);
    for (int i = 0; i < COUNT; i++)
        at[i] = ergi_vec3(0.01 * (i % 10), 0.01 * (i / 10 % 10), 0.01 * (i / 100));
    at[7] = ergi_vec3(0, 0, -1000);
    erg_error  err;
    erg_grains grains = {.kind = kind, .count = COUNT, .position = at};
    must(erg_world_add_grains(world, &grains, NULL, &err), &err);
    erg_look     look = erg_look_default();
    erg_picture *p = take(world, &look);
    CHECK(p->bounds.low.z > -0.05 && p->bounds.high.z < 0.25 && p->bounds.high.z > 0.18);
    CHECK(p->ball_count == COUNT);
    free(at);
    erg_picture_destroy(p);
    erg_world_destroy(world);
}

// ---- Colours and letters -----------------------------------------------------------------------
TEST(tints_belong_to_grains)
{
    int differ = 0;
    for (erg_gid id = 1; id < 100; id++) {
        CHECK(ergi_colour_grain(0, id) == ergi_colour_grain(0, id));
        differ += ergi_colour_grain(0, id) != ergi_colour_grain(0, id + 1);
    }
    CHECK(differ > 95);
    CHECK(ergi_colour_grain(0, 1) != ergi_colour_grain(1, 1));
    CHECK(ergi_is_glass("Window Glass") && !ergi_is_glass("sand"));
}

TEST(the_ramp_grows_lighter)
{
    int before = -1;
    for (int i = 0; i <= 20; i++) {
        uint8_t c[3];
        erg_colour_at(ERG_COLOUR_SPEED, i / 20.0, c);
        int light = 2 * c[0] + 7 * c[1] + c[2];
        CHECK(light > before);
        before = light;
    }
}

TEST(letters_leave_ink)
{
    static uint8_t  pixels[40 * 200 * 4];
    ergi_image_rgba image = {200, 40, pixels};
    const uint8_t   ink[3] = {1, 2, 3};
    for (int c = '!'; c <= '~'; c++) {
        char text[2] = {(char)c, '\0'};
        int  covered = 0;
        memset(pixels, 0, sizeof pixels);
        ergi_font_draw(&image, 20, 25, 12, text, ink);
        for (size_t i = 0; i < sizeof pixels; i += 4) covered += pixels[i + 3] > 128;
        CHECK(covered >= 2);
    }
    CHECK(ergi_font_width("iii", 12) < ergi_font_width("MMM", 12));
    CHECK_NEAR(ergi_font_width("ab", 24), 2 * ergi_font_width("ab", 12), 1e-9);
    CHECK_NEAR(ergi_font_width("\xc3\xa4", 12), ergi_font_width("?", 12), 1e-9);
    ergi_font_draw(&image, -50, 100, 300, "off the edge", ink); // stays inside
}

// A body that grains feel as spheres can be looked at as these.
TEST(bodies_of_spheres_are_drawn_as_spheres_when_asked)
{
    erg_world_def def = erg_world_def_default();
    erg_world    *world = new_world(&def);
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_BOX);
    erg_body_def  body = erg_body_def_default();
    erg_mesh     *mesh = NULL;
    erg_look      look = erg_look_default();
    erg_error     err;
    size_t        count;
    double        radius;
    must(erg_mesh_primitive(&shape, &mesh, &err), &err);
    body.material = new_sand(world, 0.5, 0.5);
    body.mesh = mesh;
    body.contact = ERG_BODY_SPHERES;
    body.sphere_radius = 0.1;
    must(erg_world_add_body(world, &body, NULL, &err), &err);
    CHECK(erg_world_body_spheres(world, 1, &count, &radius) != NULL && count > 50 && radius == 0.1);
    look.cull = false;
    for (int as = ERG_PROPS_SMOOTH; as <= ERG_PROPS_BOTH; as++) {
        look.props = (erg_props_as)as;
        erg_picture *p = take(world, &look);
        CHECK(p->ball_count == (as == ERG_PROPS_SMOOTH ? 0 : count));
        erg_picture_destroy(p);
    }
    erg_world_destroy(world);
    erg_mesh_destroy(mesh);
}

// ---- Fine particles ----------------------------------------------------------------------------
// Mean x of the spheres of a picture.
static double mean_x(const erg_world *world)
{
    erg_look     look = erg_look_default();
    erg_picture *p = take(world, &look);
    size_t       n = erg_world_fine_count(world);
    double       sum = 0;
    for (size_t k = 0; k < n; k++) sum += p->position[3 * k];
    erg_picture_destroy(p);
    return sum / (double)n;
}

TEST(sand_moves_between_its_steps)
{
    erg_world_def    def = space_def(ERG_FLOAT);
    erg_upsample_def fine = erg_upsample_def_default();
    erg_fine_view    view;
    erg_error        err;
    def.solver = ERG_SOLVER_PBD;
    def.pbd.substeps = 8;
    fine.start = 0;
    erg_world *world = new_world(&def);
    new_grain(world, new_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 0.5, 0.5)), (erg_vec3){0},
              (erg_vec3){1, 0, 0}, (erg_vec3){0});
    must(erg_world_set_upsample(world, &fine, &err), &err);
    step(world, 0);
    double begin = mean_x(world);
    for (int k = 1; k <= 32; k++) {
        step(world, 1);
        CHECK_NEAR(mean_x(world) - begin, k / 480.0, 1e-5);
        must(erg_world_view_fine(world, &view, &err), &err);
        CHECK_NEAR(view.age, k % 8 / 480.0, 1e-12);
        double x = erg_fine_position(&view, 0).x, now = erg_fine_position_now(&view, 0).x;
        CHECK(k % 8 ? now > x : now == x);
    }
    erg_world_destroy(world);
}

TEST_MAIN(sand_moves_between_its_steps, bodies_of_spheres_are_drawn_as_spheres_when_asked,
          closed_walls_are_closed_meshes, walls_stand_where_they_have_moved_to,
          ground_is_the_lowest_level_plane_or_below_walls, the_eye_places_itself_and_turns,
          grains_astray_do_not_count, tints_belong_to_grains, the_ramp_grows_lighter,
          letters_leave_ink)
