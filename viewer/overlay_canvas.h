// An image for overlays: boxes, lines, discs, text, anti-aliased.
#ifndef ERG_VIEW_OVERLAY_CANVAS_H
#define ERG_VIEW_OVERLAY_CANVAS_H

#include "draw/font.h"

typedef struct view_colour {
    uint8_t r, g, b, a; // a: opacity
} view_colour;

typedef struct view_overlay_canvas {
    ergi_image_rgba image;
    size_t          room; // capacity [bytes]
} view_overlay_canvas;

// Clears the image to this size. False: out of memory; nothing may be drawn.
bool view_overlay_canvas_begin(view_overlay_canvas *canvas, int width, int height);
void view_overlay_canvas_free(view_overlay_canvas *canvas);

void view_overlay_canvas_box(view_overlay_canvas *canvas, double x, double y, double width,
                             double height, double round, view_colour ink);
void view_overlay_canvas_line(view_overlay_canvas *canvas, double x0, double y0, double x1,
                              double y1, double width, view_colour ink);
void view_overlay_canvas_disc(view_overlay_canvas *canvas, double x, double y, double radius,
                              view_colour ink);
void view_overlay_canvas_ring(view_overlay_canvas *canvas, double x, double y, double radius,
                              double width, view_colour ink);
// Capitals are `size` pixels high; the baseline starts at (x, y).
void view_overlay_canvas_text(view_overlay_canvas *canvas, double x, double y, double size,
                              const char *text, view_colour ink);

#endif
