// Overlays: statistics, sliders, messages.
#include "overlay.h"

#include "geom/vec3.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

bool view_overlay_begin(view_app *app, double width, double height)
{
    return view_overlay_canvas_begin(&app->overlay_canvas, (int)ceil(width * app->unit),
                                     (int)ceil(height * app->unit));
}

void view_overlay_lay(view_app *app, double x, double y)
{
    erg_renderer_overlay(app->renderer, app->overlay_canvas.image.rgba,
                         app->overlay_canvas.image.width, app->overlay_canvas.image.height,
                         (int)lround(x), (int)lround(y), app->width, app->height);
}

double view_overlay_fitted(const char *text, double size, double room)
{
    double width = ergi_font_width(text, size);
    return width > room ? size * room / width : size;
}

// ---- Statistics --------------------------------------------------------------------------------
// Thousands separators: 12345678 as "12,345,678".
static const char *grouped(double value, char text[32])
{
    char plain[32];
    snprintf(plain, sizeof plain, "%.0f", fmax(value, 0));
    size_t length = strlen(plain), at = 0;
    for (size_t i = 0; i < length && at < 30; i++) {
        if (i && (length - i) % 3 == 0) text[at++] = ',';
        text[at++] = plain[i];
    }
    text[at] = '\0';
    return text;
}

static const char *speed_text(double speed, char text[32])
{
    if (speed >= 1)
        snprintf(text, 32, "%.3g x", speed);
    else
        snprintf(text, 32, "1/%.3g x", 1 / speed);
    return text;
}

enum { HUD_LINES = 9 };

typedef struct hud_line {
    char        name[32], value[64];
    view_colour ink;
} hud_line;

static int hud_lines(const view_app *app, hud_line line[HUD_LINES])
{
    const view_status *s = &app->status;
    const view_facts  *f = &s->facts;
    char               text[32];
    int                n = 0;
    bool               mesh = app->def->mesh != NULL;
    for (int i = 0; i < HUD_LINES; i++) line[i].ink = VIEW_LIGHT;
    snprintf(line[n].name, 32, mesh ? "iteration" : "time");
    if (mesh)
        snprintf(line[n++].value, 64, "%" PRIu64, f->steps);
    else
        snprintf(line[n++].value, 64, "%.4f s", f->time);
    snprintf(line[n].name, 32, mesh ? "samples" : "grains");
    snprintf(line[n++].value, 64, "%s", grouped((double)f->grains, text));
    if (!f->no_contacts && !mesh) {
        snprintf(line[n].name, 32, "contacts");
        snprintf(line[n++].value, 64, "%s", grouped((double)f->contacts, text));
    }
    snprintf(line[n].name, 32, "frames per second");
    snprintf(line[n++].value, 64, "%.3g", app->shown_fps);
    if (!f->is_result && !mesh) {
        snprintf(line[n].name, 32, "steps per second");
        snprintf(line[n++].value, 64, "%s", grouped(s->paused ? 0 : s->steps_per_s, text));
    }
    if (!mesh) {
        snprintf(line[n].name, 32, "actual speed");
        snprintf(line[n++].value, 64, "%.3g x", s->paused ? 0 : s->factor);
    }
    if (!f->is_result && !mesh && s->frame_s > 0) { // per 1/60 s of simulated time
        double budget = 1.0 / 60 / s->speed;
        snprintf(line[n].name, 32, "frame budget");
        if (s->frame_s > budget) line[n].ink = VIEW_ALARM;
        snprintf(line[n++].value, 64, "%.*f of %.3g ms", s->frame_s < 0.1 ? 1 : 0, 1e3 * s->frame_s,
                 1e3 * budget);
    }
    snprintf(line[n].name, 32, "requested speed");
    snprintf(line[n].value, 64, "%s", speed_text(s->speed, text));
    if (s->paused) {
        snprintf(line[n].value, 64, "paused");
        line[n].ink = VIEW_ACCENT;
    }
    n++;
    if (app->record.film) {
        snprintf(line[n].name, 32, "recording");
        snprintf(line[n].value, 64, "%.1f s", (double)app->record.pictures / 30);
        line[n++].ink = VIEW_ALARM;
    }
    return n;
}

// Returns its lower end [pixels].
static double draw_hud(view_app *app)
{
    const double WIDTH = 25, PAD = 1.3, ROW = 2.05, HEAD = 2.9;
    hud_line     line[HUD_LINES];
    int          count = hud_lines(app, line);
    double       u = app->unit, height = 2 * PAD + HEAD + ROW * count - 0.7;
    if (!view_overlay_begin(app, WIDTH, height)) return 0;
    view_overlay_canvas_box(&app->overlay_canvas, 0, 0, WIDTH * u, height * u, 0.9 * u, VIEW_SHEET);
    view_overlay_canvas_text(&app->overlay_canvas, PAD * u, (PAD + 1.3) * u,
                             view_overlay_fitted(app->title, 1.2 * u, (WIDTH - 2 * PAD) * u),
                             app->title, VIEW_ACCENT);
    for (int i = 0; i < count; i++) {
        double y = (PAD + HEAD + ROW * i + 1) * u;
        view_overlay_canvas_text(&app->overlay_canvas, PAD * u, y, u, line[i].name, VIEW_DIM);
        view_overlay_canvas_text(&app->overlay_canvas,
                                 (WIDTH - PAD) * u - ergi_font_width(line[i].value, u), y, u,
                                 line[i].value, line[i].ink);
    }
    view_overlay_lay(app, VIEW_EDGE * u, VIEW_EDGE * u);
    return (VIEW_EDGE + height) * u;
}

// ---- Sliders -----------------------------------------------------------------------------------
static void draw_panel(view_app *app, double below)
{
    static const char *const tools[VIEW_TOOLS] = {"ball", "blow", "pull"};
    double                   u = app->unit, width, height;
    view_panel_place(&app->panel, VIEW_EDGE * u, below + u, u);
    view_panel_size(&app->panel, &width, &height);
    if (!view_overlay_begin(app, width / u, height / u)) return;
    view_panel_draw(&app->panel, &app->overlay_canvas, tools);
    view_overlay_lay(app, app->panel.x, app->panel.y);
}

// ---- Messages ----------------------------------------------------------------------------------
enum { LINES = 6, LINE_SIZE = 100 };

// Wraps a text at word boundaries; returns the number of lines.
static int wrap(const char *text, int letters, char line[LINES][LINE_SIZE])
{
    int count = 0;
    while (*text && count < LINES) {
        int length = (int)strlen(text), cut = length;
        if (length > letters)
            for (cut = letters; cut > letters / 2 && text[cut] != ' ';) cut--;
        snprintf(line[count++], LINE_SIZE, "%.*s", cut, text);
        text += cut;
        while (*text == ' ') text++;
    }
    return count;
}

// A box with a headline and a smaller text below, centred at `y` [pixels].
static void draw_message(view_app *app, const char *first, const char *second, double y,
                         view_colour ink)
{
    char   line[LINES][LINE_SIZE];
    double u = app->unit, room = app->width - 6 * u,
           size = view_overlay_fitted(first, 1.1 * u, room);
    double widest = ergi_font_width(first, size);
    int    count = wrap(second, (int)fmin(fmax(room / (0.62 * u) - 4, 24), 84), line);
    for (int i = 0; i < count; i++) widest = fmax(widest, fmin(ergi_font_width(line[i], u), room));
    double width = widest / u + 3.2, height = 3.6 + (count ? 0.6 + 2 * count : 0);
    if (!view_overlay_begin(app, width, height)) return;
    view_overlay_canvas_box(&app->overlay_canvas, 0, 0, width * u, height * u, 0.9 * u, VIEW_SHEET);
    view_overlay_canvas_text(&app->overlay_canvas, 0.5 * (width * u - ergi_font_width(first, size)),
                             2.3 * u, size, first, ink);
    for (int i = 0; i < count; i++) {
        double own = view_overlay_fitted(line[i], u, room);
        view_overlay_canvas_text(&app->overlay_canvas,
                                 0.5 * (width * u - ergi_font_width(line[i], own)),
                                 (4.7 + 2 * i) * u, own, line[i], VIEW_DIM);
    }
    view_overlay_lay(app, 0.5 * (app->width - width * u), y - 0.5 * height * u);
}

static void draw_question(view_app *app)
{
    char folder[4096], second[4200];
    view_app_save_folder(app, folder);
    snprintf(second, sizeof second, "Y: yes, to %s    N: no    Esc: cancel", folder);
    draw_message(app, "Save the state before closing?", second, 0.5 * app->height, VIEW_ACCENT);
}

// The reach of the tool at the mouse position.
static void draw_ring(view_app *app)
{
    if (app->status.facts.is_result || app->picker.tool == VIEW_TOOL_BALL || !app->picture) return;
    view_aim aim = view_app_aim(app);
    double   far = erg_picture_meet(aim.picture, &aim.ray);
    if (!isfinite(far)) return;
    double slope = tan(0.5 * app->orbit.angle * ERGI_PI / 180);
    double r = fmin(app->picker.reach / (2 * far * slope) * app->height, 0.5 * app->height);
    double size = 2 * (r + 4) / app->unit;
    if (r < 2 || !view_overlay_begin(app, size, size)) return;
    double      middle = 0.5 * app->overlay_canvas.image.width;
    view_colour ink = app->drag == VIEW_TOUCH ? VIEW_ACCENT : VIEW_LIGHT;
    ink.a = 210;
    view_overlay_canvas_ring(&app->overlay_canvas, middle, middle, r, 0.22 * app->unit, ink);
    view_overlay_canvas_disc(&app->overlay_canvas, middle, middle, 0.3 * app->unit, ink);
    view_overlay_lay(app, app->mouse_x - middle, app->mouse_y - middle);
}

// Explains why there is no picture, or why the simulation stopped.
static void draw_state(view_app *app)
{
    const view_status *s = &app->status;
    if (s->state == VIEW_FAILED)
        draw_message(app, "this cannot be displayed", s->problem, 0.5 * app->height, VIEW_ALARM);
    else if (s->state == VIEW_BUILDING || !app->picture)
        draw_message(app, app->def->mesh ? "spreading samples" : "building the scene", app->title,
                     0.5 * app->height, VIEW_ACCENT);
    else if (s->state == VIEW_STOPPED)
        draw_message(app, "stopped at the last good step: R restarts, Ctrl + S saves", s->problem,
                     0.8 * app->height, VIEW_ALARM);
}

void view_overlay_draw(view_app *app)
{
    double u = app->unit, below = VIEW_EDGE * u, low = app->height - 3.6 * u;
    bool   page = app->show_help; // it would cover the statistics
    if (!page) draw_ring(app);
    if (app->show_hud && !page) below = draw_hud(app);
    if (view_sliders_shown(app)) draw_panel(app, below);
    low -= view_overlay_timeline(app);
    draw_state(app);
    if (app->show_help) view_overlay_help(app);
    if (app->asking)
        draw_question(app);
    else if (view_is_saving(&app->status))
        draw_message(app, "saving", "", 0.5 * app->height, VIEW_ACCENT);
    if (app->now < app->toast_until) draw_message(app, app->toast, "", low, VIEW_LIGHT);
}
