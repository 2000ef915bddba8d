#include "sim_internal.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>

// ---- Window side -------------------------------------------------------------------------------
erg_picture *view_sim_fetch(view_sim *s, view_status *status, bool *fresh)
{
    pthread_mutex_lock(&s->lock);
    *fresh = s->fresh;
    if (s->fresh) {
        int old = s->front;
        s->front = s->ready;
        s->ready = old;
        s->fresh = false;
        s->has_front = true;
    }
    *status = s->status;
    s->status.saves_failed = 0;
    erg_picture *picture = s->has_front ? s->picture[s->front] : NULL;
    pthread_mutex_unlock(&s->lock);
    return picture;
}

static void signal_and_unlock(view_sim *s)
{
    pthread_cond_signal(&s->asked);
    pthread_mutex_unlock(&s->lock);
}

void view_sim_look(view_sim *s, const erg_look *look)
{
    pthread_mutex_lock(&s->lock);
    s->look = *look;
    s->look.caption = NULL;
    s->wanted.new_look = true;
    signal_and_unlock(s);
}

void view_sim_pause(view_sim *s, bool paused)
{
    pthread_mutex_lock(&s->lock);
    s->status.paused = paused;
    signal_and_unlock(s);
}

void view_sim_speed(view_sim *s, double speed)
{
    pthread_mutex_lock(&s->lock);
    s->status.speed = speed;
    signal_and_unlock(s);
}

// Requires the lock.
static void add_request(view_sim *s, const view_request *request, const char *folder)
{
    if (view_requests_add(&s->wanted, request, folder)) return;
    snprintf(s->status.note, sizeof s->status.note,
             "out of memory: the request was not carried out");
    s->status.notes++;
    if (request->kind != VIEW_ASK_SAVE) return;
    s->status.saves++;
    s->status.saves_failed++;
    s->status.save_status = ERG_NO_MEMORY;
    snprintf(s->status.save_problem, sizeof s->status.save_problem, "not saved: out of memory");
}

void view_sim_step(view_sim *s, int steps)
{
    pthread_mutex_lock(&s->lock);
    s->status.paused = true;
    add_request(s, &(view_request){.kind = VIEW_ASK_STEP, .steps = steps}, NULL);
    signal_and_unlock(s);
}

void view_sim_seek(view_sim *s, double time)
{
    pthread_mutex_lock(&s->lock);
    add_request(s, &(view_request){.kind = VIEW_ASK_SEEK, .time = time}, NULL);
    signal_and_unlock(s);
}

void view_sim_restart(view_sim *s)
{
    pthread_mutex_lock(&s->lock);
    add_request(s, &(view_request){.kind = VIEW_ASK_RESTART}, NULL);
    signal_and_unlock(s);
}

void view_sim_command(view_sim *s, const erg_command *command)
{
    pthread_mutex_lock(&s->lock);
    add_request(s, &(view_request){.kind = VIEW_ASK_COMMAND, .command = *command}, NULL);
    signal_and_unlock(s);
}

uint64_t view_sim_save(view_sim *s, const char *folder)
{
    pthread_mutex_lock(&s->lock);
    uint64_t number = ++s->status.saves_asked;
    add_request(s, &(view_request){.kind = VIEW_ASK_SAVE}, folder);
    signal_and_unlock(s);
    return number;
}

void view_sim_advance(view_sim *s, double seconds)
{
    pthread_mutex_lock(&s->lock);
    s->wanted.go_on = seconds;
    s->wanted.going = true;
    s->rounds++;
    pthread_cond_signal(&s->asked);
    while (s->rounds_done < s->rounds) pthread_cond_wait(&s->done, &s->lock);
    pthread_mutex_unlock(&s->lock);
}

// ---- Setup and teardown ------------------------------------------------------------------------
static void free_sim(view_sim *s)
{
    for (int i = 0; i < VIEW_PICTURES; i++) erg_picture_destroy(s->picture[i]);
    erg_picture_destroy(s->memory);
    if (s->engine) s->engine->destroy(s->engine);
    view_requests_free(&s->wanted);
    free(s);
}

static void request_end(view_sim *s)
{
    pthread_mutex_lock(&s->lock);
    s->wanted.quit = true;
    signal_and_unlock(s);
}

// The new thread waits for the lock until the previous simulation was asked to end: one that has
// not started to build by then must not start.
static erg_status start(view_sim *s, erg_error *err)
{
    pthread_mutex_lock(&s->lock);
    bool started = pthread_create(&s->thread, NULL, view_sim_work, s) == 0;
    if (started && s->before) request_end(s->before);
    pthread_mutex_unlock(&s->lock);
    return started ? ERG_OK
                   : ergi_fail(err, ERG_NO_MEMORY, "the system cannot start another thread");
}

erg_status view_sim_begin(view_engine *engine, const erg_look *look, bool lock_step, bool paused,
                          view_sim *before, view_sim **sim, erg_error *err)
{
    view_sim *s = calloc(1, sizeof *s);
    *sim = NULL;
    if (!s) {
        engine->destroy(engine);
        return ergi_fail_memory(err, sizeof *s, "the window");
    }
    s->engine = engine;
    erg_status status = erg_picture_create(&s->memory, err);
    for (int i = 0; i < VIEW_PICTURES && status == ERG_OK; i++)
        status = erg_picture_create(&s->picture[i], err);
    s->ready = 1;
    s->back = 2;
    s->look = *look;
    s->look.caption = NULL;
    s->lock_step = lock_step;
    s->before = before;
    s->status = (view_status){.state = VIEW_BUILDING, .paused = paused, .speed = 1};
    if (status == ERG_OK) {
        pthread_mutex_init(&s->lock, NULL);
        pthread_cond_init(&s->asked, NULL);
        pthread_cond_init(&s->done, NULL);
        status = start(s, err);
    }
    if (status != ERG_OK) {
        free_sim(s);
        return status;
    }
    *sim = s;
    return ERG_OK;
}

void view_sim_end(view_sim *s, view_status *status, uint64_t *hash)
{
    if (!s) return;
    request_end(s);
    pthread_join(s->thread, NULL);
    erg_run_result result = {0};
    if (hash && s->engine->save(s->engine, NULL, &result, NULL) == ERG_OK)
        *hash = result.state_hash;
    s->engine->tell(s->engine, &s->status.facts);
    if (status) *status = s->status;
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->asked);
    pthread_cond_destroy(&s->done);
    free_sim(s);
}
