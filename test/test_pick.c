// labels: asan
// Picking: view rays, what they hit, and how much free space there is.
#include "base/threads.h"
#include "check.h"
#include "draw/colours.h"
#include "draw/picture.h"
#include "geom/vec3.h"
#include "world_helpers.h"

typedef struct stage {
    erg_world   *world;
    erg_picture *picture;
    erg_id       plate;
} stage;

// A sphere of 1 mm at the origin in a box of 10 mm with an open lid, and a plate above it that a
// hand can move, seen from the front.
static stage build(void)
{
    stage         s;
    erg_error     err;
    erg_world_def def = space_def(ERG_DOUBLE);
    s.world = new_world(&def);
    erg_id       sand = new_sand(s.world, 0.5, 0.5);
    erg_wall_def box = box_def(sand, (erg_vec3){-5e-3, -5e-3, -5e-3}, (erg_vec3){5e-3, 5e-3, 5e-3},
                               ERG_FACE_Z_MAX);
    new_wall(s.world, &box);
    erg_wall_def plate = erg_wall_def_default(ERG_WALL_BOX);
    plate.material = sand;
    plate.side = ERG_SIDE_OUTSIDE;
    plate.box = (erg_wall_box){.min = {-2e-3, -2e-3, 3e-3}, .max = {2e-3, 2e-3, 4e-3}};
    plate.motion[0] = erg_motion_def_default(ERG_MOTION_USER);
    plate.motion_count = 1;
    s.plate = new_wall(s.world, &plate);
    erg_vec3 none = {0, 0, 0};
    new_grain(s.world, new_kind(s.world, ERG_SHAPE_SPHERE, sand), none, none, none);
    prepare(s.world);
    erg_look look = erg_look_default();
    look.ground = ERG_GROUND_NONE;
    look.camera.placed = true;
    look.camera.position = (erg_vec3){0, -0.05, 0};
    look.camera.target = (erg_vec3){0, 0, 0};
    look.camera.up = (erg_vec3){0, 0, 1};
    must(erg_picture_create(&s.picture, &err), &err);
    must(erg_picture_take(s.picture, &look, s.world, NULL, &err), &err);
    return s;
}

// The same picture, cut open at this distance along the normal, with every n-th grain alone.
static void take_again(stage s, erg_vec3 normal, double distance, uint32_t every)
{
    erg_error err;
    erg_look  look = s.picture->look;
    look.caption = NULL;
    look.cut = ergi_norm(normal) > 0;
    look.cut_normal = normal;
    look.cut_point = look.cut ? ergi_scale(normal, distance / ergi_norm(normal)) : normal;
    look.every = every;
    must(erg_picture_take(s.picture, &look, s.world, NULL, &err), &err);
}

static void destroy(stage s)
{
    erg_picture_destroy(s.picture);
    erg_world_destroy(s.world);
}

TEST(a_ray_and_where_it_is_seen)
{
    stage   s = build();
    erg_ray middle = erg_picture_ray(s.picture, 640, 480, 320, 240);
    CHECK_NEAR(ergi_distance(middle.origin, ergi_vec3(0, -0.05, 0)), 0, 1e-12);
    CHECK_NEAR(middle.direction.y, 1, 1e-12);
    // The upper edge is half the angle of view above the middle.
    erg_ray top = erg_picture_ray(s.picture, 640, 480, 320, 0);
    CHECK_NEAR(atan2(top.direction.z, top.direction.y) * 180 / ERGI_PI, 17.5, 1e-9);
    static const double at[][2] = {{10, 20}, {320, 240}, {600, 470}, {1, 479}};
    for (int i = 0; i < 4; i++) {
        erg_ray r = erg_picture_ray(s.picture, 640, 480, at[i][0], at[i][1]);
        double  x = 0, y = 0;
        CHECK(erg_picture_seen_at(s.picture, 640, 480, ergi_madd(r.origin, 0.03, r.direction), &x,
                                  &y));
        CHECK_NEAR(x, at[i][0], 1e-9);
        CHECK_NEAR(y, at[i][1], 1e-9);
        CHECK(!erg_picture_seen_at(s.picture, 640, 480, ergi_madd(r.origin, -0.03, r.direction), &x,
                                   &y));
    }
    destroy(s);
}

TEST(what_a_ray_meets)
{
    stage   s = build();
    erg_ray middle = erg_picture_ray(s.picture, 640, 480, 320, 240);
    // The front of the sphere, through the front of the box; places are floats.
    CHECK_NEAR(erg_picture_meet(s.picture, &middle), 0.049, 1e-8);
    erg_ray beside = {{3e-3, -0.05, 0}, {0, 1, 0}};
    CHECK_NEAR(erg_picture_meet(s.picture, &beside), 0.055, 1e-8);         // the back of the box
    CHECK_NEAR(erg_picture_meet_wall(s.picture, &beside, 1), 0.045, 1e-8); // any side of it
    CHECK(isinf(erg_picture_meet_wall(s.picture, &beside, s.plate)));
    erg_ray at_plate = {{0, -0.05, 3.5e-3}, {0, 1, 0}};
    CHECK_NEAR(erg_picture_meet_wall(s.picture, &at_plate, s.plate), 0.048, 1e-8);
    CHECK_NEAR(erg_picture_meet(s.picture, &at_plate), 0.048, 1e-8); // solid: its front is seen
    erg_ray away = {{0, -0.05, 0}, {0, -1, 0}};
    CHECK(isinf(erg_picture_meet(s.picture, &away)));
    erg_wall_surface surface;
    erg_error        err;
    must(erg_world_wall_surface(s.world, 1, (double)NAN, &surface, &err), &err);
    CHECK(!surface.movable);
    must(erg_world_wall_surface(s.world, s.plate, (double)NAN, &surface, &err), &err);
    CHECK(surface.movable);
    destroy(s);
}

// From the sphere back to the camera, which looks through the side of the box.
TEST(a_wall_that_is_looked_through_is_ahead)
{
    stage   s = build();
    erg_ray in = {{0, -0.05, 0}, {0, 1, 0}}, out = {{0, -1e-3, 0}, {0, -1, 0}};
    CHECK_NEAR(erg_picture_meet(s.picture, &in), 0.049, 1e-8);
    CHECK_NEAR(erg_picture_wall_ahead(s.picture, &in), 0.045, 1e-8);
    CHECK_NEAR(erg_picture_wall_ahead(s.picture, &out), 4e-3, 1e-8);
    take_again(s, (erg_vec3){0, -1, 0}, 2e-3, 1); // cut away, it is there all the same
    CHECK_NEAR(erg_picture_wall_ahead(s.picture, &out), 4e-3, 1e-8);
    erg_ray down = {{0.01, 0, 0}, {0, 0, -1}}; // beside the box
    CHECK(erg_picture_wall_ahead(s.picture, &down) == HUGE_VAL);
    CHECK(!erg_picture_meets_mere_floor(s.picture, &down));
    erg_error err;
    erg_look  look = s.picture->look;
    look.caption = NULL;
    look.cut = false;
    look.ground = ERG_GROUND_AUTO;
    must(erg_picture_take(s.picture, &look, s.world, NULL, &err), &err);
    CHECK(erg_picture_meets_mere_floor(s.picture, &down));
    CHECK(!erg_picture_meets_mere_floor(s.picture, &in));
    erg_picture_destroy(s.picture);
    erg_world_destroy(s.world);
}

TEST(how_much_room_there_is)
{
    stage s = build();
    CHECK_NEAR(erg_picture_clearance(s.picture, ergi_vec3(0, 0, 0)), -1e-3, 1e-8);
    CHECK_NEAR(erg_picture_clearance(s.picture, ergi_vec3(3e-3, 0, 0)), 2e-3, 1e-8);
    CHECK_NEAR(erg_picture_clearance(s.picture, ergi_vec3(-4.9e-3, 1e-3, 0)), 1e-4, 1e-8);
    CHECK_NEAR(erg_picture_clearance(s.picture, ergi_vec3(0, 0, 2.5e-3)), 5e-4, 1e-8); // the plate
    CHECK_NEAR(erg_picture_clearance(s.picture, ergi_vec3(0, 0, 0.1)), hypot(0.095, 5e-3), 1e-8);
    CHECK_NEAR(erg_picture_clearance(s.picture, ergi_vec3(8e-3, 0, -9e-3)), 5e-3, 1e-8); // an edge
    destroy(s);
}

// Grains that a cut or `every` hides still occupy space.
TEST(what_is_not_drawn_takes_room)
{
    stage    s = build();
    erg_vec3 none = {0, 0, 0}, front = {0, -1, 0}, second = {3e-3, 0, -3e-3};
    take_again(s, front, -2e-3, 1); // before y = 2 mm nothing is left
    CHECK(s.picture->ball_count == 0);
    CHECK_NEAR(erg_picture_clearance(s.picture, none), -1e-3, 1e-8);
    new_grain(s.world, 1, second, none, none);
    take_again(s, none, 0, 2);
    CHECK(s.picture->ball_count == 1);
    CHECK_NEAR(erg_picture_clearance(s.picture, second), -1e-3, 1e-8);
    take_again(s, none, 0, 1);
    CHECK(s.picture->ball_count == 2 && s.picture->left_out_count == 0);
    destroy(s);
}

// A plane has no end, and in a picture without a ground a floor is not even drawn.
TEST(planes_take_room_wherever_they_are)
{
    erg_error     err;
    erg_world_def def = space_def(ERG_DOUBLE);
    erg_world    *world = new_world(&def);
    erg_id        sand = new_sand(world, 0.5, 0.5);
    erg_wall_def  floor = floor_def(sand), side = floor_def(sand);
    erg_vec3      none = {0, 0, 0};
    erg_picture  *p = NULL;
    side.plane.point = (erg_vec3){-0.2, 0, 0};
    side.plane.normal = (erg_vec3){1, 0, 0};
    side.side = ERG_SIDE_BOTH;
    new_wall(world, &floor);
    new_wall(world, &side);
    new_grain(world, new_kind(world, ERG_SHAPE_SPHERE, sand), (erg_vec3){0, 0, 1e-3}, none, none);
    erg_look look = erg_look_default();
    look.ground = ERG_GROUND_NONE;
    must(erg_picture_create(&p, &err), &err);
    must(erg_picture_take(p, &look, world, NULL, &err), &err);
    CHECK_NEAR(erg_picture_clearance(p, ergi_vec3(5, 5, 0.03)), 0.03, 1e-12);
    CHECK_NEAR(erg_picture_clearance(p, ergi_vec3(5, 5, -0.03)), -0.03, 1e-12);
    CHECK_NEAR(erg_picture_clearance(p, ergi_vec3(-0.3, 9, 7)), 0.1, 1e-12);
    erg_picture_destroy(p);
    erg_world_destroy(world);
}

TEST(a_ray_goes_through_what_is_cut_away)
{
    stage    s = build();
    erg_ray  middle = {{0, -0.05, 0}, {0, 1, 0}}, beside = {{3e-3, -0.05, 0}, {0, 1, 0}};
    erg_ray  at_plate = {{0, -0.05, 3.5e-3}, {0, 1, 0}}, back = {{0, 0.05, 0}, {0, -1, 0}};
    erg_ray  along = {{-0.05, 0, 0}, {1, 0, 0}};
    erg_vec3 front = {0, -2, 0}, rear = {0, 1, 0};
    take_again(s, front, -0.5e-3, 1); // what is before y = 0.5 mm is gone
    CHECK_NEAR(erg_picture_meet(s.picture, &middle), 0.0505, 1e-8); // the face of the sphere
    CHECK_NEAR(erg_picture_meet(s.picture, &back), 0.049, 1e-8);    // its other side
    CHECK_NEAR(erg_picture_meet(s.picture, &at_plate), 0.052,
               1e-8); // the plate's back, from within
    CHECK_NEAR(erg_picture_meet_wall(s.picture, &at_plate, s.plate), 0.052, 1e-8);
    along.origin.y = 0.4e-3; // beside the plane, where all is gone
    CHECK(isinf(erg_picture_meet(s.picture, &along)));
    along.origin.y = 0.6e-3;
    CHECK_NEAR(erg_picture_meet(s.picture, &along), 0.05 - 0.8e-3, 1e-8);
    take_again(s, rear, 1.5e-3, 1); // what is behind y = 1.5 mm is gone
    CHECK_NEAR(erg_picture_meet(s.picture, &middle), 0.049, 1e-8);
    CHECK(isinf(erg_picture_meet(s.picture, &beside))); // the back of the box
    CHECK_NEAR(erg_picture_meet_wall(s.picture, &beside, 1), 0.045, 1e-8);
    CHECK_NEAR(erg_picture_meet(s.picture, &at_plate), 0.048, 1e-8);
    destroy(s);
}

// --threads of a program is that of its world, and so of its pictures.
TEST(a_picture_has_the_threads_of_its_world)
{
    stage         s = build();
    erg_error     err;
    erg_world_def def = space_def(ERG_DOUBLE);
    CHECK(s.picture->threads == 1);
    for (int threads = 3; threads >= 0; threads -= 3) { // 0: all
        def.threads = threads;
        erg_world *world = new_world(&def);
        erg_look   look = erg_look_default();
        must(erg_picture_take(s.picture, &look, world, NULL, &err), &err);
        CHECK(s.picture->threads == (threads ? threads : ergi_threads_default_count()));
        erg_world_destroy(world);
    }
    destroy(s);
}

// A thrown ball is not the colour of sand.
TEST(a_ball_is_seen)
{
    stage     s = build();
    erg_error err;
    command(s.world,
            (erg_command){
                .kind = ERG_COMMAND_ADD_BALL, .id = 1, .value = 1.5e-3, .point = {0, 3e-3, -3e-3}});
    step(s.world, 1);
    erg_look look = erg_look_default();
    must(erg_picture_take(s.picture, &look, s.world, NULL, &err), &err);
    CHECK(s.picture->ball_count == 2);
    CHECK(s.picture->balls[0].colour != ergi_colour_thrown_ball());
    CHECK(s.picture->balls[1].colour == ergi_colour_thrown_ball());
    destroy(s);
}

// ---- Bodies ------------------------------------------------------------------------------------
// A ball of the world is drawn where it is, where a snapshot has it, and as large as it is.
TEST(bodies_of_the_world_are_met)
{
    erg_error     err;
    erg_world_def def = space_def(ERG_DOUBLE);
    erg_world    *world = new_world(&def);
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_BOX);
    erg_mesh     *mesh = NULL;
    shape.size = (erg_vec3){0.1, 0.2, 0.3};
    must(erg_mesh_primitive(&shape, &mesh, &err), &err);
    erg_body_def body = erg_body_def_default();
    body.material = new_sand(world, 0.5, 0.5);
    body.mesh = mesh;
    body.position.x = 2;
    erg_id id = 0;
    must(erg_world_add_body(world, &body, NULL, &err), &err);
    body.position.x = 4;
    body.rotation = ergi_quat_from_axis_angle(ergi_vec3(0, 0, 1), 0.5 * ERGI_PI);
    must(erg_world_add_body(world, &body, &id, &err), &err);
    prepare(world);
    erg_look look = erg_look_default();
    look.ground = ERG_GROUND_NONE;
    erg_picture *p = NULL;
    must(erg_picture_create(&p, &err), &err);
    must(erg_picture_take(p, &look, world, NULL, &err), &err);
    CHECK(p->prop_count == 2 && p->model_count == 1);
    CHECK_NEAR(p->bounds.high.x, 4.1, 1e-6); // turned: half its y
    erg_ray along_x = {{0, 0, 0}, {1, 0, 0}};
    CHECK_NEAR(erg_picture_meet(p, &along_x), 2 - 0.05, 1e-6);
    CHECK_NEAR(erg_picture_meet_wall(p, &along_x, id), 4 - 0.1, 1e-6);
    CHECK_NEAR(erg_picture_clearance(p, ergi_vec3(3, 0, 0)), 0.9, 1e-6);

    // Cut open, a body has a face; the room that it takes is the same.
    erg_look cut = look;
    erg_ray  back = {{10, 0, 0}, {-1, 0, 0}};
    cut.cut = true;
    cut.cut_normal = (erg_vec3){-1, 0, 0};
    cut.cut_point = (erg_vec3){4.03, 0, 0};
    must(erg_picture_take(p, &cut, world, NULL, &err), &err);
    CHECK_NEAR(erg_picture_meet(p, &along_x), 4.03, 1e-6);
    CHECK_NEAR(erg_picture_meet_wall(p, &along_x, id), 4.03, 1e-6);
    CHECK(isinf(erg_picture_meet_wall(p, &along_x, id - 1)));
    CHECK_NEAR(erg_picture_meet(p, &back), 10 - 4.1, 1e-6);
    CHECK_NEAR(erg_picture_clearance(p, ergi_vec3(3, 0, 0)), 0.9, 1e-6);

    erg_body_pose moved = {id, {6, 0, 0}, ergi_quat_identity()};
    erg_moment    moment = {.bodies = &moved, .body_count = 1};
    must(erg_picture_take(p, &look, world, &moment, &err), &err);
    CHECK_NEAR(erg_picture_meet_wall(p, &along_x, id), 6 - 0.05, 1e-6);
    CHECK_NEAR(erg_picture_meet_wall(p, &along_x, id - 1), 2 - 0.05, 1e-6);
    erg_picture_destroy(p);
    erg_world_destroy(world);
    erg_mesh_destroy(mesh);
}

TEST_MAIN(a_wall_that_is_looked_through_is_ahead, a_ray_and_where_it_is_seen, what_a_ray_meets,
          how_much_room_there_is, what_is_not_drawn_takes_room, planes_take_room_wherever_they_are,
          a_ray_goes_through_what_is_cut_away, a_picture_has_the_threads_of_its_world,
          a_ball_is_seen, bodies_of_the_world_are_met)
