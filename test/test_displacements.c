// labels: asan clang
// The displacement that triggers a rebuild of neighbour lists does not depend on the width of a
// periodic box.
#include "world_helpers.h"

// Grains in a row, each running into the next; their speeds when all are through.
enum { GRAINS = 6 };

static void run_into_each_other(erg_shape shape, erg_precision precision, double period, int axis,
                                double speed[GRAINS])
{
    const double  d = 2e-3, skin = 0.5 * d;
    erg_world_def def = space_def(precision);
    erg_gid       id[GRAINS];
    def.skin = skin;
    def.periodic_x = def.periodic_y = period > 0;
    def.lower = (erg_vec3){0, 0, -1};
    def.upper = (erg_vec3){period > 0 ? period : 1, period > 0 ? period : 1, 1};
    erg_world *world = new_world(&def);
    erg_id     sand = new_sand(world, 0.9, 0.3), kind = new_kind(world, shape, sand);
    for (int k = 0; k < GRAINS; k++) {
        // Too far apart for the first lists, and at a height of their own each pair of them.
        double   half = shape == ERG_SHAPE_DIMER && axis == 0 ? d : 0.5 * d;
        double   along = (k % 2 ? 1 : -1) * (half + 0.51 * skin);
        double   x[2] = {0.5 * d, 0.5 * d};
        erg_vec3 v = {axis == 0 ? (k % 2 ? -1 : 1) : 0, axis == 1 ? (k % 2 ? -1 : 1) : 0, 0};
        x[axis] = 3 * d + along;
        id[k] =
            new_grain(world, kind, (erg_vec3){x[0], x[1], (k / 2) * 4 * d}, v, (erg_vec3){0, 0, 0});
    }
    run_until(world, 2e-3);
    for (int k = 0; k < GRAINS; k++) {
        erg_vec3 v = read3(world, ERG_FIELD_VELOCITY, id[k]);
        speed[k] = axis == 0 ? v.x : v.y;
    }
    erg_world_destroy(world);
}

static void check_narrow(erg_shape shape, erg_precision precision)
{
    double open[GRAINS], narrow[GRAINS];
    for (int axis = 0; axis < 2; axis++) {
        run_into_each_other(shape, precision, 0, axis, open);
        run_into_each_other(shape, precision, 15.5 * 2e-3, axis, narrow);
        for (int k = 0; k < GRAINS; k++) {
            CHECK(open[k] * (k % 2 ? 1 : -1) > 0.1); // they met
            CHECK_NEAR(narrow[k], open[k], 1e-3);
        }
    }
}

TEST(spheres_meet_in_narrow_boxes_as_in_wide_ones)
{
    check_narrow(ERG_SHAPE_SPHERE, ERG_FLOAT);
    check_narrow(ERG_SHAPE_SPHERE, ERG_DOUBLE);
}

TEST(clumps_meet_in_narrow_boxes_as_in_wide_ones)
{
    check_narrow(ERG_SHAPE_DIMER, ERG_FLOAT);
    check_narrow(ERG_SHAPE_DIMER, ERG_DOUBLE);
}

TEST_MAIN(spheres_meet_in_narrow_boxes_as_in_wide_ones, clumps_meet_in_narrow_boxes_as_in_wide_ones)
