// labels: asan
// Energy: conserved without dissipation, never created, and dissipation is accounted for.
#include "world_helpers.h"

static const char *const normal_names[] = {"linear", "hertz-plain", "hertz-constant", "hertz"};
static const char *const tangential_names[] = {"viscous", "coulomb",      "regularised", "spring",
                                               "bell",    "lee-herrmann", "mindlin",     "yasuda"};

// A cloud in a closed box; returns the world at t = 0.
static erg_world *boxed_cloud(erg_precision precision, erg_shape shape, erg_normal_law normal,
                              erg_tangential_law tangential, double restitution, double friction,
                              double gravity, double rolling, erg_integrator integrator)
{
    erg_world_def def = space_def(precision);
    def.gravity.z = -gravity;
    def.contact.normal = normal;
    def.contact.tangential = tangential;
    def.integrator = integrator;
    def.speed = 1.5;
    erg_world       *world = new_world(&def);
    erg_material_def m = erg_material_def_default();
    m.restitution = restitution;
    m.friction = friction;
    m.rolling = rolling;
    m.twisting = rolling;
    m.young = 1e8;
    erg_id       sand = new_material(world, &m), kind = new_kind(world, shape, sand);
    double       gap = shape == ERG_SHAPE_SPHERE ? 2.4e-3 : 7e-3, half = 2.2 * gap;
    erg_wall_def box =
        box_def(sand, (erg_vec3){-half, -half, -half}, (erg_vec3){half, half, half}, 0);
    new_wall(world, &box);
    add_cloud(world, kind, 4, gap, 1, friction > 0 ? 300 : 0);
    return world;
}

// Undamped Hertz impacts in velocity Verlet at a twentieth of the contact time gain or lose 0.1 %
// each and give it back on average.
TEST(elastic_frictionless_cloud_keeps_its_energy)
{
    static const double gravity[] = {0, 9.81};
    for (int law = 0; law < 4; law++)
        for (int g = 0; g < 2; g++)
            for (int p = 0; p < 2; p++) {
                erg_world *world =
                    boxed_cloud((erg_precision)p, ERG_SHAPE_SPHERE, (erg_normal_law)law,
                                ERG_TANGENTIAL_MINDLIN, 1, 0, gravity[g], 0, ERG_VERLET);
                prepare(world);
                double before = energy_of(world), kinetic = stats_of(world).kinetic;
                for (int k = 0; k < 8; k++) {
                    step(world, 250);
                    CHECK_NEAR(energy_of(world), before, 0.005 * kinetic);
                }
                CHECK(stats_of(world).max_overlap_ratio > 0.005);
                erg_world_destroy(world);
            }
}

TEST(elastic_clumps_keep_their_energy)
{
    for (int shape = ERG_SHAPE_DIMER; shape <= ERG_SHAPE_CUBE; shape++) {
        erg_world *world = boxed_cloud(ERG_FLOAT, (erg_shape)shape, ERG_NORMAL_HERTZ,
                                       ERG_TANGENTIAL_MINDLIN, 1, 0, 0, 0, ERG_VERLET);
        prepare(world);
        double before = energy_of(world);
        step(world, 2000);
        CHECK_NEAR(energy_of(world), before, 0.005 * before);
        CHECK(stats_of(world).rotational >
              0.02 * before); // impacts off the centre set them spinning
        erg_world_destroy(world);
    }
}

// The energy of a run, watched every few steps: never more than 0.5 % of the start above the least
// so far; and what is missing is what the contacts say they took, to 2 % of the start.
static void check_falling(erg_world *world, const char *what)
{
    prepare(world);
    double start = stats_of(world).kinetic + stats_of(world).rotational, before = energy_of(world);
    double least = before, worst = 0, open = 0;
    for (int k = 0; k < 100; k++) {
        step(world, 20);
        double    now = energy_of(world);
        erg_stats s = stats_of(world);
        worst = fmax(worst, now - least);
        least = fmin(least, now);
        open = fmax(open, fabs(before - now - s.dissipated));
    }
    if (worst > 0.005 * start || open > 0.02 * start || least > before - 0.1 * start)
        printf("    %s: grew by %.3g %%, balance open by %.3g %%, left %.3g %%\n", what,
               100 * worst / start, 100 * open / start, 100 * least / before);
    CHECK(worst <= 0.005 * start);
    CHECK(open <= 0.02 * start);
    CHECK(least < before - 0.1 * start); // it was a lossy run
    erg_world_destroy(world);
}

TEST(energy_falls_with_every_tangential_law)
{
    for (int law = 0; law < 8; law++)
        for (int p = 0; p < 2; p++)
            check_falling(boxed_cloud((erg_precision)p, ERG_SHAPE_SPHERE, ERG_NORMAL_HERTZ,
                                      (erg_tangential_law)law, 0.8, 0.5, 0, 0, ERG_VERLET),
                          tangential_names[law]);
}

TEST(energy_falls_with_every_normal_law)
{
    for (int law = 0; law < 4; law++)
        check_falling(boxed_cloud(ERG_FLOAT, ERG_SHAPE_SPHERE, (erg_normal_law)law,
                                  ERG_TANGENTIAL_MINDLIN, 0.5, 0.5, 0, 0, ERG_VERLET),
                      normal_names[law]);
}

TEST(energy_falls_for_clumps_rolling_gravity_and_euler)
{
    check_falling(boxed_cloud(ERG_FLOAT, ERG_SHAPE_TETRAHEDRON, ERG_NORMAL_HERTZ,
                              ERG_TANGENTIAL_MINDLIN, 0.65, 0.5, 0, 0, ERG_VERLET),
                  "tetrahedra");
    check_falling(boxed_cloud(ERG_DOUBLE, ERG_SHAPE_DIMER, ERG_NORMAL_HERTZ, ERG_TANGENTIAL_MINDLIN,
                              0.65, 0.5, 0, 0, ERG_VERLET),
                  "dimers");
    check_falling(boxed_cloud(ERG_FLOAT, ERG_SHAPE_SPHERE, ERG_NORMAL_HERTZ, ERG_TANGENTIAL_MINDLIN,
                              0.65, 0.5, 0, 0.3, ERG_VERLET),
                  "rolling");
    check_falling(boxed_cloud(ERG_FLOAT, ERG_SHAPE_SPHERE, ERG_NORMAL_HERTZ, ERG_TANGENTIAL_MINDLIN,
                              0.65, 0.5, 9.81, 0, ERG_VERLET),
                  "gravity");
    check_falling(boxed_cloud(ERG_FLOAT, ERG_SHAPE_SPHERE, ERG_NORMAL_HERTZ, ERG_TANGENTIAL_MINDLIN,
                              0.65, 0.5, 0, 0, ERG_EULER),
                  "euler");
}

// Without a contact nothing is dissipated and the fall is exact.
TEST(free_fall_is_exact)
{
    erg_world_def def = space_def(ERG_DOUBLE);
    def.gravity.z = -9.81;
    erg_world *world = new_world(&def);
    erg_id     kind = new_kind(world, ERG_SHAPE_CUBE, new_sand(world, 0.65, 0.5));
    erg_gid    id =
        new_grain(world, kind, (erg_vec3){0, 0, 1}, (erg_vec3){0.3, 0, 1}, (erg_vec3){5, 0, 0});
    double before = energy_of(world);
    step(world, 1000);
    double t = erg_world_time(world);
    CHECK_NEAR(read3(world, ERG_FIELD_POSITION, id).z, 1 + t - 0.5 * 9.81 * t * t, 1e-12);
    CHECK_NEAR(read3(world, ERG_FIELD_POSITION, id).x, 0.3 * t, 1e-12);
    CHECK_NEAR(energy_of(world), before, 1e-12 * before);
    CHECK_NEAR(stats_of(world).dissipated, 0, 0);
    CHECK_NEAR(t, 1000 * erg_world_dt(world), 1e-15);
    erg_world_destroy(world);
}

TEST_MAIN(elastic_frictionless_cloud_keeps_its_energy, elastic_clumps_keep_their_energy,
          energy_falls_with_every_tangential_law, energy_falls_with_every_normal_law,
          energy_falls_for_clumps_rolling_gravity_and_euler, free_fall_is_exact)
