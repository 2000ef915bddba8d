// The show: an engine in a thread of its own, and the window's end of it.
//
// The window asks (all of these return at once) and fetches the newest picture when it likes. There
// are three pictures: one that the window draws, one that is ready, one that the engine takes next.
// Nobody waits for the other: the engine replaces a ready picture that was not fetched, the window
// draws the old one again. Errors become sentences in the status.
//
// In lock step, for scripts, nothing happens but in view_sim_advance: all that was asked for, in
// that order, and then as much time as it is told. A script gives the same run on any machine.
#ifndef ERG_VIEW_SIM_H
#define ERG_VIEW_SIM_H

#include "engine.h"

typedef struct view_sim view_sim;

typedef enum view_state {
    VIEW_BUILDING,
    VIEW_READY,
    VIEW_STOPPED, // the engine could not go on; `problem` says why
    VIEW_FAILED   // it could not begin
} view_state;

typedef struct view_status {
    view_state     state;
    view_facts     facts;
    bool           paused;
    double         speed;              // asked for, simulated over wall time
    double         factor;             // that it has lately
    double         steps_per_s;        // lately
    uint64_t       restarts;           // how often it began again; the facts are of the last time
    char           problem[512];       // why it stopped or failed
    char           note[512];          // the last thing that was refused or done
    uint64_t       notes;              // how many there were: a new number is a new note
    uint64_t       saves_asked, saves; // asked for; over, well or not
    uint64_t       saves_failed;       // since the last fetch
    erg_status     save_status;        // of the last one that is over
    char           save_problem[512];  // why the last one failed that did
    erg_run_result kept;               // of the last one that succeeded; out is empty before
    bool           is_kept;            // it was of this world, not of one before a restart
} view_status;

static inline bool view_is_saving(const view_status *status)
{
    return status->saves < status->saves_asked;
}

// Takes the engine, whatever happens. `look` is how the first picture is taken. `before` (may be
// NULL) is a show whose place this one takes: it ends in the new one's thread, so that nobody waits
// for it and two worlds are never built at once. It is taken too, but not when this fails. A save
// of it that fails is told here.
erg_status view_sim_begin(view_engine *engine, const erg_look *look, bool lock_step, bool paused,
                          view_sim *before, view_sim **sim, erg_error *err);
// Does what was asked for, ends the thread after the step it is in, and destroys the engine; waits
// for all that. `status` and `hash` (may be NULL) receive how it ended.
void view_sim_end(view_sim *sim, view_status *status, uint64_t *hash);

void view_sim_look(view_sim *sim, const erg_look *look);
void view_sim_pause(view_sim *sim, bool paused);
void view_sim_speed(view_sim *sim, double speed);
void view_sim_step(view_sim *sim, int steps); // and pause
void view_sim_seek(view_sim *sim, double time);
void view_sim_restart(view_sim *sim);
void view_sim_command(view_sim *sim, const erg_command *command);
// The number of this save: it is over when the status has so many.
uint64_t view_sim_save(view_sim *sim, const char *folder);

// Lock step: all that was asked for is done, `seconds` of the window's time pass, a picture is
// taken.
void view_sim_advance(view_sim *sim, double seconds);

// The newest picture, NULL while there is none, and whether it is another one than before. It stays
// the window's until the next call.
erg_picture *view_sim_fetch(view_sim *sim, view_status *status, bool *fresh);

#endif
