// Labels over a picture: caption, and the legend of its colours.
#ifndef ERGI_LABEL_H
#define ERGI_LABEL_H

#include "draw/font.h"
#include "draw/picture.h"

typedef struct ergi_label {
    ergi_image_rgba image;                     // empty: no such label
    int             x, y;                      // top left corner in the picture [pixels]
    int bar_x, bar_top, bar_width, bar_height; // legend: colour bar in the picture [pixels]
} ergi_label;

// For a picture of this size; free with ergi_label_free.
erg_status ergi_label_caption(const erg_picture *p, int width, int height, ergi_label *label,
                              erg_error *err);
erg_status ergi_label_legend(const erg_picture *p, int width, int height, ergi_label *label,
                             erg_error *err);
void       ergi_label_free(ergi_label *label);

#endif
