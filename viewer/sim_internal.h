// Internals of a simulation thread: sim.c is the window side, sim_thread.c the thread, which serves
// requests in sim_serve.c and is paced by sim_pace.c.
#ifndef ERG_VIEW_SIM_INTERNAL_H
#define ERG_VIEW_SIM_INTERNAL_H

#include "requests.h"
#include "sim.h"

#include <pthread.h>

enum { VIEW_PICTURES = 3 };

// Reference points of the pace and of the measured rates.
typedef struct view_pace {
    double   wall, time; // [s]
    double   speed;      // speed since then
    double   rate_wall, rate_time;
    double   busy; // wall time spent advancing and taking pictures since rate_wall
    uint64_t rate_steps;
} view_pace;

struct view_sim {
    pthread_t       thread;
    pthread_mutex_t lock;
    pthread_cond_t  asked, done;

    // Guarded by the lock.
    view_requests wanted;
    view_status   status;
    erg_look      look;
    erg_picture  *picture[VIEW_PICTURES];
    int           front, ready; // the third one belongs to the thread
    bool          fresh, has_front;
    uint64_t      rounds, rounds_done; // lock step

    // Used by the thread only.
    view_engine *engine;
    view_sim    *before; // replaced simulation, to be ended first; else NULL
    bool         lock_step;
    int          back;
    erg_picture *memory; // camera, ground and colour range kept from picture to picture
    view_pace    pace;
    double       clock;     // lock step: requested simulated time [s]
    double       taken;     // wall time of the last picture [s]
    double       taking;    // how long it took to take it [s]
    uint64_t     moment;    // of the last picture
    uint64_t     restarted; // restarts since the last picture
};

// Thread function; takes a view_sim.
void *view_sim_work(void *sim);

void view_sim_note(view_sim *sim, const char *text);
void view_sim_set_state(view_sim *sim, view_state state, const char *problem);
void view_sim_open(view_sim *sim);
// Serves all requests. `status` receives the state afterwards. True: a new picture is needed.
bool view_sim_serve(view_sim *sim, const view_requests *requests, view_status *status);

// Restarts the pace at the current time.
void view_pace_start(view_sim *sim);
// The simulated time due by now, at most the end of a result [s].
double view_pace_due(view_sim *sim, const view_status *status);
void   view_pace_forget_rates(view_sim *sim, uint64_t steps);
void   view_pace_measure(view_sim *sim); // updates the rates twice per second

#endif
