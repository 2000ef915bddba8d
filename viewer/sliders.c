// Slider values, and their effects.
#include "app.h"

#include "geom/vec3.h"

bool view_sliders_shown(const view_app *app)
{
    return app->show_panel && !app->show_help && !app->status.facts.is_result;
}

// ---- Values ------------------------------------------------------------------------------------
void view_sliders_set(view_app *app)
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
    s[VIEW_RATE].value = f->pouring;
    s[VIEW_RATE].high = fmax(3 * f->pouring, 1);
    app->sliders_set = true;
}

void view_sliders_scale_tool(view_app *app)
{
    const view_slider *s = app->panel.slider;
    double             r = erg_picture_grain_radius(app->picture);
    app->picker.ball = s[VIEW_BALL].value * r;
    app->picker.reach = s[VIEW_REACH].value * r;
    app->picker.strength = s[VIEW_STRENGTH].value;
}

// ---- Effects -----------------------------------------------------------------------------------
static void send_gravity(view_app *app)
{
    const view_slider *s = app->panel.slider;
    double             tilt = s[VIEW_TILT].value * ERGI_PI / 180,
           heading = s[VIEW_HEADING].value * ERGI_PI / 180;
    erg_vec3 level = ergi_add(ergi_scale(app->gravity_ex, cos(heading)),
                              ergi_scale(app->gravity_ey, sin(heading)));
    erg_vec3 g = ergi_add(ergi_scale(level, sin(tilt)), ergi_scale(app->gravity_up, -cos(tilt)));
    view_sim_command(app->sim, &(erg_command){.kind = ERG_COMMAND_GRAVITY,
                                              .vector = ergi_scale(g, s[VIEW_GRAVITY].value)});
}

void view_sliders_slide(view_app *app, int slider)
{
    const view_slider *s = app->panel.slider;
    double             r = app->picture ? erg_picture_grain_radius(app->picture) : 0;
    switch ((view_slider_name)slider) {
    case VIEW_FRICTION:
        view_sim_command(app->sim, &(erg_command){.kind = ERG_COMMAND_FRICTION,
                                                  .value = s[VIEW_FRICTION].value});
        break;
    case VIEW_GRAVITY:
    case VIEW_TILT:
    case VIEW_HEADING: send_gravity(app); break;
    case VIEW_RATE: // id 0: all emitters together
        view_sim_command(app->sim, &(erg_command){.kind = ERG_COMMAND_EMITTER_RATE,
                                                  .value = s[VIEW_RATE].value});
        break;
    case VIEW_BALL: app->picker.ball = s[VIEW_BALL].value * r; break;
    case VIEW_REACH: app->picker.reach = s[VIEW_REACH].value * r; break;
    case VIEW_STRENGTH: app->picker.strength = s[VIEW_STRENGTH].value; break;
    case VIEW_SLIDERS: break;
    }
}
