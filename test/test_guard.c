// labels: asan
// Impossible motion is detected before the step is accepted, with a helpful message.
#include "world_helpers.h"

static erg_world *bed(void)
{
    erg_world_def def = erg_world_def_default();
    def.threads = 1;
    def.speed = 1;
    erg_world   *world = new_world(&def);
    erg_id       sand = new_sand(world, 0.5, 0.5);
    erg_wall_def box =
        box_def(sand, (erg_vec3){0, 0, 0}, (erg_vec3){12e-3, 12e-3, 0.5}, ERG_FACE_Z_MAX);
    box.name = "tank";
    new_wall(world, &box);
    fill_box(world, new_kind(world, ERG_SHAPE_SPHERE, sand), 80, (erg_vec3){0, 0, 0},
             (erg_vec3){12e-3, 12e-3, 0.1});
    return world;
}

// A disturbance that takes effect in step 301, many steps after the last rollback copy: the world
// must end at step 300, as if 300 steps had been requested.
static void check_blow(erg_command blow, const char *words)
{
    erg_world *world = bed(), *fresh = bed();
    erg_error  err;
    blow.step = 300;
    command(world, blow);
    command(world, (erg_command){.kind = ERG_COMMAND_FRICTION, .step = 100, .value = 0.2});
    command(fresh, (erg_command){.kind = ERG_COMMAND_FRICTION, .step = 100, .value = 0.2});
    step(fresh, 300);
    CHECK(erg_world_step(world, 1000, &err) == ERG_BAD_PHYSICS);
    CHECK(err.status == ERG_BAD_PHYSICS);
    CHECK(erg_world_steps(world) == 300);
    CHECK(erg_world_hash(world) == erg_world_hash(fresh));
    if (!strstr(err.text, "step 301, t = ") || !strstr(err.text, "grain ") ||
        !strstr(err.text, words))
        printf("    \"%s\"\n", err.text);
    CHECK(strstr(err.text, "step 301, t = ") && strstr(err.text, "grain ") &&
          strstr(err.text, words));
    // Asked again it says the same and stays.
    CHECK(erg_world_step(world, 1, &err) == ERG_BAD_PHYSICS);
    CHECK(erg_world_steps(world) == 300 && erg_world_hash(world) == erg_world_hash(fresh));
    erg_world_destroy(world);
    erg_world_destroy(fresh);
}

TEST(runaway_speed_stops_at_the_last_good_step)
{
    check_blow((erg_command){.kind = ERG_COMMAND_PUSH, .value = 1, .vector = {0, 0, 1e3}},
               "is too fast, with a velocity of");
}

TEST(absurd_gravity_stops_at_the_last_good_step)
{
    check_blow((erg_command){.kind = ERG_COMMAND_GRAVITY, .vector = {0, 0, -1e30}}, "grain ");
}

// One grain sits in another.
TEST(overlap_stops_before_the_first_step)
{
    erg_world_def def = space_def(ERG_FLOAT);
    erg_world    *world = new_world(&def);
    erg_id        kind = new_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 0.5, 0.5));
    erg_vec3      none = {0, 0, 0};
    new_grain(world, kind, (erg_vec3){0, 0, 0}, none, none);
    new_grain(world, kind, (erg_vec3){0, 0, 1e-3}, none, none);
    erg_error err;
    CHECK(erg_world_step(world, 10, &err) == ERG_BAD_PHYSICS);
    CHECK(strstr(err.text, "overlap by") && strstr(err.text, "of a radius, the limit is 0.3"));
    CHECK(strstr(err.text, "grain 1 ") && strstr(err.text, "grain 2 "));
    CHECK(strstr(err.text, "placed inside each other"));
    CHECK(erg_world_steps(world) == 0);
    CHECK_NEAR(read3(world, ERG_FIELD_POSITION, 2).z, 1e-3, 0);
    erg_world_destroy(world);
}

// Neither is what was placed to blame: a spin that no dt can follow, and two that meet too hard.
TEST(a_bad_start_is_told_from_a_bad_place)
{
    for (int hard = 0; hard < 2; hard++) {
        erg_world_def def = space_def(ERG_FLOAT);
        erg_world    *world = new_world(&def);
        erg_id        kind = new_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 0.5, 0.5));
        erg_vec3 none = {0, 0, 0}, spin = {hard ? 0 : 1e6, 0, 0}, fast = {0, 0, hard ? -300 : 0};
        new_grain(world, kind, none, none, spin);
        new_grain(world, kind, (erg_vec3){0, 0, 2.001e-3}, fast, none);
        erg_error err;
        CHECK(erg_world_step(world, 10, &err) == ERG_BAD_PHYSICS);
        CHECK(!strstr(err.text, "placed inside each other"));
        const char *words = hard ? "nothing overlapped at the start: the impact is too hard"
                                 : "grain 1 spins too fast, at (1e+06, 0, 0) rad/s";
        if (!strstr(err.text, words)) printf("    %s\n", err.text);
        CHECK(strstr(err.text, words));
        CHECK(erg_world_steps(world) < 10);
        erg_world_destroy(world);
    }
}

// Two centres in one place have no normal; still a sentence, not a NaN.
TEST(two_grains_in_one_place)
{
    for (int p = 0; p < 2; p++) {
        erg_world_def def = space_def((erg_precision)p);
        erg_world    *world = new_world(&def);
        erg_id        kind = new_kind(world, ERG_SHAPE_TETRAHEDRON, new_sand(world, 0.5, 0.5));
        erg_vec3      none = {0, 0, 0};
        new_grain(world, kind, none, none, none);
        new_grain(world, kind, none, none, none);
        erg_error err;
        CHECK(erg_world_step(world, 10, &err) == ERG_BAD_PHYSICS);
        CHECK(erg_world_steps(world) == 0);
        CHECK(strstr(err.text, "overlap by 2") != NULL);
        erg_world_destroy(world);
    }
}

TEST(wall_overlap_names_the_wall)
{
    erg_world *world = bed();
    step(world, 20);
    write3(world, ERG_FIELD_POSITION, 3, (erg_vec3){6e-3, 6e-3, 0.4e-3});
    write3(world, ERG_FIELD_POSITION, 4, (erg_vec3){6e-3, 6e-3, 0.3});
    erg_error err;
    CHECK(erg_world_step(world, 1, &err) == ERG_BAD_PHYSICS);
    CHECK(strstr(err.text, "overlap by") != NULL);
    CHECK(erg_world_steps(world) == 20);
    erg_world_destroy(world);
}

// A number that is no number: a velocity beyond what a float holds.
TEST(infinite_velocity_is_named)
{
    erg_world *world = bed();
    step(world, 20);
    write3(world, ERG_FIELD_VELOCITY, 7, (erg_vec3){0, 1e200, 0});
    uint64_t  hash = erg_world_hash(world);
    erg_error err;
    CHECK(erg_world_step(world, 5, &err) == ERG_BAD_PHYSICS);
    CHECK(strstr(err.text, "step 21") && strstr(err.text, "grain 7 "));
    CHECK(erg_world_steps(world) == 20 && erg_world_hash(world) == hash);
    // Once repaired, the world continues.
    write3(world, ERG_FIELD_VELOCITY, 7, (erg_vec3){0, 0, 0});
    step(world, 20);
    CHECK(erg_world_steps(world) == 40);
    erg_world_destroy(world);
}

// Spin can run away too: the surface of a sphere may not go round in one step.
TEST(infinite_spin_is_named)
{
    erg_world *world = bed();
    run_until(world, 0.03); // grains touch by now
    uint64_t steps = erg_world_steps(world);
    for (erg_gid id = 1; id <= 80; id++) write3(world, ERG_FIELD_SPIN, id, (erg_vec3){0, 1e200, 0});
    erg_error err;
    CHECK(erg_world_step(world, 5, &err) == ERG_BAD_PHYSICS);
    CHECK(strstr(err.text, "grain ") != NULL);
    CHECK(erg_world_steps(world) == steps);
    erg_world_destroy(world);
}

TEST(too_large_dt_is_refused_with_the_limit)
{
    erg_world_def def = space_def(ERG_FLOAT);
    def.dt = 1e-3;
    def.speed = 1;
    erg_world *world = new_world(&def);
    erg_id     kind = new_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 0.5, 0.5));
    new_grain(world, kind, (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 0});
    erg_error err;
    CHECK(erg_world_step(world, 1, &err) == ERG_BAD_INPUT);
    double m = 2500 * 4.0 / 3 * 3.14159265358979 * 1e-9,
           k = 4.0 / 3 * (1e7 / (2 * 0.9375)) * sqrt(0.5e-3);
    char want[64];
    snprintf(want, sizeof want, "dt is 0.001 s, but may be at most %.4g s",
             0.1 * 3.218 * pow(m / 2 / k, 0.4));
    CHECK(strncmp(err.text, want, 38) == 0);
    CHECK(erg_world_steps(world) == 0);
    erg_world_destroy(world);
    def.dt = 1e-6;
    world = new_world(&def);
    new_grain(world, new_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 0.5, 0.5)),
              (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 0}, (erg_vec3){0, 0, 0});
    step(world, 3);
    CHECK_NEAR(erg_world_dt(world), 1e-6, 0);
    CHECK(strstr(erg_world_dt_reason(world), "as given") != NULL);
    erg_world_destroy(world);
}

// dt chosen: a twentieth of the shortest contact unless asked otherwise.
TEST(chosen_dt_follows_the_factor)
{
    double dt[2];
    for (int k = 0; k < 2; k++) {
        erg_world_def def = space_def(ERG_FLOAT);
        def.speed = 0.1;
        def.dt_factor = k ? 0.025 : 0.05;
        erg_world *world = new_world(&def);
        new_kind(world, ERG_SHAPE_SPHERE, new_sand(world, 0.5, 0.5));
        prepare(world);
        dt[k] = erg_world_dt(world);
        erg_world_destroy(world);
    }
    CHECK_NEAR(dt[0], 2 * dt[1], 1e-12);
}

TEST_MAIN(runaway_speed_stops_at_the_last_good_step, absurd_gravity_stops_at_the_last_good_step,
          overlap_stops_before_the_first_step, a_bad_start_is_told_from_a_bad_place,
          two_grains_in_one_place, wall_overlap_names_the_wall, infinite_velocity_is_named,
          infinite_spin_is_named, too_large_dt_is_refused_with_the_limit,
          chosen_dt_follows_the_factor)
