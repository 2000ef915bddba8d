// labels: asan
// Fine particles near a mesh: the table bounds the exact distance, and a group that is said to be
// clear of a moving mesh has no particle near it on its whole path.
#include "geom/surface.h"
#include "upsample/upsample.h"
#include "world_helpers.h"

enum { POINTS = 20000, GROUPS = 3000, MEMBERS = 8, SAMPLES = 60 };
static const double KEEP = 2e-3, SIZE = 0.04;

// A cone that turns and flies.
static erg_world *build(erg_wall_side side, erg_mesh **mesh)
{
    erg_primitive cone = erg_primitive_default(ERG_PRIMITIVE_CONE);
    erg_world_def plain = erg_world_def_default();
    erg_wall_def  def = erg_wall_def_default(ERG_WALL_MESH);
    erg_error     err;
    plain.threads = 1;
    plain.gravity = (erg_vec3){0};
    cone.radius = 0.02;
    cone.height = 0.03;
    cone.segments = 12;
    must(erg_mesh_primitive(&cone, mesh, &err), &err);
    erg_world *world = new_world(&plain);
    def.material = new_sand(world, 0.5, 0.5);
    def.mesh.mesh = *mesh;
    def.side = side;
    def.motion[0] = erg_motion_def_default(ERG_MOTION_SPIN);
    def.motion[0].axis = (erg_vec3){1, 2, 0};
    def.motion[0].rate = 30;
    def.motion[1] = erg_motion_def_default(ERG_MOTION_VELOCITY);
    def.motion[1].velocity = (erg_vec3){1, 0.5, 0};
    def.motion_count = 2;
    new_wall(world, &def);
    erg_id kind = new_kind(world, ERG_SHAPE_SPHERE, def.material);
    new_grain(world, kind, (erg_vec3){1, 1, 1}, (erg_vec3){0}, (erg_vec3){0});
    prepare(world);
    return world;
}

static void set(erg_world *world, ergi_fine_walls *walls)
{
    ergi_pose pose = world->wall_state[0].pose;
    erg_error err;
    *walls = (ergi_fine_walls){.keep = KEEP, .reach = 20 * KEEP};
    run_until(world, world->clock.time + 1.0 / 60);
    must(ergi_fine_walls_set(walls, world->wall, &pose, world->wall_state, 1, &err), &err);
    CHECK(walls->exact == 1);
}

static double gap_at(const ergi_fine_wall *w, erg_vec3 p)
{
    return ergi_surface_nearest(w->surface, p).gap;
}

static void check_table(const ergi_fine_walls *walls, ergi_random *r)
{
    const ergi_fine_wall *w = &walls->wall[0];
    double                side = w->table->side;
    size_t                inside = 0, above = 0, loose = 0;
    for (int n = 0; n < POINTS; n++) {
        erg_vec3 p = ergi_scale(ergi_random_in_ball(r), SIZE);
        double   gap = gap_at(w, p), bound = ergi_gap_table_at_least(w->table, w->surface, p);
        above += bound > gap + 1e-12;
        inside += gap < 0;
        loose += fabs(gap) < 3 * side && bound < gap - 1.75 * side;
        double size = (double)(n % 40) * side,
               rough = ergi_gap_table_roughly(w->table, w->surface, p, size);
        above += rough > gap + 1e-12;
        loose += fabs(gap) < 3 * side && rough < gap - 1.75 * fmax(size, side);
    }
    CHECK(above == 0 && loose == 0);
    CHECK(w->surface->side == ERGI_SIDE_BOTH || inside > 100);
}

// Paths are straight in the frame of the mesh.
static double least_gap(const ergi_fine_wall *w, erg_vec3 from, erg_vec3 to, double *end)
{
    erg_vec3 a = ergi_placement_before(&w->from, from), b = ergi_placement_before(&w->to, to);
    double   least = HUGE_VAL;
    for (int k = 0; k <= SAMPLES; k++) {
        *end = gap_at(w, ergi_madd(a, (double)k / SAMPLES, ergi_sub(b, a)));
        least = fmin(least, *end);
    }
    return least;
}

static void check_groups(const ergi_fine_walls *walls, ergi_random *r)
{
    const ergi_fine_wall *w = &walls->wall[0];
    size_t                clear = 0, near = 0, wrong = 0;
    for (int n = 0; n < GROUPS; n++) {
        erg_vec3 middle = ergi_scale(ergi_random_in_ball(r), 1.2 * SIZE);
        erg_vec3 from = ergi_madd(middle, 0.5 * SIZE, ergi_random_in_ball(r));
        erg_vec3 to = ergi_madd(middle, 0.5 * SIZE, ergi_random_in_ball(r));
        double   radius = ergi_random_range(r, 0, 3 * KEEP);
        double   bound = ergi_fine_walls_bound(walls, 0, from, to, radius), end;
        if (bound <= KEEP) {
            near++;
            continue;
        }
        clear++;
        for (int m = 0; m < MEMBERS; m++) {
            erg_vec3 a = ergi_madd(from, radius, ergi_random_in_ball(r));
            erg_vec3 b = ergi_madd(to, radius, ergi_random_in_ball(r));
            wrong += least_gap(w, a, b, &end) < KEEP * (1 - 1e-9);
            wrong += end < bound - 1e-12;
        }
    }
    CHECK(wrong == 0 && clear > GROUPS / 10 && near > GROUPS / 10);
    if (wrong || clear <= GROUPS / 10 || near <= GROUPS / 10)
        printf("    clear %zu, near %zu, wrong %zu\n", clear, near, wrong);
}

static void check_mesh(erg_wall_side side)
{
    ergi_fine_walls walls;
    erg_mesh       *mesh = NULL;
    erg_world      *world = build(side, &mesh);
    ergi_random     r = {.seed = 5};
    set(world, &walls);
    check_table(&walls, &r);
    check_groups(&walls, &r);
    ergi_fine_walls_free(&walls);
    erg_world_destroy(world);
    erg_mesh_destroy(mesh);
}

TEST(a_solid_mesh)
{
    check_mesh(ERG_SIDE_OUTSIDE);
}

TEST(a_shell)
{
    check_mesh(ERG_SIDE_BOTH);
}

// The number of cells is bounded whatever side is asked for.
TEST(a_table_of_tiny_cells)
{
    erg_mesh      *mesh = NULL;
    erg_error      err;
    ergi_gap_table table;
    erg_world     *world = build(ERG_SIDE_OUTSIDE, &mesh);
    must(ergi_gap_table_make(&table, &world->wall[0].wall.surface, 5e-324, 4000000, &err), &err);
    CHECK(table.side > 1e-5 && table.side < 1e-3);
    ergi_gap_table_free(&table);
    erg_world_destroy(world);
    erg_mesh_destroy(mesh);
}

// Walls of one mesh at different places.
static erg_world *build_many(size_t count, erg_mesh *const *mesh)
{
    erg_world_def plain = erg_world_def_default();
    erg_wall_def  def = erg_wall_def_default(ERG_WALL_MESH);
    plain.threads = 1;
    erg_world *world = new_world(&plain);
    def.material = new_sand(world, 0.5, 0.5);
    for (size_t w = 0; w < count; w++) {
        def.mesh.mesh = mesh[w];
        def.mesh.position.x = 0.1 * (double)w;
        new_wall(world, &def);
    }
    new_grain(world, new_kind(world, ERG_SHAPE_SPHERE, def.material), (erg_vec3){1, 1, 1},
              (erg_vec3){0}, (erg_vec3){0});
    return world;
}

static void set_many(erg_world *world, size_t count, double keep, ergi_fine_walls *walls)
{
    erg_error  err;
    ergi_pose *pose = calloc(count, sizeof *pose);
    prepare(world);
    for (size_t w = 0; w < count; w++) pose[w] = world->wall_state[w].pose;
    *walls = (ergi_fine_walls){.keep = keep, .reach = 20 * keep};
    must(ergi_fine_walls_set(walls, world->wall, pose, world->wall_state, count, &err), &err);
    free(pose);
}

TEST(equal_walls_share_a_table)
{
    ergi_fine_walls walls;
    erg_mesh       *mesh = NULL, *other = NULL;
    erg_error       err;
    erg_primitive   cone = erg_primitive_default(ERG_PRIMITIVE_CONE);
    must(erg_mesh_primitive(&cone, &mesh, &err), &err);
    must(erg_mesh_primitive(&cone, &other, &err), &err);
    erg_world *world = build_many(3, (erg_mesh *[]){mesh, mesh, other});
    double     keep = 0.02 * cone.height;
    set_many(world, 3, keep, &walls);
    size_t one = ergi_gap_table_bytes(walls.wall[0].table);
    CHECK(walls.wall[1].table == walls.wall[0].table && walls.wall[2].table != walls.wall[0].table);
    CHECK(one > 100000 && ergi_gap_table_bytes(walls.wall[2].table) == one);
    CHECK(ergi_fine_walls_expected_bytes(world->wall, 3, keep) == 2 * one);
    CHECK(ergi_fine_walls_bytes(&walls) < one * 5 / 2);
    ergi_fine_walls_free(&walls);

    // They count in what a run is expected to need.
    size_t           before = erg_world_expected_bytes(world, 1);
    erg_upsample_def fine = erg_upsample_def_default();
    erg_world_set_upsample(world, &fine, &err);
    CHECK(erg_world_expected_bytes(world, 1) > before);
    erg_world_destroy(world);
    erg_mesh_destroy(other);
    erg_mesh_destroy(mesh);
}

TEST(many_tables_are_bounded_together)
{
    enum { WALLS = 40 };
    ergi_fine_walls walls;
    erg_mesh       *mesh[WALLS] = {NULL};
    erg_error       err;
    erg_primitive   cone = erg_primitive_default(ERG_PRIMITIVE_CONE);
    for (int w = 0; w < WALLS; w++) must(erg_mesh_primitive(&cone, &mesh[w], &err), &err);
    erg_world *world = build_many(WALLS, mesh);
    set_many(world, WALLS, 1e-4 * cone.height, &walls);
    size_t bytes = ergi_fine_walls_bytes(&walls);
    CHECK(bytes > 50000000 && bytes < 130000000);
    ergi_fine_walls_free(&walls);
    erg_world_destroy(world);
    for (int w = 0; w < WALLS; w++) erg_mesh_destroy(mesh[w]);
}

TEST_MAIN(a_solid_mesh, a_shell, a_table_of_tiny_cells, equal_walls_share_a_table,
          many_tables_are_bounded_together)
