// The simulation thread: runs an engine, and receives requests from the window.
//
// Requests return at once; the window fetches the newest picture at any time. There are three
// pictures (triple buffering): one that the window draws, one that is ready, one that the engine
// fills. Neither side waits for the other: the engine replaces a ready picture that was not
// fetched, and the window draws the old one again. Errors are reported as text in the status.
//
// In lock step, for scripts, everything happens in view_sim_advance: it serves all requests in
// order, then advances by the given time. A script gives the same run on any machine.
#ifndef ERG_VIEW_SIM_H
#define ERG_VIEW_SIM_H

#include "engine.h"

typedef struct view_sim view_sim;

typedef enum view_state {
    VIEW_BUILDING,
    VIEW_READY,
    VIEW_STOPPED, // the engine could not continue; see `problem`
    VIEW_FAILED   // the engine could not be opened
} view_state;

typedef struct view_status {
    view_state     state;
    view_facts     facts;
    bool           paused;
    double         speed;              // requested: simulated per wall time
    double         factor;             // measured: simulated per wall time
    double         steps_per_s;        // measured
    double         frame_s;            // measured: wall time to simulate 1/60 s; 0: not yet known
    uint64_t       restarts;           // the facts belong to the last one
    char           problem[512];       // why it stopped or failed
    char           note[512];          // last message
    uint64_t       notes;              // number of notes; changes with each new one
    uint64_t       saves_asked, saves; // requested; completed, successfully or not
    uint64_t       saves_failed;       // since the last fetch
    erg_status     save_status;        // of the last completed save
    char           save_problem[512];  // of the last failed save
    erg_run_result kept;               // of the last successful save; `out` is empty before
    bool           is_kept;            // `kept` belongs to this world, not to one before a restart
} view_status;

static inline bool view_is_saving(const view_status *status)
{
    return status->saves < status->saves_asked;
}

// Takes the engine over, even on failure. `look` is that of the first picture. `before` (may be
// NULL) is a simulation that this one replaces: it ends in the new thread, so that the window does
// not wait for it and two worlds are never built at once. On success it is taken over too, and its
// failed saves are reported here.
erg_status view_sim_begin(view_engine *engine, const erg_look *look, bool lock_step, bool paused,
                          view_sim *before, view_sim **sim, erg_error *err);
// Serves the pending requests, ends the thread after its current step, and destroys the engine;
// blocks until done. `status` and `hash` (may be NULL) receive the final state.
void view_sim_end(view_sim *sim, view_status *status, uint64_t *hash);

void view_sim_look(view_sim *sim, const erg_look *look);
void view_sim_pause(view_sim *sim, bool paused);
void view_sim_speed(view_sim *sim, double speed);
void view_sim_step(view_sim *sim, int steps); // also pauses
void view_sim_seek(view_sim *sim, double time);
void view_sim_restart(view_sim *sim);
void view_sim_command(view_sim *sim, const erg_command *command);
// Returns the number of this save, which is complete when status.saves reaches it.
uint64_t view_sim_save(view_sim *sim, const char *folder);

// Lock step: serves all requests, advances by `seconds` of window time and takes a picture.
void view_sim_advance(view_sim *sim, double seconds);

// The newest picture, NULL while there is none; `fresh`: it differs from the last one. It belongs
// to the window until the next call.
erg_picture *view_sim_fetch(view_sim *sim, view_status *status, bool *fresh);

#endif
