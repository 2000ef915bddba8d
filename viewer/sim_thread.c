// The simulation thread: serves requests (sim_serve.c), advances the engine, takes pictures.
#include "sim_internal.h"

#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

static const double SLICE = 0.008;            // wall time between two checks for requests [s]
static const double PICTURE_EVERY = 1.0 / 60; // shortest wall time between two pictures [s]
// While the window has not shown the last picture: shortest time between two, over the time that it
// takes to take one. So pictures that nobody sees take little time from the simulation.
static const double UNSEEN = 10;
static const double AHEAD = 0.002; // sleep while ahead of the pace [s]
static const double IDLE = 0.05;   // sleep while nothing runs [s]

// ---- Pictures ----------------------------------------------------------------------------------
static void publish(view_sim *s)
{
    erg_error  err;
    view_facts facts;
    erg_look   look;
    double     begun = ergi_clock_seconds();
    pthread_mutex_lock(&s->lock);
    look = s->look;
    pthread_mutex_unlock(&s->lock);
    erg_picture *picture = s->picture[s->back];
    erg_picture_follow(picture, s->memory);
    erg_status status = s->engine->take(s->engine, &look, picture, &err);
    if (status == ERG_OK) erg_picture_follow(s->memory, picture);
    s->engine->tell(s->engine, &facts);
    s->taken = ergi_clock_seconds();
    s->taking = s->taken - begun;
    s->pace.busy += s->taking;
    s->moment = s->engine->moment(s->engine);
    pthread_mutex_lock(&s->lock);
    s->status.facts = facts;
    s->status.restarts += s->restarted; // published together with the facts of the restart
    s->restarted = 0;
    if (status == ERG_OK) {
        int old = s->ready;
        s->ready = s->back;
        s->back = old;
        s->fresh = true;
    }
    pthread_mutex_unlock(&s->lock);
    if (status != ERG_OK) view_sim_note(s, err.text);
}

static void advance(view_sim *s, double until, double budget)
{
    erg_error err;
    double    begun = ergi_clock_seconds();
    if (s->engine->advance(s->engine, until, budget, &err) != ERG_OK)
        view_sim_set_state(s, VIEW_STOPPED, err.text);
    s->pace.busy += ergi_clock_seconds() - begun;
}

// ---- Lock step ---------------------------------------------------------------------------------
static bool is_new(const view_sim *s)
{
    return s->engine->moment(s->engine) != s->moment;
}

static void advance_frame(view_sim *s, const view_status *status, double seconds, bool changed)
{
    if (status->state == VIEW_READY && !status->paused) {
        s->clock += seconds * status->speed;
        if (status->facts.is_result) s->clock = fmin(s->clock, status->facts.end);
        while (s->status.state == VIEW_READY && s->engine->time(s->engine) < s->clock)
            advance(s, s->clock, HUGE_VAL);
    }
    if (changed || is_new(s)) publish(s);
    view_pace_measure(s);
}

static bool can_be_shown(const view_status *status)
{
    return status->state == VIEW_READY || status->state == VIEW_STOPPED;
}

// Takes all pending requests. Requires the lock.
static view_requests collect(view_sim *s)
{
    view_requests r = s->wanted;
    s->wanted = (view_requests){0};
    return r;
}

// Requests wait for the next frame, so that their exact arrival time does not matter.
static void run_lock_step(view_sim *s)
{
    for (bool quit = false; !quit;) {
        view_status status;
        pthread_mutex_lock(&s->lock);
        while (!s->wanted.going && !s->wanted.quit) pthread_cond_wait(&s->asked, &s->lock);
        view_requests r = collect(s);
        pthread_mutex_unlock(&s->lock);
        bool changed = view_sim_serve(s, &r, &status);
        if (r.going && can_be_shown(&status)) advance_frame(s, &status, r.go_on, changed);
        if (r.going) {
            pthread_mutex_lock(&s->lock);
            s->rounds_done++;
            pthread_cond_signal(&s->done);
            pthread_mutex_unlock(&s->lock);
        }
        quit = r.quit;
        view_requests_free(&r);
    }
}

// ---- Free running ------------------------------------------------------------------------------
static bool picture_is_due(view_sim *s)
{
    pthread_mutex_lock(&s->lock);
    bool unseen = s->fresh;
    pthread_mutex_unlock(&s->lock);
    double every = unseen ? fmax(PICTURE_EVERY, UNSEEN * s->taking) : PICTURE_EVERY;
    return ergi_clock_seconds() - s->taken >= every;
}

// Returns how long the thread may sleep [s].
static double advance_free(view_sim *s, const view_status *status, bool changed)
{
    bool runs = status->state == VIEW_READY && !status->paused;
    if (runs) {
        double until = view_pace_due(s, status);
        if (s->engine->time(s->engine) < until) advance(s, until, SLICE);
        view_pace_measure(s);
    } else {
        view_pace_start(s);
    }
    if (changed || (is_new(s) && picture_is_due(s))) publish(s);
    double time = s->engine->time(s->engine);
    bool   at_end = status->facts.is_result && time >= status->facts.end && !is_new(s);
    if (!runs || at_end) return IDLE;
    return time >= view_pace_due(s, status) ? AHEAD : 0;
}

// Waits for a request, for at most `seconds`.
static void wait_for_request(view_sim *s, double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    long nano = until.tv_nsec + (long)(seconds * 1e9);
    until.tv_sec += nano / 1000000000;
    until.tv_nsec = nano % 1000000000;
    pthread_mutex_lock(&s->lock);
    const view_requests *w = &s->wanted;
    if (!w->count && !w->new_look && !w->quit) pthread_cond_timedwait(&s->asked, &s->lock, &until);
    pthread_mutex_unlock(&s->lock);
}

static void run_free(view_sim *s)
{
    for (bool quit = false; !quit;) {
        view_status status;
        pthread_mutex_lock(&s->lock);
        view_requests r = collect(s);
        pthread_mutex_unlock(&s->lock);
        bool changed = view_sim_serve(s, &r, &status);
        quit = r.quit;
        view_requests_free(&r);
        if (quit) break;
        double pause = can_be_shown(&status) ? advance_free(s, &status, changed) : IDLE;
        if (pause > 0) wait_for_request(s, pause);
    }
}

// ---- Thread function ---------------------------------------------------------------------------
// Ends the replaced simulation and reports its failed saves, since its own status is gone.
static void end_previous(view_sim *s)
{
    if (!s->before) return;
    view_status end;
    view_sim_end(s->before, &end, NULL);
    s->before = NULL;
    if (end.saves_failed == 0) return;
    pthread_mutex_lock(&s->lock);
    s->status.saves_failed += end.saves_failed;
    s->status.save_status = end.save_status;
    snprintf(s->status.save_problem, sizeof s->status.save_problem, "%s", end.save_problem);
    pthread_mutex_unlock(&s->lock);
    view_sim_note(s, end.save_problem);
}

void *view_sim_work(void *user)
{
    view_sim *s = user;
    pthread_mutex_lock(
        &s->lock); // waits until view_sim_begin has asked the previous simulation to end
    pthread_mutex_unlock(&s->lock);
    end_previous(s);
    pthread_mutex_lock(&s->lock);
    bool closed = s->wanted.quit && !s->lock_step; // closed already: nothing needs to be built
    pthread_mutex_unlock(&s->lock);
    if (closed)
        view_sim_set_state(s, VIEW_FAILED, "it was closed before it started");
    else
        view_sim_open(s);
    if (s->status.state == VIEW_READY) publish(s);
    if (s->lock_step)
        run_lock_step(s);
    else
        run_free(s);
    return NULL;
}
