// The help page with all keys.
#include "overlay.h"

#include <math.h>

static const double ROW = 2.15, GROUP = 0.9, PAD = 2.2, GAP = 2; // in units

typedef struct column {
    int    first, last; // rows
    double keys, text;  // widths, in units
} column;

// Height of all its rows, in units.
static double height_of(const column *c)
{
    double height = 0;
    for (int i = c->first; i <= c->last; i++)
        height += ROW + (VIEW_KEYS[i].group ? ROW + (i > c->first ? GROUP : 0) : 0);
    return height;
}

static void measure(column *c)
{
    for (int i = c->first; i <= c->last; i++) {
        c->keys = fmax(c->keys, ergi_font_width(VIEW_KEYS[i].keys, 1));
        c->text = fmax(c->text, ergi_font_width(VIEW_KEYS[i].text, 1));
    }
}

// Groups stay together; the second column starts at the group that balances the heights best.
static void divide(column columns[2])
{
    int    rows = 0;
    double best = HUGE_VAL;
    while (VIEW_KEYS[rows].keys) rows++;
    for (int i = 1; i < rows; i++) {
        if (!VIEW_KEYS[i].group) continue;
        column a = {.first = 0, .last = i - 1}, b = {.first = i, .last = rows - 1};
        double difference = fabs(height_of(&a) - height_of(&b));
        if (difference >= best) continue;
        best = difference;
        columns[0] = a;
        columns[1] = b;
    }
    measure(&columns[0]);
    measure(&columns[1]);
}

static void draw_column(view_app *app, const column *c, double left, double top)
{
    double u = app->unit, y = top;
    for (int i = c->first; i <= c->last; i++) {
        const view_key_row *row = &VIEW_KEYS[i];
        if (row->group) {
            if (i > c->first) y += GROUP;
            view_overlay_canvas_text(&app->overlay_canvas, left * u, (y + 1.3) * u, 1.15 * u,
                                     row->group, VIEW_ACCENT);
            y += ROW;
        }
        view_overlay_canvas_text(&app->overlay_canvas, left * u, (y + 1.3) * u, u, row->keys,
                                 VIEW_LIGHT);
        view_overlay_canvas_text(&app->overlay_canvas, (left + c->keys + GAP) * u, (y + 1.3) * u, u,
                                 row->text, VIEW_DIM);
        y += ROW;
    }
}

void view_overlay_help(view_app *app)
{
    column c[2] = {{0}};
    divide(c);
    double widths[2] = {c[0].keys + GAP + c[0].text, c[1].keys + GAP + c[1].text};
    double width = widths[0] + widths[1] + 2 * PAD + 2 * GAP;
    double height = fmax(height_of(&c[0]), height_of(&c[1])) + 2 * PAD;
    // Shrinks to fit a small window.
    double unit = app->unit;
    app->unit = fmin(unit, fmin(app->width / (width + 2), app->height / (height + 2)));
    if (view_overlay_begin(app, width, height)) {
        view_overlay_canvas_box(&app->overlay_canvas, 0, 0, width * app->unit, height * app->unit,
                                app->unit, VIEW_PAGE);
        draw_column(app, &c[0], PAD, PAD - 0.2);
        draw_column(app, &c[1], PAD + widths[0] + 2 * GAP, PAD - 0.2);
        view_overlay_lay(app, 0.5 * (app->width - width * app->unit),
                         0.5 * (app->height - height * app->unit));
    }
    app->unit = unit;
}
