// Drawing: the picture on an offscreen canvas, then canvas and overlays into the window.
#include "app.h"

#include "base/clock.h"

#include <epoxy/gl.h>

static const double QUICK = 1.0 / 40; // below this a fine picture is always drawn [s]
static const double SLOW = 1.0 / 12;  // above this a fast picture is drawn with a quarter of the
                                      // pixels while something moves [s]

// Fewer pixels only in interactive use: scripts and films have time.
static bool is_coarse(view_app *app, bool fine)
{
    if (app->drawn == ERG_QUALITY_FAST && app->draw_s > SLOW) app->coarse = true;
    if (app->drawn == ERG_QUALITY_FAST && app->draw_s < 0.2 * SLOW) app->coarse = false;
    return app->coarse && !fine && !app->scripted && !app->record.film;
}

// Draws onto the canvas if something changed.
void view_canvas_draw(view_app *app, bool want_fine)
{
    erg_error err;
    bool      fine = want_fine || (app->fine_s > 0 && app->fine_s < QUICK);
    if (!app->picture) return;
    if (!app->stale && !(fine && app->drawn == ERG_QUALITY_FAST)) return;
    int             part = is_coarse(app, fine) ? 2 : 1;
    ergi_target_def def = {.width = app->width / part,
                           .height = app->height / part,
                           .colour = {GL_RGBA8},
                           .smooth = true};
    erg_camera      eye = view_orbit_camera(&app->orbit);
    erg_status      status = ergi_target_make(&app->canvas, &def, &err);
    erg_picture_look_from(app->picture, &eye);
    erg_picture_set_quality(app->picture, fine ? ERG_QUALITY_FINE : ERG_QUALITY_FAST);
    double start = ergi_clock_seconds();
    glBindFramebuffer(GL_FRAMEBUFFER, app->canvas.frame);
    if (status == ERG_OK)
        status = erg_renderer_draw(app->renderer, app->picture, def.width, def.height, &err);
    glFinish();
    app->drew_at = ergi_clock_seconds();
    app->draw_s = app->drew_at - start;
    if (fine) app->fine_s = app->draw_s;
    if (status != ERG_OK) view_app_say(app, "%.400s", err.text);
    app->drawn = fine ? ERG_QUALITY_FINE : ERG_QUALITY_FAST;
    app->stale = false;
    app->dirty = true;
    if (app->pictures++ == 0) app->result->first_picture_s = ergi_clock_seconds() - app->opened;
}

// Canvas and overlays into the window's back buffer.
void view_canvas_compose(view_app *app)
{
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDisable(GL_SCISSOR_TEST);
    glViewport(0, 0, app->width, app->height);
    glClearColor(0.86f, 0.88f, 0.90f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    if (app->canvas.frame && app->picture) {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, app->canvas.frame);
        glBlitFramebuffer(0, 0, app->canvas.width, app->canvas.height, 0, 0, app->width,
                          app->height, GL_COLOR_BUFFER_BIT,
                          app->canvas.width == app->width ? GL_NEAREST : GL_LINEAR);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
    }
    view_overlay_draw(app);
}

static void count_frame(view_app *app)
{
    double wall = ergi_clock_seconds();
    app->fps_count++;
    if (wall - app->fps_since < 0.5) return;
    app->shown_fps = app->fps_count / (wall - app->fps_since);
    app->fps_since = wall;
    app->fps_count = 0;
}

void view_canvas_present(view_app *app)
{
    erg_error err;
    view_canvas_compose(app);
    if (app->record.film &&
        view_record_add(&app->record, app->width, app->height, app->now, &err) != ERG_OK)
        view_app_say(app, "%.400s", err.text);
    view_window_swap(app);
    count_frame(app);
    app->dirty = false;
}
