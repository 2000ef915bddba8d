// The real-time solver: single contacts against analytic results, conservation, beds and heaps at
// rest.
// labels: asan tsan clang
#include "world_helpers.h"

static erg_world_def pbd_def(void)
{
    erg_world_def def = erg_world_def_default();
    def.solver = ERG_SOLVER_PBD;
    def.threads = 1;
    return def;
}

static erg_world_def pbd_space(void)
{
    erg_world_def def = pbd_def();
    def.gravity = (erg_vec3){0, 0, 0};
    return def;
}

#define R 5e-3
#define G 9.81

static const erg_vec3 none = {0, 0, 0};

// ---- Single contacts ---------------------------------------------------------------------------
static double bounce(double e, double speed)
{
    erg_world_def def = pbd_space();
    erg_world    *world = new_world(&def);
    erg_id        kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, new_sand(world, e, 0), R, R);
    erg_gid a = new_grain(world, kind, (erg_vec3){-2 * R, 0, 0}, (erg_vec3){speed, 0, 0}, none);
    erg_gid b = new_grain(world, kind, (erg_vec3){2 * R, 0, 0}, (erg_vec3){-speed, 0, 0}, none);
    run_until(world, 10 * R / speed);
    double after = read3(world, ERG_FIELD_VELOCITY, b).x - read3(world, ERG_FIELD_VELOCITY, a).x;
    erg_world_destroy(world);
    return after / (2 * speed);
}

TEST(balls_bounce_with_the_given_restitution)
{
    for (double e = 0.1; e <= 1; e += 0.3) {
        CHECK_NEAR(bounce(e, 0.1), e, 1e-4);
        CHECK_NEAR(bounce(e, 2), e, 1e-4);
    }
}

// An oblique impact with high friction gives both spheres the same spin, and angular momentum is
// conserved.
TEST(friction_spins_balls)
{
    erg_world_def def = pbd_space();
    erg_world    *world = new_world(&def);
    erg_id        kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 0.05, 10), R, R);
    erg_gid       a = new_grain(world, kind, (erg_vec3){-3 * R, 0, 0}, (erg_vec3){1, 0.5, 0}, none);
    erg_gid       b = new_grain(world, kind, (erg_vec3){0, 1.4 * R, 0}, none, none);
    totals        before = totals_of(world);
    run_until(world, 0.05);
    erg_vec3 wa = read3(world, ERG_FIELD_SPIN, a), wb = read3(world, ERG_FIELD_SPIN, b);
    totals   after = totals_of(world);
    CHECK(fabs(wa.z) > 1);
    CHECK_NEAR(wa.z, wb.z, 1e-3 * fabs(wa.z));
    CHECK_NEAR(ergi_distance(after.l, before.l), 0, 1e-3 * before.l_size);
    erg_world_destroy(world);
}

static erg_world *on_incline(double angle, double friction, erg_shape shape, double rolling,
                             erg_gid *grain)
{
    erg_world_def def = pbd_def();
    def.gravity = (erg_vec3){G * sin(angle), 0, -G * cos(angle)};
    erg_world       *world = new_world(&def);
    erg_material_def m = erg_material_def_default();
    m.friction = friction;
    m.rolling = rolling;
    m.restitution = 0.05;
    erg_id       sand = new_material(world, &m), kind = new_mixed_kind(world, shape, sand, R, R);
    erg_wall_def floor = floor_def(sand);
    new_wall(world, &floor);
    double height = shape == ERG_SHAPE_SPHERE ? R : 2 * R;
    *grain = new_grain(world, kind, (erg_vec3){0, 0, height}, none, none);
    return world;
}

// Without rolling resistance a sphere rolls at 5/7 of the sliding acceleration; with a high one it
// stays at rest.
TEST(balls_roll_down)
{
    double     angle = 0.3, speed = 5.0 / 7 * G * sin(angle) * 0.5;
    erg_gid    ball;
    erg_world *world = on_incline(angle, 0.6, ERG_SHAPE_SPHERE, 0, &ball);
    run_until(world, 0.5);
    CHECK_NEAR(read3(world, ERG_FIELD_VELOCITY, ball).x, speed, 0.01 * speed);
    CHECK_NEAR(read3(world, ERG_FIELD_SPIN, ball).y, speed / R, 0.01 * speed / R);
    erg_world_destroy(world);
    world = on_incline(angle, 0.6, ERG_SHAPE_SPHERE, 0.5, &ball);
    run_until(world, 0.5);
    CHECK(ergi_norm(read3(world, ERG_FIELD_VELOCITY, ball)) < 1e-6);
    erg_world_destroy(world);
}

// ---- Conservation ------------------------------------------------------------------------------
TEST(momentum_is_kept_in_free_space)
{
    erg_world_def def = pbd_space();
    erg_world    *world = new_world(&def);
    erg_id kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 0.6, 0.5), R, 1.5 * R);
    add_cloud(world, kind, 5, 3.2 * R, 1, 20);
    totals before = totals_of(world);
    run_until(world, 0.2);
    totals after = totals_of(world);
    CHECK(stats_of(world).kinetic > 0);
    CHECK_NEAR(ergi_distance(after.p, before.p), 0, 1e-6 * before.p_size);
    CHECK_NEAR(ergi_distance(after.l, before.l), 0, 1e-3 * before.l_size);
    erg_world_destroy(world);
}

TEST(pairs_touch_through_periodic_borders)
{
    erg_world_def def = pbd_space();
    def.lower = (erg_vec3){0, 0, -1};
    def.upper = (erg_vec3){20 * R, 20 * R, 1};
    def.periodic_x = def.periodic_y = true;
    erg_world *world = new_world(&def);
    erg_id     kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 1, 0), R, R);
    erg_gid    a = new_grain(world, kind, (erg_vec3){3 * R, R, 0}, (erg_vec3){-1, 0, 0}, none);
    erg_gid    b = new_grain(world, kind, (erg_vec3){17 * R, R, 0}, (erg_vec3){1, 0, 0}, none);
    run_until(world, 5 * R);
    CHECK_NEAR(read3(world, ERG_FIELD_VELOCITY, a).x, 1, 1e-4);
    CHECK_NEAR(read3(world, ERG_FIELD_VELOCITY, b).x, -1, 1e-4);
    erg_world_destroy(world);
}

// ---- Beds and heaps ----------------------------------------------------------------------------
static erg_world *bed(int count, double side, int iterations, int threads)
{
    erg_world_def def = pbd_def();
    def.pbd.iterations = iterations;
    def.threads = threads;
    def.fixed_threads = true;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.5, 0.5);
    erg_id       kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, 0.9 * R, 1.1 * R);
    double       height = count * 8 * R * R * R / (side * side) * 1.6 + 0.05;
    erg_wall_def box = box_def(sand, none, (erg_vec3){side, side, height + 0.1}, ERG_FACE_Z_MAX);
    new_wall(world, &box);
    fill_box(world, kind, (uint64_t)count, none, (erg_vec3){side, side, height});
    return world;
}

static double mean_overlap(const erg_world *world)
{
    size_t    count = 0, touching = 0;
    erg_error err;
    (void)erg_world_contacts(world, NULL, 0, &count, &err);
    erg_contact *contact = malloc((count + 1) * sizeof *contact);
    must(erg_world_contacts(world, contact, count, &count, &err), &err);
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        if (contact[k].overlap > 0) {
            sum += contact[k].overlap;
            touching++;
        }
    free(contact);
    return sum / (R * (double)touching);
}

// The bed is about 15 diameters deep.
TEST(deep_beds_hardly_overlap)
{
    const double most[] = {0.04, 0.02};
    for (int k = 0; k < 2; k++) {
        erg_world *world = bed(650, 12 * R, k + 1, 2);
        run_until(world, 2);
        erg_wall_state box;
        erg_error      err;
        must(erg_world_wall_state(world, 1, &box, &err), &err);
        erg_stats s = stats_of(world);
        CHECK(mean_overlap(world) < most[k]);
        CHECK_NEAR(-box.force.z / (s.mass * G), 1, 2e-3);
        erg_world_destroy(world);
    }
}

// Sand that falls from high into a deep bed is not crushed: it ends as dense as a poured bed.
TEST(a_deep_pour_keeps_its_volume)
{
    const double     side = 0.045;
    erg_world_def    def = pbd_def();
    erg_material_def sand = erg_material_def_default();
    erg_fill_def     fill = erg_fill_def_default();
    erg_wall_def     floor = erg_wall_def_default(ERG_WALL_PLANE);
    erg_error        err;
    def.periodic_x = def.periodic_y = true;
    def.lower = (erg_vec3){0, 0, -(double)INFINITY};
    def.upper = (erg_vec3){side, side, (double)INFINITY};
    sand.friction = 0.5;
    sand.rolling = 0.1;
    sand.restitution = 0.1;
    erg_world *world = new_world(&def);
    floor.material = new_material(world, &sand);
    fill.grain = new_mixed_kind(world, ERG_SHAPE_SPHERE, floor.material, 0.004, 0.005);
    fill.count = 800;
    fill.placing = ERG_PLACE_RANDOM;
    fill.region = box_region((erg_vec3){0, 0, 0}, (erg_vec3){side, side, 0.8});
    new_wall(world, &floor);
    must(erg_world_fill(world, &fill, NULL, &err), &err);
    run_until(world, 1.2);
    const double *x = ERGI_GRAIN(world, POSITION, double);
    double        solid = 0, moment = 0;
    for (size_t i = 0; i < world->grains.rows; i++, x += 4) {
        double volume = 4.0 / 3 * ERGI_PI * x[3] * x[3] * x[3];
        solid += volume;
        moment += volume * x[2];
    }
    double share = solid * solid / (2 * moment * side * side); // of a layer with this centre
    CHECK(share > 0.54);
    CHECK(share < 0.61);
    erg_world_destroy(world);
}

// A heap with rolling resistance on a rough floor comes to rest and does not creep.
TEST(heaps_stand)
{
    erg_world_def    def = pbd_def();
    erg_material_def m = erg_material_def_default();
    erg_error        err;
    def.threads = 2;
    def.fixed_threads = true;
    erg_world *world = new_world(&def);
    m.friction = 0.5;
    m.rolling = 0.1;
    erg_id       sand = new_material(world, &m);
    erg_id       kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, 0.9 * R, 1.1 * R);
    erg_wall_def floor = floor_def(sand);
    floor.rough = (erg_rough){.spacing = 2.2 * R, .radius = R};
    new_wall(world, &floor);
    erg_fill_def fill = erg_fill_def_default();
    fill.grain = kind;
    fill.count = 800;
    fill.region = (erg_region){
        .shape = ERG_REGION_CYLINDER, .a = {0, 0, R}, .b = {0, 0, 60 * R}, .radius = 9 * R};
    must(erg_world_fill(world, &fill, NULL, &err), &err);
    run_until(world, 2);
    erg_stats before = stats_of(world);
    run_until(world, 5);
    erg_stats after = stats_of(world);
    double    unit = after.mass * G * 2 * R;
    CHECK((after.kinetic + after.rotational) / unit < 1e-9);
    CHECK_NEAR(after.potential / unit, before.potential / unit, 1e-4);
    CHECK(after.potential / unit > 0.8);
    erg_world_destroy(world);
}

// Height of the centre of mass of a tower 20 grains high after 2 s, over that at the start.
static double tower(double cohesion, double *shaking)
{
    const double     r = 0.02;
    erg_world_def    def = pbd_def();
    erg_material_def m = erg_material_def_default();
    erg_error        err;
    erg_world       *world = new_world(&def);
    m.friction = 0.35;
    m.rolling = 0.2;
    m.restitution = 0.1;
    m.cohesion = cohesion;
    erg_id       sand = new_material(world, &m);
    erg_id       kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, sand, r, r);
    erg_wall_def floor = floor_def(sand);
    new_wall(world, &floor);
    erg_fill_def fill = erg_fill_def_default();
    fill.grain = kind;
    fill.gap = 0.002;
    fill.region = (erg_region){
        .shape = ERG_REGION_CYLINDER, .a = {0, 0, 0}, .b = {0, 0, 33 * r}, .radius = 8 * r};
    must(erg_world_fill(world, &fill, NULL, &err), &err);
    erg_stats before = stats_of(world);
    run_until(world, 2);
    erg_stats after = stats_of(world);
    *shaking = after.kinetic / (after.mass * G * 2 * r);
    erg_world_destroy(world);
    return after.potential / before.potential;
}

// A tower of moist sand stands and keeps still, whether cohesion is just enough or much more; a dry
// one falls.
TEST(moist_towers_stand)
{
    double shaking;
    CHECK(tower(0, &shaking) < 0.5);
    for (double cohesion = 1e6; cohesion < 5e6; cohesion *= 2) {
        double share = tower(cohesion, &shaking);
        CHECK(share > 0.95);
        CHECK(shaking < 3e-4);
    }
}

TEST(threads_do_not_change_the_state)
{
    erg_world *one = bed(3000, 24 * R, 1, 1), *two = bed(3000, 24 * R, 1, 2);
    for (int k = 0; k < 4; k++) {
        step(one, 40);
        step(two, 40);
        CHECK(erg_world_hash(one) == erg_world_hash(two));
    }
    erg_world_destroy(one);
    erg_world_destroy(two);
}

// The error names the grain that is too fast for its contacts to be found.
TEST(explosions_are_told)
{
    erg_world_def def = pbd_def();
    erg_error     err;
    erg_world    *world = new_world(&def);
    erg_id        kind = new_mixed_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 0.5, 0), R, R);
    (void)new_grain(world, kind, none, none, none);
    (void)new_grain(world, kind, (erg_vec3){1, 0, 0}, (erg_vec3){1e5, 0, 0}, none);
    CHECK(erg_world_step(world, 1, &err) == ERG_BAD_PHYSICS);
    CHECK(strstr(err.text, "grain 2") != NULL);
    CHECK(erg_world_steps(world) == 0);
    erg_world_destroy(world);
}

// ---- Substeps ----------------------------------------------------------------------------------
// Length of a substep beside a plane that tilts at 3 rad/s about a point 2 m from a grain, and with
// a clump that spins.
static double length_beside(bool plane, bool about_normal)
{
    erg_world_def def = pbd_space();
    erg_world    *world = new_world(&def);
    erg_id        sand = new_sand(world, 0.5, 0);
    erg_id        kind = new_mixed_kind(world, ERG_SHAPE_DIMER, sand, R, R);
    erg_vec3      spin = {0, 0, plane ? 0 : 2000};
    (void)new_grain(world, kind, (erg_vec3){2, 0, 1}, none, spin);
    erg_wall_def floor = floor_def(sand);
    floor.motion_count = 1;
    floor.motion[0] = erg_motion_def_default(ERG_MOTION_SPIN);
    floor.motion[0].axis = about_normal ? (erg_vec3){0, 0, 1} : (erg_vec3){0, 1, 0};
    floor.motion[0].rate = 3;
    if (plane) new_wall(world, &floor);
    step(world, 3);
    double dt = erg_world_dt(world);
    erg_world_destroy(world);
    return dt;
}

TEST(substeps_follow_what_turns)
{
    CHECK(length_beside(true, false) * 3 * 2 <= 0.5 * R);
    CHECK_NEAR(length_beside(true, true), 1.0 / 480, 1e-9);
    CHECK(length_beside(false, false) * 2000 * 0.5 * R <= 0.5 * R);
}

TEST_MAIN(substeps_follow_what_turns, balls_bounce_with_the_given_restitution, friction_spins_balls,
          balls_roll_down, momentum_is_kept_in_free_space, pairs_touch_through_periodic_borders,
          deep_beds_hardly_overlap, a_deep_pour_keeps_its_volume, heaps_stand, moist_towers_stand,
          threads_do_not_change_the_state, explosions_are_told)
