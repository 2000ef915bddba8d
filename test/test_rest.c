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

// Dimers that lie on a tilted plate of bumps, in all directions.
enum { DIMERS = 8 };

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

TEST(dimers_on_a_rough_tilted_plate_stay)
{
    const double  d = 2 * erg_grain_def_default().sizes.radius, tilt = 10 * ERGI_PI / 180;
    const int     steps = 20000;
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    def.precision = ERG_FLOAT;
    def.gravity = (erg_vec3){9.81 * sin(tilt), 0, -9.81 * cos(tilt)};
    erg_world       *world = new_world(&def);
    erg_material_def sand = erg_material_def_default();
    sand.young = 5e6;
    sand.restitution = 0.3;
    sand.friction = 0.7;
    sand.rolling = 0.05;
    erg_id       material = new_material(world, &sand);
    erg_id       kind = new_kind(world, ERG_SHAPE_DIMER, material);
    erg_wall_def plate = floor_def(material);
    plate.rough = (erg_rough){.spacing = 0.75 * d, .radius = 0.3 * d};
    new_wall(world, &plate);
    erg_vec3  before[DIMERS], at[DIMERS];
    erg_quat  turn[DIMERS];
    double    drift[DIMERS];
    erg_error err;
    for (int k = 0; k < DIMERS; k++) {
        double a = k * ERGI_PI / DIMERS;
        at[k] = (erg_vec3){4 * d * k, 0, d};
        turn[k] = (erg_quat){0, 0, sin(a / 2), cos(a / 2)};
    }
    erg_grains dimers = {.kind = kind, .count = DIMERS, .position = at, .orientation = turn};
    must(erg_world_add_grains(world, &dimers, NULL, &err), &err);
    run_until(world, 2);
    for (int k = 0; k < DIMERS; k++) before[k] = read3(world, ERG_FIELD_POSITION, (erg_gid)k + 1);
    step(world, (uint64_t)steps);
    for (int k = 0; k < DIMERS; k++) {
        erg_vec3 now = read3(world, ERG_FIELD_POSITION, (erg_gid)k + 1);
        drift[k] = ergi_distance(now, before[k]) / d / steps;
    }
    qsort(drift, DIMERS, sizeof *drift, compare);
    printf("    %.2g diameters a step\n", drift[DIMERS / 2]);
    CHECK(drift[DIMERS / 2] < 1e-12);
    erg_world_destroy(world);
}

TEST_MAIN(a_pyramid_stays, a_pyramid_on_constant_springs_stays, in_double_too,
          dimers_on_a_rough_tilted_plate_stay)
