// labels: draw asan
// A terrain in a picture: shading, no cracks between tiles, what is sent to OpenGL again, frozen
// grains, picking.
#include "check.h"
#include "shot.h"

#include "draw/picture.h"
#include "terrain/terrain.h"

static erg_error err;

// `size` wide around the origin, 1 m of sand; the camera looks along it from 2 m above.
static scene new_terrain(double size, double spacing, double amplitude)
{
    scene            s = {.look = erg_look_default()};
    erg_world_def    def = erg_world_def_default();
    erg_material_def sand = erg_material_def_default();
    erg_terrain_def  t = erg_terrain_def_default();
    def.threads = 1;
    must(erg_world_create(&def, &s.world, &err), &err);
    must(erg_world_add_material(s.world, &sand, &s.material, &err), &err);
    t.material = s.material;
    t.lower[0] = t.lower[1] = -0.5 * size;
    t.upper[0] = t.upper[1] = 0.5 * size;
    t.spacing = spacing;
    t.height = 1;
    t.relief = amplitude > 0 ? ERG_RELIEF_DUNES : ERG_RELIEF_FLAT;
    t.amplitude = amplitude;
    t.wavelength = 0.3 * size;
    must(erg_world_set_terrain(s.world, &t, &err), &err);
    s.look.camera = (erg_camera){.placed = true,
                                 .position = {0, -0.4 * size, 1 + 0.15 * size},
                                 .target = {0, 0.1 * size, 1},
                                 .up = {0, 0, 1},
                                 .angle = 50};
    s.look.ground = ERG_GROUND_NONE;
    s.look.quality = ERG_QUALITY_FAST;
    return s;
}

// Below the horizon of a picture there is sand everywhere: a crack would show the sky.
static void check_closed(const shot *t)
{
    int gaps = 0, rows = 0;
    for (int x = 0; x < SIZE; x++) {
        int top = 0;
        while (top < SIZE && is_sky(t, x, top)) top++;
        rows += SIZE - top;
        for (int y = top; y < SIZE; y++) gaps += is_sky(t, x, y);
    }
    CHECK(gaps == 0);
    CHECK(rows > SIZE * SIZE / 2);
}

TEST(no_cracks_between_tiles)
{
    scene s = new_terrain(20, 0.02, 0.5); // 1000 x 1000 columns: tiles of several sizes
    shot  t = take(&s);
    CHECK(erg_canvas_report(t.canvas).tiles > 8);
    check_closed(&t);
    release(&t);
    s.look.quality = ERG_QUALITY_FINE;
    s.look.camera.position.x = 3;
    t = take(&s);
    check_closed(&t);
    release(&t);
    erg_world_destroy(s.world);
}

TEST(slopes_are_shaded)
{
    scene  s = new_terrain(20, 0.1, 0.5);
    double towards = 0, away = 0, n[2] = {0, 0};
    s.look.light.direction = (erg_vec3){1, 0, -0.8};
    s.look.light.shadows = false;
    shot t = take(&s);
    for (double x = -4; x < 4; x += 0.05) {
        int    i, j;
        double z = erg_world_terrain_height(s.world, x, 0);
        double rise = erg_world_terrain_height(s.world, x + 0.1, 0) - z;
        project(&s, ergi_vec3(x, 0, z), &i, &j);
        if (rise > 0.01) towards += brightness(&t, i, j), n[0]++;
        if (rise < -0.01) away += brightness(&t, i, j), n[1]++;
    }
    CHECK(n[0] > 20 && n[1] > 5);
    CHECK(towards / n[0] > away / n[1] + 60);
    release(&t);
    erg_world_destroy(s.world);
}

static void dig(const scene *s, int32_t i, int32_t j, double depth)
{
    ergi_columns *c = &s->world->terrain->columns;
    size_t        row = ergi_columns_row(c, i, j);
    ergi_columns_mark(c, row, false);
    ergi_columns_height(c)[row] -= (uint64_t)(depth / c->quantum);
    ergi_columns_surface(c)[row] -= (float)depth;
}

TEST(what_changed_is_sent_again)
{
    scene s = new_terrain(20, 0.02, 0.5);
    shot  t = take(&s);
    must(erg_canvas_draw(t.canvas, t.picture, &err), &err);
    CHECK(erg_canvas_report(t.canvas).tiles_sent == 0);
    must(erg_picture_take(t.picture, &s.look, s.world, NULL, &err), &err);
    must(erg_canvas_draw(t.canvas, t.picture, &err), &err);
    CHECK(erg_canvas_report(t.canvas).tiles_sent == 0);

    // A hole in one block, from whose border it stays away.
    ergi_land *before = ergi_land_share(t.picture->land);
    for (int32_t i = 0; i < 30; i++)
        for (int32_t j = 0; j < 30; j++) dig(&s, 448 + 15 + i, 448 + 15 + j, 0.3);
    must(erg_picture_take(t.picture, &s.look, s.world, NULL, &err), &err);
    CHECK(t.picture->land != before && t.picture->land->copied == 1);
    CHECK(t.picture->land->block[0] == before->block[0]);
    must(erg_canvas_draw(t.canvas, t.picture, &err), &err);
    size_t sent = erg_canvas_report(t.canvas).tiles_sent;
    CHECK(sent > 0 && sent < erg_canvas_report(t.canvas).tiles);
    check_closed(&t);

    // The picture before has kept its heights.
    double x = s.world->terrain->columns.lower[0] + 478 * 0.02;
    CHECK_NEAR(ergi_land_height(before, x, x) - ergi_land_height(t.picture->land, x, x), 0.3, 1e-3);
    ergi_land_leave(before);
    release(&t);
    erg_world_destroy(s.world);
}

TEST(heights_at_all_resolutions)
{
    scene      s = new_terrain(9.1, 0.05, 0.25); // 182 columns: blocks that are not full
    ergi_land *land = NULL;
    must(ergi_land_take(s.world, NULL, NULL, &land, &err), &err);
    for (double x = -4.5; x < 4.5; x += 0.37)
        CHECK_NEAR(ergi_land_height(land, x, 0.3 * x),
                   erg_world_terrain_height(s.world, x, 0.3 * x), 0.01);
    double want = 0, least = 1e9, most = 0;
    for (int i = 0; i < 64 * 64; i++) {
        double z = (double)ergi_land_mean(land, 0, 64 + i % 64, 64 + i / 64);
        want += z / 4096;
        least = fmin(least, z);
        most = fmax(most, z);
    }
    CHECK_NEAR((double)ergi_land_mean(land, 6, 1, 1), want, 1e-4);
    const ergi_land_node *node = &land->node[0][1 * land->nodes[0][0] + 1];
    CHECK_NEAR((double)node->low, least, 1e-4);
    CHECK_NEAR((double)node->high, most, 1e-4);
    CHECK(land->nodes[land->levels - 1][0] == 1 && land->nodes[land->levels - 1][1] == 1);
    // Corners of coarse squares lie on the border of the grid, and are near the fine ones.
    for (int halvings = 0; halvings < 8; halvings++)
        CHECK_NEAR((double)ergi_land_corner(land, halvings, 1 << (7 - halvings), 0),
                   (double)ergi_land_corner(land, 0, 1 << 7, 0), 0.06 * (1 << halvings));
    ergi_land_leave(land);
    erg_world_destroy(s.world);
}

TEST(rays_meet_the_surface)
{
    scene        s = new_terrain(20, 0.05, 0.5);
    erg_picture *p = NULL;
    must(erg_picture_create(&p, &err), &err);
    must(erg_picture_take(p, &s.look, s.world, NULL, &err), &err);
    erg_ray  ray = {s.look.camera.position, ergi_normalize(ergi_vec3(0.2, 1, -0.35))};
    double   far = erg_picture_meet(p, &ray);
    erg_vec3 at = ergi_madd(ray.origin, far, ray.direction);
    CHECK_NEAR(at.z, ergi_land_height(p->land, at.x, at.y), 1e-4);
    CHECK(!erg_picture_meets_mere_floor(p, &ray));
    CHECK_NEAR(erg_picture_clearance(p, at), 0, 1e-3);
    CHECK(erg_picture_clearance(p, ergi_vec3(at.x, at.y, at.z + 0.2)) > 0.1);
    CHECK(erg_picture_clearance(p, ergi_vec3(at.x, at.y, at.z - 0.2)) < -0.1);
    ray = (erg_ray){{-30, 1, 0.5}, {1, 0, 0}}; // a side
    CHECK_NEAR(erg_picture_meet(p, &ray), 20, 1e-9);
    ray.direction.z = 1;
    CHECK(!isfinite(erg_picture_meet(p, &ray)));
    erg_picture_destroy(p);
    erg_world_destroy(s.world);
}

// The camera shows what moves, not 100 m of sand.
TEST(the_camera_frames_what_moves)
{
    scene        s = new_terrain(60, 0.1, 0);
    erg_picture *p = NULL;
    erg_vec3     centre, at = {20, 5, 1.2};
    double       radius, size = 0.05;
    s.look.camera = erg_look_default().camera;
    must(erg_picture_create(&p, &err), &err);
    must(erg_picture_take(p, &s.look, s.world, NULL, &err), &err);
    erg_picture_ball(p, &centre, &radius);
    CHECK(radius > 40);
    erg_grain_def grain = erg_grain_def_default();
    grain.material = s.material;
    grain.sizes = (erg_sizes){.law = ERG_SIZE_UNIFORM, .min = 0.01, .max = 0.1};
    must(erg_world_add_grain_kind(s.world, &grain, &s.kind, &err), &err);
    add_sphere(&s, at, size, REST);
    erg_picture_destroy(p); // it would keep its camera, as in a film
    must(erg_picture_create(&p, &err), &err);
    must(erg_picture_take(p, &s.look, s.world, NULL, &err), &err);
    erg_picture_ball(p, &centre, &radius);
    CHECK(radius < 2 && ergi_distance(centre, at) < radius);
    erg_picture_destroy(p);
    erg_world_destroy(s.world);
}

// Spheres in cells of 0.1 m, `layers` of them below z = 1, over 10 x 10 columns from (x, x) on.
static void stack(scene *s, double x, int layers)
{
    for (int k = 0; k < layers; k++)
        for (int j = 0; j < 10; j++)
            for (int i = 0; i < 10; i++)
                add_sphere(s, ergi_vec3(x + 0.1 * i + 0.05, x + 0.1 * j + 0.05, 0.95 - 0.1 * k),
                           0.05, REST);
}

TEST(columns_are_as_high_as_grains_that_lie_on_them)
{
    scene        s = new_terrain(20, 0.1, 0);
    erg_picture *p = NULL;
    for (int32_t j = 0; j < 10; j++)
        for (int32_t i = 0; i < 10; i++) {
            dig(&s, 100 + i, 100 + j, 0.5);
            dig(&s, 140 + i, 140 + j, 0.5);
        }
    erg_grain_def grain = erg_grain_def_default();
    grain.material = s.material;
    grain.sizes = (erg_sizes){.law = ERG_SIZE_UNIFORM, .min = 0.01, .max = 0.1};
    must(erg_world_add_grain_kind(s.world, &grain, &s.kind, &err), &err);
    must(erg_picture_create(&p, &err), &err);
    must(erg_picture_take(p, &s.look, s.world, NULL, &err), &err);
    CHECK_NEAR(ergi_land_height(p->land, 0.5, 0.5), 0.5, 1e-3);
    stack(&s, 0, 5); // fills the hole
    stack(&s, 4, 2); // floats in it
    must(erg_picture_take(p, &s.look, s.world, NULL, &err), &err);
    CHECK_NEAR(ergi_land_height(p->land, 0.5, 0.5), 0.9, 0.03); // the top of the second layer
    CHECK_NEAR(ergi_land_height(p->land, 4.5, 4.5), 0.5, 1e-3);
    CHECK_NEAR(ergi_land_height(p->land, -2, -2), 1, 1e-3);
    // The grains go, and the hole is drawn again.
    erg_gid all[700];
    for (erg_gid k = 0; k < 700; k++) all[k] = k + 1;
    must(erg_world_remove_grains(s.world, all, 700, &err), &err);
    must(erg_picture_take(p, &s.look, s.world, NULL, &err), &err);
    CHECK_NEAR(ergi_land_height(p->land, 0.5, 0.5), 0.5, 1e-3);
    erg_picture_destroy(p);
    erg_world_destroy(s.world);
}

TEST_MAIN(no_cracks_between_tiles, slopes_are_shaded, what_changed_is_sent_again,
          heights_at_all_resolutions, rays_meet_the_surface, the_camera_frames_what_moves,
          columns_are_as_high_as_grains_that_lie_on_them)
