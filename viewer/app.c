// Main loop of the window: open, handle events, draw what changed, close.
#include "app.h"

#include "base/clock.h"
#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double STILL_TIME = 0.25; // without motion before a fine picture is drawn [s]

// Turns a failed save into an error, since its note is no longer visible.
static erg_status save_outcome(const view_status *status, erg_error *err)
{
    if (status->saves_failed == 0) return ERG_OK;
    erg_status why = status->save_status != ERG_OK ? status->save_status : ERG_IO;
    return ergi_fail(err, why, "%s", status->save_problem);
}

// ---- Scenes ------------------------------------------------------------------------------------
// Creates the engine of what is shown. Takes ownership of `scene`; NULL: that of the definition.
static erg_status make_engine(const view_app *app, erg_scene *scene, const char *path,
                              view_engine **engine, erg_error *err)
{
    const view_def *def = app->def;
    erg_status      status;
    if (!scene && def->mesh)
        status = view_engine_mesh(def->mesh, &def->samples, engine, err);
    else if (!scene && def->is_result)
        status = view_engine_result(def->scene, path, engine, err);
    else
        status = view_engine_scene(scene ? scene : def->scene, scene, path, def->threads,
                                   def->backend, engine, err);
    if (status == ERG_OK) (*engine)->stopped = def->stopped;
    return status;
}

// Replaces what is shown. On failure the old view stays; `scene` is destroyed in any case.
static erg_status start_view(view_app *app, erg_scene *scene, const char *path, erg_error *err)
{
    const view_def  *def = app->def;
    const erg_scene *shown = scene ? scene : def->mesh ? NULL : def->scene;
    const char      *title = shown ? erg_scene_get_settings(shown)->title : NULL;
    char             name[sizeof app->title];
    erg_look         look = shown ? *erg_scene_get_look(shown) : erg_look_default();
    look.caption = NULL;
    if (title && *title)
        snprintf(name, sizeof name, "%s", title);
    else
        erg_run_scene_name(path, name, sizeof name);
    view_engine *engine = NULL;
    view_sim    *sim = NULL;
    erg_status   status = make_engine(app, scene, path, &engine, err);
    if (status == ERG_OK)
        status = view_sim_begin(engine, &look, app->scripted, false, app->sim, &sim, err);
    if (status != ERG_OK) return status;
    app->sim = sim;
    app->look = look;
    app->picker.busy = false;
    app->drive = (view_drive){0};
    view_joints_forget(app);
    app->cut_axis = -1;
    app->placed = app->sliders_set = app->closing = false;
    app->picture = NULL;
    app->stale = app->dirty = true;
    app->status = (view_status){.state = VIEW_BUILDING, .speed = 1};
    app->notes_seen = 0;
    snprintf(app->path, sizeof app->path, "%s", path);
    snprintf(app->title, sizeof app->title, "%s", name);
    view_window_title(app);
    return ERG_OK;
}

static erg_status end_view(view_app *app, erg_error *err)
{
    view_status end;
    uint64_t    hash = 0;
    app->picture = NULL;
    view_picker_release(&app->picker, app->sim);
    view_sim_end(app->sim, &end, &hash);
    app->sim = NULL;
    view_result *r = app->result;
    r->steps = end.facts.steps;
    r->grains = end.facts.grains;
    r->contacts = end.facts.contacts;
    r->commands = end.facts.commands;
    r->sim_time = end.facts.time;
    r->state_hash = hash;
    r->paused = end.paused;
    r->speed = end.speed;
    snprintf(r->kept, sizeof r->kept, "%.4095s", end.kept.out);
    return save_outcome(&end, err);
}

// Index of the current scene on the shelf, or -1.
static long shelf_index(const view_app *app)
{
    char name[256], other[256];
    erg_run_scene_name(app->path, name, sizeof name);
    for (size_t i = 0; i < app->def->shelf_count; i++) {
        erg_run_scene_name(app->def->shelf[i], other, sizeof other);
        if (strcmp(name, other) == 0) return (long)i;
    }
    return -1;
}

void view_app_change_scene(view_app *app, int step)
{
    long count = (long)app->def->shelf_count, at = shelf_index(app);
    if (app->status.facts.is_result || count == 0) {
        view_app_say(app, "there is no other scene");
        return;
    }
    long        next = at < 0 ? (step > 0 ? 0 : count - 1) : (at + step + count) % count;
    const char *path = app->def->shelf[next];
    erg_scene  *scene = NULL;
    erg_error   err;
    if (erg_scene_load(path, NULL, 0, &scene, &err) != ERG_OK ||
        start_view(app, scene, path, &err) != ERG_OK)
        view_app_say(app, "%.400s", err.text);
}

// ---- Interactive use ---------------------------------------------------------------------------
static bool stop_asked(view_app *app)
{
    if (app->def->stopped && app->def->stopped()) app->cancelled = true;
    return app->quit || app->cancelled;
}

// Where drawing is slow, the simulation gets half of the CPU time, except while the user drags.
static bool defers_drawing(const view_app *app, double wall)
{
    bool dragging = app->drag != VIEW_NO_DRAG || app->now - app->turned < STILL_TIME;
    return !dragging && wall - app->drew_at < app->draw_s;
}

// Records the longest time between two polls of the window's events.
static double note_poll(view_app *app)
{
    double wall = ergi_clock_seconds(), pause = wall - app->looked;
    if (pause > app->result->most_pause_s && app->pictures > 1) app->result->most_pause_s = pause;
    app->looked = wall;
    return wall;
}

static void run_interactive(view_app *app)
{
    double last = ergi_clock_seconds();
    while (!stop_asked(app)) {
        double wall = note_poll(app);
        // An idle window sleeps; the statistics are still refreshed.
        bool quiet = !app->stale && !app->dirty;
        view_window_poll(app, quiet ? 0.012 : defers_drawing(app, wall) ? 0.004 : 0);
        wall = ergi_clock_seconds();
        app->now = wall - app->opened;
        view_app_fetch(app);
        view_input_hold(app, fmin(wall - last, 0.1));
        last = wall;
        bool runs = app->status.state == VIEW_READY && !app->status.paused;
        bool still = !runs && app->now - app->moved > STILL_TIME && app->drag == VIEW_NO_DRAG;
        if (!defers_drawing(app, wall)) view_canvas_draw(app, still);
        bool toast_over = app->toast_until > 0 && app->now >= app->toast_until;
        if (toast_over) app->toast_until = 0;
        bool numbers = app->now - app->frame_s > 0.25;
        if (app->dirty || toast_over || numbers || app->record.film) {
            app->frame_s = app->now;
            view_canvas_present(app);
        }
    }
}

// ---- Scripts -----------------------------------------------------------------------------------
static erg_status replay_event(view_app *app, const view_event *e, erg_error *err)
{
    char path[4200];
    switch (e->kind) {
    case VIEW_EVENT_KEY: view_input_key(app, e->code, e->mods, e->down); break;
    case VIEW_EVENT_BUTTON: view_input_button(app, e->code, e->mods, e->down); break;
    case VIEW_EVENT_MOVE: view_input_move(app, e->x, e->y); break;
    case VIEW_EVENT_SCROLL: view_input_scroll(app, e->y); break;
    case VIEW_EVENT_RESIZE: view_window_resize(app, e->width, e->height); break;
    case VIEW_EVENT_SCREENSHOT:
        view_canvas_draw(app, true);
        view_canvas_compose(app);
        return view_record_screenshot(&app->record, app->width, app->height, e->file, path, err);
    case VIEW_EVENT_QUIT: app->quit = true; break;
    }
    return ERG_OK;
}

// Thirty pictures per second of script time, however long they take: the same script gives the same
// run everywhere.
static erg_status run_script(view_app *app, erg_error *err)
{
    erg_status status = ERG_OK;
    for (uint64_t frame = 0; status == ERG_OK && !stop_asked(app); frame++) {
        app->now = (double)frame * VIEW_FRAME;
        while (status == ERG_OK && !app->quit && app->script_at < app->script.count &&
               app->script.event[app->script_at].time <= app->now + 1e-9)
            status = replay_event(app, &app->script.event[app->script_at++], err);
        if (app->script_at >= app->script.count && !app->closing) app->quit = true;
        if (status != ERG_OK || app->quit) break;
        view_input_hold(app, VIEW_FRAME);
        view_sim_advance(app->sim, VIEW_FRAME);
        view_window_poll(app, 0);
        view_app_fetch(app);
        if (app->status.state == VIEW_FAILED && !stop_asked(app))
            status = ergi_fail(err, ERG_BAD_INPUT, "%s", app->status.problem);
        if (status == ERG_OK) status = save_outcome(&app->status, err);
        view_canvas_draw(app, false);
        view_canvas_present(app);
    }
    return status;
}

// ---- Opening -----------------------------------------------------------------------------------
static void fill_result(view_app *app)
{
    view_result *r = app->result;
    snprintf(r->scene, sizeof r->scene, "%s", app->path);
    r->wall_s = ergi_clock_seconds() - app->opened;
    r->pictures = app->pictures;
    r->eye = view_orbit_camera(&app->orbit);
    r->width = app->width;
    r->height = app->height;
    r->cut = app->look.cut;
    r->chains = app->look.chains;
    r->colour = app->look.colour;
}

static erg_status run(view_app *app, erg_error *err)
{
    app->opened = app->looked = app->fps_since = ergi_clock_seconds();
    erg_status status = start_view(app, NULL, app->def->path, err);
    if (status != ERG_OK) return status;
    if (app->scripted)
        status = run_script(app, err);
    else
        run_interactive(app);
    view_window_hide(
        app); // at once: what follows may take as long as a step, or as building the scene
    if (!app->scripted) note_poll(app);
    erg_error last;
    view_record_end(&app->record, &last);
    if (app->record.lost.status != ERG_OK && status == ERG_OK)
        status = ergi_fail(err, app->record.lost.status, "%s", app->record.lost.text);
    fill_result(app);
    bool failed = app->status.state == VIEW_FAILED && !app->cancelled;
    if (status == ERG_OK && failed)
        status = ergi_fail(err, ERG_BAD_INPUT, "%s", app->status.problem);
    if (end_view(app, &last) != ERG_OK && status == ERG_OK)
        status = ergi_fail(err, last.status, "%s", last.text);
    if (status == ERG_OK && app->cancelled)
        status = ergi_fail(err, ERG_CANCELLED, "stopped; the state was not saved");
    return status;
}

erg_status view_open(const view_def *def, view_result *result, erg_error *err)
{
    *result = (view_result){0};
    view_app *app = calloc(1, sizeof *app);
    if (!app) return ergi_fail_memory(err, sizeof *app, "the window");
    app->def = def;
    app->result = result;
    app->show_hud = true;
    app->panel = view_panel_default();
    app->picker = (view_picker){.strength = 1};
    app->mouse_x = 640;
    app->mouse_y = 360;
    snprintf(app->record.folder, sizeof app->record.folder, "%s", def->out);
    erg_status status = ERG_OK;
    if (def->script) {
        app->scripted = true;
        status = view_script_read(def->script, &app->script, err);
    }
    if (status == ERG_OK) status = view_window_open(app, err);
    if (status == ERG_OK) status = run(app, err);
    view_record_free(&app->record);
    view_window_close(app);
    view_overlay_canvas_free(&app->overlay_canvas);
    view_script_free(&app->script);
    free(app);
    return status;
}
