// Shared by what is laid over the picture.
#ifndef ERG_VIEW_OVERLAY_H
#define ERG_VIEW_OVERLAY_H

#include "app.h"
#include "theme.h"

// Paper of this size in units, ready to be drawn on; it is laid down by view_overlay_lay at (x, y)
// [pixels].
bool view_overlay_begin(view_app *app, double width, double height);
void view_overlay_lay(view_app *app, double x, double y);

void view_overlay_help(view_app *app); // the page with all keys

#endif
