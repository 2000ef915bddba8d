// labels: clang
// Grains at rest stay at rest: no creep by rounding, in float and in double.
#include "world_helpers.h"

// Three balls on a floor and one on top, held by friction and rolling resistance.
static erg_world *new_pyramid(erg_precision precision, erg_tangential_law law, double young)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    def.precision = precision;
    def.contact.tangential = law;
    erg_world       *world = new_world(&def);
    erg_material_def sand = erg_material_def_default();
    sand.young = young;
    sand.restitution = 0.5;
    sand.rolling = 0.05;
    erg_id       material = new_material(world, &sand);
    erg_id       kind = new_kind(world, ERG_SHAPE_SPHERE, material);
    erg_wall_def floor = floor_def(material);
    new_wall(world, &floor);
    const double r = erg_grain_def_default().sizes.radius, d = 2 * r;
    for (int k = 0; k < 3; k++) {
        double a = 2 * ERGI_PI * k / 3;
        new_grain(world, kind, (erg_vec3){d / sqrt(3) * cos(a), d / sqrt(3) * sin(a), r},
                  (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 0});
    }
    new_grain(world, kind, (erg_vec3){0, 0, r + d * sqrt(2.0 / 3)}, (erg_vec3){0, 0, 0},
              (erg_vec3){0, 0, 0});
    return world;
}

// The largest displacement of a grain, in diameters per step, after the pyramid has settled.
static double creep_of(erg_world *world)
{
    const double d = 2 * erg_grain_def_default().sizes.radius;
    const int    steps = 20000;
    erg_vec3     before[4];
    double       most = 0;
    run_until(world, 1);
    for (int k = 0; k < 4; k++) before[k] = read3(world, ERG_FIELD_POSITION, (erg_gid)k + 1);
    step(world, (uint64_t)steps);
    for (int k = 0; k < 4; k++)
        most =
            fmax(most, ergi_distance(read3(world, ERG_FIELD_POSITION, (erg_gid)k + 1), before[k]));
    erg_world_destroy(world);
    return most / d / steps;
}

TEST(a_pyramid_stays)
{
    double creep = creep_of(new_pyramid(ERG_FLOAT, ERG_TANGENTIAL_MINDLIN, 5e6));
    printf("    %.2g diameters a step\n", creep);
    CHECK(creep < 1e-12);
}

TEST(a_pyramid_on_constant_springs_stays)
{
    CHECK(creep_of(new_pyramid(ERG_FLOAT, ERG_TANGENTIAL_SPRING, 5e6)) < 1e-12);
}

TEST(in_double_too)
{
    CHECK(creep_of(new_pyramid(ERG_DOUBLE, ERG_TANGENTIAL_MINDLIN, 5e6)) < 1e-15);
}

TEST_MAIN(a_pyramid_stays, a_pyramid_on_constant_springs_stays, in_double_too)
