// labels: draw asan
// Colours of quantities, checked in pixels; and moving cameras.
#include "check.h"
#include "erg/upsample.h"
#include "shot.h"

// ---- Numbers -----------------------------------------------------------------------------------
enum { A, B, C, SPHERES };

static const double WHERE[SPHERES] = {-0.06, 0, 0.06}; // along x [m]
static const double RADIUS[SPHERES] = {0.022, 0.018, 0.014};
static const double HEIGHT[SPHERES] = {0, -0.02, 0.02};
static const double SPEED[SPHERES] = {0.2, 0.3, 0.1};
static const double OVERLAP[SPHERES] = {1e-4, 3.4e-4, 2.2e-4};

// Three spheres in a row whose ids, sizes, heights, speeds and forces have five different orders;
// each is pushed by a smaller one behind it, which is not visible.
static scene new_row(void)
{
    scene     s = new_scene();
    erg_error err;
    for (int i = 0; i < SPHERES; i++)
        add_sphere(&s, ergi_vec3(WHERE[i], 0, HEIGHT[i]), RADIUS[i], ergi_vec3(0, 0, SPEED[i]));
    for (int i = 0; i < SPHERES; i++)
        add_sphere(&s, ergi_vec3(WHERE[i], RADIUS[i] + 0.01 - OVERLAP[i], HEIGHT[i]), 0.01,
                   ergi_vec3(0, 0, SPEED[i]));
    must(erg_world_step(s.world, 1, &err), &err);
    s.look.legend = false;
    return s;
}

static int brightness_of(const scene *s, const shot *t, int sphere)
{
    int x, y;
    project(s, ergi_vec3(WHERE[sphere], -RADIUS[sphere], HEIGHT[sphere]), &x, &y);
    return brightness(t, x, y);
}

// Colours become lighter from low to high. NAN: what is there sets the ends.
static void check_order(erg_colour_by by, double low, double high, int first, int second, int third)
{
    scene s = new_row();
    s.look.colour = by;
    s.look.low = low;
    s.look.high = high;
    shot t = take(&s);
    int  dark = brightness_of(&s, &t, first), middle = brightness_of(&s, &t, second);
    int  light = brightness_of(&s, &t, third);
    CHECK(dark + 20 < middle && middle + 20 < light);
    release(&t);
    erg_world_destroy(s.world);
}

TEST(colours_tell_speed)
{
    check_order(ERG_COLOUR_SPEED, SPEED[C], SPEED[B], C, A, B);
}

TEST(colours_tell_force)
{
    check_order(ERG_COLOUR_FORCE, (double)NAN, (double)NAN, A, C, B);
}

TEST(colours_tell_size)
{
    check_order(ERG_COLOUR_SIZE, RADIUS[C], RADIUS[A], C, B, A);
}

TEST(colours_tell_ids)
{
    check_order(ERG_COLOUR_ID, 1, 3, A, B, C);
}

TEST(colours_tell_height)
{
    check_order(ERG_COLOUR_HEIGHT, HEIGHT[B], HEIGHT[C], B, A, C);
}

// ---- Materials ---------------------------------------------------------------------------------
// The first material of grains is sand, the second clay, which is redder. With `fine`, the grains
// are drawn as the fine particles that were created in them.
static void check_materials(bool fine)
{
    scene            s = new_scene();
    erg_error        err;
    erg_material_def other = erg_material_def_default();
    erg_grain_def    grain = erg_grain_def_default();
    erg_upsample_def upsample = erg_upsample_def_default();
    other.name = "clay";
    add_sphere(&s, ergi_vec3(-0.04, 0, 0), 0.02, REST);
    must(erg_world_add_material(s.world, &other, &grain.material, &err), &err);
    grain.sizes = (erg_sizes){.law = ERG_SIZE_UNIFORM, .min = 1e-3, .max = 0.1};
    must(erg_world_add_grain_kind(s.world, &grain, &s.kind, &err), &err);
    add_sphere(&s, ergi_vec3(0.04, 0, 0), 0.02, REST);
    upsample.start = 0;
    if (fine) {
        must(erg_world_set_upsample(s.world, &upsample, &err), &err);
        must(erg_world_step(s.world, 1, &err), &err);
        CHECK(erg_world_fine_count(s.world) > 40);
    }
    shot t = take(&s);
    int  red[2] = {0, 0}; // means over several particles
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 25; k++) {
            int x, y;
            project(&s,
                    ergi_vec3((i ? 0.04 : -0.04) + 4e-3 * (k % 5 - 2), -0.02, 4e-3 * (k / 5 - 2)),
                    &x, &y);
            red[i] += pixel(&t, x, y)[0] - pixel(&t, x, y)[1];
        }
    CHECK(red[1] > red[0] + 25 * 15);
    release(&t);
    erg_world_destroy(s.world);
}

TEST(colours_tell_materials)
{
    check_materials(false);
    check_materials(true);
}

// ---- Eyes --------------------------------------------------------------------------------------
// Where an eye is that started 0.4 m before the origin, after so many seconds of film.
static erg_vec3 eye_after(erg_camera_mode mode, erg_vec3 grain, double seconds)
{
    scene        s = new_scene();
    erg_error    err;
    erg_picture *picture;
    s.look.camera.mode = mode;
    s.look.camera.turn = 24;
    add_sphere(&s, grain, 0.02, REST);
    must(erg_picture_create(&picture, &err), &err);
    must(erg_picture_take(picture, &s.look, s.world, NULL, &err), &err);
    erg_picture_turn(picture, seconds);
    erg_camera eye = erg_picture_eye(picture);
    // The camera keeps its distance, and its target is unchanged or the followed grain.
    erg_vec3 target = mode == ERG_CAMERA_FOLLOW ? grain : s.look.camera.target;
    CHECK_NEAR(ergi_distance(eye.target, target), 0, 1e-12);
    CHECK_NEAR(ergi_distance(eye.position, eye.target), 0.4, 1e-12);
    erg_picture_destroy(picture);
    erg_world_destroy(s.world);
    return eye.position;
}

TEST(an_orbit_goes_around_its_target)
{
    const erg_vec3 quarter[] = {{0, -0.4, 0}, {0.4, 0, 0}, {0, 0.4, 0}, {-0.4, 0, 0}, {0, -0.4, 0}};
    for (int i = 0; i < 5; i++) {
        erg_vec3 eye = eye_after(ERG_CAMERA_ORBIT, ergi_vec3(0.1, 0.2, 0.3), 6 * i);
        CHECK_NEAR(ergi_distance(eye, quarter[i]), 0, 1e-12);
    }
}

TEST(who_follows_goes_with_the_grains)
{
    erg_vec3 grain = {0.1, 0.2, 0.3}, eye = eye_after(ERG_CAMERA_FOLLOW, grain, 6);
    CHECK_NEAR(ergi_distance(eye, ergi_vec3(0.1, -0.2, 0.3)), 0, 1e-12);
    eye = eye_after(ERG_CAMERA_FIXED, grain, 6);
    CHECK_NEAR(ergi_distance(eye, ergi_vec3(0, -0.4, 0)), 0, 1e-12);
}

TEST_MAIN(colours_tell_speed, colours_tell_force, colours_tell_size, colours_tell_ids,
          colours_tell_height, colours_tell_materials, an_orbit_goes_around_its_target,
          who_follows_goes_with_the_grains)
