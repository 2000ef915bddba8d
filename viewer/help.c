// The help page with all keys: those of the window, and those of the scene.
#include "overlay.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

static const double ROW = 2.15, GROUP = 0.9, PAD = 2.2, GAP = 2; // in units

enum { PAGE_ROWS = 64, PAGE_WORDS = 96 };

typedef struct page {
    view_key_row row[PAGE_ROWS];
    char         keys[PAGE_ROWS][PAGE_WORDS], text[PAGE_ROWS][PAGE_WORDS]; // of changed rows
    int          rows;
} page;

typedef struct column {
    int    first, last; // rows
    double keys, text;  // widths, in units
} column;

// ---- Rows --------------------------------------------------------------------------------------
// A key that the scene uses needs Shift for its meaning in the window.
static void add_row(page *p, const view_app *app, const view_key_row *row)
{
    p->row[p->rows] = *row;
    if (row->key[0] && view_joints_take(app, row->key[0], row->mods)) {
        snprintf(p->keys[p->rows], PAGE_WORDS, "Shift + %s", row->keys);
        p->row[p->rows].keys = p->keys[p->rows];
    }
    p->rows++;
}

static void add_joint(page *p, const view_joint *joint, bool first)
{
    char *keys = p->keys[p->rows], *text = p->text[p->rows];
    snprintf(keys, PAGE_WORDS, "%c and %c", toupper((unsigned char)joint->key_up),
             toupper((unsigned char)joint->key_down));
    snprintf(text, PAGE_WORDS, "%s %s, back", joint->hinge ? "rotate" : "move",
             *joint->name ? joint->name : "a wall");
    p->row[p->rows++] = (view_key_row){.group = first ? "Scene" : NULL, .keys = keys, .text = text};
}

static void fill_page(page *p, const view_app *app)
{
    const view_facts *f = &app->status.facts;
    for (const view_key_row *row = VIEW_KEYS; row->keys && p->rows < PAGE_ROWS; row++)
        add_row(p, app, row);
    for (size_t i = 0; i < f->joints && p->rows < PAGE_ROWS; i++)
        add_joint(p, &f->joint[i], i == 0);
}

// ---- Columns -----------------------------------------------------------------------------------
// Height of all its rows, in units.
static double height_of(const page *p, const column *c)
{
    double height = 0;
    for (int i = c->first; i <= c->last; i++)
        height += ROW + (p->row[i].group ? ROW + (i > c->first ? GROUP : 0) : 0);
    return height;
}

static void measure(const page *p, column *c)
{
    for (int i = c->first; i <= c->last; i++) {
        c->keys = fmax(c->keys, ergi_font_width(p->row[i].keys, 1));
        c->text = fmax(c->text, ergi_font_width(p->row[i].text, 1));
    }
}

// Groups stay together; the second column starts at the group that balances the heights best.
static void divide(const page *p, column columns[2])
{
    double best = HUGE_VAL;
    for (int i = 1; i < p->rows; i++) {
        if (!p->row[i].group) continue;
        column a = {.first = 0, .last = i - 1}, b = {.first = i, .last = p->rows - 1};
        double difference = fabs(height_of(p, &a) - height_of(p, &b));
        if (difference >= best) continue;
        best = difference;
        columns[0] = a;
        columns[1] = b;
    }
    measure(p, &columns[0]);
    measure(p, &columns[1]);
}

static void draw_column(view_app *app, const page *p, const column *c, double left, double top)
{
    double u = app->unit, y = top;
    for (int i = c->first; i <= c->last; i++) {
        const view_key_row *row = &p->row[i];
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
    page   p = {.rows = 0};
    fill_page(&p, app);
    divide(&p, c);
    double widths[2] = {c[0].keys + GAP + c[0].text, c[1].keys + GAP + c[1].text};
    double width = widths[0] + widths[1] + 2 * PAD + 2 * GAP;
    double height = fmax(height_of(&p, &c[0]), height_of(&p, &c[1])) + 2 * PAD;
    // Shrinks to fit a small window.
    double unit = app->unit;
    app->unit = fmin(unit, fmin(app->width / (width + 2), app->height / (height + 2)));
    if (view_overlay_begin(app, width, height)) {
        view_overlay_canvas_box(&app->overlay_canvas, 0, 0, width * app->unit, height * app->unit,
                                app->unit, VIEW_PAGE);
        draw_column(app, &p, &c[0], PAD, PAD - 0.2);
        draw_column(app, &p, &c[1], PAD + widths[0] + 2 * GAP, PAD - 0.2);
        view_overlay_lay(app, 0.5 * (app->width - width * app->unit),
                         0.5 * (app->height - height * app->unit));
    }
    app->unit = unit;
}
