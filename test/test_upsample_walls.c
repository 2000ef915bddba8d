// labels: asan
// The kernel that moves blocks of fine particles out of simple walls agrees with the exact
// distances, and does the same on all instruction sets.
#include "geom/surface.h"
#include "upsample/upsample.h"
#include "world_helpers.h"

enum { COUNT = 100, ROUNDS = 300 };
static const double KEEP = 2e-3, FRICTION = 0.5;

typedef struct cluster {
    uint32_t place[3][COUNT];
    float    velocity[3][COUNT], travel[COUNT];
} cluster;

static const ergi_fine_frame lattice = {.step = {1e-9, 1e-9, 1e-9}};

static ergi_wall_job job_of(cluster *c)
{
    ergi_wall_job job = {.travel = c->travel, .keep = (float)KEEP, .friction = (float)FRICTION};
    job.fine.count = COUNT;
    for (int a = 0; a < 3; a++) {
        job.fine.place[a] = c->place[a];
        job.fine.velocity[a] = c->velocity[a];
        job.step[a] = (float)lattice.step[a];
        job.scale[a] = ergi_fine_scale(&lattice, a, 1.0 / ERGI_FINE_RATE);
        job.most[a] = ergi_fine_max_displacement(&lattice, a);
    }
    return job;
}

static erg_vec3 position(const cluster *c, size_t i)
{
    return ergi_vec3(ergi_fine_position(&lattice, 0, c->place[0][i]),
                     ergi_fine_position(&lattice, 1, c->place[1][i]),
                     ergi_fine_position(&lattice, 2, c->place[2][i]));
}

static double gap(const ergi_fine_wall *w, erg_vec3 p)
{
    return ergi_surface_nearest(w->surface, ergi_placement_before(&w->to, p)).gap;
}

// Particles in a small ball at a random place inside or just outside the wall.
static void make(const ergi_fine_wall *w, double size, ergi_random *r, cluster *c)
{
    erg_vec3 centre;
    do {
        centre = ergi_vec3(ergi_random_range(r, -size, size), ergi_random_range(r, -size, size),
                           ergi_random_range(r, -size, size));
    } while (!(fabs(gap(w, centre)) < 4 * KEEP));
    for (size_t i = 0; i < COUNT; i++) {
        erg_vec3     p = ergi_madd(centre, 3 * KEEP, ergi_random_in_ball(r));
        const double x[3] = {p.x, p.y, p.z};
        for (int a = 0; a < 3; a++) {
            REQUIRE(ergi_fine_to_fixed(&lattice, a, x[a], &c->place[a][i]));
            c->velocity[a][i] = (float)ergi_random_range(r, -1, 1);
        }
        c->travel[i] = 1;
    }
}

static void move(const ergi_fine_walls *walls, const ergi_fine_kernels *kernels, cluster *c)
{
    ergi_wall_job    job = job_of(c);
    ergi_block_walls list = {.count = 0};
    ergi_block_paths paths;
    ergi_path_box    box;
    uint32_t         centre[3];
    double           middle[3], square = 0;
    kernels->path_box(&job, 0, COUNT, true, &box);
    for (int a = 0; a < 3; a++) {
        int32_t half = (box.end_high[a] - box.end_low[a]) / 2;
        centre[a] = box.base[a] + (uint32_t)(box.end_low[a] + half);
        middle[a] = ergi_fine_position(&lattice, a, centre[a]);
        paths.half[a] = lattice.step[a] * (half + 2);
        square += paths.half[a] * paths.half[a];
        paths.ends.low[a] = paths.starts.low[a] = paths.both.low[a] = middle[a] - paths.half[a];
        paths.ends.high[a] = paths.starts.high[a] = paths.both.high[a] = middle[a] + paths.half[a];
    }
    paths.centre = ergi_vec3(middle[0], middle[1], middle[2]);
    paths.radius = sqrt(square);
    CHECK(ergi_block_walls_add(&list, walls, 0, &paths));
    kernels->walls(&job, &list, centre, 0, COUNT);
}

// One wall, at a place where a motion has brought it.
static void check_wall(erg_wall_def *def, double size, double time)
{
    static const char *const isa[] = {"scalar", "avx2", "avx512"};
    erg_world_def            plain = erg_world_def_default();
    plain.threads = 1;
    plain.gravity = (erg_vec3){0};
    erg_world *world = new_world(&plain);
    erg_error  err;
    def->material = new_sand(world, 0.5, 0.5);
    new_wall(world, def);
    erg_id kind = new_kind(world, ERG_SHAPE_SPHERE, def->material);
    new_grain(world, kind, (erg_vec3){0, 0, 0}, (erg_vec3){0}, (erg_vec3){0});
    prepare(world);
    run_until(world, time);
    ergi_fine_walls walls = {.keep = KEEP, .reach = 20 * KEEP, .friction = FRICTION};
    ergi_pose       pose = world->wall_state[0].pose;
    must(ergi_fine_walls_set(&walls, world->wall, &pose, world->wall_state, 1, &err), &err);
    CHECK(walls.wall[0].simple && walls.exact == 0);
    ergi_random r = {.seed = 11};
    size_t      pushed = 0, kept = 0, wrong = 0, past = 0, differ = 0;
    double      worst = 0;
    for (int round = 0; round < ROUNDS; round++) {
        cluster before, after, other;
        make(&walls.wall[0], size, &r, &before);
        after = before;
        move(&walls, ergi_fine_kernels_for("scalar"), &after);
        for (size_t k = 1; k < 3; k++) {
            const ergi_fine_kernels *kernels = ergi_fine_kernels_for(isa[k]);
            if (!kernels) continue;
            other = before;
            move(&walls, kernels, &other);
            differ += memcmp(&other, &after, sizeof after) != 0;
        }
        for (size_t i = 0; i < COUNT; i++) {
            erg_vec3 p = position(&before, i), q = position(&after, i);
            double   from = gap(&walls.wall[0], p), to = gap(&walls.wall[0], q);
            past += from < 0;
            if (from >= 0.9001 * KEEP) {
                kept++;
                wrong += ergi_distance(p, q) > 0;
            } else if (from < 0.8999 * KEEP) {
                pushed++;
                worst = fmax(worst, 0.9 * KEEP - to);
                wrong += after.travel[i] != -1;
            }
        }
    }
    CHECK(differ == 0);
    CHECK(pushed > 1000 && kept > 1000 && past > 300 && wrong == 0);
    CHECK(worst < 1e-3 * KEEP);
    if (worst >= 1e-3 * KEEP)
        printf("    shape %d: worst %g of a radius\n", def->shape, worst / KEEP);
    ergi_fine_walls_free(&walls);
    erg_world_destroy(world);
}

TEST(an_hourglass)
{
    erg_wall_def def = erg_wall_def_default(ERG_WALL_HOURGLASS);
    def.hourglass.axis = (erg_vec3){0, 0, 1};
    def.hourglass.neck_radius = 0.02;
    def.hourglass.bulb_radius = 0.1;
    def.hourglass.cone_height = 0.08;
    def.hourglass.height = 0.3;
    def.hourglass.rounding = 0.01;
    check_wall(&def, 0.16, 0.001);
}

TEST(a_drum_that_has_turned_and_a_sphere)
{
    erg_wall_def drum = erg_wall_def_default(ERG_WALL_CYLINDER);
    drum.cylinder.a = (erg_vec3){0, -0.05, 0};
    drum.cylinder.b = (erg_vec3){0, 0.05, 0};
    drum.cylinder.radius = 0.1;
    drum.motion[0] = erg_motion_def_default(ERG_MOTION_SPIN);
    drum.motion[0].axis = (erg_vec3){1, 1, 0};
    drum.motion[0].rate = 40;
    drum.motion_count = 1;
    check_wall(&drum, 0.12, 0.02);
    erg_wall_def ball = erg_wall_def_default(ERG_WALL_SPHERE);
    ball.sphere.radius = 0.05;
    check_wall(&ball, 0.06, 0.001);
}

TEST(a_box_and_a_plane)
{
    erg_wall_def box = box_def(0, (erg_vec3){-0.05, -0.06, -0.07}, (erg_vec3){0.05, 0.06, 0.07}, 0);
    check_wall(&box, 0.08, 0.001);
    erg_wall_def plane = erg_wall_def_default(ERG_WALL_PLANE);
    plane.plane.normal = (erg_vec3){1, 2, 2};
    plane.plane.point = (erg_vec3){0, 0, -0.01};
    check_wall(&plane, 0.05, 0.001);
}

TEST_MAIN(an_hourglass, a_drum_that_has_turned_and_a_sphere, a_box_and_a_plane)
