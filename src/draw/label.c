#include "draw/label.h"

#include "base/memory.h"
#include "draw/colours.h"
#include "draw/range.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const uint8_t INK[3] = {38, 36, 34};
static const double  PAD = 0.8; // around letters, in letter sizes
static const double  LEAST = 2; // smallest legible letter size [pixels]

static erg_status make(ergi_label *label, int width, int height, erg_error *err)
{
    label->image.width = width;
    label->image.height = height;
    label->image.rgba = ergi_memory_new((size_t)width * (size_t)height * 4, 1, "a label", err);
    return label->image.rgba ? ERG_OK : ERG_NO_MEMORY;
}

// A translucent background, so that the letters are legible on anything.
static void fill_background(ergi_image_rgba *image, uint8_t cover)
{
    for (size_t i = 0; i < (size_t)image->width * (size_t)image->height; i++) {
        memset(image->rgba + 4 * i, 250, 3);
        image->rgba[4 * i + 3] = cover;
    }
}

void ergi_label_free(ergi_label *label)
{
    ergi_memory_free(label->image.rgba);
    *label = (ergi_label){0};
}

erg_status ergi_label_caption(const erg_picture *p, int width, int height, ergi_label *label,
                              erg_error *err)
{
    *label = (ergi_label){0};
    if (!*p->caption) return ERG_OK;
    double size = fmax(height / 54.0, 6);
    double wide = ergi_font_width(p->caption, size) + 4 * PAD * size;
    if (wide > width) size *= width / wide; // shrink a long caption to fit
    if (size < LEAST) return ERG_OK;        // not legible
    double     text = ergi_font_width(p->caption, size), pad = PAD * size;
    erg_status status =
        make(label, (int)ceil(text + 2 * pad), (int)ceil(1.6 * size + 1.4 * pad), err);
    if (status != ERG_OK) return status;
    fill_background(&label->image, 130);
    ergi_font_draw(&label->image, pad, 0.7 * pad + 1.15 * size, size, p->caption, INK);
    label->x = (int)pad;
    label->y = height - label->image.height - (int)pad;
    return ERG_OK;
}

static const char *title_of(erg_colour_by by)
{
    switch (by) {
    case ERG_COLOUR_SPEED: return "speed [m/s]";
    case ERG_COLOUR_FORCE: return "force [N]";
    case ERG_COLOUR_SIZE: return "radius [m]";
    case ERG_COLOUR_ID: return "grain id";
    case ERG_COLOUR_HEIGHT: return "height [m]";
    case ERG_COLOUR_MATERIAL: break;
    }
    return "";
}

// From the largest value at the top to the smallest at the bottom.
static void draw_bar(const erg_picture *p, ergi_label *label, int left, int top, int width,
                     int height)
{
    for (int y = 0; y < height; y++) {
        uint32_t colour = ergi_colour_number(p->look.colour, 1.0 - (double)y / (height - 1));
        for (int x = 0; x < width; x++)
            memcpy(label->image.rgba +
                       4 * ((size_t)(top + y) * (size_t)label->image.width + (size_t)(left + x)),
                   &colour, 4);
    }
    label->bar_x = label->x + left;
    label->bar_top = label->y + top;
    label->bar_width = width;
    label->bar_height = height;
}

erg_status ergi_label_legend(const erg_picture *p, int width, int height, ergi_label *label,
                             erg_error *err)
{
    *label = (ergi_label){0};
    if (!p->look.legend || p->look.colour == ERG_COLOUR_MATERIAL) return ERG_OK;
    double size = fmax(height / 60.0, 6), pad = PAD * size, widest = 0;
    char   text[ERGI_TICKS][32];
    double tick[ERGI_TICKS];
    bool   whole = p->look.colour == ERG_COLOUR_ID;
    int    ticks = ergi_range_ticks(p->low, p->high, whole, tick);
    for (int i = 0; i < ticks; i++) {
        snprintf(text[i], sizeof text[i], "%.*g", whole ? 9 : 6, tick[i]);
        widest = fmax(widest, ergi_font_width(text[i], size));
    }
    const char *title = title_of(p->look.colour);
    int         bar_height = height * 2 / 5, bar_width = (int)fmax(1.4 * size, 6);
    double      needs = fmax(bar_width + pad + widest, ergi_font_width(title, size)) + 2 * pad;
    int         top = (int)(2.4 * size + pad);
    erg_status  status =
        make(label, (int)ceil(needs), (int)ceil(top + bar_height + size + pad), err);
    if (status != ERG_OK) return status;
    label->x = width - label->image.width - (int)pad;
    label->y = (int)pad;
    fill_background(&label->image, 150);
    draw_bar(p, label, (int)pad, top, bar_width, bar_height);
    ergi_font_draw(&label->image, pad, pad + size, size, title, INK);
    for (int i = 0; i < ticks; i++) {
        double share = p->high > p->low ? (tick[i] - p->low) / (p->high - p->low) : 0;
        ergi_font_draw(&label->image, pad + bar_width + pad,
                       top + (bar_height - 1) * (1.0 - share) + 0.5 * size, size, text[i], INK);
    }
    return ERG_OK;
}
