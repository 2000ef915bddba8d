// Queue of the window's requests to the simulation thread, in order.
#ifndef ERG_VIEW_REQUESTS_H
#define ERG_VIEW_REQUESTS_H

#include "erg/erg.h"

typedef enum view_request_kind {
    VIEW_ASK_COMMAND,
    VIEW_ASK_STEP,
    VIEW_ASK_SEEK,
    VIEW_ASK_RESTART,
    VIEW_ASK_SAVE
} view_request_kind;

typedef struct view_request {
    view_request_kind kind;
    erg_command       command;
    int               steps;
    double            time;   // to seek to [s]
    char             *folder; // to save to; owned by the queue
} view_request;

typedef struct view_requests {
    view_request *request;
    size_t        count, room;
    bool          new_look, quit;
    bool          going; // lock step: a frame was requested
    double        go_on; // its window time [s]
} view_requests;

// Appends a request with a copy of the folder (may be NULL). Consecutive seeks are merged into the
// last one. False: out of memory.
bool view_requests_add(view_requests *requests, const view_request *request, const char *folder);
void view_requests_free(view_requests *requests);

#endif
