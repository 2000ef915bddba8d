// labels: clang
// What wakes columns and what does not: tools beside, below and above the sand, walls that hold
// what is inside them, clumps and large grains of other kinds.
#include "hybrid_worlds.h"
#include "terrain/grain_spheres.h"

static const erg_solver SOLVER[] = {ERG_SOLVER_DEM, ERG_SOLVER_PBD};

static erg_world *new_bed(erg_solver solver)
{
    hybrid_def of = {solver, ERG_FLOAT, HYBRID_NONE, 1, 0};
    return hybrid_world(&of);
}

static erg_id add_ball(erg_world *world, erg_vec3 centre, erg_vec3 velocity, erg_wall_side side,
                       const char *name)
{
    erg_wall_def tool = erg_wall_def_default(ERG_WALL_SPHERE);
    tool.material = 1;
    tool.name = name;
    tool.side = side;
    tool.sphere.radius = 1.5 * HYBRID_D;
    tool.sphere.centre = centre;
    tool.motion_count = 1;
    tool.motion[0] = erg_motion_def_default(ERG_MOTION_VELOCITY);
    tool.motion[0].velocity = velocity;
    return new_wall(world, &tool);
}

// ---- Tools -------------------------------------------------------------------------------------
// In diameters; z of the lowest point, from the surface.
typedef struct tool_case {
    erg_vec3 at;
    erg_vec3 velocity; // [m/s]
    bool     wakes;
} tool_case;

TEST(a_tool_wakes_only_sand_that_it_comes_close_to)
{
    static const tool_case c[] = {
        {{0, 0, -2}, {0.4, 0, 0}, true},     // in it
        {{9.5, 0, -4}, {0, 0.4, 0}, false},  // beside the terrain
        {{9.5, 0, 1}, {0, 0, -0.8}, false},  // falls past it
        {{0, 0, -15}, {0.4, 0, 0}, false},   // below its floor
        {{-2, 0, 1.1}, {0.2, 0, 0}, true},   // close above it
        {{-2, 0, 1.6}, {0.2, 0, 0}, false},  // farther above
        {{-2, 0, 3}, {0.2, 0, 0.2}, false},  // rises
        {{0, 0, 4.5}, {0, 0, -0.4}, true},   // comes down: it is 1 d above the sand at the end
        {{-2, 0, 4}, {0.4, 0, -0.4}, true},  // the same, aslant
        {{-14, 0, -2}, {0.8, 0, 0}, true},   // comes in from the side
        {{-14, 0, -2}, {-0.8, 0, 0}, false}, // goes away from it
    };
    const double d = HYBRID_D;
    for (size_t k = 0; k < sizeof c / sizeof *c; k++) {
        erg_world *world = new_bed(ERG_SOLVER_PBD);
        erg_vec3   at = {c[k].at.x * d, c[k].at.y * d, HYBRID_DEPTH + (c[k].at.z + 1.5) * d};
        add_ball(world, at, c[k].velocity, ERG_SIDE_OUTSIDE, NULL);
        run_until(world, 0.0875);
        erg_terrain_stats t = terrain_of(world);
        CHECK((t.woken > 0) == c[k].wakes);
        if (!c[k].wakes) CHECK(t.frozen == 0);
        erg_world_destroy(world);
    }
}

// What of a tool is below the floor wakes nothing.
TEST(a_tool_that_reaches_below_the_floor)
{
    const double d = HYBRID_D;
    uint64_t     woken[2];
    for (int k = 0; k < 2; k++) {
        erg_world   *world = new_bed(ERG_SOLVER_PBD);
        erg_wall_def post =
            box_def(1, (erg_vec3){-5.9 * d, -d, k ? -5 * d : 0}, (erg_vec3){-5 * d, d, 8 * d}, 0);
        post.side = ERG_SIDE_OUTSIDE;
        post.motion_count = 1;
        post.motion[0] = erg_motion_def_default(ERG_MOTION_VELOCITY);
        post.motion[0].velocity.y = 0.2;
        new_wall(world, &post);
        run_until(world, 0.01);
        woken[k] = terrain_of(world).woken;
        erg_world_destroy(world);
    }
    CHECK(woken[0] > 0 && woken[0] == woken[1]);
}

static void count_warnings(void *user, erg_log_level level, const char *text)
{
    if (level == ERG_LOG_WARNING && strstr(text, "'ball'") && strstr(text, "side: outside"))
        ++*(int *)user;
}

// Neither columns nor frozen grains feel a wall that holds what is inside it; the log says so,
// once.
TEST(a_wall_that_holds_grains_is_no_tool)
{
    for (int k = 0; k < 2; k++) {
        erg_world *world = new_bed(ERG_SOLVER_PBD);
        int        warnings = 0;
        world->def.log = count_warnings;
        world->def.log_user = &warnings;
        add_ball(world, (erg_vec3){0, 0, HYBRID_DEPTH}, (erg_vec3){0.4, 0, 0},
                 k ? ERG_SIDE_OUTSIDE : ERG_SIDE_AUTO, "ball");
        run_until(world, 0.1);
        CHECK((terrain_of(world).woken > 0) == k);
        CHECK(warnings == !k);
        erg_world_destroy(world);
    }
}

// ---- Clumps and grains of other kinds ----------------------------------------------------------
// A pair of spheres lies on a crust of grains, not on smooth columns, and the surface stays below
// its spheres.
TEST(a_clump_lies_on_a_crust)
{
    const double d = HYBRID_D;
    for (int k = 0; k < 2; k++) {
        erg_world *world = new_bed(SOLVER[k]);
        erg_id     pair = new_mixed_kind(world, ERG_SHAPE_DIMER, 1, 0.4 * d, 0.5 * d);
        new_grain(world, pair, (erg_vec3){0, 0, HYBRID_DEPTH + 2 * d}, (erg_vec3){0, 0, 0},
                  (erg_vec3){0, 0, 0});
        run_until(world, 0.3);
        CHECK(terrain_of(world).frozen > 5);
        size_t pairs = 0;
        for (size_t i = 0; i < world->grains.rows; i++) {
            pairs += ergi_grain_spheres(world, i) == 2;
            for (int n = 0; n < ergi_grain_spheres(world, i); n++) {
                double s[4];
                ergi_grain_sphere(world, i, n, s);
                CHECK(s[2] > HYBRID_DEPTH - d && s[2] < HYBRID_DEPTH + 4 * d);
                CHECK(ergi_columns_surface_z(&world->terrain->columns, s[0], s[1]) <
                      s[2] - s[3] + 0.1 * d);
            }
        }
        CHECK(pairs == 1);
        erg_world_destroy(world);
    }
}

// Boulders of one sphere and of two wake a crater, as a free body does; slow and small ones do not.
TEST(a_boulder_wakes_a_crater)
{
    static const struct boulder {
        erg_shape shape;
        double    radius, speed; // [d], [m/s]
        bool      crater;
    } c[] = {{ERG_SHAPE_SPHERE, 1.5, 3, true},
             {ERG_SHAPE_DIMER, 1.5, 3, true},
             {ERG_SHAPE_SPHERE, 1.5, 0, false},
             {ERG_SHAPE_SPHERE, 0.6, 3, false}};
    const double d = HYBRID_D;
    for (size_t k = 0; k < sizeof c / sizeof *c; k++) {
        erg_world *world = new_bed(ERG_SOLVER_PBD);
        erg_id rock = new_mixed_kind(world, c[k].shape, 1, c[k].radius * d, 1.01 * c[k].radius * d);
        double mass = hybrid_mass(world);
        bool   fast = c[k].speed > 0;
        new_grain(world, rock, (erg_vec3){0, 0, HYBRID_DEPTH + (fast ? 12 : c[k].radius + 0.1) * d},
                  (erg_vec3){0, 0, -c[k].speed}, (erg_vec3){0, 0, 0});
        mass += stats_of(world).mass;
        run_until(world, 0.1);
        CHECK((terrain_of(world).woken > 300) == c[k].crater);
        CHECK(fabs(hybrid_mass(world) - mass) < 1e-9 * mass);
        erg_world_destroy(world);
    }
}

TEST_MAIN(a_tool_wakes_only_sand_that_it_comes_close_to, a_tool_that_reaches_below_the_floor,
          a_wall_that_holds_grains_is_no_tool, a_clump_lies_on_a_crust, a_boulder_wakes_a_crater)
