// What the show has to tell, and what the window makes of it.
#include "app.h"

#include "geom/vec3.h"

static void set_sliders(view_app *app)
{
    const view_facts *f = &app->status.facts;
    view_slider      *s = app->panel.slider;
    double            g = ergi_norm(f->gravity);
    app->gravity_up = g > 0 ? ergi_scale(f->gravity, -1 / g) : app->orbit.up;
    erg_vec3 x = fabs(app->gravity_up.x) < 0.9 ? ergi_vec3(1, 0, 0) : ergi_vec3(0, 1, 0);
    app->gravity_ex = ergi_normalize(ergi_madd(x, -ergi_dot(x, app->gravity_up), app->gravity_up));
    app->gravity_ey = ergi_cross(app->gravity_up, app->gravity_ex);
    s[VIEW_FRICTION].value = isnan(f->friction) ? 0 : f->friction;
    s[VIEW_GRAVITY].value = g;
    s[VIEW_GRAVITY].high = fmax(20, 2 * g);
    s[VIEW_TILT].value = s[VIEW_HEADING].value = 0;
    s[VIEW_RATE].absent = f->emitters == 0;
    s[VIEW_RATE].value = f->emitters ? f->rate[0] : 0;
    s[VIEW_RATE].high = fmax(3 * s[VIEW_RATE].value, 1);
    app->sliders_set = true;
}

// In radii of the grains that are there now.
static void scale_hand(view_app *app)
{
    const view_slider *s = app->panel.slider;
    double             r = erg_picture_grain_radius(app->picture);
    app->hand.ball = s[VIEW_BALL].value * r;
    app->hand.reach = s[VIEW_REACH].value * r;
    app->hand.strength = s[VIEW_STRENGTH].value;
}

static void place_eye(view_app *app)
{
    erg_vec3   centre;
    double     radius;
    erg_camera eye = erg_picture_eye(app->picture);
    erg_picture_ball(app->picture, &centre, &radius);
    app->orbit = app->home = view_orbit_from(&eye, radius);
    app->placed = true;
}

// A scene that begins empty becomes larger.
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
    erg_picture *picture = view_show_fetch(app->show, &app->status, &fresh);
    if (fresh) {
        app->picture = picture;
        if (!app->placed && !app->scripted) view_app_say(app, "H shows all keys, Tab the sliders");
        if (!app->placed) place_eye(app);
        grow_scale(app);
        app->stale = true;
        app->moved = app->now;
    }
    if (app->status.restarts != before.restarts) app->sliders_set = false;
    if (app->picture && !app->sliders_set) set_sliders(app);
    if (fresh) scale_hand(app);
    if (app->status.notes != app->notes_seen) {
        app->notes_seen = app->status.notes;
        view_app_say(app, "%s", app->status.note);
    }
    app->dirty |= before.state != app->status.state || before.paused != app->status.paused ||
                  view_is_saving(&before) != view_is_saving(&app->status);
    if (app->closing && app->status.saves >= app->closing_save) {
        app->closing = false;
        app->quit = app->status.save_status == ERG_OK; // else the note says why; nothing is lost
    }
}
