// Fetches the newest picture and status from the simulation thread and updates the window.
#include "app.h"

#include "geom/vec3.h"

static void place_camera(view_app *app)
{
    erg_vec3   centre;
    double     radius;
    erg_camera eye = erg_picture_eye(app->picture);
    erg_picture_ball(app->picture, &centre, &radius);
    app->orbit = app->home = view_orbit_from(&eye, radius);
    app->placed = true;
}

// A scene that starts empty grows.
static void grow_scale(view_app *app)
{
    erg_vec3 centre;
    double   radius;
    erg_picture_ball(app->picture, &centre, &radius);
    app->home.scale = app->orbit.scale = fmax(app->home.scale, radius);
}

void view_app_fetch(view_app *app)
{
    bool         fresh;
    view_status  before = app->status;
    erg_picture *picture = view_sim_fetch(app->sim, &app->status, &fresh);
    if (fresh) {
        app->picture = picture;
        if (!app->placed && !app->scripted) view_app_say(app, "H: all keys, Tab: sliders");
        if (!app->placed && app->status.facts.walls_left_out)
            view_app_say(app, "only the first %d movable walls and bodies can be moved here",
                         VIEW_WALLS);
        if (!app->placed) place_camera(app);
        grow_scale(app);
        app->stale = true;
        app->moved = app->now;
    }
    if (app->status.restarts != before.restarts) app->sliders_set = false;
    if (app->picture && !app->sliders_set) view_sliders_set(app);
    if (fresh) view_sliders_scale_tool(app);
    if (app->status.notes != app->notes_seen) {
        app->notes_seen = app->status.notes;
        view_app_say(app, "%s", app->status.note);
    }
    app->dirty |= before.state != app->status.state || before.paused != app->status.paused ||
                  view_is_saving(&before) != view_is_saving(&app->status);
    if (app->closing && app->status.saves >= app->closing_save) {
        app->closing = false;
        app->quit =
            app->status.save_status == ERG_OK; // else the note tells why, and the window stays open
    }
}
