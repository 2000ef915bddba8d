#include "show.h"

#include "base/clock.h"
#include "base/error.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PICTURES = 3 };
static const double SLICE = 0.008; // wall time between two looks at what is asked for [s]
static const double PICTURE_EVERY = 1.0 / 60; // of wall time, at most [s]
static const double MOST_LAG = 0.1;           // behind the asked pace, before it is given up [s]

// What the window asked for and the thread has not done yet.
typedef struct requests {
    erg_command *command;
    size_t       commands, room;
    bool         new_look, restart, seek, keep, quit;
    int          steps;
    double       seek_time;
    char         folder[4096];
    bool         going; // lock step: by so much of the window's time [s]
    double       go_on;
} requests;

struct view_show {
    pthread_t       thread;
    pthread_mutex_t lock;
    pthread_cond_t  asked, done;

    // Under the lock.
    requests     wanted;
    view_status  status;
    erg_look     look;
    erg_picture *picture[PICTURES];
    int          front, ready; // the third one is the thread's
    bool         fresh, has_front;
    uint64_t     rounds, rounds_done; // lock step

    // The thread's own.
    view_engine *engine;
    bool         lock_step;
    int          back;
    erg_picture *memory;                   // what a film remembers from picture to picture
    double       anchor_wall, anchor_time; // where the pace is counted from [s]
    double       clock;                    // lock step: simulated time asked for so far [s]
    double       taken;                    // wall time of the last picture [s]
    uint64_t     moment;                   // of that
    double       rate_wall, rate_time;     // of the measured rates
    uint64_t     rate_steps;
    uint64_t     hash;
};

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

erg_picture *view_show_fetch(view_show *s, view_status *status, bool *fresh)
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
    erg_picture *picture = s->has_front ? s->picture[s->front] : NULL;
    pthread_mutex_unlock(&s->lock);
    return picture;
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
static requests collect(view_show *s, view_status *status)
{
    pthread_mutex_lock(&s->lock);
    requests r = s->wanted;
    s->wanted = (requests){0};
    *status = s->status;
    pthread_mutex_unlock(&s->lock);
    return r;
}

// Everything but going on. True: the picture is another one.
static bool serve(view_show *s, requests *r)
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

static void free_requests(requests *r)
{
    free(r->command);
    *r = (requests){0};
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
    const requests *w = &s->wanted;
    bool idle = !w->commands && !w->new_look && !w->restart && !w->seek && !w->keep && !w->quit &&
                !w->steps && !w->going;
    if (idle) pthread_cond_timedwait(&s->asked, &s->lock, &until);
    pthread_mutex_unlock(&s->lock);
}

static void *work(void *user)
{
    view_show *s = user;
    open_engine(s);
    if (s->status.state == VIEW_READY) publish(s);
    for (bool quit = false; !quit;) {
        view_status status;
        requests    r = collect(s, &status);
        bool        changed = serve(s, &r);
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

// ---- The window's end --------------------------------------------------------------------------
static void ask(view_show *s)
{
    pthread_cond_signal(&s->asked);
    pthread_mutex_unlock(&s->lock);
}

void view_show_look(view_show *s, const erg_look *look)
{
    pthread_mutex_lock(&s->lock);
    s->look = *look;
    s->look.caption = NULL;
    s->wanted.new_look = true;
    ask(s);
}

void view_show_pause(view_show *s, bool paused)
{
    pthread_mutex_lock(&s->lock);
    s->status.paused = paused;
    ask(s);
}

void view_show_speed(view_show *s, double speed)
{
    pthread_mutex_lock(&s->lock);
    s->status.speed = speed;
    ask(s);
}

void view_show_step(view_show *s, int steps)
{
    pthread_mutex_lock(&s->lock);
    s->status.paused = true;
    s->wanted.steps += steps;
    ask(s);
}

void view_show_seek(view_show *s, double time)
{
    pthread_mutex_lock(&s->lock);
    s->wanted.seek = true;
    s->wanted.seek_time = time;
    ask(s);
}

void view_show_restart(view_show *s)
{
    pthread_mutex_lock(&s->lock);
    s->wanted.restart = true;
    s->wanted.commands = 0; // meant for the world that ends
    ask(s);
}

void view_show_command(view_show *s, const erg_command *command)
{
    pthread_mutex_lock(&s->lock);
    requests *w = &s->wanted;
    if (w->commands == w->room) {
        size_t       room = w->room ? 2 * w->room : 16;
        erg_command *more = realloc(w->command, room * sizeof *more);
        if (more) {
            w->command = more;
            w->room = room;
        }
    }
    if (w->commands < w->room) w->command[w->commands++] = *command;
    ask(s);
}

void view_show_keep(view_show *s, const char *folder)
{
    pthread_mutex_lock(&s->lock);
    s->wanted.keep = true;
    s->status.saving = true;
    snprintf(s->wanted.folder, sizeof s->wanted.folder, "%s", folder);
    ask(s);
}

void view_show_go_on(view_show *s, double seconds)
{
    pthread_mutex_lock(&s->lock);
    s->wanted.go_on = seconds;
    s->wanted.going = true;
    s->rounds++;
    pthread_cond_signal(&s->asked);
    while (s->rounds_done < s->rounds) pthread_cond_wait(&s->done, &s->lock);
    pthread_mutex_unlock(&s->lock);
}

// ---- Coming and going --------------------------------------------------------------------------
static void release(view_show *s)
{
    for (int i = 0; i < PICTURES; i++) erg_picture_destroy(s->picture[i]);
    erg_picture_destroy(s->memory);
    if (s->engine) s->engine->destroy(s->engine);
    free(s->wanted.command);
    free(s);
}

erg_status view_show_begin(view_engine *engine, const erg_look *look, bool lock_step, bool paused,
                           view_show **show, erg_error *err)
{
    view_show *s = calloc(1, sizeof *s);
    *show = NULL;
    if (!s) {
        engine->destroy(engine);
        return ergi_fail_memory(err, sizeof *s, "the window");
    }
    s->engine = engine;
    erg_status status = erg_picture_create(&s->memory, err);
    for (int i = 0; i < PICTURES && status == ERG_OK; i++)
        status = erg_picture_create(&s->picture[i], err);
    s->ready = 1;
    s->back = 2;
    s->look = *look;
    s->look.caption = NULL;
    s->lock_step = lock_step;
    s->status = (view_status){.state = VIEW_BUILDING, .paused = paused, .speed = 1};
    if (status == ERG_OK) {
        pthread_mutex_init(&s->lock, NULL);
        pthread_cond_init(&s->asked, NULL);
        pthread_cond_init(&s->done, NULL);
        if (pthread_create(&s->thread, NULL, work, s) != 0)
            status = ergi_fail(err, ERG_NO_MEMORY, "the system has no room for another thread");
    }
    if (status != ERG_OK)
        release(s);
    else
        *show = s;
    return status;
}

void view_show_end(view_show *s, view_status *status, uint64_t *hash)
{
    if (!s) return;
    pthread_mutex_lock(&s->lock);
    s->wanted.quit = true;
    ask(s);
    pthread_join(s->thread, NULL);
    erg_run_result result = {0};
    if (hash && s->engine->keep(s->engine, NULL, &result, NULL) == ERG_OK)
        *hash = result.state_hash;
    s->engine->tell(s->engine, &s->status.facts);
    if (status) *status = s->status;
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->asked);
    pthread_cond_destroy(&s->done);
    release(s);
}
