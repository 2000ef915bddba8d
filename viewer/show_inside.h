// The inside of a show, for its two ends: show.c is the window's, show_thread.c the thread's.
#ifndef ERG_VIEW_SHOW_INSIDE_H
#define ERG_VIEW_SHOW_INSIDE_H

#include "show.h"

#include <pthread.h>

enum { VIEW_PICTURES = 3 };

// What the window asked for and the thread has not done yet.
typedef struct view_requests {
    erg_command *command;
    size_t       commands, room;
    bool         new_look, restart, seek, keep, quit;
    int          steps;
    double       seek_time;
    char         folder[4096];
    bool         going; // lock step: by so much of the window's time [s]
    double       go_on;
} view_requests;

struct view_show {
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

// The thread: takes a view_show.
void *view_show_work(void *show);

#endif
