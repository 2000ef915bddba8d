// labels: asan
// Rolling and twisting resistance on a slope and on a plane.
#include "world_helpers.h"

#define G 9.81

static erg_world *on_floor(erg_precision precision, erg_integrator integrator, double slope,
                           double rolling, double twisting, erg_vec3 velocity, erg_vec3 spin,
                           erg_gid *id)
{
    erg_world_def def = space_def(precision);
    double        c = 1 / sqrt(1 + slope * slope);
    def.gravity = (erg_vec3){G * slope * c, 0, -G * c};
    def.integrator = integrator;
    def.speed = 0.5;
    erg_world       *world = new_world(&def);
    erg_material_def m = erg_material_def_default();
    m.friction = 0.8;
    m.rolling = rolling;
    m.twisting = twisting;
    erg_id       sand = new_material(world, &m);
    erg_wall_def plane = floor_def(sand);
    new_wall(world, &plane);
    *id = new_grain(world, new_kind(world, ERG_SHAPE_SPHERE, sand), (erg_vec3){0, 0, 1e-3 - 4e-7},
                    velocity, spin);
    return world;
}

static const erg_vec3 none = {0, 0, 0};

// On a plane the torque of the weight about the contact is m g R sin, the resistance up to mu_r N
// R: a sphere stays where tan < mu_r.
TEST(sphere_rests_below_the_rolling_angle)
{
    for (int p = 0; p < 2; p++) {
        erg_gid    id;
        erg_world *world = on_floor((erg_precision)p, ERG_VERLET, 0.2, 0.3, 0, none, none, &id);
        run_until(world, 0.3);
        erg_vec3 here = read3(world, ERG_FIELD_POSITION, id);
        run_until(world, 0.8);
        CHECK_NEAR(ergi_distance(here, read3(world, ERG_FIELD_POSITION, id)), 0, 1e-9);
        CHECK_NEAR(ergi_norm(read3(world, ERG_FIELD_SPIN, id)), 0, 1e-3);
        CHECK(here.x < 1e-5);
        erg_world_destroy(world);
    }
}

// Above it rolls with 5/7 (sin - mu_r cos) g.
TEST(sphere_rolls_above_the_rolling_angle)
{
    static const double rolling[] = {0, 0.3};
    for (int k = 0; k < 2; k++) {
        erg_gid    id;
        erg_world *world = on_floor(ERG_FLOAT, ERG_VERLET, 0.4, rolling[k], 0, none, none, &id);
        run_until(world, 0.05);
        double v = read3(world, ERG_FIELD_VELOCITY, id).x, t = erg_world_time(world);
        run_until(world, 0.25);
        double a = (read3(world, ERG_FIELD_VELOCITY, id).x - v) / (erg_world_time(world) - t);
        double want = 5.0 / 7 * G * (0.4 - rolling[k]) / sqrt(1.16);
        CHECK_NEAR(a, want, 0.02 * want);
        CHECK_NEAR(read3(world, ERG_FIELD_SPIN, id).y * 1e-3,
                   read3(world, ERG_FIELD_VELOCITY, id).x, 2e-3);
        erg_world_destroy(world);
    }
}

// A rolling sphere on the flat stops with 5/7 mu_r g and stays.
TEST(rolling_sphere_comes_to_rest)
{
    erg_gid    id;
    erg_world *world = on_floor(ERG_FLOAT, ERG_VERLET, 0, 0.1, 0, (erg_vec3){0.1, 0, 0},
                                (erg_vec3){0, 100, 0}, &id);
    double     slowing = 5.0 / 7 * 0.1 * G;
    run_until(world, 0.05);
    CHECK_NEAR(read3(world, ERG_FIELD_VELOCITY, id).x, 0.1 - slowing * 0.05, 2e-3);
    run_until(world, 0.5);
    CHECK_NEAR(read3(world, ERG_FIELD_POSITION, id).x, 0.01 / (2 * slowing),
               0.02 * 0.01 / (2 * slowing));
    CHECK_NEAR(ergi_norm(read3(world, ERG_FIELD_VELOCITY, id)), 0, 1e-6);
    erg_world_destroy(world);
}

// Spinning about the normal: no resistance without twisting; with it, 5/2 mu_t g/R a second.
TEST(twisting_stops_a_top)
{
    static const double twisting[] = {0, 0.1};
    for (int k = 0; k < 2; k++) {
        erg_gid    id;
        erg_world *world =
            on_floor(ERG_FLOAT, ERG_VERLET, 0, 0.1, twisting[k], none, (erg_vec3){0, 0, 100}, &id);
        double slowing = 2.5 * twisting[k] * G / 1e-3;
        run_until(world, 0.02);
        CHECK_NEAR(read3(world, ERG_FIELD_SPIN, id).z, 100 - slowing * 0.02, 1);
        run_until(world, 0.3);
        CHECK_NEAR(read3(world, ERG_FIELD_SPIN, id).z, k ? 0 : 100, k ? 0.01 : 1e-3);
        erg_world_destroy(world);
    }
}

TEST_MAIN(sphere_rests_below_the_rolling_angle, sphere_rolls_above_the_rolling_angle,
          rolling_sphere_comes_to_rest, twisting_stops_a_top)
