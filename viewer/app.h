// State of the whole window, shared by its parts.
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

// What a pressed mouse button does.
typedef enum view_drag {
    VIEW_NO_DRAG,
    VIEW_TURN,
    VIEW_PAN,
    VIEW_SLIDE,
    VIEW_SCRUB,
    VIEW_TOUCH
} view_drag;

enum { VIEW_KEY_CODES = 512 };

// The wall or body that the arrow keys move.
typedef struct view_drive {
    erg_id   wall;           // 0: none, the keys rotate the view
    double   speed;          // [m/s]
    erg_vec3 velocity, spin; // last commanded [m/s] [rad/s]
} view_drive;

typedef struct view_app {
    const view_def *def;
    view_result    *result;
    char            path[4096];
    char            title[160];
    view_script     script;
    size_t          script_at; // next event
    bool            scripted;

    // Window.
    GLFWwindow   *window;
    erg_renderer *renderer;
    ergi_target   canvas; // the picture without overlays
    int           width, height;
    double        unit;           // height of capitals [pixels]
    double        now;            // window time; in a script, script time [s]
    double        opened, looked; // wall time of opening and of the last poll [s]
    double        frame_s, shown_fps, fps_since;
    int           fps_count;
    bool          quit, cancelled;

    // View.
    view_sim    *sim;
    view_status  status;
    erg_picture *picture;
    erg_look     look;
    int          cut_axis; // -1: no cut
    double       cut_share;
    view_orbit   orbit, home;
    bool         placed;          // the camera has been placed
    bool         coarse;          // drawn with fewer pixels while something moves
    bool         stale;           // the canvas is older than picture, camera or size
    erg_quality  drawn;           // quality of what is on the canvas
    double       moved;           // last change of camera or picture [s]
    double       turned;          // last change of the camera [s]
    double       drew_at, draw_s; // end and duration of the last drawing; wall time [s]
    double       fine_s;          // duration of a fine picture; 0: unknown [s]
    uint64_t     pictures;
    uint64_t     notes_seen;

    // Input.
    double      mouse_x, mouse_y;
    view_drag   drag;
    int         drag_button;
    bool        held[VIEW_KEY_CODES];
    int         mods;
    view_picker picker;
    view_drive  drive;
    int         joint_sent[VIEW_JOINTS]; // direction last commanded: 1, 0 or -1
    erg_vec3    gravity_ex, gravity_ey, gravity_up;
    bool        sliders_set;

    // Overlays.
    view_panel          panel;
    view_overlay_canvas overlay_canvas;
    bool                show_panel, show_hud, show_help;
    bool asking, paused_before; // "save before closing?" is shown; whether the simulation was
                                // paused before that
    bool     dirty;             // an overlay changed
    bool     closing;           // closes once the save is done
    uint64_t closing_save;      // number of that save
    char     toast[512];
    double   toast_until; // [s]

    view_record record;
} view_app;

void     view_app_say(view_app *app, const char *format, ...) __attribute__((format(printf, 2, 3)));
void     view_app_do(view_app *app, view_action action);
void     view_app_change_scene(view_app *app, int step);
void     view_app_set_look(view_app *app);
void     view_app_moved(view_app *app); // the camera moved
view_aim view_app_aim(view_app *app);
// Name of a result folder that does not hold results yet.
void view_app_save_folder(const view_app *app, char folder[4096]);

// look.c
void view_look_next_colour(view_app *app);
void view_look_toggle_chains(view_app *app);
void view_look_next_cut(view_app *app);
void view_look_move_cut(view_app *app, double way);

// sliders.c
bool view_sliders_shown(const view_app *app); // and accept clicks
void view_sliders_set(view_app *app);         // from the current state
void view_sliders_scale_tool(view_app *app);  // tool sizes, in radii of the current grains
void view_sliders_slide(view_app *app, int slider);

// events.c: fetches the newest picture and status.
void view_app_fetch(view_app *app);

// canvas.c: draws the picture when something changed; composes and shows the window.
void view_canvas_draw(view_app *app, bool want_fine);
void view_canvas_compose(view_app *app);
void view_canvas_present(view_app *app);

// input.c: keyboard and mouse, from the window or from a script.
void view_input_key(view_app *app, int key, int mods, bool down);
void view_input_button(view_app *app, int button, int mods, bool down);
void view_input_move(view_app *app, double x, double y);
void view_input_scroll(view_app *app, double steps);
void view_input_hold(view_app *app, double seconds); // effects of held keys and mouse buttons

// drive.c
void view_drive_next(view_app *app); // the next movable wall or body; none after the last
void view_drive_stop(view_app *app);
bool view_drive_takes(const view_app *app, int key); // the key drives and has no other effect
void view_drive_hold(view_app *app);                 // once per frame

// joints.c: joints of the scene, moved by its own keys.
bool view_joints_take(const view_app *app, int key, int mods); // as view_drive_takes
void view_joints_hold(view_app *app);                          // on every key, and once per frame
void view_joints_forget(view_app *app);                        // the scene starts anew, at rest
char view_joints_char(int key); // of a key code, as in view_joint; 0: none

// overlay.c
void view_overlay_draw(view_app *app);

// timeline.c: for results and meshes.
bool   view_timeline_hit(const view_app *app, double x, double y);
double view_timeline_time(const view_app *app, double x); // at this position [s]

// window.c
erg_status view_window_open(view_app *app, erg_error *err);
void       view_window_close(view_app *app);
void       view_window_hide(view_app *app);
void       view_window_poll(view_app *app, double seconds); // waits at most this long for an event
void       view_window_resize(view_app *app, int width, int height);
void       view_window_swap(view_app *app);
void       view_window_title(view_app *app);

#endif
