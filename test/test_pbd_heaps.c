// Small heaps, poured with the real-time solver: nearly as high as those of DEM, and higher with
// more friction. `erg bench realtime --check` compares heaps of 10,000 grains.
// labels: clang
#include "../bench/heap.c"
#include "../cli/fail.c"

#include "check.h"

static double height(erg_solver solver, double friction)
{
    heap_def   def = {solver, friction, 0.1, 0.2, 500, 1, 1};
    heap_shape shape = {0};
    erg_world *world = NULL;
    erg_error  err;
    CHECK(heap_pour(&def, 0.8, &world, &err) == ERG_OK);
    CHECK(heap_measure(world, &shape, &err) == ERG_OK);
    CHECK(shape.kinetic < 1e-4);
    erg_world_destroy(world);
    return shape.height;
}

TEST(heaps_are_as_high_as_those_of_dem)
{
    double dem = height(ERG_SOLVER_DEM, 0.3);
    CHECK(dem > 1);
    CHECK_NEAR(height(ERG_SOLVER_PBD, 0.3) / dem, 1, 0.08);
}

TEST(friction_makes_heaps_higher)
{
    CHECK(height(ERG_SOLVER_PBD, 0.6) > 1.1 * height(ERG_SOLVER_PBD, 0.15));
}

TEST_MAIN(heaps_are_as_high_as_those_of_dem, friction_makes_heaps_higher)
