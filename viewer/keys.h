// Key bindings: one table for the window, its help page, the manual and scripts.
#ifndef ERG_VIEW_KEYS_H
#define ERG_VIEW_KEYS_H

#include "erg/base.h"

typedef enum view_action {
    VIEW_DO_NOTHING,
    VIEW_DO_PAUSE,
    VIEW_DO_STEP,
    VIEW_DO_STEP_BACK,
    VIEW_DO_SLOWER,
    VIEW_DO_FASTER,
    VIEW_DO_NORMAL_SPEED,
    VIEW_DO_RESTART,
    VIEW_DO_NEXT_SCENE,
    VIEW_DO_PREVIOUS_SCENE,
    VIEW_DO_RESET_EYE,
    VIEW_DO_COLOUR,
    VIEW_DO_CHAINS,
    VIEW_DO_CUT,
    VIEW_DO_CUT_DEEPER,
    VIEW_DO_CUT_LESS,
    VIEW_DO_TOOL_BALL,
    VIEW_DO_TOOL_BLOW,
    VIEW_DO_TOOL_PULL,
    VIEW_DO_DROP_BALL,
    VIEW_DO_DRIVE,
    VIEW_DO_HELP,
    VIEW_DO_PANEL,
    VIEW_DO_HUD,
    VIEW_DO_SCREENSHOT,
    VIEW_DO_RECORD,
    VIEW_DO_SAVE,
    VIEW_DO_CLOSE
} view_action;

// A row of the help page. Rows without an action describe the mouse or held keys.
typedef struct view_key_row {
    const char *group; // not NULL: starts a new group
    const char *keys;  // as displayed: "Space", "Page Down, N"
    const char *text;
    view_action action;
    int         key[2]; // GLFW key codes; 0: none
    int         mods;
} view_key_row;

extern const view_key_row VIEW_KEYS[]; // ends with a row without `keys`

view_action view_keys_action(int key, int mods);

// The code of a key by its name in scripts ("space", "h", "shift+x", "f12"), with its modifiers; 0:
// unknown.
int view_keys_code(const char *name, int *mods);

#endif
