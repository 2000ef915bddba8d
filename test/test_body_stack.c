// Stacks of boxes.
#include "body_helpers.h"

// A tidy stack has all boxes above each other; an untidy one was set down by hand: some millimetres
// off, some degrees turned.
static erg_world *new_stack(erg_mesh *box, bool untidy, erg_id id[10], erg_vec3 start[10])
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    erg_world   *world = new_world(&def);
    erg_id       wood = new_wood(world, 0.3, 0.5);
    erg_wall_def floor = floor_def(wood);
    new_wall(world, &floor);
    for (int k = 0; k < 10; k++) {
        erg_body_def body = erg_body_def_default();
        body.material = wood;
        body.mesh = box;
        body.position.z = 0.05 + 0.1 * k;
        if (untidy) {
            body.position.x = 0.003 * sin(5.0 * k);
            body.position.y = 0.003 * cos(7.0 * k);
            body.rotation = ergi_quat_from_axis_angle(ergi_vec3(0, 0, 1), 0.1 * sin(3.0 * k));
        }
        start[k] = body.position;
        id[k] = new_body(world, &body);
    }
    return world;
}

TEST(a_stack_of_ten_boxes_stands_still_for_ten_seconds)
{
    erg_mesh  *box = new_box(0.1, 0.1, 0.1);
    erg_id     id[10];
    erg_vec3   start[10], settled[10];
    erg_world *world = new_stack(box, false, id, start);
    run_to(world, 5);
    for (int k = 0; k < 10; k++) settled[k] = state_of(world, id[k]).centre;
    run_to(world, 10);
    for (int k = 0; k < 10; k++) {
        erg_body_state s = state_of(world, id[k]);
        CHECK_NEAR(s.centre.x, 0, 1e-6);
        CHECK_NEAR(s.centre.y, 0, 1e-6);
        CHECK(ergi_distance(s.centre, settled[k]) < 1e-6);
        CHECK(ergi_norm(s.velocity) < 1e-6);
    }
    erg_world_destroy(world);
    erg_mesh_destroy(box);
}

// It sways on its soft contacts for long, since they damp fast motion more than slow; but it stays.
TEST(an_untidy_stack_stands)
{
    erg_mesh  *box = new_box(0.1, 0.1, 0.1);
    erg_id     id[10];
    erg_vec3   start[10];
    erg_world *world = new_stack(box, true, id, start);
    for (int t = 1; t <= 3; t++) {
        run_to(world, t);
        for (int k = 0; k < 10; k++) {
            erg_body_state s = state_of(world, id[k]);
            CHECK_NEAR(s.centre.x, start[k].x, 2e-3);
            CHECK_NEAR(s.centre.y, start[k].y, 2e-3);
            CHECK(ergi_norm(s.velocity) < 0.01);
        }
    }
    erg_world_destroy(world);
    erg_mesh_destroy(box);
}

TEST_MAIN(a_stack_of_ten_boxes_stands_still_for_ten_seconds, an_untidy_stack_stands)
