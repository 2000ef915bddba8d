// The variant of Sommer et al. 2022: shape matching, samples, mass scaling, iterations, limits of
// friction, and the same state on any number of threads and after loading a checkpoint.
// labels: asan clang tsan hdf5
#include "body_helpers.h"
#include "scratch.h"

#define G 9.81
#define R 5e-3

static const erg_vec3 none = {0, 0, 0};

static erg_world_def sommer_def(erg_vec3 gravity)
{
    erg_world_def def = erg_world_def_default();
    def.solver = ERG_SOLVER_PBD;
    def.pbd.variant = ERG_PBD_SOMMER;
    def.threads = 1;
    def.gravity = gravity;
    return def;
}

static erg_id free_body(erg_world *world, erg_mesh *mesh, erg_id material, double density,
                        erg_vec3 at)
{
    erg_body_def def = erg_body_def_default();
    def.mesh = mesh;
    def.material = material;
    def.density = density;
    def.position = at;
    def.free = true;
    erg_id id = new_body(world, &def);
    erg_mesh_destroy(mesh);
    return id;
}

// ---- Clumps ------------------------------------------------------------------------------------
// Free flight keeps momentum, and spin about each axis.
TEST(clumps_fly)
{
    erg_world_def def = sommer_def(none);
    erg_world    *world = new_world(&def);
    erg_id        sand = new_sand(world, 0.3, 0.5);
    erg_id        kind = new_mixed_kind(world, ERG_SHAPE_CUBE, sand, R, R);
    erg_vec3      velocity = {0.3, -0.2, 0.1}, spin = {5, 10, -3};
    erg_gid       cube = new_grain(world, kind, none, velocity, spin);
    run_until(world, 1);
    erg_vec3 way = ergi_scale(velocity, erg_world_time(world));
    CHECK_NEAR(ergi_distance(read3(world, ERG_FIELD_POSITION, cube), way), 0, 1e-5);
    CHECK_NEAR(ergi_distance(read3(world, ERG_FIELD_VELOCITY, cube), velocity), 0, 1e-5);
    CHECK_NEAR(ergi_distance(read3(world, ERG_FIELD_SPIN, cube), spin), 0, 1e-3);
    erg_world_destroy(world);
}

// A cube of eight spheres falls on a corner, topples and comes to rest on a face.
TEST(a_clump_falls_topples_and_rests)
{
    erg_world_def def = sommer_def((erg_vec3){0, 0, -G});
    erg_world    *world = new_world(&def);
    erg_id        sand = new_sand(world, 0.3, 0.5);
    erg_id        kind = new_mixed_kind(world, ERG_SHAPE_CUBE, sand, R, R);
    erg_wall_def  floor = floor_def(sand);
    new_wall(world, &floor);
    erg_gid cube = new_grain(world, kind, (erg_vec3){0, 0, 0.05}, none, (erg_vec3){3, 2, 0});
    double  most = 0;
    for (int k = 0; k < 40; k++) {
        run_until(world, 0.05 * (k + 1));
        most = fmax(most, ergi_norm(read3(world, ERG_FIELD_SPIN, cube)));
    }
    CHECK(most > 10);
    CHECK_NEAR(read3(world, ERG_FIELD_POSITION, cube).z, 2 * R, 0.05 * R);
    CHECK(ergi_norm(read3(world, ERG_FIELD_VELOCITY, cube)) < 0.03);
    CHECK(ergi_norm(read3(world, ERG_FIELD_SPIN, cube)) < 1e-3);
    erg_world_destroy(world);
}

// A cube that slides faster than it rolls: friction slows it and turns it faster.
TEST(a_clump_rolls)
{
    double        angle = 0.2;
    erg_world_def def = sommer_def((erg_vec3){G * sin(angle), 0, -G * cos(angle)});
    erg_world    *world = new_world(&def);
    erg_id        sand = new_sand(world, 0.3, 0.6);
    erg_id        kind = new_mixed_kind(world, ERG_SHAPE_CUBE, sand, R, R);
    erg_wall_def  floor = floor_def(sand);
    new_wall(world, &floor);
    erg_gid cube =
        new_grain(world, kind, (erg_vec3){0, 0, 2 * R}, (erg_vec3){1, 0, 0}, (erg_vec3){0, 80, 0});
    run_until(world, 0.1);
    erg_vec3 v = read3(world, ERG_FIELD_VELOCITY, cube), w = read3(world, ERG_FIELD_SPIN, cube);
    CHECK(v.x > 0.5 && v.x < 0.95);
    CHECK(w.y > 90 && w.y < 150);
    erg_world_destroy(world);
}

// Dimers that collide in free space. Averaging conserves momentum only approximately.
TEST(clumps_collide)
{
    erg_world_def def = sommer_def(none);
    erg_world    *world = new_world(&def);
    erg_id        sand = new_sand(world, 0.6, 0.5);
    erg_id        kind = new_mixed_kind(world, ERG_SHAPE_DIMER, sand, R, R);
    add_cloud(world, kind, 4, 5 * R, 1, 20);
    totals before = totals_of(world);
    run_until(world, 0.2);
    totals after = totals_of(world);
    CHECK_NEAR(ergi_distance(after.p, before.p), 0, 0.05 * before.p_size);
    CHECK_NEAR(ergi_distance(after.l, before.l), 0, 0.05 * before.l_size);
    erg_world_destroy(world);
}

// ---- Free bodies -------------------------------------------------------------------------------
TEST(a_box_falls_rests_and_weighs)
{
    erg_world_def def = sommer_def((erg_vec3){0, 0, -G});
    erg_world    *world = new_world(&def);
    erg_id        wood = new_wood(world, 0.3, 0.5);
    erg_wall_def  floor = floor_def(wood);
    erg_id        plane = new_wall(world, &floor);
    erg_id        box = free_body(world, new_box(0.1, 0.1, 0.1), wood, 600, (erg_vec3){0, 0, 0.25});
    run_to(world, 0.1);
    CHECK_NEAR(state_of(world, box).velocity.z, -G * 0.1, 0.05);
    run_to(world, 2);
    erg_body_state s = state_of(world, box);
    erg_wall_state w;
    erg_error      err;
    must(erg_world_wall_state(world, plane, &w, &err), &err);
    CHECK_NEAR(s.centre.z, 0.05, 1e-3);
    CHECK(ergi_norm(s.velocity) < 0.03 && ergi_norm(s.spin) < 0.02);
    // 0.60: averaging with the shape's own correction hides a part of the force.
    double weight = -w.force.z / (0.6 * G);
    CHECK(weight > 0.45 && weight < 1.05);
    erg_world_destroy(world);
}

// Height at which a ball of that density comes to rest that falls on a bed at x. [m]
static double sink(double density, double x)
{
    erg_world_def def = sommer_def((erg_vec3){0, 0, -G});
    erg_world    *world = new_world(&def);
    erg_id        sand = new_sand(world, 0.3, 0.3);
    erg_id        kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, R, R);
    erg_wall_def  box = box_def(sand, none, (erg_vec3){0.12, 0.12, 0.5}, ERG_FACE_Z_MAX);
    new_wall(world, &box);
    fill_box(world, kind, 900, none, (erg_vec3){0.12, 0.12, 0.16});
    erg_id ball = free_body(world, new_ball(0.02), sand, density, (erg_vec3){x, 0.06, 0.2});
    run_to(world, 1.5);
    erg_body_state s = state_of(world, ball);
    CHECK(ergi_norm(s.velocity) < 0.1);
    erg_world_destroy(world);
    return s.centre.z;
}

TEST(bodies_sink_by_density)
{
    CHECK(sink(400, 0.06) > 0.045);
    // On the floor; where it falls decides whether it comes down on a grain.
    double a = sink(20000, 0.05), b = sink(20000, 0.06), c = sink(20000, 0.07);
    CHECK_NEAR(fmax(fmin(a, b), fmin(fmax(a, b), c)), 0.02, 2e-3); // the middle one
}

// ---- Options -----------------------------------------------------------------------------------
// A bed of 400 grains in a box eight grains wide, settled.
typedef struct bed {
    double   overlap; // mean over the contacts of the lowest 4 R, in R
    double   energy;  // kinetic, per grain [J]
    uint64_t hash;
} bed;

static bed settle(const erg_world_def *def)
{
    erg_world   *world = new_world(def);
    erg_id       sand = new_sand(world, 0.3, 0.3);
    erg_id       kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, R, R);
    erg_wall_def box = box_def(sand, none, (erg_vec3){16 * R, 8 * R, 1}, ERG_FACE_Z_MAX);
    new_wall(world, &box);
    fill_box(world, kind, 400, none, (erg_vec3){16 * R, 8 * R, 0.5});
    run_until(world, 2);
    static erg_contact contact[8192];
    size_t             count = 0, low = 0;
    erg_error          err;
    must(erg_world_contacts(world, contact, 8192, &count, &err), &err);
    bed b = {.hash = erg_world_hash(world)};
    for (size_t k = 0; k < count; k++) {
        if (contact[k].wall || contact[k].point.z > 4 * R) continue;
        b.overlap += contact[k].overlap / R;
        low++;
    }
    b.overlap /= low ? (double)low : 1;
    erg_stats stats = stats_of(world);
    b.energy = stats.kinetic / (double)stats.grains;
    erg_world_destroy(world);
    return b;
}

TEST(mass_scaling_and_iterations_reduce_overlap)
{
    erg_world_def def = sommer_def((erg_vec3){0, 0, -G});
    def.pbd.mass_scaling = 0;
    bed plain = settle(&def);
    def.pbd.mass_scaling = 1;
    bed one = settle(&def);
    def.pbd.mass_scaling = 50;
    bed scaled = settle(&def);
    def.pbd.mass_scaling = 0;
    def.pbd.iterations = 8;
    bed many = settle(&def);
    def.pbd.iterations = 4;
    bed four = settle(&def);
    def.pbd.iterations = 0;
    def.pbd.friction_limit = ERG_PBD_LIMIT_DIAMETER;
    bed printed = settle(&def);
    // Measured: 0.303, with mass scaling 0.139, with eight iterations 0.194; mass_scaling 1 is too
    // weak to be seen among grains of 5 mm, and so is the printed limit of friction.
    CHECK(plain.overlap > 0.2 && plain.overlap < 0.4);
    CHECK(scaled.overlap < 0.65 * plain.overlap);
    CHECK(many.overlap < 0.8 * plain.overlap && many.energy < 0.5 * plain.energy);
    CHECK(four.hash == plain.hash);
    CHECK(one.hash != plain.hash && printed.hash != plain.hash);
}

// A world of everything: clumps, spheres, a free body, a driven one, a mesh that stands.
static erg_world *mixture(int threads)
{
    erg_world_def def = sommer_def((erg_vec3){0, 0, -G});
    def.threads = threads;
    def.fixed_threads = true;
    erg_world *world = new_world(&def);
    erg_id     sand = new_sand(world, 0.3, 0.3);
    erg_id     spheres = new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, R, R),
           cubes = new_mixed_kind(world, ERG_SHAPE_CUBE, sand, R, R);
    erg_wall_def box = box_def(sand, none, (erg_vec3){0.12, 0.12, 0.5}, ERG_FACE_Z_MAX);
    new_wall(world, &box);
    fill_box(world, spheres, 900, none, (erg_vec3){0.12, 0.12, 0.3});
    fill_box(world, cubes, 60, (erg_vec3){0, 0, 0.3}, (erg_vec3){0.12, 0.12, 0.5});
    free_body(world, new_ball(0.02), sand, 2000, (erg_vec3){0.06, 0.06, 0.55});
    free_body(world, new_box(0.03, 0.03, 0.03), sand, 2000, (erg_vec3){0.06, 0.07, 0.62});
    erg_mesh    *mesh = new_box(0.02, 0.02, 0.1);
    erg_body_def post = erg_body_def_default();
    post.mesh = mesh;
    post.material = sand;
    post.position = (erg_vec3){0.03, 0.03, 0.05};
    post.free = false;
    new_body(world, &post);
    erg_mesh_destroy(mesh);
    return world;
}

TEST(threads_and_checkpoints_give_the_same_bits)
{
    scratch folder;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "state.ckpt");
    erg_error   err;
    erg_world  *one = mixture(1), *two = mixture(2);
    step(one, 100);
    must(erg_world_save(one, path, NULL, NULL, &err), &err);
    must(erg_world_load(two, path, &err), &err);
    CHECK(erg_world_hash(one) == erg_world_hash(two));
    for (int n = 0; n < 3; n++) {
        step(one, 20);
        step(two, 20);
        CHECK(erg_world_hash(one) == erg_world_hash(two));
    }
    erg_world_destroy(one);
    erg_world_destroy(two);
    scratch_close(&folder);
}

TEST_MAIN(clumps_fly, clumps_collide, a_clump_falls_topples_and_rests, a_clump_rolls,
          a_box_falls_rests_and_weighs, bodies_sink_by_density,
          mass_scaling_and_iterations_reduce_overlap, threads_and_checkpoints_give_the_same_bits)
