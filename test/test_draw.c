// labels: draw asan
// Properties of pictures, checked in their pixels.
#include "check.h"
#include "draw/label.h"
#include "erg/draw.h"
#include "geom/vec3.h"
#include "shot.h"

#include <stdlib.h>

// ---- One sphere --------------------------------------------------------------------------------
static void check_disc(double r, erg_quality quality)
{
    scene s = new_scene();
    s.look.quality = quality;
    add_sphere(&s, REST, r, REST);
    shot   t = take(&s);
    double radius, x, y, want = focal(&s) * tan(asin(r / 0.4));
    outline(&t, &radius, &x, &y);
    CHECK_NEAR(radius, want, 0.7);
    CHECK_NEAR(x, 0.5 * SIZE, 0.5);
    CHECK_NEAR(y, 0.5 * SIZE, 0.5);
    release(&t);
    erg_world_destroy(s.world);
}

TEST(a_sphere_is_a_disc_of_the_right_radius)
{
    check_disc(0.02, ERG_QUALITY_FAST);
    check_disc(0.02, ERG_QUALITY_FINE);
    check_disc(0.002, ERG_QUALITY_FAST);
}

TEST(a_large_sphere_is_a_disc_too) // larger than points can be
{
    check_disc(0.08, ERG_QUALITY_FAST);
    check_disc(0.07, ERG_QUALITY_FINE);
}

TEST(the_side_towards_the_lamp_is_bright)
{
    scene s = new_scene();
    s.look.light.direction = (erg_vec3){1, 0.2, -0.1};
    add_sphere(&s, REST, 0.04, REST);
    shot t = take(&s);
    int  off = (int)(0.6 * focal(&s) * 0.1);
    int  left = brightness(&t, SIZE / 2 - off, SIZE / 2),
        right = brightness(&t, SIZE / 2 + off, SIZE / 2);
    CHECK(left > right + 120);
    // It grows darker all the way from the lamp.
    int before = 1000;
    for (int i = -5; i <= 9; i += 2) {
        int here = brightness(&t, SIZE / 2 + i * off / 10, SIZE / 2);
        CHECK(here <= before + 2);
        before = here;
    }
    release(&t);
    erg_world_destroy(s.world);
}

TEST(its_shadow_falls_where_it_must)
{
    scene s = new_scene();
    s.look.camera.position = (erg_vec3){0, -0.5, 0.45};
    s.look.camera.angle = 40;
    s.look.ground = ERG_GROUND_AT;
    s.look.ground_height = -0.05;
    s.look.light.direction = (erg_vec3){0.8, 0.3, -1};
    add_sphere(&s, REST, 0.02, REST);
    shot with = take(&s);
    s.look.light.shadows = false;
    shot without = take(&s);
    int  x, y, outside = 0;
    // The centre's shadow is 0.05 below along the light; 3 radii beside it there is none.
    project(&s, ergi_vec3(0.8 * 0.05, 0.3 * 0.05, -0.05), &x, &y);
    CHECK(brightness(&with, x, y) < brightness(&without, x, y) - 100);
    project(&s, ergi_vec3(0.8 * 0.05 + 0.06, 0.3 * 0.05, -0.05), &x, &y);
    CHECK(abs(brightness(&with, x, y) - brightness(&without, x, y)) <= 3);
    // Darker pixels lie within the shadow's ellipse, or on the sphere itself.
    for (int j = 0; j < SIZE; j++)
        for (int i = 0; i < SIZE; i++)
            if (brightness(&with, i, j) < brightness(&without, i, j) - 30) {
                int cx, cy;
                project(&s, ergi_vec3(0.02, 0.0075, -0.025), &cx, &cy);
                outside += hypot(i - cx, j - cy) > 1.1 * focal(&s) * 0.05 / 0.6;
            }
    CHECK(outside == 0);
    release(&with);
    release(&without);
    erg_world_destroy(s.world);
}

// What a transparent picture shows over white, against the alpha that it must have.
static void check_transparent(erg_quality quality)
{
    scene s = new_scene();
    s.look.camera.position = (erg_vec3){0, -0.5, 0.45};
    s.look.camera.angle = 40;
    s.look.ground = ERG_GROUND_AT;
    s.look.ground_height = -0.05;
    s.look.light.direction = (erg_vec3){0.8, 0.3, -1};
    s.look.quality = quality;
    add_sphere(&s, REST, 0.02, REST);
    shot opaque = take(&s);
    s.look.transparent = true;
    shot           clear = take(&s);
    const uint8_t *rgba = erg_canvas_rgba(clear.canvas), *full = erg_canvas_rgba(opaque.canvas);
    int            x, y, not_full = 0;
    for (size_t i = 0; i < (size_t)SIZE * SIZE; i++) not_full += full[4 * i + 3] != 255;
    CHECK(not_full == 0);
    // A grain is as it was.
    project(&s, REST, &x, &y);
    size_t grain = (size_t)y * SIZE + (size_t)x;
    CHECK(rgba[4 * grain + 3] == 255);
    for (int k = 0; k < 3; k++)
        CHECK(abs(rgba[4 * grain + (size_t)k] - pixel(&opaque, x, y)[k]) <= 2);
    // The ground is not there, and the sky neither.
    project(&s, ergi_vec3(-0.08, -0.08, -0.05), &x, &y);
    CHECK(rgba[4 * ((size_t)y * SIZE + (size_t)x) + 3] <= 2);
    CHECK(rgba[4 * SIZE * 2 + 3] <= 2);
    // The shadow is black, and darkens as much as the ground was darkened.
    int lit_x, lit_y;
    project(&s, ergi_vec3(0.8 * 0.05, 0.3 * 0.05, -0.05), &x, &y);
    project(&s, ergi_vec3(0.8 * 0.05 + 0.06, 0.3 * 0.05, -0.05), &lit_x, &lit_y);
    const uint8_t *shadow = rgba + 4 * ((size_t)y * SIZE + (size_t)x);
    double         kept = (double)brightness(&opaque, x, y) / brightness(&opaque, lit_x, lit_y);
    CHECK(shadow[0] == 0 && shadow[1] == 0 && shadow[2] == 0);
    CHECK(kept < 0.8);
    CHECK_NEAR(1 - shadow[3] / 255.0, kept, 0.06);
    release(&opaque);
    release(&clear);
    erg_world_destroy(s.world);
}

TEST(a_transparent_picture_has_grains_and_shadows_alone)
{
    check_transparent(ERG_QUALITY_FAST);
    check_transparent(ERG_QUALITY_FINE);
}

TEST(a_sphere_whose_centre_is_outside_is_seen)
{
    scene  s = new_scene();
    double edge = 0.4 * tan(15 * ERGI_PI / 180);
    add_sphere(&s, ergi_vec3(edge + 0.01, 0, 0), 0.03, REST);
    shot t = take(&s);
    CHECK(!is_sky(&t, SIZE - 2, SIZE / 2));
    CHECK(is_sky(&t, SIZE - 2 - (int)(focal(&s) * 0.05 / 0.4), SIZE / 2));
    release(&t);
    erg_world_destroy(s.world);
}

// ---- Several -----------------------------------------------------------------------------------
// Is the pixel nearer in hue to the high end of the colours than to the low end?
static bool is_high(const shot *t, int x, int y)
{
    const uint8_t *p = pixel(t, x, y);
    return p[0] + p[1] > 3 * p[2]; // yellow against dark blue
}

static void check_order(double near_y, double far_y, bool near_first)
{
    scene s = new_scene();
    s.look.colour = ERG_COLOUR_SIZE;
    s.look.legend = false;
    if (near_first) add_sphere(&s, ergi_vec3(0, near_y, 0), 0.02, REST);
    add_sphere(&s, ergi_vec3(0, far_y, 0), 0.04, REST);
    if (!near_first) add_sphere(&s, ergi_vec3(0, near_y, 0), 0.02, REST);
    shot t = take(&s);
    // The small one, dark, is in front; beside it the large one shows.
    CHECK(!is_high(&t, SIZE / 2, SIZE / 2));
    CHECK(is_high(&t, SIZE / 2 - (int)(focal(&s) * 0.037 / (0.4 + far_y)), SIZE / 2));
    release(&t);
    erg_world_destroy(s.world);
}

TEST(the_nearer_hides_the_farther)
{
    check_order(-0.1, 0.1, true);
    check_order(-0.1, 0.1, false);
}

TEST(spheres_that_overlap_meet_in_a_plane)
{
    scene s = new_scene();
    s.look.colour = ERG_COLOUR_ID;
    s.look.legend = false;
    add_sphere(&s, ergi_vec3(-0.015, 0, 0), 0.03, REST);
    add_sphere(&s, ergi_vec3(0.015, 0, 0), 0.03, REST);
    shot t = take(&s);
    for (int y = SIZE / 2 - 20; y <= SIZE / 2 + 20; y += 10) {
        CHECK(!is_high(&t, SIZE / 2 - 3, y));
        CHECK(is_high(&t, SIZE / 2 + 3, y));
    }
    release(&t);
    erg_world_destroy(s.world);
}

// ---- Culling -----------------------------------------------------------------------------------
static double random_in(uint64_t *state, double low, double high)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*state >> 11) / 9007199254740992.0;
}

// Sizes 1:3, overlaps and gaps.
static void add_heap(scene *s, int count)
{
    uint64_t  state = 7;
    erg_vec3 *at = malloc((size_t)count * sizeof *at);
    double   *size = malloc((size_t)count * sizeof *size);
    for (int i = 0; i < count; i++) {
        at[i].x = random_in(&state, -0.07, 0.07);
        at[i].y = random_in(&state, -0.07, 0.07);
        at[i].z = random_in(&state, -0.07, 0.05);
        size[i] = random_in(&state, 0.0015, 0.0045);
    }
    erg_error  err;
    erg_grains all = {.kind = s->kind, .count = (size_t)count, .position = at, .size = size};
    must(erg_world_add_grains(s->world, &all, NULL, &err), &err);
    free(at);
    free(size);
}

static void check_culling(erg_quality quality, bool cut)
{
    scene s = new_scene();
    s.look.quality = quality;
    s.look.ground = ERG_GROUND_AUTO;
    s.look.camera.position = (erg_vec3){0.1, -0.4, 0.2};
    s.look.cut = cut;
    s.look.cut_normal = (erg_vec3){0.2, -1, 0.1};
    add_heap(&s, 30000);
    shot culled = take(&s);
    s.look.cull = false;
    shot            all = take(&s);
    erg_draw_report few = erg_canvas_report(culled.canvas), many = erg_canvas_report(all.canvas);
    int             differ = 0;
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++)
            differ += memcmp(pixel(&culled, x, y), pixel(&all, x, y), 3) != 0;
    CHECK(few.drawn * 2 < many.drawn);
    CHECK(few.shading * 2 < many.shading);
    CHECK(differ == 0);
    release(&culled);
    release(&all);
    erg_world_destroy(s.world);
}

TEST(culled_is_the_same_picture)
{
    check_culling(ERG_QUALITY_FAST, false);
    check_culling(ERG_QUALITY_FINE, false);
    check_culling(ERG_QUALITY_FAST, true);
}

// ---- What is shown -----------------------------------------------------------------------------
TEST(legend_ends_are_round)
{
    scene s = new_scene();
    s.look.colour = ERG_COLOUR_SPEED;
    add_sphere(&s, ergi_vec3(-0.03, 0, 0), 0.02, ergi_vec3(0.3, 0, 0.4)); // 0.5 m/s
    add_sphere(&s, ergi_vec3(0.03, 0, 0), 0.02, ergi_vec3(0, -2, 0));
    shot       t = take(&s);
    double     low, high;
    ergi_label legend;
    erg_error  err;
    uint8_t    rgb[3];
    erg_picture_range(t.picture, &low, &high);
    CHECK(low == 0);
    CHECK_NEAR(high, 2, 1e-12);
    must(ergi_label_legend(t.picture, SIZE, SIZE, &legend, &err), &err);
    REQUIRE(legend.bar_height > 10);
    for (int end = 0; end < 2; end++) {
        int y = end ? legend.bar_top : legend.bar_top + legend.bar_height - 1;
        erg_colour_at(ERG_COLOUR_SPEED, end, rgb);
        for (int k = 0; k < 3; k++) CHECK(abs(pixel(&t, legend.bar_x + 2, y)[k] - rgb[k]) <= 1);
    }
    // The slow sphere is near the low end, the fast one at the high one.
    CHECK(!is_high(&t, SIZE / 2 - (int)(0.03 * focal(&s) / 0.4), SIZE / 2));
    CHECK(is_high(&t, SIZE / 2 + (int)(0.03 * focal(&s) / 0.4), SIZE / 2));
    ergi_label_free(&legend);
    release(&t);
    erg_world_destroy(s.world);
}

TEST(a_cut_shows_the_inside)
{
    scene s = new_scene();
    s.look.colour = ERG_COLOUR_ID;
    s.look.legend = false;
    s.look.light.shadows = false;
    add_sphere(&s, ergi_vec3(0, -0.05, 0), 0.02, REST); // left out
    add_sphere(&s, REST, 0.04, REST);                   // cut in two
    s.look.cut = true;
    s.look.cut_normal = (erg_vec3){0, -1, 0};
    shot t = take(&s);
    int  middle = brightness(&t, SIZE / 2, SIZE / 2);
    CHECK(is_high(&t, SIZE / 2, SIZE / 2));
    for (int i = -3; i <= 3; i++) // the face is flat: one shade all over
        CHECK(abs(brightness(&t, SIZE / 2 + i * 8, SIZE / 2 + i * 5) - middle) <= 5);
    double radius, x, y;
    outline(&t, &radius, &x, &y);
    CHECK_NEAR(radius, focal(&s) * 0.04 / 0.4, 1.0);
    release(&t);
    erg_world_destroy(s.world);
}

TEST(every_second_grain)
{
    scene s = new_scene();
    for (int i = 0; i < 5; i++) add_sphere(&s, ergi_vec3(0.02 * i - 0.04, 0, 0), 0.008, REST);
    s.look.every = 2;
    shot t = take(&s);
    CHECK(erg_canvas_report(t.canvas).spheres == 3);
    for (int i = 0; i < 5; i++)
        CHECK(is_sky(&t, SIZE / 2 + (int)((0.02 * i - 0.04) * focal(&s) / 0.4), SIZE / 2) ==
              (i % 2 == 1));
    release(&t);
    erg_world_destroy(s.world);
}

static void add_box(scene *s, const char *material, double half, erg_wall_side side)
{
    erg_error        err;
    erg_material_def def = erg_material_def_default();
    erg_wall_def     box = erg_wall_def_default(ERG_WALL_BOX);
    def.name = material;
    box.side = side;
    must(erg_world_add_material(s->world, &def, &box.material, &err), &err);
    box.box = (erg_wall_box){.min = {-half, -half, -half}, .max = {half, half, half}};
    must(erg_world_add_wall(s->world, &box, NULL, &err), &err);
}

TEST(vessels_show_what_they_hold)
{
    const char *materials[] = {"glass", "steel"};
    for (int i = 0; i < 2; i++) {
        scene s = new_scene();
        add_box(&s, materials[i], 0.05, ERG_SIDE_INSIDE);
        add_sphere(&s, REST, 0.02, REST);
        shot           t = take(&s);
        const uint8_t *p = pixel(&t, SIZE / 2, SIZE / 2);
        CHECK(p[0] > p[2] + 20);        // sand, not the wall
        CHECK(is_sky(&t, SIZE / 2, 3)); // beside the box
        const uint8_t *wall = pixel(&t, SIZE / 2 + (int)(0.04 * focal(&s) / 0.4), SIZE / 2);
        const uint8_t *sky = pixel(&t, SIZE - 3, SIZE / 2);
        int apart = abs(wall[0] - sky[0]) + abs(wall[1] - sky[1]) + abs(wall[2] - sky[2]);
        CHECK(i == 0 ? apart < 60 : apart > 120); // one sees through glass, not through steel
        release(&t);
        erg_world_destroy(s.world);
    }
}

// Around an obstacle of glass grains flow as around one of steel; one sees through it all the same.
TEST(an_obstacle_of_glass_is_looked_through)
{
    const char *materials[] = {"glass", "steel"};
    int         apart[2];
    for (int i = 0; i < 2; i++) {
        scene s = new_scene();
        add_box(&s, materials[i], 0.05, ERG_SIDE_OUTSIDE);
        add_sphere(&s, ergi_vec3(0, 0.1, 0), 0.02, REST); // behind it
        shot           t = take(&s);
        const uint8_t *p = pixel(&t, SIZE / 2, SIZE / 2);
        apart[i] = p[0] - p[2];
        release(&t);
        erg_world_destroy(s.world);
    }
    CHECK(apart[0] > apart[1] + 20); // the colour of sand
}

// The lamp shines from above on a ground below an obstacle, of which the cut leaves nothing or
// half.
TEST(what_is_cut_away_casts_no_shadow)
{
    shot  t[3];
    scene s = new_scene();
    s.look.camera.position = (erg_vec3){0, -0.4, 0.4};
    s.look.ground = ERG_GROUND_AT;
    s.look.ground_height = -0.1;
    s.look.light.direction = (erg_vec3){0, 0, -1};
    s.look.cut_normal = (erg_vec3){1, 0, 0};
    add_box(&s, "steel", 0.03, ERG_SIDE_OUTSIDE);
    t[0] = take(&s);
    s.look.cut = true;
    t[1] = take(&s); // without x > 0
    s.look.cut_point = (erg_vec3){-0.05, 0, 0};
    t[2] = take(&s); // without any of it
    for (int side = 0; side < 2; side++) {
        int x, y;
        project(&s, ergi_vec3(side ? 0.015 : -0.015, 0.015, -0.1), &x, &y);
        int open = brightness(&t[2], x, y);
        CHECK(brightness(&t[0], x, y) < open - 100);
        if (side)
            CHECK(abs(brightness(&t[1], x, y) - open) <= 3);
        else
            CHECK(brightness(&t[1], x, y) < open - 100);
    }
    for (int i = 0; i < 3; i++) release(&t[i]);
    erg_world_destroy(s.world);
}

TEST(chains_run_from_centre_to_centre)
{
    scene     s = new_scene();
    erg_error err;
    add_sphere(&s, ergi_vec3(-0.0199, 0, 0), 0.02, REST);
    add_sphere(&s, ergi_vec3(0.0199, 0, 0), 0.02, REST);
    must(erg_world_step(s.world, 1, &err), &err);
    s.look.chains = true;
    shot           t = take(&s);
    const uint8_t *p = pixel(&t, SIZE / 2 + 10, SIZE / 2);
    CHECK(p[0] > p[1] + 60 && p[0] > p[2] + 60); // red
    p = pixel(&t, SIZE / 2 + 10, SIZE / 2 + (int)(0.016 * focal(&s) / 0.4));
    CHECK(abs(p[0] - p[2]) < 60); // pale beside it
    release(&t);
    erg_world_destroy(s.world);
}

TEST(a_caption_is_written_below)
{
    scene s = new_scene();
    add_sphere(&s, REST, 0.02, REST);
    shot bare = take(&s);
    s.look.caption = "t = 0.5 s";
    shot t = take(&s);
    int  above = 0, below = 0;
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++)
            if (memcmp(pixel(&bare, x, y), pixel(&t, x, y), 3) != 0) {
                above += y < SIZE * 9 / 10;
                below += y >= SIZE * 9 / 10;
            }
    CHECK(above == 0 && below > 200);
    release(&bare);
    release(&t);
    erg_world_destroy(s.world);
}

// A caption becomes smaller where there is little room, and is left out where there is none.
TEST(a_caption_stays_within_its_picture)
{
    static const int sizes[][2] = {{1920, 1080}, {640, 360}, {300, 1024}, {16, 1024}, {16, 16}};
    scene            s = new_scene();
    erg_picture     *picture;
    ergi_label       label;
    erg_error        err;
    s.look.caption = "Sand that falls   t = 0.500 s   123456 grains";
    must(erg_picture_create(&picture, &err), &err);
    must(erg_picture_take(picture, &s.look, s.world, NULL, &err), &err);
    for (int i = 0; i < 5; i++) {
        int width = sizes[i][0], height = sizes[i][1];
        must(ergi_label_caption(picture, width, height, &label, &err), &err);
        CHECK((label.image.rgba != NULL) == (width > 16));
        CHECK(label.x >= 0 && label.x + label.image.width <= width);
        CHECK(label.y >= 0 && label.y + label.image.height <= height);
        ergi_label_free(&label);
    }
    erg_picture_destroy(picture);
    erg_world_destroy(s.world);
}

// ---- When the input is bad ---------------------------------------------------------------------
TEST(bad_looks_are_told)
{
    scene        s = new_scene();
    erg_error    err;
    erg_picture *picture;
    erg_canvas  *canvas;
    must(erg_picture_create(&picture, &err), &err);
    erg_look look = s.look;
    look.camera.target = look.camera.position;
    CHECK(erg_picture_take(picture, &look, s.world, NULL, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "at the point it looks at"));
    look = s.look;
    look.chains = true;
    erg_moment moment = {0};
    CHECK(erg_picture_take(picture, &look, s.world, &moment, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "force chains need contacts"));
    look = s.look;
    look.every = 0;
    CHECK(erg_picture_take(picture, &look, s.world, NULL, &err) == ERG_BAD_INPUT);
    CHECK(erg_canvas_create(8, 100000, &canvas, &err) == ERG_BAD_INPUT && !canvas);
    CHECK(strstr(err.text, "16 to 8192"));
    // An empty world is a picture too.
    must(erg_picture_take(picture, &s.look, s.world, NULL, &err), &err);
    erg_picture_destroy(picture);
    shot t = take(&s);
    CHECK(is_sky(&t, SIZE / 2, SIZE / 2));
    release(&t);
    erg_world_destroy(s.world);
}

TEST_MAIN(a_sphere_is_a_disc_of_the_right_radius, a_large_sphere_is_a_disc_too,
          the_side_towards_the_lamp_is_bright, its_shadow_falls_where_it_must,
          a_transparent_picture_has_grains_and_shadows_alone,
          a_sphere_whose_centre_is_outside_is_seen, the_nearer_hides_the_farther,
          spheres_that_overlap_meet_in_a_plane, culled_is_the_same_picture, legend_ends_are_round,
          a_cut_shows_the_inside, every_second_grain, vessels_show_what_they_hold,
          an_obstacle_of_glass_is_looked_through, what_is_cut_away_casts_no_shadow,
          chains_run_from_centre_to_centre, a_caption_is_written_below,
          a_caption_stays_within_its_picture, bad_looks_are_told)
