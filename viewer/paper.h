// Paper to draw on, laid over the picture: panels, lines, discs, letters. Smooth at the edges.
#ifndef ERG_VIEW_PAPER_H
#define ERG_VIEW_PAPER_H

#include "draw/font.h"

typedef struct view_ink {
    uint8_t r, g, b, a; // a: cover
} view_ink;

typedef struct view_paper {
    ergi_image_rgba image;
    size_t          room; // bytes
} view_paper;

// Clear paper of this size. False: there is no memory, and nothing will be drawn.
bool view_paper_begin(view_paper *paper, int width, int height);
void view_paper_free(view_paper *paper);

void view_paper_box(view_paper *paper, double x, double y, double width, double height,
                    double round, view_ink ink);
void view_paper_line(view_paper *paper, double x0, double y0, double x1, double y1, double width,
                     view_ink ink);
void view_paper_disc(view_paper *paper, double x, double y, double radius, view_ink ink);
void view_paper_ring(view_paper *paper, double x, double y, double radius, double width,
                     view_ink ink);
// Capitals are `size` pixels high; the baseline begins at (x, y).
void view_paper_text(view_paper *paper, double x, double y, double size, const char *text,
                     view_ink ink);

#endif
