// Motions: velocities equal finite differences, parts add up, start and stop, servo and user state,
// messages.
#include "check.h"

#include "geom/vec3.h"
#include "world/motion.h"

static const erg_keyframe path[] = {
    {0.2, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}},
    {0.5, {0.1, -0.2, 0.3}, {0.0, 0.6, 0.0, 0.8}},
    {1.1, {0.4, 0.0, 0.1}, {0.5, -0.5, 0.5, -0.5}},
};

static erg_motion_def part_of(erg_motion_kind kind)
{
    erg_motion_def def = erg_motion_def_default(kind);
    def.velocity = (erg_vec3){1.0, -2.0, 0.5};
    def.axis = (erg_vec3){1.0, 2.0, -2.0};
    def.rate = 3.0;
    def.amplitude = (erg_vec3){0.01, 0.0, 0.02};
    def.angle = 0.3;
    def.frequency = 2.5;
    def.phase = 0.7;
    def.keys = path;
    def.key_count = 3;
    def.force = 10.0;
    def.max_speed = 0.5;
    def.torque = 6.0;
    def.max_rate = 4.0;
    return def;
}

static double angle_between(erg_quat a, erg_quat b)
{
    erg_quat q = ergi_quat_mul(b, ergi_quat_conjugate(a));
    return 2.0 * asin(sqrt(q.x * q.x + q.y * q.y + q.z * q.z));
}

// Velocity against central differences, spin against the small rotation in between.
static void check_rates(const ergi_motion *motion, double t)
{
    const double h = 1e-5;
    ergi_pose    now, before, after;
    ergi_motion_at(motion, t, &now);
    ergi_motion_at(motion, t - h, &before);
    ergi_motion_at(motion, t + h, &after);
    erg_vec3 v = ergi_scale(ergi_sub(after.position, before.position), 0.5 / h);
    CHECK_NEAR(ergi_distance(v, now.velocity), 0.0, 1e-5 * (1.0 + ergi_norm(v)));

    erg_quat q = ergi_quat_mul(after.rotation, ergi_quat_conjugate(before.rotation));
    if (q.w < 0.0) q = (erg_quat){-q.x, -q.y, -q.z, -q.w};
    erg_vec3 w = ergi_scale((erg_vec3){q.x, q.y, q.z}, 1.0 / h);
    CHECK_NEAR(ergi_distance(w, now.spin), 0.0, 1e-5 * (1.0 + ergi_norm(w)));
    double norm = sqrt(now.rotation.x * now.rotation.x + now.rotation.y * now.rotation.y +
                       now.rotation.z * now.rotation.z + now.rotation.w * now.rotation.w);
    CHECK_NEAR(norm, 1.0, 1e-14);
}

static const double times[] = {-0.1, 0.0137, 0.1, 0.3333, 0.49, 0.77, 1.05, 1.4, 12.345};
enum { TIMES = sizeof times / sizeof *times };

TEST(every_kind_has_matching_rates)
{
    for (int kind = ERG_MOTION_VELOCITY; kind <= ERG_MOTION_KEYFRAMES; kind++) {
        for (int smooth = 0; smooth < 2; smooth++) {
            erg_motion_def def = part_of((erg_motion_kind)kind);
            def.smooth = smooth;
            ergi_motion motion;
            REQUIRE(ergi_motion_init(&motion, &def, 1, NULL) == ERG_OK);
            for (int i = 0; i < TIMES; i++) check_rates(&motion, times[i]);
            ergi_motion_free(&motion);
        }
    }
}

TEST(sums_have_matching_rates)
{
    erg_motion_def defs[4] = {part_of(ERG_MOTION_SPIN), part_of(ERG_MOTION_ROCKING),
                              part_of(ERG_MOTION_KEYFRAMES), part_of(ERG_MOTION_OSCILLATION)};
    defs[1].axis = (erg_vec3){0.0, 1.0, 0.0};
    defs[3].start = 0.25;
    ergi_motion motion;
    REQUIRE(ergi_motion_init(&motion, defs, 4, NULL) == ERG_OK);
    for (int i = 0; i < TIMES; i++) check_rates(&motion, times[i]);
    ergi_motion_free(&motion);
}

TEST(first_part_is_innermost)
{
    // Spin about z on a frame that keyframes have turned by 90 degrees about x: now about -y.
    erg_keyframe   turned = {0.0, {0.0, 0.0, 0.0}, {sqrt(0.5), 0.0, 0.0, sqrt(0.5)}};
    erg_motion_def defs[2] = {erg_motion_def_default(ERG_MOTION_SPIN),
                              erg_motion_def_default(ERG_MOTION_KEYFRAMES)};
    defs[0].rate = 2.0;
    defs[1].keys = &turned;
    defs[1].key_count = 1;
    ergi_motion motion;
    ergi_pose   pose;
    REQUIRE(ergi_motion_init(&motion, defs, 2, NULL) == ERG_OK);
    ergi_motion_at(&motion, 1.0, &pose);
    CHECK_NEAR(pose.spin.x, 0.0, 1e-14);
    CHECK_NEAR(pose.spin.y, -2.0, 1e-14);
    CHECK_NEAR(pose.spin.z, 0.0, 1e-14);
    ergi_motion_free(&motion);
}

TEST(start_and_stop)
{
    erg_motion_def def = part_of(ERG_MOTION_VELOCITY);
    def.start = 1.0;
    def.stop = 3.0;
    ergi_motion motion;
    ergi_pose   pose;
    REQUIRE(ergi_motion_init(&motion, &def, 1, NULL) == ERG_OK);
    ergi_motion_at(&motion, 0.5, &pose);
    CHECK(pose.position.x == 0.0 && pose.velocity.x == 0.0);
    ergi_motion_at(&motion, 1.0, &pose);
    CHECK(pose.position.x == 0.0 && pose.velocity.x == 1.0);
    ergi_motion_at(&motion, 2.0, &pose);
    CHECK(pose.position.y == -2.0 && pose.velocity.y == -2.0);
    ergi_motion_at(&motion, 3.0, &pose);
    CHECK(pose.position.x == 2.0 && pose.velocity.x == 0.0);
    ergi_motion_at(&motion, 1e6, &pose);
    CHECK(pose.position.x == 2.0 && pose.velocity.x == 0.0);
    ergi_motion_free(&motion);
}

TEST(motions_begin_where_the_wall_is)
{
    for (int kind = ERG_MOTION_VELOCITY; kind <= ERG_MOTION_ROCKING; kind++) {
        erg_motion_def def = part_of((erg_motion_kind)kind);
        def.start = 0.5;
        ergi_motion motion;
        ergi_pose   pose;
        REQUIRE(ergi_motion_init(&motion, &def, 1, NULL) == ERG_OK);
        ergi_motion_at(&motion, 0.5, &pose);
        CHECK(ergi_norm(pose.position) == 0.0);
        CHECK_NEAR(pose.rotation.w, 1.0, 0.0);
        ergi_motion_free(&motion);
    }
}

TEST(keys_are_met_and_held)
{
    erg_motion_def def = part_of(ERG_MOTION_KEYFRAMES);
    ergi_motion    motion;
    ergi_pose      pose;
    REQUIRE(ergi_motion_init(&motion, &def, 1, NULL) == ERG_OK);
    for (int i = 0; i < 3; i++) {
        ergi_motion_at(&motion, path[i].time, &pose);
        CHECK_NEAR(ergi_distance(pose.position, path[i].position), 0.0, 1e-14);
        CHECK_NEAR(angle_between(pose.rotation, path[i].rotation), 0.0, 1e-7);
        CHECK_NEAR(ergi_norm(pose.velocity), 0.0, 1e-12);
    }
    ergi_motion_at(&motion, 0.0, &pose);
    CHECK_NEAR(ergi_distance(pose.position, path[0].position), 0.0, 1e-15);
    ergi_motion_at(&motion, 99.0, &pose);
    CHECK_NEAR(ergi_distance(pose.position, path[2].position), 0.0, 1e-15);
    CHECK(ergi_norm(pose.velocity) == 0.0);
    ergi_motion_free(&motion);
}

TEST(servo_holds_its_force)
{
    // A piston on a spring: the resistance grows as it goes down, until it is the asked force.
    const double   k = 1e4, dt = 1e-4;
    erg_motion_def def = part_of(ERG_MOTION_SERVO);
    def.start = 0.01;
    ergi_motion       motion;
    ergi_motion_state state = ergi_motion_state_initial();
    ergi_pose         pose;
    REQUIRE(ergi_motion_init(&motion, &def, 1, NULL) == ERG_OK);
    CHECK(ergi_motion_dynamic(&motion));
    double fastest = 0.0;
    for (int i = 0; i < 5000; i++) {
        erg_vec3 force = {0.0, 0.0, -k * state.pose.position.z};
        ergi_motion_step(&motion, &state, i * dt, dt, force, (erg_vec3){0});
        if (i == 50) CHECK(state.pose.position.z == 0.0); // not started yet
        fastest = fmax(fastest, fabs(state.pose.velocity.z));
    }
    ergi_motion_pose(&motion, &state, 0.5, &pose);
    CHECK_NEAR(-k * pose.position.z, 10.0, 1e-6);
    CHECK_NEAR(fastest, 0.5, 1e-12);
    // Pushed back beyond the force it gives way, at most at full speed.
    ergi_motion_step(&motion, &state, 0.6, dt, (erg_vec3){0.0, 0.0, 1e6}, (erg_vec3){0});
    CHECK_NEAR(state.pose.velocity.z, 0.5, 1e-12);
    ergi_motion_free(&motion);
}

TEST(servo_holds_its_torque)
{
    // A motor that winds up a spring about its axis; what pushes across the axis is borne.
    const double   k = 100, dt = 1e-4;
    erg_motion_def def = part_of(ERG_MOTION_SERVO_TORQUE);
    erg_vec3       axis = ergi_normalize(def.axis), across = {2.0, -1.0, 0.0};
    def.start = 0.01;
    ergi_motion       motion;
    ergi_motion_state state = ergi_motion_state_initial();
    REQUIRE(ergi_motion_init(&motion, &def, 1, NULL) == ERG_OK);
    CHECK(ergi_motion_dynamic(&motion));
    CHECK_NEAR(ergi_dot(axis, across), 0.0, 1e-15);
    double fastest = 0.0, turned = 0.0;
    for (int i = 0; i < 5000; i++) {
        erg_vec3 torque = ergi_madd(across, -k * turned, axis);
        ergi_motion_step(&motion, &state, i * dt, dt, (erg_vec3){1.0, 2.0, 3.0}, torque);
        if (i == 50) CHECK(state.pose.rotation.w == 1.0); // not started yet
        turned += dt * ergi_dot(state.pose.spin, axis);
        fastest = fmax(fastest, ergi_norm(state.pose.spin));
    }
    CHECK_NEAR(k * turned, 6.0, 1e-6);
    CHECK_NEAR(angle_between((erg_quat){0.0, 0.0, 0.0, 1.0}, state.pose.rotation), turned, 1e-12);
    CHECK_NEAR(fastest, 4.0, 1e-12);
    CHECK(ergi_norm(state.pose.position) == 0.0);
    // Turned back beyond the torque it gives way, at most at full rate.
    ergi_motion_step(&motion, &state, 0.6, dt, (erg_vec3){0}, ergi_scale(axis, -1e6));
    CHECK_NEAR(ergi_dot(state.pose.spin, axis), -4.0, 1e-12);
    ergi_motion_free(&motion);
}

// A wheel that is pressed down and turned: each servo goes by its own resistance.
TEST(two_servos_press_and_turn)
{
    erg_motion_def    defs[2] = {part_of(ERG_MOTION_SERVO), part_of(ERG_MOTION_SERVO_TORQUE)};
    ergi_motion       motion;
    ergi_motion_state state = ergi_motion_state_initial();
    erg_vec3          axis = ergi_normalize(defs[1].axis);
    REQUIRE(ergi_motions_check(defs, 2, "wheel", NULL) == ERG_OK);
    REQUIRE(ergi_motion_init(&motion, defs, 2, NULL) == ERG_OK);
    ergi_motion_step(&motion, &state, 0.0, 0.1, (erg_vec3){9.0, 9.0, 5.0}, ergi_scale(axis, -1.5));
    CHECK_NEAR(state.pose.velocity.z, -0.5 * (10.0 - 5.0) / 10.0, 1e-14);
    CHECK_NEAR(ergi_dot(state.pose.spin, axis), 4.0 * (6.0 - 1.5) / 6.0, 1e-14);
    ergi_motion_free(&motion);
}

TEST(user_drives)
{
    erg_motion_def    defs[2] = {part_of(ERG_MOTION_VELOCITY), part_of(ERG_MOTION_USER)};
    ergi_motion       motion;
    ergi_motion_state state = ergi_motion_state_initial();
    ergi_pose         pose;
    REQUIRE(ergi_motion_init(&motion, defs, 2, NULL) == ERG_OK);
    ergi_motion_step(&motion, &state, 0.0, 0.1, (erg_vec3){0}, (erg_vec3){0});
    CHECK(ergi_norm(state.pose.position) == 0.0);
    state.user_velocity = (erg_vec3){0.0, 0.0, 2.0};
    state.user_spin = (erg_vec3){0.0, 0.0, ERGI_PI};
    for (int i = 1; i <= 5; i++)
        ergi_motion_step(&motion, &state, 0.1 * i, 0.1, (erg_vec3){0}, (erg_vec3){0});
    ergi_motion_pose(&motion, &state, 0.6, &pose);
    CHECK_NEAR(pose.position.x, 0.6, 1e-14);
    CHECK_NEAR(pose.position.z, 0.3 + 1.0, 1e-14);
    CHECK_NEAR(pose.velocity.z, 2.5, 1e-14);
    CHECK_NEAR(pose.rotation.z, sqrt(0.5), 1e-14); // a quarter turn
    CHECK_NEAR(pose.spin.z, ERGI_PI, 1e-14);
    ergi_motion_free(&motion);
}

// Full speed up to half the limit, rest at it, back beyond it, never faster than asked.
TEST(user_force_is_limited)
{
    erg_motion_def def = part_of(ERG_MOTION_USER);
    ergi_motion    motion;
    REQUIRE(ergi_motion_init(&motion, &def, 1, NULL) == ERG_OK);
    motion.user_force = 10;
    static const double against[] = {-20, 0, 5, 7.5, 10, 12.5, 15, 100},
                        speed[] = {2, 2, 2, 1, 0, -1, -2, -2};
    for (int i = 0; i < 8; i++) {
        ergi_motion_state state = ergi_motion_state_initial();
        state.user_velocity = (erg_vec3){0.0, 0.0, -2.0};
        ergi_motion_step(&motion, &state, 0.0, 0.1, (erg_vec3){3.0, 0.0, against[i]},
                         (erg_vec3){0});
        CHECK_NEAR(state.pose.velocity.z, -speed[i], 1e-14);
    }
    ergi_motion_free(&motion);
}

static void check_message(erg_motion_def def, const char *want)
{
    erg_error err = {0};
    CHECK(ergi_motion_check(&def, "wall 'lid'", 1, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, want);
    CHECK(ergi_motion_check(&def, "wall 'lid'", 1, NULL) == ERG_BAD_INPUT);
}

TEST(bad_motions_are_told)
{
    erg_motion_def def = part_of(ERG_MOTION_VELOCITY);
    def.stop = 0.0;
    check_message(def, "wall 'lid': motion 1: stop must be after start, got 0");
    def = part_of(ERG_MOTION_SPIN);
    def.axis = (erg_vec3){0.0, 0.0, 0.0};
    check_message(def,
                  "wall 'lid': motion 1: axis must be a finite direction, not zero, got (0, 0, 0)");
    def = part_of(ERG_MOTION_ROCKING);
    def.frequency = -1.0;
    check_message(def, "wall 'lid': motion 1: frequency must be above 0 Hz, got -1");
    def = part_of(ERG_MOTION_SERVO);
    def.force = 0.0;
    check_message(def, "wall 'lid': motion 1: force must be above 0 N, got 0");
    def = part_of(ERG_MOTION_SERVO);
    def.max_speed = -2.0;
    check_message(def, "wall 'lid': motion 1: max_speed must be above 0 m/s, got -2");
    def = part_of(ERG_MOTION_SERVO_TORQUE);
    def.torque = -3.0;
    check_message(def, "wall 'lid': motion 1: torque must be above 0 N m, got -3");
    def = part_of(ERG_MOTION_SERVO_TORQUE);
    def.max_rate = HUGE_VAL;
    check_message(def, "wall 'lid': motion 1: max_rate must be above 0 rad/s, got inf");
    def = part_of(ERG_MOTION_SERVO_TORQUE);
    def.gain = -1.0;
    check_message(def, "wall 'lid': motion 1: gain must be at least 0 rad/(s N m), got -1");
    def = part_of(ERG_MOTION_SERVO_TORQUE);
    def.axis = (erg_vec3){0.0, 0.0, 0.0};
    check_message(def,
                  "wall 'lid': motion 1: axis must be a finite direction, not zero, got (0, 0, 0)");
    def = part_of(ERG_MOTION_KEYFRAMES);
    def.key_count = 0;
    check_message(def, "wall 'lid': motion 1: number of keyframes must be at least 1, got 0");
    erg_keyframe keys[2] = {path[0], path[0]};
    def.keys = keys;
    def.key_count = 2;
    check_message(
        def, "wall 'lid': motion 1: time of a keyframe must be later than the one before, got 0.2");
    keys[1].time = 1.0;
    keys[1].rotation.w = 2.0;
    check_message(def, "wall 'lid': motion 1: length of a keyframe's quaternion must be 1, got 2");
    def = part_of(ERG_MOTION_VELOCITY);
    def.velocity.y = HUGE_VAL;
    check_message(def, "wall 'lid': motion 1: velocity must be finite, got (1, inf, 0.5)");
}

TEST(servo_and_user_exclude_each_other)
{
    static const erg_motion_kind kinds[][2] = {
        {ERG_MOTION_SERVO, ERG_MOTION_SERVO},
        {ERG_MOTION_SERVO, ERG_MOTION_USER},
        {ERG_MOTION_SERVO_TORQUE, ERG_MOTION_SERVO_TORQUE},
        {ERG_MOTION_USER, ERG_MOTION_SERVO_TORQUE},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        erg_motion_def defs[2] = {part_of(kinds[i][0]), part_of(kinds[i][1])};
        erg_error      err = {0};
        CHECK(ergi_motions_check(defs, 2, "body 'wheel'", &err) == ERG_BAD_INPUT);
        CHECK_STR(err.text, i < 2 ? "body 'wheel': number of servo and user motions must be at "
                                    "most 1, got 2"
                                  : "body 'wheel': number of servo_torque and user motions must "
                                    "be at most 1, got 2");
    }
}

TEST_MAIN(every_kind_has_matching_rates, sums_have_matching_rates, first_part_is_innermost,
          start_and_stop, motions_begin_where_the_wall_is, keys_are_met_and_held,
          servo_holds_its_force, servo_holds_its_torque, two_servos_press_and_turn, user_drives,
          user_force_is_limited, bad_motions_are_told, servo_and_user_exclude_each_other)
