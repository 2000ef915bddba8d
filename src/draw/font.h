// A built-in stroke font for captions and legends, drawn at any size.
#ifndef ERGI_FONT_H
#define ERGI_FONT_H

#include "erg/base.h"

// RGBA image, top row first; alpha is coverage.
typedef struct ergi_image_rgba {
    int      width, height;
    uint8_t *rgba;
} ergi_image_rgba;

// Width of a text whose capitals are `size` pixels high [pixels].
double ergi_font_width(const char *text, double size);

// Draws a text whose baseline starts at (x, y) from the top left corner. Non-ASCII characters are
// drawn as question marks.
void ergi_font_draw(ergi_image_rgba *image, double x, double y, double size, const char *text,
                    const uint8_t rgb[3]);

#endif
