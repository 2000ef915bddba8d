// Restitution in the real-time solver: impacts of spheres, clumps and bodies that turn.
// labels: asan clang
#include "body_helpers.h"

#define R 5e-3

static const erg_vec3 none = {0, 0, 0};

static erg_world *elastic_world(double restitution, erg_id *material)
{
    erg_world_def def = erg_world_def_default();
    def.solver = ERG_SOLVER_PBD;
    def.threads = 1;
    def.gravity = none;
    erg_world *world = new_world(&def);
    *material = new_sand(world, restitution, 0);
    return world;
}

static double kinetic(const erg_world *world)
{
    erg_stats s = stats_of(world);
    return s.kinetic + s.rotational;
}

// ---- Single impacts ----------------------------------------------------------------------------
// A rod of half length h whose centre is at rest turns at w until an end strikes a floor. There it
// moves at u = w h cos(a), and it leaves with p = (1 + e) u / (1/m + (h cos(a))^2 / I).
static void strike(double restitution)
{
    const double  h = 0.05, spin = 10, height = 0.05, mass = 0.05;
    erg_id        material;
    erg_world    *world = elastic_world(restitution, &material);
    erg_wall_def  floor = floor_def(material);
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_CAPSULE);
    shape.radius = 0.01;
    shape.height = 2 * h;
    new_wall(world, &floor);
    erg_mesh    *mesh = new_shape(shape);
    erg_body_def body = erg_body_def_default();
    body.mesh = mesh;
    body.material = material;
    body.mass = mass;
    body.position = (erg_vec3){0, 0, height};
    body.rotation = ergi_quat_from_axis_angle(ergi_vec3(0, 1, 0), acos(0.0));
    body.spin = (erg_vec3){0, spin, 0};
    body.free = true;
    erg_id rod = new_body(world, &body);
    erg_mesh_destroy(mesh);
    run_to(world, 0.02);
    double before = kinetic(world), inertia = 2 * before / (spin * spin);
    double sine = (height - shape.radius) / h, arm = h * sqrt(1 - sine * sine);
    double speed = (1 + restitution) * spin * arm / (1 + mass * arm * arm / inertia);
    run_to(world, 0.15);
    CHECK_NEAR(state_of(world, rod).velocity.z, speed, 0.06 * speed);
    if (restitution == 1) CHECK_NEAR(kinetic(world) / before, 1, 0.02);
    erg_world_destroy(world);
}

TEST(a_rod_that_turns_rebounds)
{
    strike(1);
    strike(0.8);
    strike(0.3);
}

// All corners touch at once; the box neither turns nor is its rebound that of one corner.
TEST(a_face_that_lands_flat_rebounds)
{
    erg_id       material;
    erg_world   *world = elastic_world(0.5, &material);
    erg_wall_def floor = floor_def(material);
    new_wall(world, &floor);
    erg_mesh    *mesh = new_box(0.1, 0.08, 0.04);
    erg_body_def body = erg_body_def_default();
    body.mesh = mesh;
    body.material = material;
    body.mass = 1;
    body.position = (erg_vec3){0, 0, 0.03};
    body.velocity = (erg_vec3){0, 0, -1};
    body.free = true;
    erg_id box = new_body(world, &body);
    erg_mesh_destroy(mesh);
    run_to(world, 0.1);
    CHECK_NEAR(state_of(world, box).velocity.z, 0.5, 1e-3);
    CHECK(ergi_norm(state_of(world, box).spin) < 0.01);
    erg_world_destroy(world);
}

// ---- Many impacts ------------------------------------------------------------------------------
// 120 elastic grains in a box: highest and last energy over that at the start.
static void gas(erg_world *world, erg_id material, erg_id kind, double *highest, double *last)
{
    const double a = 0.09;
    erg_wall_def box = box_def(material, (erg_vec3){-a, -a, -a}, (erg_vec3){a, a, a}, 0);
    new_wall(world, &box);
    add_cloud(world, kind, 5, 6 * R, 1.5, 60);
    double start = kinetic(world);
    *highest = 0;
    for (int k = 1; k <= 20; k++) {
        run_until(world, 0.05 * k);
        *last = kinetic(world) / start;
        *highest = fmax(*highest, *last);
    }
}

TEST(impacts_of_spheres_add_no_energy)
{
    double     highest, last;
    erg_id     material;
    erg_world *world = elastic_world(1, &material);
    gas(world, material, new_mixed_kind(world, ERG_SHAPE_SPHERE, material, R, R), &highest, &last);
    printf("    spheres: highest %.4f, last %.4f\n", highest, last);
    CHECK(highest < 1.001);
    CHECK(last > 0.9);
    erg_world_destroy(world);
}

TEST(impacts_of_clumps_keep_their_energy)
{
    static const erg_shape shape[] = {ERG_SHAPE_DIMER, ERG_SHAPE_TETRAHEDRON};
    for (int k = 0; k < 2; k++) {
        double     highest, last;
        erg_id     material;
        erg_world *world = elastic_world(1, &material);
        gas(world, material, new_mixed_kind(world, shape[k], material, R, R), &highest, &last);
        printf("    clumps: highest %.4f, last %.4f\n", highest, last);
        CHECK(highest < 1.01);
        CHECK(last > 0.85);
        erg_world_destroy(world);
    }
}

TEST_MAIN(a_rod_that_turns_rebounds, a_face_that_lands_flat_rebounds,
          impacts_of_spheres_add_no_energy, impacts_of_clumps_keep_their_energy)
