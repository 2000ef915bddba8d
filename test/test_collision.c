// labels: asan clang
// Impacts simulated by the whole engine agree with the contact laws.
#include "dem/dem.h"
#include "world_helpers.h"

static const char *const normal_names[] = {"linear", "hertz-plain", "hertz-constant", "hertz"};

typedef struct impact {
    double restitution, time; // [1], [s]
} impact;

// Two equal spheres meet head on, or one meets a wall, at `speed` against each other.
static impact collide(erg_precision precision, erg_normal_law law, double restitution, double speed,
                      double young, bool wall)
{
    erg_world_def def = space_def(precision);
    def.contact.normal = law;
    def.speed = speed;
    def.dt_factor = 0.02;
    erg_world       *world = new_world(&def);
    erg_material_def m = erg_material_def_default();
    m.restitution = restitution;
    m.young = young;
    erg_id   sand = new_material(world, &m), kind = new_kind(world, ERG_SHAPE_SPHERE, sand);
    erg_gid  id;
    erg_vec3 none = {0, 0, 0};
    if (wall) {
        erg_wall_def plane = floor_def(sand);
        new_wall(world, &plane);
        id = new_grain(world, kind, (erg_vec3){0, 0, 1.001e-3}, (erg_vec3){0, 0, -speed}, none);
    } else {
        id =
            new_grain(world, kind, (erg_vec3){0, 0, 1.0005e-3}, (erg_vec3){0, 0, -speed / 2}, none);
        new_grain(world, kind, (erg_vec3){0, 0, -1.0005e-3}, (erg_vec3){0, 0, speed / 2}, none);
    }
    impact result = {-1, 0};
    bool   touched = false;
    for (int k = 0; k < 4000; k++) {
        step(world, 1);
        bool touches = erg_world_contact_count(world) > 0;
        if (touches) result.time += erg_world_dt(world);
        touched |= touches;
        if (touched && !touches) break;
    }
    result.restitution = read3(world, ERG_FIELD_VELOCITY, id).z / (wall ? speed : speed / 2);
    erg_world_destroy(world);
    return result;
}

// The first step inside comes up to one dt late: e is off by some dt over contact time.
TEST(restitution_out_is_restitution_in)
{
    static const double wanted[] = {0.3, 0.65, 0.9, 1.0};
    for (int law = 0; law < 4; law++)
        for (int e = 0; e < 4; e++)
            for (int wall = 0; wall < 2; wall++)
                for (int p = 0; p < 2; p++) {
                    impact i = collide((erg_precision)p, (erg_normal_law)law, wanted[e], 1, 1e8,
                                       wall == 1);
                    if (fabs(i.restitution - wanted[e]) > 0.01)
                        printf("    %s, %s, %s\n", normal_names[law], wall ? "wall" : "pair",
                               p ? "double" : "float");
                    CHECK_NEAR(i.restitution, wanted[e], 0.01);
                }
}

// Bell et al. 2005, figure 3: e(v) flat, rising, flat, falling.
TEST(restitution_depends_on_speed_as_in_bell)
{
    static const double speed[] = {0.1, 1, 10};
    double              e[4][3];
    for (int law = 0; law < 4; law++)
        for (int k = 0; k < 3; k++)
            e[law][k] =
                collide(ERG_DOUBLE, (erg_normal_law)law, 0.65, speed[k], 1e9, false).restitution;
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(e[ERG_NORMAL_LINEAR][k], 0.65, 0.01);
        CHECK_NEAR(e[ERG_NORMAL_HERTZ_CONSTANT][k], 0.65, 0.01);
    }
    CHECK(e[ERG_NORMAL_HERTZ_PLAIN][0] < e[ERG_NORMAL_HERTZ_PLAIN][1] - 0.05);
    CHECK(e[ERG_NORMAL_HERTZ_PLAIN][1] < e[ERG_NORMAL_HERTZ_PLAIN][2] - 0.05);
    CHECK(e[ERG_NORMAL_HERTZ][0] > e[ERG_NORMAL_HERTZ][1] + 0.05);
    CHECK(e[ERG_NORMAL_HERTZ][1] > e[ERG_NORMAL_HERTZ][2] + 0.05);
}

// t = 3.218 (m*/k)^(2/5) v^(-1/5), seen to the step.
TEST(contact_lasts_as_hertz_says)
{
    for (int wall = 0; wall < 2; wall++) {
        double r = wall ? 1e-3 : 0.5e-3, m = 2500 * 4.0 / 3 * 3.14159265358979 * 1e-9;
        double k = 4.0 / 3 * (1e8 / (2 * (1 - 0.0625))) * sqrt(r);
        double time = 3.218 * pow((wall ? m : m / 2) / k, 0.4);
        impact i = collide(ERG_DOUBLE, ERG_NORMAL_HERTZ, 1, 1, 1e8, wall == 1);
        CHECK_NEAR(i.time, time, 0.03 * time);
    }
}

// The centre of mass of two spheres of different mass keeps its velocity; the light one bounces
// back.
TEST(unlike_masses_share_momentum)
{
    erg_world_def def = space_def(ERG_DOUBLE);
    def.speed = 1;
    def.dt_factor = 0.02;
    def.contact.normal = ERG_NORMAL_HERTZ_CONSTANT;
    erg_world *world = new_world(&def);
    erg_id     sand = new_sand(world, 0.5, 0.5);
    erg_id     kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, 1e-3, 2e-3);
    erg_vec3   at[2] = {{-1.5e-3, 0, 0}, {1.6e-3, 0, 0}}, v[2] = {{1, 0, 0}, {0, 0, 0}};
    double     size[2] = {1e-3, 2e-3};
    erg_gid    id[2];
    erg_error  err;
    erg_grains g = {.kind = kind, .count = 2, .position = at, .velocity = v, .size = size};
    must(erg_world_add_grains(world, &g, id, &err), &err);
    step(world, 1000);
    // v1' = (m1 - e m2)/(m1 + m2), v2' = (1 + e) m1/(m1 + m2), m2 = 8 m1
    CHECK_NEAR(read3(world, ERG_FIELD_VELOCITY, id[0]).x, (1 - 0.5 * 8) / 9, 0.005);
    CHECK_NEAR(read3(world, ERG_FIELD_VELOCITY, id[1]).x, 1.5 / 9, 0.005);
    erg_world_destroy(world);
}

// ---- Clouds ------------------------------------------------------------------------------------
typedef struct cloud {
    const char        *what;
    erg_shape          shape;
    bool               mixed;
    erg_normal_law     normal;
    erg_tangential_law tangential;
    double             rolling, cohesion;
} cloud;

static const cloud clouds[] = {
    {"spheres", ERG_SHAPE_SPHERE, false, ERG_NORMAL_HERTZ, ERG_TANGENTIAL_MINDLIN, 0, 0},
    {"mixed spheres", ERG_SHAPE_SPHERE, true, ERG_NORMAL_HERTZ, ERG_TANGENTIAL_MINDLIN, 0, 0},
    {"tetrahedra", ERG_SHAPE_TETRAHEDRON, false, ERG_NORMAL_HERTZ, ERG_TANGENTIAL_MINDLIN, 0, 0},
    {"dimers", ERG_SHAPE_DIMER, false, ERG_NORMAL_HERTZ, ERG_TANGENTIAL_MINDLIN, 0, 0},
    {"mixed dimers", ERG_SHAPE_DIMER, true, ERG_NORMAL_LINEAR, ERG_TANGENTIAL_SPRING, 0, 0},
    {"regularised", ERG_SHAPE_SPHERE, false, ERG_NORMAL_HERTZ_CONSTANT, ERG_TANGENTIAL_REGULARISED,
     0, 0},
    {"viscous", ERG_SHAPE_SPHERE, false, ERG_NORMAL_HERTZ_PLAIN, ERG_TANGENTIAL_VISCOUS, 0, 0},
    {"coulomb", ERG_SHAPE_DIMER, false, ERG_NORMAL_HERTZ, ERG_TANGENTIAL_COULOMB, 0, 0},
    {"lee-herrmann", ERG_SHAPE_SPHERE, true, ERG_NORMAL_HERTZ_PLAIN, ERG_TANGENTIAL_LEE_HERRMANN, 0,
     0},
    {"bell", ERG_SHAPE_TETRAHEDRON, false, ERG_NORMAL_HERTZ, ERG_TANGENTIAL_BELL, 0, 0},
    {"yasuda", ERG_SHAPE_SPHERE, false, ERG_NORMAL_LINEAR, ERG_TANGENTIAL_YASUDA, 0, 0},
    {"rolling", ERG_SHAPE_SPHERE, true, ERG_NORMAL_HERTZ, ERG_TANGENTIAL_MINDLIN, 0.2, 0},
    {"sticky", ERG_SHAPE_DIMER, false, ERG_NORMAL_HERTZ, ERG_TANGENTIAL_MINDLIN, 0.1, 1e5},
};

// Every kick rounds a velocity or spin by at most half an epsilon of its size, incoherently: after
// n steps the sum is off by at most about sqrt(2 n) epsilons of the sum of the sizes. Angular
// momentum feels the rounding of lever arms and normals too: four times that.
static void check_cloud(const cloud *c, erg_precision precision)
{
    const int     steps = 1200;
    erg_world_def def = space_def(precision);
    def.contact.normal = c->normal;
    def.contact.tangential = c->tangential;
    def.speed = 1.5;
    erg_world       *world = new_world(&def);
    erg_material_def m = erg_material_def_default();
    m.rolling = c->rolling;
    m.twisting = 0.5 * c->rolling;
    m.cohesion = c->cohesion;
    erg_id sand = new_material(world, &m);
    erg_id kind = c->mixed ? new_mixed_kind(world, c->shape, sand, 0.4e-3, 1e-3)
                           : new_kind(world, c->shape, sand);
    add_cloud(world, kind, 4, c->shape == ERG_SHAPE_SPHERE ? 2.4e-3 : 5.6e-3, 1, 200);
    totals before = totals_of(world);
    step(world, 600);
    uint64_t touching = stats_of(world).contacts;
    step(world, (uint64_t)steps - 600);
    totals    after = totals_of(world);
    erg_stats s = stats_of(world);
    double    eps = precision == ERG_DOUBLE ? DBL_EPSILON : (double)FLT_EPSILON;
    double    bound = sqrt(2.0 * steps) * eps;
    double    dp = ergi_distance(before.p, after.p), dl = ergi_distance(before.l, after.l);
    int       failures = check_failures;
    CHECK(s.max_overlap_ratio > 1e-3);
    CHECK(touching + s.contacts > 0 || s.rebuilds > 3);
    CHECK_NEAR(dp, 0, bound * fmax(before.p_size, after.p_size));
    CHECK_NEAR(dl, 0, 4 * bound * fmax(before.l_size, after.l_size));
    if (failures != check_failures)
        printf("    %s in %s\n", c->what, precision == ERG_DOUBLE ? "double" : "float");
    erg_world_destroy(world);
}

TEST(momentum_and_angular_momentum_to_rounding_in_float)
{
    for (size_t k = 0; k < sizeof clouds / sizeof *clouds; k++) check_cloud(&clouds[k], ERG_FLOAT);
}

TEST(momentum_and_angular_momentum_to_rounding_in_double)
{
    for (size_t k = 0; k < sizeof clouds / sizeof *clouds; k++) check_cloud(&clouds[k], ERG_DOUBLE);
}

// The same few grains in both precisions: a hundredth of a thousandth of a diameter a hundred
// steps.
TEST(float_follows_double)
{
    erg_world *world[2];
    for (int p = 0; p < 2; p++) {
        erg_world_def def = space_def((erg_precision)p);
        def.speed = 1.5;
        world[p] = new_world(&def);
        add_cloud(world[p],
                  new_kind(world[p], ERG_SHAPE_TETRAHEDRON, new_sand(world[p], 0.65, 0.5)), 3,
                  5.6e-3, 1, 200);
        step(world[p], 400);
    }
    erg_vec3  a[27], b[27];
    erg_error err;
    must(erg_world_read(world[0], ERG_FIELD_POSITION, NULL, 27, a, &err), &err);
    must(erg_world_read(world[1], ERG_FIELD_POSITION, NULL, 27, b, &err), &err);
    double furthest = 0;
    for (int k = 0; k < 27; k++) furthest = fmax(furthest, ergi_distance(a[k], b[k]));
    CHECK(stats_of(world[0]).max_overlap_ratio > 1e-3);
    CHECK(furthest > 0);
    CHECK_NEAR(furthest, 0, 1e-4 * 2e-3);
    for (int p = 0; p < 2; p++) erg_world_destroy(world[p]);
}

// The shortest contact that a world expects for grains that fly at each other, or at a wall, at
// speed `each`; `told` is the speed given to the world, 0: auto.
static double expected_contact(double told, double each, bool both)
{
    erg_world_def def = space_def(ERG_FLOAT);
    def.speed = told;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.5, 0.5), kind = new_kind(world, ERG_SHAPE_SPHERE, sand);
    erg_vec3     none = {0, 0, 0};
    erg_wall_def plane = floor_def(sand);
    new_wall(world, &plane);
    new_grain(world, kind, (erg_vec3){0, 0, 0.02}, (erg_vec3){0, each, 0}, none);
    new_grain(world, kind, (erg_vec3){0, 1, 0.02}, (erg_vec3){0, both ? -each : each, 0}, none);
    prepare(world);
    double time = ergi_dem_of(world)->state.contact_time;
    erg_world_destroy(world);
    return time;
}

TEST(time_step_is_for_the_fastest_meeting)
{
    CHECK_NEAR(expected_contact(0, 10, true), expected_contact(20, 10, true), 1e-12);
    CHECK_NEAR(expected_contact(0, 10, false), expected_contact(10, 10, false), 1e-12);
    CHECK(expected_contact(20, 10, true) < 0.9 * expected_contact(10, 10, true));
}

TEST_MAIN(time_step_is_for_the_fastest_meeting, restitution_out_is_restitution_in,
          restitution_depends_on_speed_as_in_bell, contact_lasts_as_hertz_says,
          unlike_masses_share_momentum, momentum_and_angular_momentum_to_rounding_in_float,
          momentum_and_angular_momentum_to_rounding_in_double, float_follows_double)
