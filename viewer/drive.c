// Moves a wall or body whose motion is 'user' with the arrow keys, relative to the camera.
#include "app.h"

#include "geom/vec3.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

static const double SPEED = 0.35; // scene sizes [1/s]
static const double TURN = 1.2;   // [rad/s]

static const view_wall *driven_wall(const view_app *app)
{
    const view_facts *f = &app->status.facts;
    for (size_t i = 0; i < f->walls; i++)
        if (f->wall[i].id == app->drive.wall) return &f->wall[i];
    return NULL;
}

static void send(view_app *app, erg_id wall, erg_vec3 velocity, erg_vec3 spin)
{
    double force = app->picture ? view_picker_max_force(&app->picker, app->picture,
                                                        &app->status.facts, app->home.scale)
                                : 0;
    view_sim_command(app->sim, &(erg_command){.kind = ERG_COMMAND_WALL_VELOCITY,
                                              .id = wall,
                                              .vector = velocity,
                                              .vector2 = spin,
                                              .value = force});
    app->drive.velocity = velocity;
    app->drive.spin = spin;
}

static bool at_rest(const view_drive *d)
{
    return ergi_norm(d->velocity) == 0 && ergi_norm(d->spin) == 0;
}

void view_drive_next(view_app *app)
{
    const view_facts *f = &app->status.facts;
    size_t            next = 0;
    if (f->walls == 0) {
        view_app_say(app, "%s",
                     f->is_result ? "a result plays back: nothing in it can be driven"
                     : f->joints  ? "this scene has keys of its own: H lists them"
                                  : "nothing here can be driven by keys: no wall or body has the "
                                    "motion 'user'");
        return;
    }
    view_drive_stop(app);
    while (next < f->walls && f->wall[next].id <= app->drive.wall) next++;
    app->drive = (view_drive){.wall = next < f->walls ? f->wall[next].id : 0,
                              .speed = SPEED * app->home.scale};
    if (!app->drive.wall)
        view_app_say(app, "the arrow keys rotate the view again");
    else
        view_app_say(app, "arrow keys and Page Up, Page Down drive %s; with Shift they rotate it",
                     *f->wall[next].name ? f->wall[next].name : "it");
}

void view_drive_stop(view_app *app)
{
    if (app->drive.wall && !at_rest(&app->drive))
        send(app, app->drive.wall, ergi_vec3(0, 0, 0), ergi_vec3(0, 0, 0));
}

bool view_drive_takes(const view_app *app, int key)
{
    if (!app->drive.wall || !driven_wall(app)) return false;
    return key == GLFW_KEY_LEFT || key == GLFW_KEY_RIGHT || key == GLFW_KEY_UP ||
           key == GLFW_KEY_DOWN || key == GLFW_KEY_PAGE_UP || key == GLFW_KEY_PAGE_DOWN;
}

static double held(const view_app *app, int more, int less)
{
    return (app->held[more] ? 1.0 : 0.0) - (app->held[less] ? 1.0 : 0.0);
}

void view_drive_hold(view_app *app)
{
    if (!app->drive.wall || !driven_wall(app) || !app->picture) return;
    erg_camera eye = view_orbit_camera(&app->orbit);
    erg_vec3   up = app->orbit.up, look = ergi_sub(eye.target, eye.position);
    erg_vec3   ahead = ergi_madd(look, -ergi_dot(look, up), up);
    if (!(ergi_norm(ahead) > 1e-6 * ergi_norm(look))) ahead = eye.up; // seen from straight above
    ahead = ergi_normalize(ahead);
    erg_vec3 right = ergi_cross(ahead, up),
             direction = ergi_scale(right, held(app, GLFW_KEY_RIGHT, GLFW_KEY_LEFT));
    direction = ergi_madd(direction, held(app, GLFW_KEY_UP, GLFW_KEY_DOWN), ahead);
    direction = ergi_madd(direction, held(app, GLFW_KEY_PAGE_UP, GLFW_KEY_PAGE_DOWN), up);
    bool     turn = app->mods & GLFW_MOD_SHIFT;
    erg_vec3 none = {0, 0, 0};
    // Up tips it away from the camera, left rotates it to the left about `up`, Page Up rolls it.
    erg_vec3 tip = ergi_scale(right, -held(app, GLFW_KEY_UP, GLFW_KEY_DOWN));
    tip = ergi_madd(tip, held(app, GLFW_KEY_LEFT, GLFW_KEY_RIGHT), up);
    tip = ergi_madd(tip, held(app, GLFW_KEY_PAGE_UP, GLFW_KEY_PAGE_DOWN), ahead);
    erg_vec3 velocity = turn ? none : ergi_scale(direction, app->drive.speed);
    erg_vec3 spin = turn ? ergi_scale(tip, TURN) : none;
    // Small camera motions need no new command.
    if (ergi_distance(velocity, app->drive.velocity) > 0.02 * app->drive.speed ||
        ergi_distance(spin, app->drive.spin) > 0.02 * TURN)
        send(app, app->drive.wall, velocity, spin);
}
