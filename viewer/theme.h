// Colours of the overlays.
#ifndef ERG_VIEW_THEME_H
#define ERG_VIEW_THEME_H

#include "overlay_canvas.h"

static const view_colour VIEW_SHEET = {24, 26, 30, 205};
static const view_colour VIEW_PAGE = {24, 26, 30, 236};
static const view_colour VIEW_LIGHT = {243, 241, 236, 255};
static const view_colour VIEW_DIM = {172, 173, 176, 255};
static const view_colour VIEW_DARK = {26, 24, 22, 255};
static const view_colour VIEW_ACCENT = {242, 178, 82, 255};
static const view_colour VIEW_ALARM = {226, 74, 58, 255};
static const view_colour VIEW_GROOVE = {92, 95, 102, 255};

#endif
