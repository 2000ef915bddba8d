// labels: asan
// What of a terrain each grain may touch, listed beforehand: the lists change no bit, and a tool
// keeps awake what it will wake soon, and nothing else.
#include "dem/dem.h"
#include "hybrid_worlds.h"
#include "pbd/pbd.h"
#include "terrain/exchange.h"

// ---- Listed frozen grains ----------------------------------------------------------------------
static ergi_near_ground *lists_of(const erg_world *world)
{
    return world->def.solver == ERG_SOLVER_PBD ? &ergi_pbd_of(world)->near_ground
                                               : &ergi_dem_of(world)->near_ground;
}

static size_t listed(const erg_world *world)
{
    const ergi_near_ground *g = lists_of(world);
    size_t                  sum = 0;
    for (size_t k = 0; k < g->rows; k++)
        if (g->row[k].count <= ERGI_GROUND_SPHERES) sum += g->row[k].count;
    return sum;
}

// One world looks at the listed grains alone, the other forgets its lists before every step and
// looks at all.
static void check_lists(erg_solver solver, int steps)
{
    hybrid_def of = {solver, ERG_FLOAT, HYBRID_STIRS, 1, 0};
    erg_world *one = hybrid_world(&of), *two = hybrid_world(&of);
    size_t     most = 0;
    run_until(one, 0.05);
    run_until(two, 0.05);
    for (int n = 0; n < steps; n++) {
        step(one, 1);
        lists_of(two)->rows = 0;
        step(two, 1);
        most = listed(one) > most ? listed(one) : most;
    }
    CHECK(most > 100);
    CHECK(one->clock.wall_contacts > 50);
    CHECK(erg_world_hash(one) == erg_world_hash(two));
    erg_world_destroy(one);
    erg_world_destroy(two);
}

TEST(lists_change_no_bit)
{
    check_lists(ERG_SOLVER_DEM, 300);
    check_lists(ERG_SOLVER_PBD, 60);
}

// ---- The way of a tool -------------------------------------------------------------------------
static bool kept(const erg_world *world, double x, double y, double below)
{
    const double p[3] = {x * HYBRID_D, y * HYBRID_D, HYBRID_DEPTH - below * HYBRID_D};
    return ergi_exchange_wakes_soon(world->terrain->exchange, p);
}

// A ball half in the sand that starts at (6, 0) d, moves along y and, with a pivot, on a circle
// around the origin: half a turn in 0.5 s.
static erg_world *with_ball(bool circles)
{
    const double d = HYBRID_D;
    hybrid_def   of = {
          .solver = ERG_SOLVER_DEM, .precision = ERG_FLOAT, .tool = HYBRID_NONE, .half = 24};
    erg_world   *world = hybrid_world(&of);
    erg_wall_def tool = erg_wall_def_default(ERG_WALL_SPHERE);
    tool.material = 1;
    tool.side = ERG_SIDE_OUTSIDE;
    tool.sphere.radius = d;
    tool.sphere.centre = (erg_vec3){6 * d, 0, HYBRID_DEPTH};
    tool.motion_count = 1;
    if (circles) {
        tool.has_pivot = true;
        tool.pivot.z = HYBRID_DEPTH;
        tool.motion[0] = erg_motion_def_default(ERG_MOTION_SPIN);
        tool.motion[0].rate = 2 * ERGI_PI;
    } else {
        tool.motion[0] = erg_motion_def_default(ERG_MOTION_VELOCITY);
        tool.motion[0].velocity.y = 2 * ERGI_PI * 6 * d;
    }
    new_wall(world, &tool);
    run_until(world, 0.005);
    return world;
}

TEST(a_tool_keeps_awake_what_lies_on_its_way)
{
    erg_world *circle = with_ball(true), *line = with_ball(false);
    CHECK(kept(circle, 6, 0, 1) && kept(line, 6, 0, 1));
    CHECK(kept(circle, -6, 0, 2)); // half a turn ahead
    CHECK(!kept(line, -6, 0, 2));
    CHECK(kept(line, 6, 18, 2)); // straight ahead
    CHECK(!kept(circle, 6, 18, 2));
    CHECK(!kept(line, 6, 40, 2)); // too far ahead
    CHECK(!kept(circle, 6, 0, 8) && !kept(line, 6, 0, 8));
    CHECK(!kept(line, 6, -9, 2)); // behind it
    erg_world_destroy(circle);
    erg_world_destroy(line);
}

TEST_MAIN(lists_change_no_bit, a_tool_keeps_awake_what_lies_on_its_way)
