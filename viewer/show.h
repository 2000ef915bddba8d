// The show: an engine in a thread of its own, and the window's end of it.
//
// The window asks (all of these return at once) and fetches the newest picture when it likes. There
// are three pictures: one that the window draws, one that is ready, one that the engine takes next.
// Nobody waits for the other: the engine replaces a ready picture that was not fetched, the window
// draws the old one again. Errors become sentences in the status.
//
// In lock step, for scripts, time goes on only in show_go_on, by as much as it is told: a script
// gives the same run on any machine.
#ifndef ERG_VIEW_SHOW_H
#define ERG_VIEW_SHOW_H

#include "engine.h"

typedef struct view_show view_show;

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
    double         speed;        // asked for, simulated over wall time
    double         factor;       // that it has lately
    double         steps_per_s;  // lately
    uint64_t       restarts;     // how often it began again
    char           problem[512]; // why it stopped or failed
    char           note[512];    // the last thing that was refused or done
    uint64_t       notes;        // how many there were: a new number is a new note
    bool           saving;
    erg_run_result kept; // of the last save; out is empty before
} view_status;

// Takes the engine, whatever happens. `look` is how the first picture is taken.
erg_status view_show_begin(view_engine *engine, const erg_look *look, bool lock_step, bool paused,
                           view_show **show, erg_error *err);
// Ends the thread after the step it is in, and destroys the engine. `status` and `hash` (may be
// NULL) receive how it ended.
void view_show_end(view_show *show, view_status *status, uint64_t *hash);

void view_show_look(view_show *show, const erg_look *look);
void view_show_pause(view_show *show, bool paused);
void view_show_speed(view_show *show, double speed);
void view_show_step(view_show *show, int steps); // and pause
void view_show_seek(view_show *show, double time);
void view_show_restart(view_show *show);
void view_show_command(view_show *show, const erg_command *command);
void view_show_keep(view_show *show, const char *folder);

// Lock step: all that was asked for is done, `seconds` of the window's time pass, a picture is
// taken.
void view_show_go_on(view_show *show, double seconds);

// The newest picture, NULL while there is none, and whether it is another one than before. It stays
// the window's until the next call.
erg_picture *view_show_fetch(view_show *show, view_status *status, bool *fresh);

#endif
