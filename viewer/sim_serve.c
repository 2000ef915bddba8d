// Serves requests on the simulation thread: open, restart, steps, commands, saves.
#include "sim_internal.h"

#include <stdio.h>

// ---- Messages ----------------------------------------------------------------------------------
void view_sim_note(view_sim *s, const char *text)
{
    pthread_mutex_lock(&s->lock);
    snprintf(s->status.note, sizeof s->status.note, "%s", text);
    s->status.notes++;
    pthread_mutex_unlock(&s->lock);
}

void view_sim_set_state(view_sim *s, view_state state, const char *problem)
{
    pthread_mutex_lock(&s->lock);
    s->status.state = state;
    snprintf(s->status.problem, sizeof s->status.problem, "%s", problem);
    pthread_mutex_unlock(&s->lock);
}

// ---- Requests ----------------------------------------------------------------------------------
void view_sim_open(view_sim *s)
{
    erg_error err;
    view_sim_set_state(s, VIEW_BUILDING, "");
    if (s->engine->open(s->engine, &err) != ERG_OK) {
        view_sim_set_state(s, VIEW_FAILED, err.text);
        return;
    }
    view_sim_set_state(s, VIEW_READY, "");
    s->clock = s->engine->time(s->engine);
    view_pace_start(s);
    view_pace_forget_rates(s, 0);
}

static void restart(view_sim *s)
{
    view_sim_open(s);
    s->restarted++;
    pthread_mutex_lock(&s->lock);
    s->status.is_kept = false;
    pthread_mutex_unlock(&s->lock);
}

static void step_or_seek(view_sim *s, const view_request *r)
{
    erg_error  err;
    erg_status status = r->kind == VIEW_ASK_SEEK ? s->engine->seek(s->engine, r->time, &err)
                                                 : s->engine->step(s->engine, r->steps, &err);
    if (status == ERG_BAD_INPUT)
        view_sim_note(s, err.text);
    else if (status != ERG_OK)
        view_sim_set_state(s, VIEW_STOPPED, err.text);
    s->clock = s->engine->time(s->engine);
    view_pace_start(s);
}

static void save_state(view_sim *s, const char *folder)
{
    erg_run_result result = {0};
    erg_error      err = {.text = "there is nothing to save"};
    char           note[4300];
    bool           failed = s->status.state == VIEW_FAILED; // written by this thread only
    erg_status status = failed ? ERG_BAD_INPUT : s->engine->save(s->engine, folder, &result, &err);
    if (status == ERG_OK)
        snprintf(note, sizeof note, "saved to %s", folder);
    else
        snprintf(note, sizeof note, "not saved: %s", err.text);
    pthread_mutex_lock(&s->lock);
    view_status *to = &s->status;
    to->saves++;
    to->save_status = status;
    if (status == ERG_OK) {
        to->kept = result;
        to->is_kept = true;
    } else {
        to->saves_failed++;
        snprintf(to->save_problem, sizeof to->save_problem, "%.511s", note);
    }
    pthread_mutex_unlock(&s->lock);
    view_sim_note(s, note);
}

// True: a new picture is needed.
static bool serve_one(view_sim *s, const view_request *r)
{
    erg_error err;
    bool      failed = s->status.state == VIEW_FAILED; // written by this thread only
    switch (r->kind) {
    case VIEW_ASK_RESTART: restart(s); return true;
    case VIEW_ASK_SAVE: save_state(s, r->folder); return false;
    case VIEW_ASK_COMMAND:
        if (!failed && s->engine->command(s->engine, &r->command, &err) != ERG_OK)
            view_sim_note(s, err.text);
        return false;
    case VIEW_ASK_STEP:
    case VIEW_ASK_SEEK:
        if (!failed) step_or_seek(s, r);
        return !failed;
    }
    return false;
}

bool view_sim_serve(view_sim *s, const view_requests *r, view_status *status)
{
    bool changed = r->new_look;
    for (size_t i = 0; i < r->count; i++) changed |= serve_one(s, &r->request[i]);
    pthread_mutex_lock(&s->lock);
    *status = s->status;
    pthread_mutex_unlock(&s->lock);
    return changed;
}
