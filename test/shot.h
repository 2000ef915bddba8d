// Small pictures of small worlds for tests, and functions that inspect their pixels.
#ifndef ERG_TEST_SHOT_H
#define ERG_TEST_SHOT_H

#include "erg/draw.h"
#include "geom/vec3.h"

#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 400 };

static inline void must(erg_status status, const erg_error *err)
{
    if (status == ERG_OK) return;
    printf("    unexpected: %s\n0 passed, 1 failed\n", err->text);
    exit(1);
}

// ---- World, look, picture ----------------------------------------------------------------------
typedef struct scene {
    erg_world *world;
    erg_id     kind, material;
    erg_look   look;
} scene;

// Empty, without gravity; the camera is 0.4 m in front of the origin and looks at it.
static inline scene new_scene(void)
{
    scene            s = {.look = erg_look_default()};
    erg_error        err;
    erg_world_def    def = erg_world_def_default();
    erg_material_def sand = erg_material_def_default();
    erg_grain_def    grain = erg_grain_def_default();
    def.gravity = (erg_vec3){0, 0, 0};
    must(erg_world_create(&def, &s.world, &err), &err);
    must(erg_world_add_material(s.world, &sand, &s.material, &err), &err);
    grain.material = s.material;
    grain.sizes = (erg_sizes){.law = ERG_SIZE_UNIFORM, .min = 1e-4, .max = 0.1};
    must(erg_world_add_grain_kind(s.world, &grain, &s.kind, &err), &err);
    s.look.camera = (erg_camera){.placed = true,
                                 .position = {0, -0.4, 0},
                                 .up = {0, 0, 1},
                                 .angle = 30,
                                 .mode = ERG_CAMERA_FIXED};
    s.look.ground = ERG_GROUND_NONE;
    s.look.quality = ERG_QUALITY_FAST;
    return s;
}

static inline void add_sphere(scene *s, erg_vec3 at, double radius, erg_vec3 velocity)
{
    erg_error  err;
    erg_grains one = {
        .kind = s->kind, .count = 1, .position = &at, .size = &radius, .velocity = &velocity};
    must(erg_world_add_grains(s->world, &one, NULL, &err), &err);
}

static const erg_vec3 REST = {0, 0, 0};

typedef struct shot {
    erg_picture *picture;
    erg_canvas  *canvas;
} shot;

static inline shot take_with(const scene *s, const erg_prop *props, size_t count)
{
    shot      t = {0};
    erg_error err;
    must(erg_picture_create(&t.picture, &err), &err);
    must(erg_picture_set_props(t.picture, props, count, &err), &err);
    must(erg_picture_take(t.picture, &s->look, s->world, NULL, &err), &err);
    must(erg_canvas_create(SIZE, SIZE, &t.canvas, &err), &err);
    must(erg_canvas_draw(t.canvas, t.picture, &err), &err);
    return t;
}

static inline shot take(const scene *s)
{
    return take_with(s, NULL, 0);
}

static inline void release(shot *t)
{
    erg_canvas_destroy(t->canvas);
    erg_picture_destroy(t->picture);
}

static inline const uint8_t *pixel(const shot *t, int x, int y)
{
    return erg_canvas_pixels(t->canvas) + 3 * ((size_t)y * SIZE + (size_t)x);
}

static inline int brightness(const shot *t, int x, int y)
{
    const uint8_t *p = pixel(t, x, y);
    return p[0] + p[1] + p[2];
}

// The sky of these pictures is lighter and less warm than any grain in them.
static inline bool is_sky(const shot *t, int x, int y)
{
    const uint8_t *p = pixel(t, x, y);
    return p[2] >= p[0] && p[0] > 150;
}

static inline void outline(const shot *t, double *radius, double *x, double *y)
{
    double count = 0, sum_x = 0, sum_y = 0;
    for (int j = 0; j < SIZE; j++)
        for (int i = 0; i < SIZE; i++)
            if (!is_sky(t, i, j)) {
                count++;
                sum_x += i + 0.5;
                sum_y += j + 0.5;
            }
    *radius = sqrt(count / ERGI_PI);
    *x = sum_x / count;
    *y = sum_y / count;
}

// Pixels per metre at a distance of one metre from the camera.
static inline double focal(const scene *s)
{
    return 0.5 * SIZE / tan(0.5 * s->look.camera.angle * ERGI_PI / 180);
}

// The pixel of a point.
static inline void project(const scene *s, erg_vec3 p, int *x, int *y)
{
    const erg_camera *c = &s->look.camera;
    erg_vec3          ahead = ergi_normalize(ergi_sub(c->target, c->position));
    erg_vec3 right = ergi_normalize(ergi_cross(ahead, c->up)), top = ergi_cross(right, ahead);
    erg_vec3 d = ergi_sub(p, c->position);
    double   f = focal(s) / ergi_dot(d, ahead);
    *x = (int)floor(0.5 * SIZE + f * ergi_dot(d, right));
    *y = (int)floor(0.5 * SIZE - f * ergi_dot(d, top));
}

#endif
