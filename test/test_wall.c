// Walls from definitions: defaults, sides, messages; a query of a moved wall equals a moved query;
// bounds of sweep and extent hold.
#include "check.h"

#include "world/wall.h"

#include <stdint.h>

typedef struct dice {
    uint64_t state;
} dice;

static double roll(dice *d, double low, double high)
{
    d->state = d->state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(d->state >> 11) / 9007199254740992.0;
}

static erg_vec3 roll_vector(dice *d, double half)
{
    double x = roll(d, -half, half), y = roll(d, -half, half);
    return ergi_vec3(x, y, roll(d, -half, half));
}

static erg_wall_def sample(erg_wall_shape shape)
{
    erg_wall_def def = erg_wall_def_default(shape);
    erg_vec3     a = {0.1, -0.4, 0.2}, b = {-0.3, 0.3, 0.9};
    def.material = 1;
    def.plane = (erg_wall_plane){a, {1.0, 2.0, 5.0}};
    def.box = (erg_wall_box){{-0.5, -0.6, -0.7}, {0.8, 0.4, 0.9}, 0};
    def.sphere = (erg_wall_sphere){a, 0.8};
    def.cylinder = (erg_wall_cylinder){a, b, 0.5, true, true};
    def.cone = (erg_wall_cone){a, b, 0.7, 0.2, false, false};
    def.funnel.outlet = a;
    def.funnel.outlet_radius = 0.2;
    def.funnel.top_radius = 0.7;
    def.funnel.height = 0.5;
    def.funnel.stem = 0.3;
    def.hourglass.centre = a;
    def.hourglass.axis = b;
    def.hourglass.neck_radius = 0.2;
    def.hourglass.bulb_radius = 0.7;
    def.hourglass.cone_height = 0.5;
    def.hourglass.height = 1.4;
    def.hourglass.rounding = 0.1;
    def.capsule = (erg_wall_capsule){a, b, 0.5};
    return def;
}

static ergi_pose roll_pose(dice *d, double shift, double angle)
{
    ergi_pose pose = ergi_pose_identity();
    pose.position = roll_vector(d, shift);
    pose.rotation = ergi_quat_exp(roll_vector(d, angle));
    return pose;
}

TEST(every_shape_is_made)
{
    static const ergi_surface_side sides[] = {ERGI_SIDE_OUTSIDE, ERGI_SIDE_INSIDE, ERGI_SIDE_INSIDE,
                                              ERGI_SIDE_INSIDE,  ERGI_SIDE_BOTH,   ERGI_SIDE_BOTH,
                                              ERGI_SIDE_INSIDE,  ERGI_SIDE_INSIDE};
    for (int shape = ERG_WALL_PLANE; shape <= ERG_WALL_CAPSULE; shape++) {
        erg_wall_def def = sample((erg_wall_shape)shape);
        ergi_wall    wall;
        erg_error    err = {0};
        def.name = "one";
        CHECK(ergi_wall_init(&wall, &def, &err) == ERG_OK);
        CHECK_STR(err.text, "");
        CHECK_STR(wall.name, "one");
        CHECK(wall.surface.side == sides[shape]);
        ergi_wall_free(&wall);
    }
    erg_wall_def def = sample(ERG_WALL_BOX);
    ergi_wall    wall;
    def.box.open = ERG_FACE_Z_MAX;
    REQUIRE(ergi_wall_init(&wall, &def, NULL) == ERG_OK);
    CHECK(wall.surface.side == ERGI_SIDE_BOTH);
    // A grain that fell over the rim is outside the wall: free first, then in contact with its
    // outside.
    ergi_wall_hit hits[ERGI_WALL_MAX_HITS];
    ergi_pose     rest = ergi_pose_identity();
    CHECK(ergi_wall_hits(&wall, &rest, ergi_vec3(1.0, 0.0, 0.5), 0.1, hits) == 0);
    CHECK(ergi_wall_hits(&wall, &rest, ergi_vec3(0.85, 0.0, 0.5), 0.1, hits) == 1);
    CHECK_NEAR(hits[0].normal.x, 1.0, 1e-15);
    CHECK(ergi_wall_hits(&wall, &rest, ergi_vec3(0.0, 0.0, 0.9), 0.1, hits) == 0);
    ergi_wall_free(&wall);
}

TEST(moved_walls_answer_as_moved_questions)
{
    dice d = {17};
    for (int shape = ERG_WALL_PLANE; shape <= ERG_WALL_CAPSULE; shape++) {
        for (int rough = 0; rough < 2; rough++) {
            erg_wall_def def = sample((erg_wall_shape)shape);
            ergi_wall    wall;
            if (rough) def.rough = (erg_rough){0.12, 0.05};
            def.has_pivot = true;
            def.pivot = (erg_vec3){0.5, 0.5, -0.5};
            REQUIRE(ergi_wall_init(&wall, &def, NULL) == ERG_OK);
            ergi_pose rest = ergi_pose_identity();
            for (int n = 0; n < 200; n++) {
                ergi_pose     pose = roll_pose(&d, 1.0, n % 4 ? 2.0 : 0.0);
                erg_vec3      p = roll_vector(&d, 1.0);
                erg_vec3      arm = ergi_quat_rotate(pose.rotation, ergi_sub(p, wall.pivot));
                erg_vec3      moved = ergi_add(ergi_add(wall.pivot, pose.position), arm);
                ergi_wall_hit before[ERGI_WALL_MAX_HITS], after[ERGI_WALL_MAX_HITS];
                int           count = ergi_wall_hits(&wall, &rest, p, 0.15, before);
                REQUIRE(ergi_wall_hits(&wall, &pose, moved, 0.15, after) == count);
                for (int i = 0; i < count; i++) {
                    erg_vec3 normal = ergi_quat_rotate(pose.rotation, before[i].normal);
                    erg_vec3 back = ergi_madd(after[i].point, after[i].gap, after[i].normal);
                    CHECK(after[i].feature == before[i].feature);
                    CHECK_NEAR(after[i].gap, before[i].gap, 1e-12);
                    CHECK_NEAR(after[i].curvature, before[i].curvature, 1e-6);
                    CHECK_NEAR(ergi_distance(after[i].normal, normal), 0.0, 1e-11);
                    CHECK_NEAR(ergi_distance(back, moved), 0.0, 1e-12);
                }
                if (count) CHECK(!ergi_wall_far(&wall, &pose, moved, 0.15));
            }
            ergi_wall_free(&wall);
        }
    }
}

TEST(far_is_never_wrong_and_often_true)
{
    dice d = {23};
    for (int shape = ERG_WALL_PLANE; shape <= ERG_WALL_CAPSULE; shape++) {
        erg_wall_def def = sample((erg_wall_shape)shape);
        ergi_wall    wall;
        int          far = 0, free_points = 0;
        REQUIRE(ergi_wall_init(&wall, &def, NULL) == ERG_OK);
        for (int n = 0; n < 2000; n++) {
            ergi_pose     pose = roll_pose(&d, 0.3, 1.0);
            erg_vec3      p = roll_vector(&d, 1.5);
            ergi_wall_hit hits[ERGI_WALL_MAX_HITS];
            int           count = ergi_wall_hits(&wall, &pose, p, 0.1, hits);
            bool          is_far = ergi_wall_far(&wall, &pose, p, 0.1);
            CHECK(!(is_far && count));
            far += is_far;
            free_points += count == 0;
        }
        CHECK(free_points > 0 && far > free_points * 3 / 4);
        ergi_wall_free(&wall);
    }
}

// Nearest gap of a wall as a function of place: what a list built at pose a has to trust at pose b.
static double nearest_gap(const ergi_wall *wall, const ergi_pose *pose, erg_vec3 p)
{
    ergi_wall_hit hits[ERGI_WALL_MAX_HITS];
    double        least = 20.0;
    int           count = ergi_wall_hits(wall, pose, p, 20.0, hits);
    for (int i = 0; i < count; i++) least = fmin(least, hits[i].gap);
    return least;
}

TEST(sweep_is_an_upper_bound)
{
    dice d = {29};
    for (int shape = ERG_WALL_PLANE; shape <= ERG_WALL_CAPSULE; shape++) {
        erg_wall_def def = sample((erg_wall_shape)shape);
        ergi_wall    wall;
        def.has_pivot = true;
        def.pivot = (erg_vec3){0.4, -0.3, 0.2};
        def.side = shape == ERG_WALL_PLANE ? ERG_SIDE_AUTO : ERG_SIDE_BOTH;
        REQUIRE(ergi_wall_init(&wall, &def, NULL) == ERG_OK);
        for (int n = 0; n < 400; n++) {
            ergi_pose a = roll_pose(&d, 0.2, 2.0), b = a;
            b.position = ergi_add(b.position, roll_vector(&d, 0.05));
            b.rotation = ergi_quat_mul(ergi_quat_exp(roll_vector(&d, 0.1)), b.rotation);
            double   bound = ergi_wall_sweep(&wall, &a, &b, 2.0);
            erg_vec3 p = ergi_add(wall.pivot, roll_vector(&d, 1.0));
            double   change = fabs(nearest_gap(&wall, &a, p) - nearest_gap(&wall, &b, p));
            CHECK(change <= bound + 1e-12);
            CHECK(bound < 1.0);
        }
        ergi_wall_free(&wall);
    }
}

TEST(sweep_is_zero_on_itself)
{
    ergi_pose    a = ergi_pose_identity(), b = a;
    erg_wall_def def = sample(ERG_WALL_CYLINDER);
    ergi_wall    wall;
    erg_vec3     axis = ergi_normalize(ergi_sub(def.cylinder.b, def.cylinder.a));
    b.rotation = ergi_quat_exp(ergi_scale(axis, 1.3));
    REQUIRE(ergi_wall_init(&wall, &def, NULL) == ERG_OK);
    CHECK_NEAR(ergi_wall_sweep(&wall, &a, &b, 5.0), 0.0, 1e-14);
    ergi_wall_free(&wall);
    def.rough = (erg_rough){0.1, 0.05}; // bumps come round
    REQUIRE(ergi_wall_init(&wall, &def, NULL) == ERG_OK);
    CHECK(ergi_wall_sweep(&wall, &a, &b, 5.0) > 0.5);
    ergi_wall_free(&wall);

    def = sample(ERG_WALL_SPHERE);
    b.rotation = ergi_quat_exp(ergi_vec3(0.3, 0.2, 0.1));
    REQUIRE(ergi_wall_init(&wall, &def, NULL) == ERG_OK);
    CHECK_NEAR(ergi_wall_sweep(&wall, &a, &b, 5.0), 0.0, 1e-14);
    ergi_wall_free(&wall);

    def = sample(ERG_WALL_PLANE);
    def.plane.normal = (erg_vec3){0.0, 0.0, 1.0};
    b = a;
    b.position = (erg_vec3){0.3, -2.0, 0.0};
    REQUIRE(ergi_wall_init(&wall, &def, NULL) == ERG_OK);
    CHECK_NEAR(ergi_wall_sweep(&wall, &a, &b, 5.0), 0.0, 1e-14);
    b.position.z = 0.25;
    CHECK_NEAR(ergi_wall_sweep(&wall, &a, &b, 5.0), 0.25, 1e-14);
    ergi_wall_free(&wall);
}

TEST(bounds_hold_the_wall)
{
    dice d = {41};
    for (int shape = ERG_WALL_PLANE; shape <= ERG_WALL_CAPSULE; shape++) {
        erg_wall_def def = sample((erg_wall_shape)shape);
        ergi_wall    wall;
        def.side = shape == ERG_WALL_PLANE ? ERG_SIDE_AUTO : ERG_SIDE_BOTH;
        def.rough = (erg_rough){0.1, 0.05};
        REQUIRE(ergi_wall_init(&wall, &def, NULL) == ERG_OK);
        for (int n = 0; n < 200; n++) {
            ergi_pose     pose = roll_pose(&d, 1.0, 2.0);
            erg_vec3      low, high;
            ergi_wall_hit hits[ERGI_WALL_MAX_HITS];
            bool          bounded = ergi_wall_bounds(&wall, &pose, &low, &high);
            CHECK(bounded == (shape != ERG_WALL_PLANE));
            int count = ergi_wall_hits(&wall, &pose, roll_vector(&d, 1.0), 3.0, hits);
            for (int i = 0; i < count; i++) {
                erg_vec3 q = hits[i].point;
                CHECK(q.x > low.x - 1e-12 && q.y > low.y - 1e-12 && q.z > low.z - 1e-12);
                CHECK(q.x < high.x + 1e-12 && q.y < high.y + 1e-12 && q.z < high.z + 1e-12);
            }
        }
        ergi_wall_free(&wall);
    }
}

TEST(surface_velocity_follows_its_points)
{
    erg_wall_def def = sample(ERG_WALL_CYLINDER);
    ergi_wall    wall;
    def.motion[0] = erg_motion_def_default(ERG_MOTION_SPIN);
    def.motion[0].axis = (erg_vec3){1.0, 1.0, 0.0};
    def.motion[0].rate = 2.0;
    def.motion[1] = erg_motion_def_default(ERG_MOTION_OSCILLATION);
    def.motion[1].amplitude = (erg_vec3){0.0, 0.1, 0.2};
    def.motion_count = 2;
    REQUIRE(ergi_wall_init(&wall, &def, NULL) == ERG_OK);
    erg_vec3     start = {0.7, 0.2, -0.1}, at[3];
    const double h = 1e-5;
    ergi_pose    pose;
    for (int i = 0; i < 3; i++) {
        ergi_motion_at(&wall.motion, 0.4 + (i - 1) * h, &pose);
        erg_vec3 arm = ergi_quat_rotate(pose.rotation, ergi_sub(start, wall.pivot));
        at[i] = ergi_add(ergi_add(wall.pivot, pose.position), arm);
    }
    ergi_motion_at(&wall.motion, 0.4, &pose);
    erg_vec3 want = ergi_scale(ergi_sub(at[2], at[0]), 0.5 / h);
    CHECK_NEAR(ergi_distance(ergi_wall_velocity(&wall, &pose, at[1]), want), 0.0, 1e-8);
    ergi_wall_free(&wall);
}

TEST(contact_curvature_is_kept_in_bounds)
{
    CHECK_NEAR(ergi_wall_contact_curvature(0.01, 0.0), 100.0, 1e-12);
    CHECK_NEAR(ergi_wall_contact_curvature(0.01, -50.0), 50.0, 1e-12);
    CHECK_NEAR(ergi_wall_contact_curvature(0.01, -200.0), 10.0, 1e-12);
    CHECK_NEAR(ergi_wall_contact_curvature(0.01, 1e9), 1000.0, 1e-12);
}

// ---- Messages ----------------------------------------------------------------------------------
static void check_message(const erg_wall_def *def, const char *want)
{
    erg_error err = {0};
    ergi_wall wall;
    CHECK(ergi_wall_init(&wall, def, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, want);
    CHECK(wall.motion.count == 0);
    CHECK(ergi_wall_check(def, NULL) == ERG_BAD_INPUT);
}

TEST(bad_sizes_are_told)
{
    erg_wall_def def = sample(ERG_WALL_SPHERE);
    def.name = "ball";
    def.sphere.radius = -1.0;
    check_message(&def, "wall 'ball': radius must be above 0 m, got -1");
    def = sample(ERG_WALL_BOX);
    def.box.min.y = 0.4;
    check_message(&def, "wall: box min must be below max, got 0.4 and 0.4 along y");
    def.box.min.y = HUGE_VAL;
    check_message(&def, "wall: min must be finite, got (-0.5, inf, -0.7)");
    def = sample(ERG_WALL_BOX);
    def.box.open = ERG_FACE_ALL;
    check_message(&def, "wall: open must be such that at least one face remains, got 63");
    def = sample(ERG_WALL_PLANE);
    def.plane.normal = (erg_vec3){0.0, 0.0, 0.0};
    check_message(&def, "wall: normal must be a finite direction, not zero, got (0, 0, 0)");
    def = sample(ERG_WALL_CYLINDER);
    def.cylinder.b = def.cylinder.a;
    check_message(&def,
                  "wall: the ends a and b of a cylinder must differ, both are (0.1, -0.4, 0.2)");
    def = sample(ERG_WALL_CONE);
    def.cone.radius_a = def.cone.radius_b = 0.0;
    check_message(&def, "wall: one of radius_a and radius_b must be above 0 m, got 0");
    def = sample(ERG_WALL_FUNNEL);
    def.funnel.top_radius = 0.1;
    check_message(&def, "wall: top_radius must be above outlet_radius, got 0.1");
    def = sample(ERG_WALL_FUNNEL);
    def.funnel.stem = -0.1;
    check_message(&def, "wall: stem must be at least 0 m, got -0.1");
    def = sample(ERG_WALL_HOURGLASS);
    def.hourglass.height = 0.9;
    check_message(&def, "wall: height must be at least 2 cone_height, got 0.9");
    def = sample(ERG_WALL_HOURGLASS);
    def.hourglass.rounding = 0.6;
    check_message(&def, "wall: rounding must be at most bulb_radius - neck_radius, got 0.6");
    def = sample(ERG_WALL_CAPSULE);
    def.capsule.radius = 0.0;
    check_message(&def, "wall: radius must be above 0 m, got 0");
    def.shape = (erg_wall_shape)77;
    check_message(&def, "wall: shape must be one of erg_wall_shape, got 77");
}

TEST(bad_sides_bumps_and_motions_are_told)
{
    erg_wall_def def = sample(ERG_WALL_CONE);
    def.side = ERG_SIDE_INSIDE;
    check_message(&def, "wall: side must be both for a cone with an opening, got inside");
    def = sample(ERG_WALL_BOX);
    def.box.open = ERG_FACE_X_MIN;
    def.side = ERG_SIDE_OUTSIDE;
    check_message(&def, "wall: side must be both for a box with an opening, got outside");
    def = sample(ERG_WALL_PLANE);
    def.side = ERG_SIDE_INSIDE;
    check_message(&def, "wall: a plane has no inside: point its normal to the side of the grains");
    def = sample(ERG_WALL_PLANE);
    def.rough = (erg_rough){0.01, 0.006};
    check_message(&def, "wall: rough spacing must be at least twice the rough radius, got 0.01");
    def.rough = (erg_rough){0.01, 0.0};
    check_message(&def, "wall: rough radius must be above 0 m, got 0");
    def = sample(ERG_WALL_PLANE);
    def.motion_count = 5;
    check_message(&def, "wall: number of motions must be 0 to 4, got 5");
    def.name = "lid";
    def.motion_count = 1;
    def.motion[0] = erg_motion_def_default(ERG_MOTION_SERVO);
    check_message(&def, "wall 'lid': motion 0: force must be above 0 N, got 0");
    def.motion[0] = def.motion[1] = erg_motion_def_default(ERG_MOTION_USER);
    def.motion_count = 2;
    check_message(&def, "wall 'lid': number of servo and user motions must be at most 1, got 2");
    def.motion_count = 0;
    def.name = "a name that goes on and on and on and on and on and on and on and on";
    check_message(&def, "wall: name must be at most 63 bytes, got 68");
}

TEST_MAIN(every_shape_is_made, moved_walls_answer_as_moved_questions,
          far_is_never_wrong_and_often_true, sweep_is_an_upper_bound, sweep_is_zero_on_itself,
          bounds_hold_the_wall, surface_velocity_follows_its_points,
          contact_curvature_is_kept_in_bounds, bad_sizes_are_told,
          bad_sides_bumps_and_motions_are_told)
