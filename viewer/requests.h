// What the window has asked a show for and its thread has not done yet: a queue, in the order
// asked.
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
    double            time;   // to seek [s]
    char             *folder; // to keep it in; the queue's own
} view_request;

typedef struct view_requests {
    view_request *request;
    size_t        count, room;
    bool          new_look, quit;
    bool          going; // lock step: by so much of the window's time [s]
    double        go_on;
} view_requests;

// Behind all others, with a copy of the folder (may be NULL). Of seeks in a row the last one
// counts. False: there is no memory for it.
bool view_requests_add(view_requests *requests, const view_request *request, const char *folder);
void view_requests_free(view_requests *requests);

#endif
