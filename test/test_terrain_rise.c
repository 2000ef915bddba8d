// labels: asan clang hdf5
// Columns without a kind of grains, with grains on them: what a blade pushes does not rise into the
// grains.
#include "erg/terrain.h"
#include "geom/query_heights.h"
#include "scratch.h"
#include "terrain/terrain.h"
#include "world_helpers.h"

static const double R = 5e-3, LEVEL = 0.1; // [m]

// A blade that moves along x, with a crowd of grains ahead of it.
static erg_world *new_push(erg_solver solver, int threads)
{
    erg_world_def    def = erg_world_def_default();
    erg_material_def m = erg_material_def_default();
    erg_error        err;
    def.threads = threads;
    def.fixed_threads = true;
    def.solver = solver;
    def.seed = 3;
    m.young = 1e7;
    m.density = 2000;
    m.restitution = 0.1;
    m.friction = 0.5;
    erg_world      *world = new_world(&def);
    erg_id          sand = new_material(world, &m);
    erg_id          kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, 0.999 * R, R);
    erg_terrain_def t = erg_terrain_def_default();
    t.material = sand;
    t.spacing = 2 * R;
    t.height = LEVEL;
    t.lower[0] = t.lower[1] = -20 * R;
    t.upper[0] = t.upper[1] = 20 * R;
    must(erg_world_set_terrain(world, &t, &err), &err);
    erg_wall_def blade = box_def(sand, (erg_vec3){-18 * R, -10 * R, LEVEL - 6 * R},
                                 (erg_vec3){-12 * R, 10 * R, LEVEL + 20 * R}, 0);
    blade.side = ERG_SIDE_OUTSIDE;
    blade.motion_count = 1;
    blade.motion[0] = erg_motion_def_default(ERG_MOTION_VELOCITY);
    blade.motion[0].velocity.x = 0.2;
    blade.motion[0].stop = 0.3;
    new_wall(world, &blade);
    fill_box(world, kind, 40, (erg_vec3){-11.5 * R, -8 * R, LEVEL},
             (erg_vec3){-2 * R, 8 * R, LEVEL + 5 * R});
    return world;
}

// Of a grain and the surface, in radii.
static double deepest_overlap(const erg_world *world)
{
    const double            *s = ERGI_GRAIN(world, POSITION, double);
    const ergi_height_field *field = &world->terrain->field;
    double                   most = -HUGE_VAL;
    for (size_t i = 0; i < world->grains.rows; i++, s += 4) {
        if (!ergi_heights_inside(field, s[0], s[1])) continue;
        ergi_heights_point at = ergi_heights_at(field, s[0], s[1]);
        most = fmax(most, 1 - ergi_heights_smooth(&at, ergi_vec3(s[0], s[1], s[2])).gap / s[3]);
    }
    return most;
}

// How far the surface is from the columns, at most.
static double worst_lag(const erg_world *world)
{
    const ergi_columns *c = &world->terrain->columns;
    double              most = 0;
    for (size_t k = 0; k < c->table.rows; k++)
        most = fmax(most, fabs((double)ergi_columns_surface(c)[k] -
                               ergi_columns_z(c, ergi_columns_height(c)[k])));
    return most;
}

static void push(erg_solver solver, double limit)
{
    erg_world *world = new_push(solver, 1);
    erg_error  err;
    double     lag = 0, deepest = 0;
    for (int k = 1; k <= 160; k++) {
        must(erg_world_run(world, k / 480.0, NULL, NULL, &err), &err);
        deepest = fmax(deepest, deepest_overlap(world));
        lag = fmax(lag, worst_lag(world));
    }
    CHECK(deepest < limit);
    CHECK(lag > R && world->grains.rows == 40);
    // Nothing waits once the grains are gone.
    while (world->grains.rows > 0) {
        erg_gid id = ERGI_GRAIN(world, ID, uint64_t)[0];
        must(erg_world_remove_grains(world, &id, 1, &err), &err);
    }
    run_until(world, 0.4);
    CHECK(worst_lag(world) < 1e-7);
    erg_world_destroy(world);
}

TEST(soft_spheres)
{
    push(ERG_SOLVER_DEM, 0.2);
}

TEST(real_time)
{
    push(ERG_SOLVER_PBD, 0.3);
}

TEST(resumed)
{
    static const erg_solver solver[] = {ERG_SOLVER_DEM, ERG_SOLVER_PBD};
    scratch                 folder;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "rise.h5");
    for (int k = 0; k < 2; k++) {
        erg_world *one = new_push(solver[k], 1), *two = new_push(solver[k], 2);
        erg_error  err;
        run_until(one, 0.13);
        must(erg_world_save(one, path, NULL, NULL, &err), &err);
        must(erg_world_load(two, path, &err), &err);
        CHECK(worst_lag(one) > 0.5 * R);
        run_until(one, 0.25);
        run_until(two, 0.25);
        CHECK(erg_world_hash(one) == erg_world_hash(two));
        erg_world_destroy(one);
        erg_world_destroy(two);
    }
    scratch_close(&folder);
}

TEST_MAIN(soft_spheres, real_time, resumed)
