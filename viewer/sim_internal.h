// The inside of a show, for its parts: sim.c is the window's end, show_thread.c the thread's,
// which does what was asked for in show_serve.c and has its clock in show_pace.c.
#ifndef ERG_VIEW_SIM_INTERNAL_H
#define ERG_VIEW_SIM_INTERNAL_H

#include "requests.h"
#include "sim.h"

#include <pthread.h>

enum { VIEW_PICTURES = 3 };

// Where the pace is counted from, and where the measured rates are.
typedef struct view_pace {
    double   wall, time; // [s]
    double   speed;      // it is counted with
    double   rate_wall, rate_time;
    uint64_t rate_steps;
} view_pace;

struct view_sim {
    pthread_t       thread;
    pthread_mutex_t lock;
    pthread_cond_t  asked, done;

    // Under the lock.
    view_requests wanted;
    view_status   status;
    erg_look      look;
    erg_picture  *picture[VIEW_PICTURES];
    int           front, ready; // the third one is the thread's
    bool          fresh, has_front;
    uint64_t      rounds, rounds_done; // lock step

    // The thread's own.
    view_engine *engine;
    view_sim    *before; // which ends first; else NULL
    bool         lock_step;
    int          back;
    erg_picture *memory; // what a film remembers from picture to picture
    view_pace    pace;
    double       clock;     // lock step: simulated time asked for so far [s]
    double       taken;     // wall time of the last picture [s]
    uint64_t     moment;    // of that
    uint64_t     restarted; // since that
};

// The thread: takes a view_sim.
void *view_sim_work(void *sim);

void view_sim_note(view_sim *sim, const char *text);
void view_sim_set_state(view_sim *sim, view_state state, const char *problem);
void view_sim_open(view_sim *sim);
// Everything but going on. `status` receives how things stand then. True: the picture is another
// one.
bool view_sim_serve(view_sim *sim, const view_requests *requests, view_status *status);

// Counts from here and now.
void view_pace_start(view_sim *sim);
// The simulated time that the pace asks for by now, never behind the end of a result [s].
double view_pace_due(view_sim *sim, const view_status *status);
void   view_pace_forget_rates(view_sim *sim, uint64_t steps);
void   view_pace_measure(view_sim *sim); // twice a second

#endif
