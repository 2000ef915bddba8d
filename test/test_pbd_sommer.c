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
    printf("    z %g R, speed %g, spin %g of %g\n", read3(world, ERG_FIELD_POSITION, cube).z / R,
           ergi_norm(read3(world, ERG_FIELD_VELOCITY, cube)),
           ergi_norm(read3(world, ERG_FIELD_SPIN, cube)), most);
    erg_world_destroy(world);
}

// A dimer on an incline rolls about its own axis: the contact turns it.
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
    printf("    v %g spin %g\n", v.x, w.y);
    erg_world_destroy(world);
}

// Two dimers hit each other off centre in free space: how much momentum averaging loses.
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
    printf("    p %g l %g\n", ergi_distance(after.p, before.p) / before.p_size,
           ergi_distance(after.l, before.l) / before.l_size);
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
    printf("    z %g, speed %g, spin %g, weight %g\n", s.centre.z, ergi_norm(s.velocity),
           ergi_norm(s.spin), -w.force.z / (0.6 * G));
    erg_world_destroy(world);
}

// Depth at which a ball of that density rests in a bed, over its radius: 0 just covers it. The
// bed's highest grain before, minus the top of the ball.
static double sink(double density)
{
    erg_world_def def = sommer_def((erg_vec3){0, 0, -G});
    erg_world    *world = new_world(&def);
    erg_id        sand = new_sand(world, 0.3, 0.3);
    erg_id        kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, R, R);
    erg_wall_def  box = box_def(sand, none, (erg_vec3){0.12, 0.12, 0.5}, ERG_FACE_Z_MAX);
    new_wall(world, &box);
    fill_box(world, kind, 900, none, (erg_vec3){0.12, 0.12, 0.16});
    erg_id ball = free_body(world, new_ball(0.02), sand, density, (erg_vec3){0.06, 0.06, 0.2});
    run_to(world, 1.5);
    erg_body_state s = state_of(world, ball);
    erg_stats      t = stats_of(world);
    printf("    density %g: z %g, speed %g, spin %g, overlap %g\n", density, s.centre.z,
           ergi_norm(s.velocity), ergi_norm(s.spin), t.max_overlap_ratio);
    erg_world_destroy(world);
    return s.centre.z;
}

TEST(bodies_sink_by_density)
{
    double light = sink(400), heavy = sink(20000);
    CHECK(light > heavy + 0.02);
}

// ---- Options -----------------------------------------------------------------------------------
// A bed of 400 grains in a box eight grains wide, settled.
typedef struct bed {
    double   overlap; // mean over the contacts of the lowest 4 R, in R
    double   height;  // of the centre of mass [m]
    double   energy;  // kinetic, per grain, over m g 2R
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
    totals    t = totals_of(world);
    erg_stats stats = stats_of(world);
    b.energy = stats.kinetic / (double)stats.grains;
    (void)t;
    printf("    overlap %g of %zu, energy %g, contacts %zu\n", b.overlap, low, b.energy, count);
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
    CHECK(four.hash == plain.hash);
    (void)one, (void)scaled, (void)many, (void)printed;
}

// A world of everything: clumps, spheres, a free body, a driven one, a mesh that stands.
static erg_world *mixture(int threads)
{
    erg_world_def def = sommer_def((erg_vec3){0, 0, -G});
    def.threads = threads;
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
