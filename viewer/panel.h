// Sliders: what they are called, where they are, what the mouse does to them. What they mean is the
// app's business.
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
    bool        by_factor; // equal ways are equal factors
    bool        absent;    // the scene has no such thing
} view_slider;

enum { VIEW_TOOLS = 3 };

typedef struct view_panel {
    view_slider slider[VIEW_SLIDERS];
    int         tool;       // chosen button
    int         held;       // slider under the mouse button; -1: none
    double      x, y, unit; // left upper corner, and what all sizes are multiples of [pixels]
} view_panel;

view_panel view_panel_default(void);
// Where it is drawn; `unit` is the height of its capitals.
void view_panel_place(view_panel *panel, double x, double y, double unit);
void view_panel_size(const view_panel *panel, double *width, double *height);

// The mouse at (x, y) of the window. Press: true when the panel takes it. A slider that was changed
// is told; -1: none. A tool that was chosen is in `tool`.
bool view_panel_press(view_panel *panel, double x, double y, int *changed);
bool view_panel_move(view_panel *panel, double x, int *changed);
void view_panel_release(view_panel *panel);

// On paper of its size.
void view_panel_draw(const view_panel *panel, view_overlay_canvas *canvas,
                     const char *const tools[VIEW_TOOLS]);

#endif
