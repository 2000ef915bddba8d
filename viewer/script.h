// View scripts: timed keyboard and mouse input, for tests and demonstrations.
//
//     # time [s]  command  arguments
//     0.0  key h                         press and release; `key down w`, `key up w` for keys held
//     0.5  drag 640 360 800 300          left button, from X Y to X2 Y2, in 0.3 s
//     0.5  drag right 640 360 700 300 1.2
//     1.0  mouse right 640 400           click
//     1.1  mouse down left 640 400       also `mouse up left X Y`, `mouse move X Y`
//     1.2  scroll 3                      wheel; above 0: zoom in
//     1.5  resize 800 600
//     2.0  screenshot cut.png
//     2.5  quit
#ifndef ERG_VIEW_SCRIPT_H
#define ERG_VIEW_SCRIPT_H

#include "erg/base.h"

#define VIEW_FRAME (1.0 / 30) // script time between two pictures [s]

typedef enum view_event_kind {
    VIEW_EVENT_KEY,
    VIEW_EVENT_BUTTON,
    VIEW_EVENT_MOVE,
    VIEW_EVENT_SCROLL,
    VIEW_EVENT_RESIZE,
    VIEW_EVENT_SCREENSHOT,
    VIEW_EVENT_QUIT
} view_event_kind;

typedef struct view_event {
    double          time; // [s]
    size_t          order;
    view_event_kind kind;
    bool            down; // key, button
    int             code; // GLFW code of key or button
    int             mods; // GLFW modifiers
    double          x, y; // in the window [pixels]; scroll: y
    int             width, height;
    char            file[256];
} view_event;

typedef struct view_script {
    view_event *event; // sorted by time
    size_t      count, room;
} view_script;

// An invalid line gives ERG_BAD_INPUT with `file:line: ...` and what was expected.
erg_status view_script_read(const char *path, view_script *script, erg_error *err);
void       view_script_free(view_script *script);

#endif
