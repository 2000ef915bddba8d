// The thread in which an engine runs: does what was asked for, goes on, takes pictures.
#include "show_inside.h"

#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double SLICE = 0.008; // wall time between two looks at what is asked for [s]
static const double PICTURE_EVERY = 1.0 / 60; // of wall time, at most [s]
static const double MOST_LAG = 0.1;           // behind the asked pace, before it is given up [s]

// ---- What is said ------------------------------------------------------------------------------
static void say(view_show *s, const char *text)
{
    pthread_mutex_lock(&s->lock);
    snprintf(s->status.note, sizeof s->status.note, "%s", text);
    s->status.notes++;
    pthread_mutex_unlock(&s->lock);
}

static void set_state(view_show *s, view_state state, const char *problem)
{
    pthread_mutex_lock(&s->lock);
    s->status.state = state;
    snprintf(s->status.problem, sizeof s->status.problem, "%s", problem);
    pthread_mutex_unlock(&s->lock);
}

// ---- Pictures ----------------------------------------------------------------------------------
static void publish(view_show *s)
{
    erg_error  err;
    view_facts facts;
    erg_look   look;
    pthread_mutex_lock(&s->lock);
    look = s->look;
    pthread_mutex_unlock(&s->lock);
    erg_picture *picture = s->picture[s->back];
    erg_picture_follow(picture, s->memory);
    erg_status status = s->engine->take(s->engine, &look, picture, &err);
    if (status == ERG_OK) erg_picture_follow(s->memory, picture);
    s->engine->tell(s->engine, &facts);
    s->taken = ergi_clock_seconds();
    s->moment = s->engine->moment(s->engine);
    pthread_mutex_lock(&s->lock);
    s->status.facts = facts;
    if (status == ERG_OK) {
        int old = s->ready;
        s->ready = s->back;
        s->back = old;
        s->fresh = true;
    }
    pthread_mutex_unlock(&s->lock);
    if (status != ERG_OK) say(s, err.text);
}

// ---- Pace --------------------------------------------------------------------------------------
static void set_anchor(view_show *s)
{
    s->anchor_wall = ergi_clock_seconds();
    s->anchor_time = s->engine->time(s->engine);
}

static void forget_rates(view_show *s, uint64_t steps)
{
    s->rate_wall = ergi_clock_seconds();
    s->rate_time = s->engine->time(s->engine);
    s->rate_steps = steps;
}

// Twice a second.
static void measure_rates(view_show *s)
{
    double wall = ergi_clock_seconds() - s->rate_wall;
    if (wall < 0.5) return;
    view_facts facts;
    s->engine->tell(s->engine, &facts);
    pthread_mutex_lock(&s->lock);
    s->status.factor = (facts.time - s->rate_time) / wall;
    s->status.steps_per_s = (double)(facts.steps - s->rate_steps) / wall;
    pthread_mutex_unlock(&s->lock);
    forget_rates(s, facts.steps);
}

// The simulated time that the pace asks for by now.
static double due(view_show *s, double speed)
{
    double wall = ergi_clock_seconds() - s->anchor_wall, time = s->engine->time(s->engine);
    double asked = s->anchor_time + speed * wall;
    if (asked - time > speed * MOST_LAG + 1e-12) { // too slow: count from here
        s->anchor_wall += wall - MOST_LAG;
        s->anchor_time = time;
        asked = time + speed * MOST_LAG;
    }
    return asked;
}

// ---- Doing what was asked for ------------------------------------------------------------------
static void open_engine(view_show *s)
{
    erg_error err;
    set_state(s, VIEW_BUILDING, "");
    if (s->engine->open(s->engine, &err) != ERG_OK) {
        set_state(s, VIEW_FAILED, err.text);
        return;
    }
    set_state(s, VIEW_READY, "");
    s->clock = s->engine->time(s->engine);
    set_anchor(s);
    forget_rates(s, 0);
}

static void stop(view_show *s, const erg_error *err)
{
    set_state(s, VIEW_STOPPED, err->text);
}

static void keep(view_show *s, const char *folder)
{
    erg_run_result result;
    erg_error      err;
    char           note[4300];
    erg_status     status = s->engine->keep(s->engine, folder, &result, &err);
    if (status == ERG_OK)
        snprintf(note, sizeof note, "saved to %s", folder);
    else
        snprintf(note, sizeof note, "not saved: %s", err.text);
    pthread_mutex_lock(&s->lock);
    s->status.saving = false;
    if (status == ERG_OK) s->status.kept = result;
    pthread_mutex_unlock(&s->lock);
    say(s, note);
}

// Takes over what waits; false: nothing but to go on.
static view_requests collect(view_show *s, view_status *status)
{
    pthread_mutex_lock(&s->lock);
    view_requests r = s->wanted;
    s->wanted = (view_requests){0};
    *status = s->status;
    pthread_mutex_unlock(&s->lock);
    return r;
}

// Everything but going on. True: the picture is another one.
static bool serve(view_show *s, view_requests *r)
{
    erg_error err;
    bool      changed = r->new_look;
    if (r->restart) {
        open_engine(s);
        pthread_mutex_lock(&s->lock);
        s->status.restarts++;
        pthread_mutex_unlock(&s->lock);
        changed = true;
    }
    view_state state = s->status.state; // written by this thread alone
    if (state == VIEW_FAILED) return false;
    for (size_t i = 0; i < r->commands; i++)
        if (s->engine->command(s->engine, &r->command[i], &err) != ERG_OK) say(s, err.text);
    if (r->seek || r->steps) {
        erg_status status = r->seek ? s->engine->seek(s->engine, r->seek_time, &err) : ERG_OK;
        if (status == ERG_OK && r->steps) status = s->engine->step(s->engine, r->steps, &err);
        if (status == ERG_BAD_INPUT)
            say(s, err.text);
        else if (status != ERG_OK)
            stop(s, &err);
        s->clock = s->engine->time(s->engine);
        changed = true;
    }
    if (r->keep) keep(s, r->folder);
    return changed;
}

static void free_requests(view_requests *r)
{
    free(r->command);
    *r = (view_requests){0};
}

static void advance(view_show *s, double until, double budget)
{
    erg_error err;
    if (s->engine->advance(s->engine, until, budget, &err) != ERG_OK) stop(s, &err);
}

// ---- The thread --------------------------------------------------------------------------------
static bool is_new(const view_show *s)
{
    return s->engine->moment(s->engine) != s->moment;
}

static void step_together(view_show *s, const view_status *status, double seconds, bool changed)
{
    if (status->state == VIEW_READY && !status->paused) {
        s->clock += seconds * status->speed;
        if (status->facts.is_result) s->clock = fmin(s->clock, status->facts.end);
        while (s->status.state == VIEW_READY && s->engine->time(s->engine) < s->clock)
            advance(s, s->clock, HUGE_VAL);
    }
    if (changed || is_new(s)) publish(s);
    measure_rates(s);
}

static void run_freely(view_show *s, const view_status *status, bool changed)
{
    bool runs = status->state == VIEW_READY && !status->paused;
    if (runs) {
        double until = due(s, status->speed);
        if (s->engine->time(s->engine) < until) advance(s, until, SLICE);
        measure_rates(s);
    } else {
        set_anchor(s);
    }
    bool time_for_it = ergi_clock_seconds() - s->taken >= PICTURE_EVERY;
    if (changed || (time_for_it && is_new(s))) publish(s);
}

// Until something is asked for, or `seconds` have passed.
static void rest(view_show *s, double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    long nano = until.tv_nsec + (long)(seconds * 1e9);
    until.tv_sec += nano / 1000000000;
    until.tv_nsec = nano % 1000000000;
    pthread_mutex_lock(&s->lock);
    const view_requests *w = &s->wanted;
    bool idle = !w->commands && !w->new_look && !w->restart && !w->seek && !w->keep && !w->quit &&
                !w->steps && !w->going;
    if (idle) pthread_cond_timedwait(&s->asked, &s->lock, &until);
    pthread_mutex_unlock(&s->lock);
}

void *view_show_work(void *user)
{
    view_show *s = user;
    open_engine(s);
    if (s->status.state == VIEW_READY) publish(s);
    for (bool quit = false; !quit;) {
        view_status   status;
        view_requests r = collect(s, &status);
        bool          changed = serve(s, &r);
        quit = r.quit;
        pthread_mutex_lock(&s->lock);
        status = s->status;
        pthread_mutex_unlock(&s->lock);
        bool good = status.state == VIEW_READY || status.state == VIEW_STOPPED;
        if (s->lock_step) {
            if (r.going && good) step_together(s, &status, r.go_on, changed);
            if (r.going) {
                pthread_mutex_lock(&s->lock);
                s->rounds_done++;
                pthread_cond_signal(&s->done);
                pthread_mutex_unlock(&s->lock);
            } else if (!quit) {
                if (changed && good) publish(s);
                rest(s, 0.05);
            }
        } else if (good && !quit) {
            run_freely(s, &status, changed);
            bool ahead = status.paused || status.state != VIEW_READY ||
                         s->engine->time(s->engine) >= due(s, status.speed);
            if (ahead) rest(s, status.paused ? 0.05 : 0.002);
        } else if (!quit) {
            rest(s, 0.05);
        }
        free_requests(&r);
    }
    return NULL;
}
