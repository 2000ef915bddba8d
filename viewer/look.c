// What is shown, and what the sliders say.
#include "app.h"

#include "geom/vec3.h"

// ---- Looks -------------------------------------------------------------------------------------
// The plane goes from the near end of the scene to the far one.
static void place_cut(view_app *app)
{
    static const erg_vec3 normal[3] = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};
    app->look.cut = app->cut_axis >= 0;
    if (!app->look.cut || !app->picture) return;
    erg_vec3 centre, n = normal[app->cut_axis];
    double   radius;
    erg_picture_ball(app->picture, &centre, &radius);
    app->look.cut_normal = n;
    app->look.cut_point = ergi_madd(centre, radius * (1 - 2 * app->cut_share), n);
}

void view_app_set_look(view_app *app)
{
    place_cut(app);
    view_show_look(app->show, &app->look);
}

void view_look_next_colour(view_app *app)
{
    static const char *const names[] = {"material", "speed", "force", "size", "grain id", "height"};
    app->look.colour = (erg_colour_by)((app->look.colour + 1) % 6);
    if (app->look.colour == ERG_COLOUR_FORCE && app->status.facts.no_contacts)
        app->look.colour = ERG_COLOUR_SIZE;
    app->look.low = app->look.high = (double)NAN;
    view_app_say(app, "coloured by %s", names[app->look.colour]);
    view_app_set_look(app);
}

void view_look_toggle_chains(view_app *app)
{
    if (app->status.facts.no_contacts) {
        view_app_say(app, "snapshots hold no contacts: force chains need erg view SCENE");
        return;
    }
    app->look.chains = !app->look.chains;
    view_app_say(app, "force chains %s", app->look.chains ? "on" : "off");
    view_app_set_look(app);
}

void view_look_next_cut(view_app *app)
{
    static const char *const names[] = {"cut open from the front: J and K move the cut",
                                        "cut open from the right", "cut open from above"};
    app->cut_axis = app->cut_axis >= 2 ? -1 : app->cut_axis + 1;
    app->cut_share = 0.5;
    view_app_say(app, "%s", app->cut_axis < 0 ? "not cut" : names[app->cut_axis]);
    view_app_set_look(app);
}

void view_look_move_cut(view_app *app, double way)
{
    if (app->cut_axis < 0) {
        view_app_say(app, "X cuts open first");
        return;
    }
    app->cut_share = fmin(fmax(app->cut_share + way, 0), 1);
    view_app_set_look(app);
}

// ---- Sliders -----------------------------------------------------------------------------------
static void send_gravity(view_app *app)
{
    const view_slider *s = app->panel.slider;
    double             tilt = s[VIEW_TILT].value * ERGI_PI / 180,
           heading = s[VIEW_HEADING].value * ERGI_PI / 180;
    erg_vec3 level = ergi_add(ergi_scale(app->gravity_ex, cos(heading)),
                              ergi_scale(app->gravity_ey, sin(heading)));
    erg_vec3 g = ergi_add(ergi_scale(level, sin(tilt)), ergi_scale(app->gravity_up, -cos(tilt)));
    view_show_command(app->show, &(erg_command){.kind = ERG_COMMAND_GRAVITY,
                                                .vector = ergi_scale(g, s[VIEW_GRAVITY].value)});
}

static void send_rate(view_app *app)
{
    const view_slider *s = &app->panel.slider[VIEW_RATE];
    for (size_t i = 0; i < app->status.facts.emitters; i++)
        view_show_command(app->show, &(erg_command){.kind = ERG_COMMAND_EMITTER_RATE,
                                                    .id = (erg_id)i + 1,
                                                    .value = s->value});
}

void view_app_slide(view_app *app, int slider)
{
    const view_slider *s = app->panel.slider;
    double             r = app->picture ? erg_picture_grain_radius(app->picture) : 0;
    switch ((view_slider_name)slider) {
    case VIEW_FRICTION:
        view_show_command(app->show, &(erg_command){.kind = ERG_COMMAND_FRICTION,
                                                    .value = s[VIEW_FRICTION].value});
        break;
    case VIEW_GRAVITY:
    case VIEW_TILT:
    case VIEW_HEADING: send_gravity(app); break;
    case VIEW_RATE: send_rate(app); break;
    case VIEW_BALL: app->hand.ball = s[VIEW_BALL].value * r; break;
    case VIEW_REACH: app->hand.reach = s[VIEW_REACH].value * r; break;
    case VIEW_STRENGTH: app->hand.strength = s[VIEW_STRENGTH].value; break;
    case VIEW_SLIDERS: break;
    }
}
