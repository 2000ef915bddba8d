// The slider panel: layout, drawing and mouse handling. The app defines what the sliders do.
#ifndef ERG_VIEW_PANEL_H
#define ERG_VIEW_PANEL_H

#include "overlay_canvas.h"

typedef enum view_slider_name {
    VIEW_FRICTION,
    VIEW_GRAVITY,
    VIEW_TILT,
    VIEW_HEADING,
    VIEW_RATE,
    VIEW_BALL,
    VIEW_REACH,
    VIEW_STRENGTH,
    VIEW_SLIDERS
} view_slider_name;

typedef struct view_slider {
    const char *name, *unit;
    double      low, high, value;
    bool        by_factor; // logarithmic scale
    bool        absent;    // not available in this scene
} view_slider;

enum { VIEW_TOOLS = 3 };

typedef struct view_panel {
    view_slider slider[VIEW_SLIDERS];
    int         tool;       // selected button
    int         held;       // dragged slider; -1: none
    double      x, y, unit; // top left corner, and the unit of all sizes [pixels]
} view_panel;

view_panel view_panel_default(void);
// Sets the position; `unit` is the height of its capitals.
void view_panel_place(view_panel *panel, double x, double y, double unit);
void view_panel_size(const view_panel *panel, double *width, double *height);

// Mouse at (x, y) of the window. Press: true when inside the panel. `changed`: the slider that
// changed, -1: none. A newly selected tool is in `tool`.
bool view_panel_press(view_panel *panel, double x, double y, int *changed);
bool view_panel_move(view_panel *panel, double x, int *changed);
void view_panel_release(view_panel *panel);

// Onto an image of its size.
void view_panel_draw(const view_panel *panel, view_overlay_canvas *canvas,
                     const char *const tools[VIEW_TOOLS]);

#endif
