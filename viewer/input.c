// Keyboard and mouse input, from the window or from a script.
#include "app.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <math.h>

static const double TURN = 0.006;   // [rad/pixel], in a window 720 pixels high
static const double KEY_TURN = 1.6; // [rad/s]
static const double KEY_WALK = 0.7; // distances to the target [1/s]
static const double KEY_ZOOM = 10;  // wheel steps [1/s]

// ---- Keys --------------------------------------------------------------------------------------
// The question before closing takes all keys.
static void answer(view_app *app, int key)
{
    if (key == GLFW_KEY_Y || key == GLFW_KEY_ENTER) {
        char folder[4096];
        view_app_save_folder(app, folder);
        app->closing_save = view_sim_save(app->sim, folder);
        app->closing = true;
        app->asking = false;
    } else if (key == GLFW_KEY_N) {
        app->quit = true;
        app->asking = false;
    } else if (key == GLFW_KEY_ESCAPE) {
        app->asking = false;
        app->status.paused = app->paused_before;
        view_sim_pause(app->sim, app->paused_before);
    }
    app->dirty = true;
}

void view_input_key(view_app *app, int key, int mods, bool down)
{
    app->mods = mods;
    if (key < 0 || key >= VIEW_KEY_CODES) return;
    app->held[key] = down && !(mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT));
    if (!app->asking) view_joints_hold(app);
    if (!down) return;
    if (app->asking) {
        answer(app, key);
        return;
    }
    if (app->show_help && (key == GLFW_KEY_ESCAPE)) {
        view_app_do(app, VIEW_DO_HELP);
        return;
    }
    if (!view_drive_takes(app, key) && !view_joints_take(app, key, mods))
        view_app_do(app, view_keys_action(key, mods));
}

// 1, 0 or -1.
static double held(const view_app *app, int more, int less)
{
    return (app->held[more] ? 1.0 : 0.0) - (app->held[less] ? 1.0 : 0.0);
}

void view_input_hold(view_app *app, double seconds)
{
    bool   drives = view_drive_takes(app, GLFW_KEY_LEFT);
    double yaw = drives ? 0 : held(app, GLFW_KEY_LEFT, GLFW_KEY_RIGHT);
    double pitch = drives ? 0 : held(app, GLFW_KEY_UP, GLFW_KEY_DOWN);
    double zoom = held(app, GLFW_KEY_EQUAL, GLFW_KEY_MINUS) +
                  held(app, GLFW_KEY_KP_ADD, GLFW_KEY_KP_SUBTRACT);
    double right = held(app, GLFW_KEY_D, GLFW_KEY_A), ahead = held(app, GLFW_KEY_W, GLFW_KEY_S);
    double up = held(app, GLFW_KEY_E, GLFW_KEY_Q);
    if (yaw != 0 || pitch != 0 || zoom != 0 || right != 0 || ahead != 0 || up != 0) {
        view_orbit_turn(&app->orbit, -yaw * KEY_TURN * seconds, pitch * KEY_TURN * seconds);
        view_orbit_zoom(&app->orbit, zoom * KEY_ZOOM * seconds);
        double distance = KEY_WALK * seconds;
        view_orbit_walk(&app->orbit, right * distance, ahead * distance, up * distance);
        view_app_moved(app);
    }
    view_drive_hold(app);
    view_joints_hold(app);
    if (app->drag == VIEW_TOUCH && app->picture) {
        view_aim aim = view_app_aim(app);
        view_picker_hold(&app->picker, &aim, app->sim);
    }
}

// ---- Mouse -------------------------------------------------------------------------------------
static void scrub(view_app *app)
{
    view_sim_seek(app->sim, view_timeline_time(app, app->mouse_x));
    app->dirty = true;
}

static void begin_touch(view_app *app, bool drop)
{
    const char *why = NULL;
    if (!app->picture || app->status.state != VIEW_READY) return;
    if (app->status.facts.is_result) {
        view_app_say(app, "a result can only be played back; use erg view SCENE to interact");
        return;
    }
    view_aim aim = view_app_aim(app);
    app->drag = VIEW_TOUCH;
    if (!view_picker_press(&app->picker, &aim, drop, app->sim, &why)) view_app_say(app, "%s", why);
}

static void press(view_app *app, int button, int mods)
{
    int changed;
    app->drag_button = button;
    if (app->asking) return;
    if (button == GLFW_MOUSE_BUTTON_LEFT && view_sliders_shown(app) &&
        view_panel_press(&app->panel, app->mouse_x, app->mouse_y, &changed)) {
        app->drag = VIEW_SLIDE;
        app->picker.tool = (view_tool)app->panel.tool;
        if (changed >= 0) view_sliders_slide(app, changed);
        app->dirty = true;
    } else if (button == GLFW_MOUSE_BUTTON_LEFT &&
               view_timeline_hit(app, app->mouse_x, app->mouse_y)) {
        app->drag = VIEW_SCRUB;
        scrub(app);
    } else if (button == GLFW_MOUSE_BUTTON_RIGHT ||
               (button == GLFW_MOUSE_BUTTON_LEFT && mods & GLFW_MOD_CONTROL)) {
        begin_touch(app, mods & GLFW_MOD_SHIFT);
    } else if (button == GLFW_MOUSE_BUTTON_MIDDLE || mods & GLFW_MOD_SHIFT) {
        app->drag = VIEW_PAN;
    } else {
        app->drag = VIEW_TURN;
    }
}

void view_input_button(view_app *app, int button, int mods, bool down)
{
    app->mods = mods;
    if (down) {
        if (app->drag == VIEW_NO_DRAG) press(app, button, mods);
        return;
    }
    if (button != app->drag_button) return;
    if (app->drag == VIEW_TOUCH) view_picker_release(&app->picker, app->sim);
    if (app->drag == VIEW_SLIDE) view_panel_release(&app->panel);
    app->drag = VIEW_NO_DRAG;
    app->dirty = true;
}

void view_input_move(view_app *app, double x, double y)
{
    double dx = x - app->mouse_x, dy = y - app->mouse_y;
    int    changed;
    app->mouse_x = x;
    app->mouse_y = y;
    if (app->picker.tool != VIEW_TOOL_BALL && !app->status.facts.is_result)
        app->dirty = true; // the ring follows the mouse
    switch (app->drag) {
    case VIEW_TURN: {
        double turn = TURN * 720 / app->height;
        view_orbit_turn(&app->orbit, -dx * turn, dy * turn);
        view_app_moved(app);
        break;
    }
    case VIEW_PAN:
        view_orbit_pan(&app->orbit, -dx / app->height, dy / app->height);
        view_app_moved(app);
        break;
    case VIEW_SLIDE:
        if (view_panel_move(&app->panel, x, &changed)) view_sliders_slide(app, changed);
        app->dirty = true;
        break;
    case VIEW_SCRUB: scrub(app); break;
    case VIEW_TOUCH:
    case VIEW_NO_DRAG: break;
    }
}

void view_input_scroll(view_app *app, double steps)
{
    view_orbit_zoom(&app->orbit, steps);
    view_app_moved(app);
}
