// The window's actions.
#include "app.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void view_app_say(view_app *app, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(app->toast, sizeof app->toast, format, list);
    va_end(list);
    app->toast_until = app->now + 3.5;
    app->dirty = true;
}

void view_app_moved(view_app *app)
{
    app->stale = true;
    app->moved = app->turned = app->now;
}

view_aim view_app_aim(view_app *app)
{
    return (view_aim){
        .picture = app->picture,
        .ray = erg_picture_ray(app->picture, app->width, app->height, app->mouse_x, app->mouse_y),
        .facts = &app->status.facts,
        .scale = app->home.scale,
        .up = app->orbit.up};
}

// ---- Time --------------------------------------------------------------------------------------
static void set_speed(view_app *app, double factor)
{
    double speed = factor > 0 ? app->status.speed * factor : 1;
    speed = fmin(fmax(speed, 1.0 / 1024), 64);
    view_sim_speed(app->sim, speed);
    app->status.speed = speed;
    if (speed >= 1)
        view_app_say(app, "speed %.3g x", speed);
    else
        view_app_say(app, "speed 1/%.3g x", 1 / speed);
}

static void toggle_pause(view_app *app)
{
    const view_facts *f = &app->status.facts;
    app->status.paused = !app->status.paused;
    bool at_end = f->is_result && f->index + 1 >= f->count;
    if (!app->status.paused && at_end) view_sim_seek(app->sim, f->begin);
    view_sim_pause(app->sim, app->status.paused);
    app->dirty = true;
}

static void step(view_app *app, int steps)
{
    if (steps < 0 && !app->status.facts.is_result) {
        view_app_say(app, "a simulation cannot run backwards; R restarts it");
        return;
    }
    app->status.paused = true;
    view_sim_step(app->sim, steps);
    app->dirty = true;
}

static void restart(view_app *app)
{
    view_sim_restart(app->sim);
    app->drive = (view_drive){0};
    view_joints_forget(app);
    view_app_say(app, "restarted");
}

// ---- Files -------------------------------------------------------------------------------------
static bool holds_results(const char *folder)
{
    static const char *const files[] = {"checkpoint.h5", "summary.json", "series.csv"};
    for (int i = 0; i < 3; i++) {
        char path[4200];
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        if (access(path, F_OK) == 0) return true;
    }
    return false;
}

void view_app_save_folder(const view_app *app, char folder[4096])
{
    snprintf(folder, 4096, "%s", app->record.folder);
    for (int i = 2; holds_results(folder) && i < 10000; i++)
        snprintf(folder, 4096, "%.4000s-%d", app->record.folder, i);
}

static void record(view_app *app)
{
    erg_error err;
    if (app->record.film) {
        erg_status status = view_record_end(&app->record, &err);
        view_app_say(app, "%s%s", status == ERG_OK ? "film: " : "film failed: ",
                     status == ERG_OK ? app->record.film_path : err.text);
        return;
    }
    erg_status status = view_record_begin(&app->record, app->width, app->height, app->now, &err);
    view_app_say(app, "%s", status == ERG_OK ? "recording; V stops it" : err.text);
}

// The swapped buffer cannot be read back, so the current state is drawn again.
static void screenshot(view_app *app)
{
    erg_error err;
    char      path[4200];
    view_canvas_draw(app, true);
    view_canvas_compose(app);
    erg_status status =
        view_record_screenshot(&app->record, app->width, app->height, NULL, path, &err);
    view_app_say(app, "%s%s", status == ERG_OK ? "screenshot: " : "screenshot failed: ",
                 status == ERG_OK ? path : err.text);
}

static void save_state(view_app *app)
{
    char folder[4096];
    if (app->status.facts.is_result) {
        view_app_say(app, app->status.facts.is_mesh
                              ? "to save samples, use erg sample MESH --out FILE.ply"
                              : "a result is already saved");
        return;
    }
    view_app_save_folder(app, folder);
    view_sim_save(app->sim, folder);
    app->dirty = true;
}

// Asks before closing, unless nothing was simulated since the last save or nothing can be saved.
static void close_window(view_app *app)
{
    const view_status *s = &app->status;
    bool               kept = s->is_kept && s->kept.steps == s->facts.steps;
    bool               worth = !s->facts.is_result && s->facts.steps > 0 && !kept &&
                 (s->state == VIEW_READY || s->state == VIEW_STOPPED);
    if (worth) { // paused, so that what is shown is what will be saved
        app->paused_before = app->status.paused;
        app->asking = app->status.paused = true;
        view_sim_pause(app->sim, true);
    } else {
        app->quit = true;
    }
    app->dirty = true;
}

// ---- Dispatch ----------------------------------------------------------------------------------
void view_app_do(view_app *app, view_action action)
{
    app->dirty |= action != VIEW_DO_NOTHING;
    switch (action) {
    case VIEW_DO_NOTHING: break;
    case VIEW_DO_PAUSE: toggle_pause(app); break;
    case VIEW_DO_STEP: step(app, 1); break;
    case VIEW_DO_STEP_BACK: step(app, -1); break;
    case VIEW_DO_SLOWER: set_speed(app, 0.5); break;
    case VIEW_DO_FASTER: set_speed(app, 2); break;
    case VIEW_DO_NORMAL_SPEED: set_speed(app, 0); break;
    case VIEW_DO_RESTART: restart(app); break;
    case VIEW_DO_NEXT_SCENE: view_app_change_scene(app, 1); break;
    case VIEW_DO_PREVIOUS_SCENE: view_app_change_scene(app, -1); break;
    case VIEW_DO_RESET_EYE:
        app->orbit = app->home;
        view_app_moved(app);
        break;
    case VIEW_DO_COLOUR: view_look_next_colour(app); break;
    case VIEW_DO_CHAINS: view_look_toggle_chains(app); break;
    case VIEW_DO_CUT: view_look_next_cut(app); break;
    case VIEW_DO_CUT_DEEPER: view_look_move_cut(app, 0.04); break;
    case VIEW_DO_CUT_LESS: view_look_move_cut(app, -0.04); break;
    case VIEW_DO_TOOL_BALL:
    case VIEW_DO_TOOL_BLOW:
    case VIEW_DO_TOOL_PULL: {
        static const char *const words[] = {"throw balls", "blow", "pull"};
        app->panel.tool = (int)(action - VIEW_DO_TOOL_BALL);
        app->picker.tool = (view_tool)app->panel.tool;
        view_app_say(app, "right button: %s", words[app->panel.tool]);
        break;
    }
    case VIEW_DO_DROP_BALL: {
        const char *why = NULL;
        if (!app->picture || app->status.facts.is_result) break;
        view_aim aim = view_app_aim(app);
        if (!view_picker_drop(&app->picker, &aim, app->sim, &why)) view_app_say(app, "%s", why);
        break;
    }
    case VIEW_DO_DRIVE: view_drive_next(app); break;
    case VIEW_DO_HELP: app->show_help = !app->show_help; break;
    case VIEW_DO_PANEL: app->show_panel = !app->show_panel; break;
    case VIEW_DO_HUD: app->show_hud = !app->show_hud; break;
    case VIEW_DO_SCREENSHOT: screenshot(app); break;
    case VIEW_DO_RECORD: record(app); break;
    case VIEW_DO_SAVE: save_state(app); break;
    case VIEW_DO_CLOSE: close_window(app); break;
    }
}
