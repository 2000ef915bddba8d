// The whole of the window, as its parts see it.
#ifndef ERG_VIEW_APP_H
#define ERG_VIEW_APP_H

#include "draw/gl_target.h"
#include "keys.h"
#include "orbit.h"
#include "panel.h"
#include "picking.h"
#include "record.h"
#include "script.h"
#include "sim.h"
#include "view.h"

typedef struct GLFWwindow GLFWwindow;

// What a mouse button that is down is doing.
typedef enum view_drag {
    VIEW_NO_DRAG,
    VIEW_TURN,
    VIEW_PAN,
    VIEW_SLIDE,
    VIEW_SCRUB,
    VIEW_TOUCH
} view_drag;

enum { VIEW_KEY_CODES = 512 };

// What the arrow keys drive.
typedef struct view_drive {
    erg_id   wall;           // 0: nothing, they turn the view
    double   speed;          // with which it goes [m/s]
    erg_vec3 velocity, spin; // that it was last told [m/s] [rad/s]
} view_drive;

typedef struct view_app {
    const view_def *def;
    view_result    *result;
    char            path[4096];
    char            title[160];
    view_script     script;
    size_t          script_at; // the next event
    bool            scripted;

    // Window.
    GLFWwindow   *window;
    erg_renderer *renderer;
    ergi_target   canvas; // the picture without what is laid over it
    int           width, height;
    double        unit;           // height of capitals [pixels]
    double        now;            // of the window's own clock, which a script replaces [s]
    double        opened, looked; // wall time [s]
    double        frame_s, shown_fps, fps_since;
    int           fps_count;
    bool          quit, cancelled;

    // What is shown.
    view_sim    *sim;
    view_status  status;
    erg_picture *picture;
    erg_look     look;
    int          cut_axis; // -1: not cut
    double       cut_share;
    view_orbit   orbit, home;
    bool         placed;      // the eye has been
    bool         coarse;      // drawn with fewer pixels while something moves
    bool         stale;       // the canvas is older than picture, eye or size
    erg_quality  drawn;       // quality of what is on the canvas
    double       moved;       // when eye or picture last changed [s]
    double       turned;      // when the eye did
    double   drew_at, draw_s; // when the last picture was done, and how long it took; wall time [s]
    double   fine_s;          // that a fine picture takes; 0: unknown [s]
    uint64_t pictures;
    uint64_t notes_seen;

    // Hands on it.
    double      mouse_x, mouse_y;
    view_drag   drag;
    int         drag_button;
    bool        held[VIEW_KEY_CODES];
    int         mods;
    view_picker picker;
    view_drive  drive;
    erg_vec3    gravity_ex, gravity_ey, gravity_up;
    bool        sliders_set;

    // What is laid over it.
    view_panel          panel;
    view_overlay_canvas overlay_canvas;
    bool                show_panel, show_hud, show_help;
    bool                asking, paused_before; // save before closing? Time stands still then
    bool                dirty;                 // something of that changed
    bool                closing;               // closes as soon as it is saved
    uint64_t            closing_save;          // by this save
    char                toast[512];
    double              toast_until; // [s]

    view_record record;
} view_app;

void     view_app_say(view_app *app, const char *format, ...) __attribute__((format(printf, 2, 3)));
void     view_app_do(view_app *app, view_action action);
void     view_app_change_scene(view_app *app, int step);
void     view_app_set_look(view_app *app);
void     view_app_moved(view_app *app); // the eye has
view_aim view_app_aim(view_app *app);
// Name of a folder for the state that holds none yet.
void view_app_save_folder(const view_app *app, char folder[4096]);

// look.c
void view_look_next_colour(view_app *app);
void view_look_toggle_chains(view_app *app);
void view_look_next_cut(view_app *app);
void view_look_move_cut(view_app *app, double way);

// sliders.c
bool view_sliders_shown(const view_app *app); // and takes clicks
void view_sliders_set(view_app *app);         // as things stand
void view_sliders_scale_hand(view_app *app);  // in radii of the grains that are there now
void view_sliders_slide(view_app *app, int slider);

// events.c: the newest picture and status.
void view_app_fetch(view_app *app);

// canvas.c: draws the picture when something is new; composes and shows the window.
void view_canvas_draw(view_app *app, bool want_fine);
void view_canvas_compose(view_app *app);
void view_canvas_present(view_app *app);

// input.c: everything that hands can do, from the window or from a script.
void view_input_key(view_app *app, int key, int mods, bool down);
void view_input_button(view_app *app, int button, int mods, bool down);
void view_input_move(view_app *app, double x, double y);
void view_input_scroll(view_app *app, double steps);
void view_input_hold(view_app *app, double seconds); // keys and hand that are held

// drive.c
void view_drive_next(view_app *app); // the next thing that can be driven, behind the last none
void view_drive_stop(view_app *app);
bool view_drive_takes(const view_app *app, int key); // and nobody else gets it
void view_drive_hold(view_app *app);                 // every picture

// overlay.c
void view_overlay_draw(view_app *app);

// timeline.c: of results and meshes.
bool   view_timeline_hit(const view_app *app, double x, double y);
double view_timeline_time(const view_app *app, double x); // under the mouse [s]

// window.c
erg_status view_window_open(view_app *app, erg_error *err);
void       view_window_close(view_app *app);
void       view_window_hide(view_app *app);
void       view_window_poll(view_app *app, double seconds); // waits so long for something to happen
void       view_window_resize(view_app *app, int width, int height);
void       view_window_swap(view_app *app);
void       view_window_title(view_app *app);

#endif
