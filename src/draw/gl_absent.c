// Stubs for a build without OpenGL: every call fails with a message.
#include "base/error.h"
#include "erg/draw.h"

static erg_status fail_not_built(erg_error *err)
{
    return ergi_fail(err, ERG_NOT_BUILT,
                     "pictures are not in this build of erg: install libepoxy-dev, libegl-dev and "
                     "libpng-dev (`tools/deps picture` does this) and rebuild it with ERG_DRAW=ON");
}

erg_status erg_renderer_create(erg_renderer **renderer, erg_error *err)
{
    if (renderer) *renderer = NULL;
    return fail_not_built(err);
}

erg_status erg_renderer_draw(erg_renderer *renderer, const erg_picture *picture, int width,
                             int height, erg_error *err)
{
    (void)renderer, (void)picture, (void)width, (void)height;
    return fail_not_built(err);
}

void erg_renderer_overlay(erg_renderer *renderer, const uint8_t *rgba, int width, int height, int x,
                          int y, int window_width, int window_height)
{
    (void)renderer, (void)rgba, (void)width, (void)height, (void)x, (void)y;
    (void)window_width, (void)window_height;
}

erg_draw_report erg_renderer_report(const erg_renderer *renderer)
{
    (void)renderer;
    return (erg_draw_report){0};
}

void erg_renderer_destroy(erg_renderer *renderer)
{
    (void)renderer;
}

erg_status erg_canvas_create(int width, int height, erg_canvas **canvas, erg_error *err)
{
    (void)width, (void)height;
    if (canvas) *canvas = NULL;
    return fail_not_built(err);
}

erg_status erg_canvas_draw(erg_canvas *canvas, const erg_picture *picture, erg_error *err)
{
    (void)canvas, (void)picture;
    return fail_not_built(err);
}

const uint8_t *erg_canvas_pixels(const erg_canvas *canvas)
{
    (void)canvas;
    return NULL;
}

const uint8_t *erg_canvas_rgba(const erg_canvas *canvas)
{
    (void)canvas;
    return NULL;
}

erg_draw_report erg_canvas_report(const erg_canvas *canvas)
{
    (void)canvas;
    return (erg_draw_report){0};
}

const char *erg_canvas_device(const erg_canvas *canvas)
{
    return canvas ? "none" : NULL;
}

erg_status erg_canvas_save(const erg_canvas *canvas, const char *path, erg_error *err)
{
    (void)canvas, (void)path;
    return fail_not_built(err);
}

void erg_canvas_destroy(erg_canvas *canvas)
{
    (void)canvas;
}

erg_status erg_png_write(const char *path, int width, int height, const uint8_t *rgb,
                         erg_error *err)
{
    (void)path, (void)width, (void)height, (void)rgb;
    return fail_not_built(err);
}

erg_status erg_png_write_rgba(const char *path, int width, int height, const uint8_t *rgba,
                              erg_error *err)
{
    (void)path, (void)width, (void)height, (void)rgba;
    return fail_not_built(err);
}
