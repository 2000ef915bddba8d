// Heaps of 3,000 grains with the real-time solver and with DEM: the bounds of `erg bench realtime
// --check` on smaller heaps.
#include "../../bench/heap.c"
#include "../../cli/fail.c"

#include "check.h"

enum { GRAINS = 3000, SEEDS = 3 };

static heap_shape heap_after(erg_solver solver, double friction, double rest, double more,
                             uint64_t seed, heap_shape *early)
{
    heap_def   def = {solver, friction, 0.1, 0.65, GRAINS, seed, 1};
    heap_shape late = {0};
    erg_world *world = NULL;
    erg_error  err;
    CHECK(heap_pour(&def, rest, &world, &err) == ERG_OK);
    CHECK(heap_measure(world, early, &err) == ERG_OK);
    CHECK(erg_world_run(world, heap_pouring(&def) + rest + more, NULL, NULL, &err) == ERG_OK);
    CHECK(heap_measure(world, &late, &err) == ERG_OK);
    erg_world_destroy(world);
    return late;
}

static heap_shape mean_heap(erg_solver solver, double friction)
{
    heap_shape mean = {0}, ignored;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        heap_shape one = heap_after(solver, friction, 2, 0, seed, &ignored);
        mean.angle += one.angle / SEEDS;
        mean.height += one.height / SEEDS;
    }
    printf("    %s, friction %g: %.2f degrees, centre of mass at %.3f d\n", erg_solver_name(solver),
           friction, mean.angle, mean.height);
    return mean;
}

TEST(heaps_stay_as_they_are)
{
    heap_shape early, late = heap_after(ERG_SOLVER_PBD, 0.5, 5, 55, 1, &early);
    CHECK_NEAR(late.angle, early.angle, 0.5);
    CHECK(late.kinetic < 1e-9);
}

TEST(heaps_have_the_shape_of_those_of_dem)
{
    for (double friction = 0.3; friction < 0.6; friction += 0.2) {
        heap_shape dem = mean_heap(ERG_SOLVER_DEM, friction);
        heap_shape pbd = mean_heap(ERG_SOLVER_PBD, friction);
        CHECK_NEAR(pbd.angle, dem.angle, 4);
        CHECK_NEAR(pbd.height / dem.height, 1, 0.05);
    }
}

// By the height of the centre of mass: with so few grains and little friction a heap is too low for
// its slope to be measured. `erg bench realtime --check heap-friction` compares the angles.
TEST(friction_makes_heaps_higher)
{
    for (int solver = ERG_SOLVER_DEM; solver <= ERG_SOLVER_PBD; solver++) {
        heap_shape rough = mean_heap((erg_solver)solver, 0.6);
        heap_shape smooth = mean_heap((erg_solver)solver, 0.15);
        CHECK(rough.height > 1.05 * smooth.height);
    }
}

TEST_MAIN(heaps_stay_as_they_are, heaps_have_the_shape_of_those_of_dem, friction_makes_heaps_higher)
