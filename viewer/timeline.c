// The timeline of a result or a mesh.
#include "overlay.h"

#include <math.h>
#include <stdio.h>

static const double LINE_HEIGHT = 4.6, LINE_LEFT = 2,
                    LINE_RIGHT = 17; // height, and insets of the line in its box, in units

static double line_left(const view_app *app)
{
    return (VIEW_EDGE + LINE_LEFT) * app->unit;
}
static double line_right(const view_app *app)
{
    return app->width - (VIEW_EDGE + LINE_RIGHT) * app->unit;
}

static bool is_shown(const view_app *app)
{
    return app->status.facts.is_result && app->status.facts.count > 1;
}

bool view_timeline_hit(const view_app *app, double x, double y)
{
    double u = app->unit;
    return is_shown(app) && y > app->height - (VIEW_EDGE + LINE_HEIGHT) * u &&
           y < app->height - VIEW_EDGE * u && x > VIEW_EDGE * u &&
           x < line_right(app) + LINE_LEFT * u;
}

double view_timeline_time(const view_app *app, double x)
{
    const view_facts *f = &app->status.facts;
    double            share = (x - line_left(app)) / (line_right(app) - line_left(app));
    return f->begin + fmin(fmax(share, 0), 1) * (f->end - f->begin);
}

// Position of a time between the ends of the line.
static double position_of(const view_facts *f, double time, double from, double to)
{
    return from + (time - f->begin) / fmax(f->end - f->begin, 1e-300) * (to - from);
}

double view_overlay_timeline(view_app *app)
{
    const view_facts *f = &app->status.facts;
    double            u = app->unit, width = app->width / u - 2 * VIEW_EDGE;
    if (!is_shown(app) || !view_overlay_begin(app, width, LINE_HEIGHT)) return 0;
    double from = LINE_LEFT * u, to = line_right(app) - VIEW_EDGE * u, y = 0.5 * LINE_HEIGHT * u;
    double at = position_of(f, f->time, from, to);
    view_overlay_canvas_box(&app->overlay_canvas, 0, 0, width * u, LINE_HEIGHT * u, 0.9 * u,
                            VIEW_SHEET);
    view_overlay_canvas_line(&app->overlay_canvas, from, y, to, y, 0.5 * u, VIEW_GROOVE);
    view_overlay_canvas_line(&app->overlay_canvas, from, y, at, y, 0.5 * u, VIEW_ACCENT);
    for (size_t i = 0; i < f->ticks; i++) {
        double x = position_of(f, f->tick[i], from, to);
        view_overlay_canvas_line(&app->overlay_canvas, x, y + 0.9 * u, x, y + 1.3 * u, 0.16 * u,
                                 VIEW_DIM);
    }
    view_overlay_canvas_disc(&app->overlay_canvas, at, y, (app->drag == VIEW_SCRUB ? 1.1 : 0.9) * u,
                             VIEW_LIGHT);
    char text[64];
    if (f->is_mesh)
        snprintf(text, sizeof text, "iteration %zu of %zu", f->index, f->count - 1);
    else
        snprintf(text, sizeof text, "%.3f s   %zu of %zu", f->time, f->index + 1, f->count);
    double size = view_overlay_fitted(text, u, (LINE_RIGHT - 2.2) * u);
    view_overlay_canvas_text(&app->overlay_canvas, to + 1.6 * u, y + 0.5 * u, size, text,
                             VIEW_LIGHT);
    view_overlay_lay(app, VIEW_EDGE * u, app->height - (VIEW_EDGE + LINE_HEIGHT) * u);
    return (LINE_HEIGHT + 1) * u;
}
