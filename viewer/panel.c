#include "panel.h"
#include "theme.h"

#include <math.h>
#include <stdio.h>

// In units.
static const double WIDTH = 25, PAD = 1.3, ROW = 3.6, HEAD = 3.6, TRACK = 2.5;

view_panel view_panel_default(void)
{
    return (view_panel){
        .slider = {[VIEW_FRICTION] = {"friction", "", 0, 1.5, 0.5, false, false},
                   [VIEW_GRAVITY] = {"gravity", "m/s^2", 0, 20, 9.81, false, false},
                   [VIEW_TILT] = {"gravity tilt", "deg", 0, 180, 0, false, false},
                   [VIEW_HEADING] = {"tilt direction", "deg", 0, 360, 0, false, false},
                   [VIEW_RATE] = {"emitter rate", "1/s", 0, 1, 0, false, true},
                   [VIEW_BALL] = {"ball size (radii)", "", 1, 12, 3.5, true, false},
                   [VIEW_REACH] = {"tool reach (radii)", "", 2, 60, 10, true, false},
                   [VIEW_STRENGTH] = {"tool strength", "", 0.1, 10, 1, true, false}},
        .held = -1,
        .unit = 9};
}

void view_panel_place(view_panel *p, double x, double y, double unit)
{
    p->x = x;
    p->y = y;
    p->unit = unit;
}

static int rows(const view_panel *p)
{
    int count = 0;
    for (int i = 0; i < VIEW_SLIDERS; i++) count += !p->slider[i].absent;
    return count;
}

void view_panel_size(const view_panel *p, double *width, double *height)
{
    *width = WIDTH * p->unit;
    *height = (2 * PAD + HEAD + ROW * rows(p) - 0.4) * p->unit;
}

// Top of a slider's row, in units from the panel's top.
static double top_of(const view_panel *p, int slider)
{
    int row = 0;
    for (int i = 0; i < slider; i++) row += !p->slider[i].absent;
    return PAD + HEAD + ROW * row;
}

static double fraction_of(const view_slider *s)
{
    double share = s->by_factor ? log(s->value / s->low) / log(s->high / s->low)
                                : (s->value - s->low) / (s->high - s->low);
    return fmin(fmax(share, 0), 1);
}

static void set_fraction(view_slider *s, double share)
{
    share = fmin(fmax(share, 0), 1);
    s->value =
        s->by_factor ? s->low * pow(s->high / s->low, share) : s->low + share * (s->high - s->low);
}

static double tool_width(void)
{
    return (WIDTH - 2 * PAD) / VIEW_TOOLS;
}

bool view_panel_press(view_panel *p, double x, double y, int *changed)
{
    double width, height, u = (x - p->x) / p->unit, v = (y - p->y) / p->unit;
    view_panel_size(p, &width, &height);
    *changed = -1;
    if (u < 0 || v < 0 || u * p->unit > width || v * p->unit > height) return false;
    if (v < PAD + HEAD - 0.6 && u > PAD && u < WIDTH - PAD) {
        p->tool = (int)fmin(floor((u - PAD) / tool_width()), VIEW_TOOLS - 1);
        return true;
    }
    for (int i = 0; i < VIEW_SLIDERS; i++)
        if (!p->slider[i].absent && v >= top_of(p, i) && v < top_of(p, i) + ROW) {
            p->held = i;
            view_panel_move(p, x, changed);
        }
    return true;
}

bool view_panel_move(view_panel *p, double x, int *changed)
{
    *changed = -1;
    if (p->held < 0) return false;
    double u = (x - p->x) / p->unit;
    set_fraction(&p->slider[p->held], (u - PAD - 0.5) / (WIDTH - 2 * PAD - 1));
    *changed = p->held;
    return true;
}

void view_panel_release(view_panel *p)
{
    p->held = -1;
}

static void draw_tools(const view_panel *p, view_overlay_canvas *canvas,
                       const char *const tools[VIEW_TOOLS])
{
    double u = p->unit;
    for (int i = 0; i < VIEW_TOOLS; i++) {
        bool        on = i == p->tool;
        double      x = (PAD + i * tool_width()) * u, width = tool_width() * u - 0.4 * u;
        char        text[32];
        view_colour ink = on ? VIEW_DARK : VIEW_LIGHT;
        view_overlay_canvas_box(canvas, x, PAD * u, width, 2.5 * u, 0.7 * u,
                                on ? VIEW_ACCENT : VIEW_GROOVE);
        snprintf(text, sizeof text, "%d %s", i + 1, tools[i]);
        view_overlay_canvas_text(canvas, x + 0.5 * (width - ergi_font_width(text, u)),
                                 (PAD + 1.75) * u, u, text, ink);
    }
}

// Three significant digits, without exponents.
static int decimals(double value)
{
    return value == 0 || value >= 99.5 ? 0 : value >= 9.95 ? 1 : 2;
}

static void draw_slider(const view_panel *p, view_overlay_canvas *canvas, int i)
{
    const view_slider *s = &p->slider[i];
    double u = p->unit, top = top_of(p, i) * u, left = PAD * u, right = (WIDTH - PAD) * u;
    char   text[48];
    snprintf(text, sizeof text, "%.*f%s%s", decimals(s->value), s->value, *s->unit ? " " : "",
             s->unit);
    view_overlay_canvas_text(canvas, left, top + 1.2 * u, u, s->name, VIEW_DIM);
    view_overlay_canvas_text(canvas, right - ergi_font_width(text, u), top + 1.2 * u, u, text,
                             VIEW_LIGHT);
    double y = top + TRACK * u, from = left + 0.5 * u, to = right - 0.5 * u;
    double at = from + fraction_of(s) * (to - from);
    view_overlay_canvas_line(canvas, from, y, to, y, 0.34 * u, VIEW_GROOVE);
    view_overlay_canvas_line(canvas, from, y, at, y, 0.34 * u, VIEW_ACCENT);
    view_overlay_canvas_disc(canvas, at, y, (p->held == i ? 0.85 : 0.68) * u, VIEW_LIGHT);
}

void view_panel_draw(const view_panel *p, view_overlay_canvas *canvas,
                     const char *const tools[VIEW_TOOLS])
{
    double width, height;
    view_panel_size(p, &width, &height);
    view_overlay_canvas_box(canvas, 0, 0, width, height, 0.9 * p->unit, VIEW_SHEET);
    draw_tools(p, canvas, tools);
    for (int i = 0; i < VIEW_SLIDERS; i++)
        if (!p->slider[i].absent) draw_slider(p, canvas, i);
}
