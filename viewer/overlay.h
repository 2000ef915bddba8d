// Shared by the overlays.
#ifndef ERG_VIEW_OVERLAY_H
#define ERG_VIEW_OVERLAY_H

#include "app.h"
#include "theme.h"

#define VIEW_EDGE 1.5 // margin to the window's edge, in units

// Starts an overlay image of this size, in units; view_overlay_lay draws it at (x, y) [pixels].
bool view_overlay_begin(view_app *app, double width, double height);
void view_overlay_lay(view_app *app, double x, double y);

// The largest text size, at most `size`, at which the text fits into the width `room` [pixels].
double view_overlay_fitted(const char *text, double size, double room);

void view_overlay_help(view_app *app); // with all keys
// Returns its height, 0 when there is none [pixels].
double view_overlay_timeline(view_app *app);

#endif
