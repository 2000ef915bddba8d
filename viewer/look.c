// Display settings: colours, force chains, cuts.
#include "app.h"

#include "geom/vec3.h"

// The cut plane moves from the near end of the scene to the far end.
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
    view_sim_look(app->sim, &app->look);
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
        view_app_say(
            app,
            "force chains need contacts, which are not read from snapshots: use erg view SCENE");
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
    view_app_say(app, "%s", app->cut_axis < 0 ? "no cut" : names[app->cut_axis]);
    view_app_set_look(app);
}

void view_look_move_cut(view_app *app, double shift)
{
    if (app->cut_axis < 0) {
        view_app_say(app, "press X first to cut open");
        return;
    }
    app->cut_share = fmin(fmax(app->cut_share + shift, 0), 1);
    view_app_set_look(app);
}
