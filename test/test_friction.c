// labels: asan
// Sliding: 5/7, rest below and slip above the friction angle, and contact history.
#include "world_helpers.h"

#define G 9.81

static const char *const tangential_names[] = {"viscous", "coulomb",      "regularised", "spring",
                                               "bell",    "lee-herrmann", "mindlin",     "yasuda"};

static erg_world *on_floor(erg_precision precision, erg_tangential_law law, double friction,
                           double rolling, erg_shape shape, erg_id *kind)
{
    erg_world_def def = space_def(precision);
    def.gravity.z = -G;
    def.contact.tangential = law;
    def.speed = 0.5;
    erg_world       *world = new_world(&def);
    erg_material_def m = erg_material_def_default();
    m.friction = friction;
    m.rolling = rolling;
    erg_id       sand = new_material(world, &m);
    erg_wall_def plane = floor_def(sand);
    new_wall(world, &plane);
    *kind = new_kind(world, shape, sand);
    return world;
}

static void tilt(erg_world *world, double slope)
{
    double c = 1 / sqrt(1 + slope * slope);
    command(world,
            (erg_command){.kind = ERG_COMMAND_GRAVITY, .vector = {G * slope * c, 0, -G * c}});
}

// ---- Spheres -----------------------------------------------------------------------------------
// A sphere that slides without spin ends rolling at 5/7 of its speed, whatever the law. Not so with
// bell and yasuda: their springs have no dashpot and are not reset by sliding, so that they pull
// back what slid.
TEST(sliding_turns_into_rolling_at_five_sevenths)
{
    for (int law = 0; law < 8; law++)
        for (int p = 0; p < 2; p++) {
            if (law == ERG_TANGENTIAL_BELL || law == ERG_TANGENTIAL_YASUDA) continue;
            erg_id     kind;
            erg_world *world = on_floor((erg_precision)p, (erg_tangential_law)law, 0.3, 0,
                                        ERG_SHAPE_SPHERE, &kind);
            erg_gid    id = new_grain(world, kind, (erg_vec3){0, 0, 1e-3 - 1e-7},
                                      (erg_vec3){0.1, 0, 0}, (erg_vec3){0, 0, 0});
            run_until(world, 0.04); // slides for 2 v/(7 mu g) = 0.0097 s
            double v = read3(world, ERG_FIELD_VELOCITY, id).x,
                   w = read3(world, ERG_FIELD_SPIN, id).y;
            if (fabs(v - 0.5 / 7) > 5e-4 || fabs(w - v / 1e-3) > 1)
                printf("    %s\n", tangential_names[law]);
            CHECK_NEAR(v, 0.5 / 7, 5e-4);
            CHECK_NEAR(w, v / 1e-3, 1);
            erg_world_destroy(world);
        }
}

// While it slides it slows down by mu g.
TEST(sliding_slows_down_by_mu_g)
{
    erg_id     kind;
    erg_world *world =
        on_floor(ERG_DOUBLE, ERG_TANGENTIAL_MINDLIN, 0.3, 0, ERG_SHAPE_SPHERE, &kind);
    // At rest on its overlap: m g = 4/3 E* sqrt(R) xi^1.5.
    double  weight = 2500 * 4.0 / 3 * 3.14159265358979 * 1e-9 * G;
    double  sink = pow(weight / (4.0 / 3 * (1e7 / (2 * (1 - 0.0625))) * sqrt(1e-3)), 2.0 / 3);
    erg_gid id = new_grain(world, kind, (erg_vec3){0, 0, 1e-3 - sink}, (erg_vec3){0.2, 0, 0},
                           (erg_vec3){0, 0, 0});
    run_until(world, 0.01);
    CHECK_NEAR(read3(world, ERG_FIELD_VELOCITY, id).x, 0.2 - 0.3 * G * erg_world_time(world), 2e-4);
    CHECK_NEAR(read3(world, ERG_FIELD_POSITION, id).z, 1e-3 - sink, 0.01 * sink);
    erg_world_destroy(world);
}

// ---- Slopes ------------------------------------------------------------------------------------
// A grain settled on the floor, then the world is tilted. Three spheres of the tetrahedron lie
// down.
static erg_gid settle(erg_world *world, erg_id kind, erg_shape shape)
{
    erg_vec3  at = {0, 0, 1e-3};
    erg_quat  q = ergi_quat_identity();
    erg_error err;
    erg_gid   id = 0;
    if (shape == ERG_SHAPE_CUBE) at.z = 2e-3;
    if (shape == ERG_SHAPE_TETRAHEDRON) {
        at.z = 1e-3 * (1 + sqrt(2.0 / 3) / 2);
        erg_vec3 tip = {1 / sqrt(3), 1 / sqrt(3), 1 / sqrt(3)}, up = {0, 0, 1};
        q = ergi_quat_from_axis_angle(ergi_normalize(ergi_cross(tip, up)), acos(tip.z));
    }
    erg_grains g = {.kind = kind, .count = 1, .position = &at, .orientation = &q};
    must(erg_world_add_grains(world, &g, &id, &err), &err);
    run_until(world, 0.05);
    return id;
}

TEST(clumps_rest_below_the_friction_angle)
{
    static const erg_shape          shapes[] = {ERG_SHAPE_TETRAHEDRON, ERG_SHAPE_CUBE};
    static const erg_tangential_law laws[] = {ERG_TANGENTIAL_MINDLIN, ERG_TANGENTIAL_SPRING};
    for (int s = 0; s < 2; s++)
        for (int l = 0; l < 2; l++) {
            erg_id     kind;
            erg_world *world = on_floor(ERG_FLOAT, laws[l], 0.3, 0, shapes[s], &kind);
            erg_gid    id = settle(world, kind, shapes[s]);
            tilt(world, 0.2);
            run_until(world, 0.3); // the springs take up the load and swing out
            erg_vec3 here = read3(world, ERG_FIELD_POSITION, id);
            run_until(world, 0.8);
            erg_vec3 there = read3(world, ERG_FIELD_POSITION, id);
            CHECK_NEAR(ergi_distance(here, there), 0, 1e-9); // nothing creeps
            CHECK(here.x < 5e-6);
            erg_world_destroy(world);
        }
}

TEST(clumps_slip_above_the_friction_angle_by_coulomb)
{
    static const erg_shape shapes[] = {ERG_SHAPE_TETRAHEDRON, ERG_SHAPE_CUBE};
    for (int s = 0; s < 2; s++) {
        erg_id     kind;
        erg_world *world = on_floor(ERG_FLOAT, ERG_TANGENTIAL_MINDLIN, 0.2, 0, shapes[s], &kind);
        erg_gid    id = settle(world, kind, shapes[s]);
        tilt(world, 0.3);
        run_until(world, 0.1);
        double v = read3(world, ERG_FIELD_VELOCITY, id).x, t = erg_world_time(world);
        run_until(world, 0.3);
        double a = (read3(world, ERG_FIELD_VELOCITY, id).x - v) / (erg_world_time(world) - t);
        double want = G * (0.3 - 0.2) / sqrt(1 + 0.3 * 0.3);
        CHECK_NEAR(a, want, 0.02 * want);
        CHECK_NEAR(ergi_norm(read3(world, ERG_FIELD_SPIN, id)), 0, 1);
        erg_world_destroy(world);
    }
}

// The regularised law has no memory: below the angle it creeps with v = m g sin / sum of
// viscosities.
TEST(regularised_law_creeps)
{
    erg_id     kind;
    erg_world *world =
        on_floor(ERG_DOUBLE, ERG_TANGENTIAL_REGULARISED, 0.3, 0, ERG_SHAPE_CUBE, &kind);
    erg_gid id = settle(world, kind, ERG_SHAPE_CUBE);
    tilt(world, 0.1); // steeper, and the upper feet would slip
    run_until(world, 0.2);
    double x = read3(world, ERG_FIELD_POSITION, id).x, t = erg_world_time(world);
    run_until(world, 0.4);
    double v = (read3(world, ERG_FIELD_POSITION, id).x - x) / (erg_world_time(world) - t);
    double want =
        G * 0.1 / sqrt(1.01) * 7 * erg_world_dt(world) / 4; // viscosity m/(7 dt), four feet
    CHECK_NEAR(v, want, 0.02 * want);
    erg_world_destroy(world);
}

// Two spheres with prescribed motion: sheared a little, then rotated as a rigid pair about an axis
// across their line. The tangential force rotates with them. Every step rewrites positions, so that
// lists are rebuilt and bodies sorted each time: the spring must survive that, too.
static void check_turning(erg_vec3 shear, double *worst)
{
    const double  dt = 1e-7, radius = 1e-3, overlap = 1e-5;
    const int     loading = 100, turning = 2000;
    erg_world_def def = space_def(ERG_DOUBLE);
    def.dt = dt;
    def.speed = 1;
    def.contact.tangential_damping = 0;
    erg_world       *world = new_world(&def);
    erg_material_def m = erg_material_def_default();
    m.restitution = 1;
    m.friction = 10;
    m.density = 1e7; // so heavy that their own motion does not count
    erg_id   kind = new_kind(world, ERG_SHAPE_SPHERE, new_material(world, &m));
    double   half = radius - overlap / 2;
    erg_vec3 none = {0, 0, 0}, at = {half, 0, 0};
    erg_gid  a = new_grain(world, kind, at, none, none);
    erg_gid  b = new_grain(world, kind, ergi_scale(at, -1), none, none);
    // Shear: opposite spins roll the surfaces along each other while the centres stay.
    erg_vec3 spin =
        ergi_scale(ergi_cross((erg_vec3){1, 0, 0}, shear), 2e-6 / (2 * half) / (loading * dt));
    erg_vec3 start = none;
    double   rate = 3.14159265358979 / (turning * dt);
    for (int k = 0; k < loading + turning; k++) {
        double   angle = k < loading ? 0 : rate * dt * (k - loading);
        erg_quat q = ergi_quat_from_axis_angle((erg_vec3){0, 0, 1}, angle);
        erg_vec3 w = k < loading ? spin : (erg_vec3){0, 0, rate};
        erg_vec3 x = ergi_quat_rotate(q, at), v = none;
        if (k >= loading) { // to where the turn brings it
            erg_vec3 next = ergi_quat_rotate(
                ergi_quat_from_axis_angle((erg_vec3){0, 0, 1}, angle + rate * dt), at);
            v = ergi_scale(ergi_sub(next, x), 1 / dt);
        }
        write3(world, ERG_FIELD_POSITION, a, x);
        write3(world, ERG_FIELD_POSITION, b, ergi_scale(x, -1));
        write3(world, ERG_FIELD_VELOCITY, a, v);
        write3(world, ERG_FIELD_VELOCITY, b, ergi_scale(v, -1));
        write3(world, ERG_FIELD_SPIN, a, w);
        write3(world, ERG_FIELD_SPIN, b, w);
        step(world, 1);
        erg_contact c;
        size_t      count;
        erg_error   err;
        must(erg_world_contacts(world, &c, 1, &count, &err), &err);
        if (count != 1) {
            *worst = HUGE_VAL;
            break;
        }
        erg_vec3 force = ergi_madd(c.force, -c.normal_force, c.normal);
        if (c.grain_a != a) force = ergi_scale(force, -1);
        double   after = k < loading ? 0 : rate * dt * (k - loading + 1);
        erg_vec3 local =
            ergi_quat_unrotate(ergi_quat_from_axis_angle((erg_vec3){0, 0, 1}, after), force);
        if (k == loading - 1) start = local;
        if (k >= loading) *worst = fmax(*worst, ergi_distance(local, start) / ergi_norm(start));
        if (k == loading - 1 && !(ergi_norm(start) > 0)) *worst = HUGE_VAL;
    }
    erg_world_destroy(world);
}

TEST(tangential_force_turns_with_the_contact)
{
    double in_plane = 0, along_axis = 0, mixed = 0;
    check_turning((erg_vec3){0, 1, 0}, &in_plane);
    check_turning((erg_vec3){0, 0, 1}, &along_axis);
    check_turning((erg_vec3){0, 0.6, 0.8}, &mixed);
    CHECK_NEAR(in_plane, 0, 0.02);
    CHECK_NEAR(along_axis, 0, 0.02);
    CHECK_NEAR(mixed, 0, 0.02);
}

// The same bed with lists that are renewed every few steps and with lists that last: the same sand.
TEST(history_survives_rebuilds_and_sorting)
{
    static const double skin[] = {2e-6, 8e-4};
    erg_vec3            x[2][60];
    uint64_t            rebuilds[2];
    for (int k = 0; k < 2; k++) {
        erg_world_def def = space_def(ERG_DOUBLE);
        def.gravity.z = -G;
        def.skin = skin[k];
        erg_world   *world = new_world(&def);
        erg_id       sand = new_sand(world, 0.5, 0.6);
        erg_wall_def box =
            box_def(sand, (erg_vec3){0, 0, 0}, (erg_vec3){9e-3, 9e-3, 0.1}, ERG_FACE_Z_MAX);
        new_wall(world, &box);
        fill_box(world, new_kind(world, ERG_SHAPE_SPHERE, sand), 60, (erg_vec3){0, 0, 0},
                 (erg_vec3){9e-3, 9e-3, 0.1});
        step(world, 3000);
        erg_error err;
        must(erg_world_read(world, ERG_FIELD_POSITION, NULL, 60, x[k], &err), &err);
        rebuilds[k] = stats_of(world).rebuilds;
        CHECK(stats_of(world).contacts > 60);
        erg_world_destroy(world);
    }
    double furthest = 0;
    for (int i = 0; i < 60; i++) furthest = fmax(furthest, ergi_distance(x[0][i], x[1][i]));
    CHECK(rebuilds[0] > 20 * rebuilds[1]);
    CHECK_NEAR(furthest, 0, 1e-8);
}

// ---- Cones and funnels -------------------------------------------------------------------------
static erg_wall_def open_cone(void)
{
    erg_wall_def cone = erg_wall_def_default(ERG_WALL_CONE);
    cone.cone.a = (erg_vec3){0, 0, 0};
    cone.cone.b = (erg_vec3){0, 0, 0.03};
    cone.cone.radius_a = 0.005;
    cone.cone.radius_b = 0.03;
    cone.cone.cap_a = cone.cone.cap_b = false;
    return cone;
}

// A stem, a cone and a rim.
static erg_wall_def open_funnel(void)
{
    erg_wall_def funnel = erg_wall_def_default(ERG_WALL_FUNNEL);
    funnel.funnel.outlet = (erg_vec3){0, 0, 0};
    funnel.funnel.axis = (erg_vec3){0, 0, 1};
    funnel.funnel.outlet_radius = 0.005;
    funnel.funnel.stem = 0.01;
    funnel.funnel.height = 0.02;
    funnel.funnel.top_radius = 0.025;
    funnel.funnel.rim = 0.01;
    return funnel;
}

// Position of a grain after sliding round and down an open surface of revolution. A wall rotated
// about its own axis has the same shape, but contacts with it take a different code path.
static erg_vec3 slide_round(erg_wall_def wall, double turned, erg_vec3 start)
{
    erg_world_def def = space_def(ERG_DOUBLE);
    def.gravity.z = -G;
    def.speed = 0.5;
    erg_world       *world = new_world(&def);
    erg_material_def m = erg_material_def_default();
    erg_id           sand = new_material(world, &m), kind = new_kind(world, ERG_SHAPE_SPHERE, sand);
    wall.material = sand;
    wall.motion_count = turned > 0;
    wall.motion[0] = erg_motion_def_default(ERG_MOTION_SPIN);
    wall.motion[0].rate = turned;
    new_wall(world, &wall);
    erg_gid id = new_grain(world, kind, start, (erg_vec3){0, 0.05, 0}, (erg_vec3){0, 0, 0});
    run_until(world, 0.05);
    erg_vec3 end = read3(world, ERG_FIELD_POSITION, id);
    erg_world_destroy(world);
    return end;
}

static void check_both_ways(erg_wall_def wall, erg_vec3 start)
{
    erg_vec3 plain = slide_round(wall, 0, start), turned = slide_round(wall, 1e-13, start);
    CHECK(fabs(plain.x - start.x) + fabs(plain.y) > 1e-4);
    CHECK_NEAR(plain.x, turned.x, 1e-9);
    CHECK_NEAR(plain.y, turned.y, 1e-9);
    CHECK_NEAR(plain.z, turned.z, 1e-9);
}

TEST(cones_are_the_same_in_both_ways)
{
    // inside and outside, near the middle and over the rim
    const erg_vec3 start[] = {
        {0.016, 0, 0.016}, {0.0285, 0, 0.027}, {0.0075, 0, 0.005}, {0.021, 0, 0.016}};
    for (int k = 0; k < 4; k++) check_both_ways(open_cone(), start[k]);
}

TEST(funnels_are_the_same_in_both_ways)
{
    // in the corner of cone and rim, on the cone, where it becomes the stem, on the stem and on the
    // upper end
    const erg_vec3 start[] = {{0.02401, 0, 0.03042},
                              {0.016, 0, 0.0225},
                              {0.0065, 0, 0.013},
                              {0.00395, 0, 0.008},
                              {0.0252, 0, 0.0409}};
    for (int k = 0; k < 5; k++) check_both_ways(open_funnel(), start[k]);
}

TEST_MAIN(cones_are_the_same_in_both_ways, funnels_are_the_same_in_both_ways,
          sliding_turns_into_rolling_at_five_sevenths, sliding_slows_down_by_mu_g,
          clumps_rest_below_the_friction_angle, clumps_slip_above_the_friction_angle_by_coulomb,
          regularised_law_creeps, tangential_force_turns_with_the_contact,
          history_survives_rebuilds_and_sorting)
