// Friction between bodies: how a pushed box comes to rest under laws without contact history, and
// what the springs of the other laws hold.
// labels: asan clang
#include "body_helpers.h"

#define G 9.81

typedef struct push {
    erg_tangential_law law;
    double             viscosity; // 0: the largest that dt allows [N s/m]
    double             friction;
    bool               sand;   // some light grains lie about, far away
    bool               on_box; // on a fixed body, not on a wall
    double             speed, time;
} push;

static erg_vec3 way_of_pushed_box(push p, erg_vec3 *velocity)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    def.contact.tangential = p.law;
    def.contact.tangential_viscosity = p.viscosity;
    erg_world   *world = new_world(&def);
    erg_id       wood = new_wood(world, 0.3, p.friction);
    erg_mesh    *box = new_box(0.1, 0.1, 0.02), *table = new_box(1, 1, 0.1);
    erg_body_def body = erg_body_def_default();
    erg_wall_def floor = floor_def(wood);
    body.material = wood;
    body.mesh = table;
    body.free = false;
    body.position.z = -0.05;
    if (p.on_box)
        new_body(world, &body);
    else
        new_wall(world, &floor);
    if (p.sand)
        new_grain(world, new_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 0.5, 0.5)),
                  ergi_vec3(0.3, 0.3, 0.002), ergi_vec3(0, 0, 0), ergi_vec3(0, 0, 0));
    body.mesh = box;
    body.free = true;
    body.position.z = 0.01;
    body.velocity.x = p.speed;
    erg_id id = new_body(world, &body);
    run_to(world, p.time);
    erg_vec3 way = ergi_sub(state_of(world, id).centre, body.position);
    *velocity = state_of(world, id).velocity;
    erg_world_destroy(world);
    erg_mesh_destroy(box);
    erg_mesh_destroy(table);
    return way;
}

TEST(a_pushed_box_stops_where_coulomb_says_under_regularised_friction)
{
    for (int k = 0; k < 4; k++) {
        push     p = {.law = ERG_TANGENTIAL_REGULARISED,
                      .friction = 0.3,
                      .sand = k & 1,
                      .on_box = k & 2,
                      .speed = 0.5,
                      .time = 0.2};
        erg_vec3 v, way = way_of_pushed_box(p, &v);
        double   want = p.speed * p.speed / (2 * p.friction * G);
        CHECK_NEAR(way.x, want, 2e-3 * want);
        CHECK(fabs(v.x) < 1e-6);
    }
}

// Grains that are lighter than the box do not make its friction weaker.
TEST(a_pushed_box_slows_down_by_the_viscosity_that_was_given)
{
    for (int k = 0; k < 4; k++) {
        push     p = {.law = ERG_TANGENTIAL_VISCOUS,
                      .viscosity = 1,
                      .sand = k & 1,
                      .on_box = k & 2,
                      .speed = 0.5,
                      .time = 0.12};
        erg_vec3 v, way = way_of_pushed_box(p, &v);
        double   mass = 600 * 0.1 * 0.1 * 0.02, left = exp(-p.viscosity * p.time / mass);
        double   want = p.speed * (1 - left) * mass / p.viscosity;
        CHECK_NEAR(v.x, p.speed * left, 2e-3 * p.speed * left);
        CHECK_NEAR(way.x, want, 2e-3 * want);
    }
}

// In a few steps, and no faster than in one: it does not go back and forth.
TEST(the_largest_viscosity_stops_a_box_at_once)
{
    for (int k = 0; k < 4; k++) {
        push     p = {.law = ERG_TANGENTIAL_VISCOUS,
                      .sand = k & 1,
                      .on_box = k & 2,
                      .speed = 0.5,
                      .time = 0.2};
        erg_vec3 v, way = way_of_pushed_box(p, &v);
        CHECK(fabs(v.x) < 1e-6);
        CHECK(way.x > 0 && way.x < 1e-3);
    }
}

// Stuck to the floor on dozens of places, turning back and forth without damping.
TEST(the_springs_of_a_stuck_box_hold_what_it_moved_with)
{
    erg_world_def def = space_def(ERG_DOUBLE);
    def.gravity.z = -G;
    def.dt_factor = 0.002; // the error of the integrator goes with its square
    def.contact.normal = ERG_NORMAL_LINEAR;
    def.contact.tangential = ERG_TANGENTIAL_SPRING;
    erg_world   *world = new_world(&def);
    erg_id       wood = new_wood(world, 1, 100);
    erg_mesh    *box = new_box(0.1, 0.1, 0.02);
    erg_wall_def floor = floor_def(wood);
    erg_body_def body = erg_body_def_default();
    new_wall(world, &floor);
    body.material = wood;
    body.mesh = box;
    body.position.z = 0.01;
    body.spin.z = 0.05;
    new_body(world, &body);
    prepare(world);
    double before = energy_of(world), turning = stats_of(world).rotational, least = 1, worst = 0;
    for (int k = 0; k < 800; k++) {
        step(world, 1);
        worst = fmax(worst, fabs(energy_of(world) - before) / turning);
        least = fmin(least, stats_of(world).rotational / turning);
    }
    CHECK(least < 0.1);
    CHECK(worst < 1e-3);
    erg_world_destroy(world);
    erg_mesh_destroy(box);
}

TEST_MAIN(the_springs_of_a_stuck_box_hold_what_it_moved_with,
          a_pushed_box_stops_where_coulomb_says_under_regularised_friction,
          a_pushed_box_slows_down_by_the_viscosity_that_was_given,
          the_largest_viscosity_stops_a_box_at_once)
