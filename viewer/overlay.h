// Shared by what is laid over the picture.
#ifndef ERG_VIEW_OVERLAY_H
#define ERG_VIEW_OVERLAY_H

#include "app.h"
#include "theme.h"

#define VIEW_EDGE 1.5 // from the window's edge, in units

// Paper of this size in units, ready to be drawn on; it is laid down by view_overlay_lay at (x, y)
// [pixels].
bool view_overlay_begin(view_app *app, double width, double height);
void view_overlay_lay(view_app *app, double x, double y);

// The size at which a text is no wider than the room, `size` at most [pixels].
double view_overlay_fitted(const char *text, double size, double room);

void view_overlay_help(view_app *app); // the page with all keys
// Returns how high it is, 0 when there is none [pixels].
double view_overlay_timeline(view_app *app);

#endif
