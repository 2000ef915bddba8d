#include "overlay_canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool view_overlay_canvas_begin(view_overlay_canvas *p, int width, int height)
{
    size_t bytes = 4 * (size_t)width * (size_t)height;
    if (bytes > p->room) {
        uint8_t *more = realloc(p->image.rgba, bytes);
        if (!more) return false;
        p->image.rgba = more;
        p->room = bytes;
    }
    p->image.width = width;
    p->image.height = height;
    memset(p->image.rgba, 0, bytes);
    return true;
}

void view_overlay_canvas_free(view_overlay_canvas *p)
{
    free(p->image.rgba);
    *p = (view_overlay_canvas){0};
}

// Blends ink over the pixel; `cover` is the covered fraction.
static void blend_pixel(view_overlay_canvas *p, int x, int y, double cover, view_colour ink)
{
    double a = fmin(fmax(cover, 0), 1) * ink.a / 255.0;
    if (!(a > 0)) return;
    uint8_t      *pixel = p->image.rgba + 4 * ((size_t)y * (size_t)p->image.width + (size_t)x);
    double        below = pixel[3] / 255.0 * (1 - a), sum = a + below;
    const uint8_t rgb[3] = {ink.r, ink.g, ink.b};
    for (int k = 0; k < 3; k++) pixel[k] = (uint8_t)lround((a * rgb[k] + below * pixel[k]) / sum);
    pixel[3] = (uint8_t)lround(255 * sum);
}

typedef double (*distance_fn)(const double *shape, double x, double y);

// Fills the shape; edges are anti-aliased over one pixel.
static void fill(view_overlay_canvas *p, double x0, double y0, double x1, double y1,
                 distance_fn distance, const double *shape, view_colour ink)
{
    int left = (int)fmax(floor(x0 - 1), 0), right = (int)fmin(ceil(x1 + 1), p->image.width);
    int top = (int)fmax(floor(y0 - 1), 0), bottom = (int)fmin(ceil(y1 + 1), p->image.height);
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++)
            blend_pixel(p, x, y, 0.5 - distance(shape, x + 0.5, y + 0.5), ink);
}

// A rounded box: centre, half sizes without the rounding, rounding.
static double box_distance(const double *s, double x, double y)
{
    double dx = fabs(x - s[0]) - s[2], dy = fabs(y - s[1]) - s[3];
    return hypot(fmax(dx, 0), fmax(dy, 0)) + fmin(fmax(dx, dy), 0) - s[4];
}

// A line with round ends: ends, half width.
static double line_distance(const double *s, double x, double y)
{
    double dx = s[2] - s[0], dy = s[3] - s[1], length2 = dx * dx + dy * dy;
    double t = length2 > 0 ? ((x - s[0]) * dx + (y - s[1]) * dy) / length2 : 0;
    t = fmin(fmax(t, 0), 1);
    return hypot(x - s[0] - t * dx, y - s[1] - t * dy) - s[4];
}

// A ring: centre, radius, half width.
static double ring_distance(const double *s, double x, double y)
{
    return fabs(hypot(x - s[0], y - s[1]) - s[2]) - s[3];
}

void view_overlay_canvas_box(view_overlay_canvas *p, double x, double y, double width,
                             double height, double round, view_colour ink)
{
    round = fmin(round, 0.5 * fmin(width, height));
    double shape[5] = {x + 0.5 * width, y + 0.5 * height, 0.5 * width - round, 0.5 * height - round,
                       round};
    fill(p, x, y, x + width, y + height, box_distance, shape, ink);
}

void view_overlay_canvas_line(view_overlay_canvas *p, double x0, double y0, double x1, double y1,
                              double width, view_colour ink)
{
    double shape[5] = {x0, y0, x1, y1, 0.5 * width};
    fill(p, fmin(x0, x1) - width, fmin(y0, y1) - width, fmax(x0, x1) + width, fmax(y0, y1) + width,
         line_distance, shape, ink);
}

void view_overlay_canvas_disc(view_overlay_canvas *p, double x, double y, double radius,
                              view_colour ink)
{
    double shape[5] = {x, y, x, y, radius};
    fill(p, x - radius, y - radius, x + radius, y + radius, line_distance, shape, ink);
}

void view_overlay_canvas_ring(view_overlay_canvas *p, double x, double y, double radius,
                              double width, view_colour ink)
{
    double shape[4] = {x, y, radius, 0.5 * width}, reach = radius + width;
    fill(p, x - reach, y - reach, x + reach, y + reach, ring_distance, shape, ink);
}

void view_overlay_canvas_text(view_overlay_canvas *p, double x, double y, double size,
                              const char *text, view_colour ink)
{
    const uint8_t rgb[3] = {ink.r, ink.g, ink.b};
    ergi_font_draw(&p->image, x, y, size, text, rgb);
}
