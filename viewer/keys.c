#include "keys.h"

#include <GLFW/glfw3.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

const view_key_row VIEW_KEYS[] = {
    {"Look", "Left drag, arrow keys", "rotate the view", .key = {0}},
    {NULL, "Middle drag, Shift + left drag", "pan the view", .key = {0}},
    {NULL, "Wheel, + and -", "zoom in, out", .key = {0}},
    {NULL, "W A S D, Q E", "move the camera; down, up", .key = {0}},
    {NULL, "Home, 0", "reset the camera", VIEW_DO_RESET_EYE, {GLFW_KEY_HOME, GLFW_KEY_0}, 0},
    {"Time", "Space", "pause, resume", VIEW_DO_PAUSE, {GLFW_KEY_SPACE, 0}, 0},
    {NULL, "Period .", "one step (result: one snapshot)", VIEW_DO_STEP, {GLFW_KEY_PERIOD, 0}, 0},
    {NULL, "Comma ,", "one snapshot back", VIEW_DO_STEP_BACK, {GLFW_KEY_COMMA, 0}, 0},
    {NULL, "[ and ]", "halve, double the speed", VIEW_DO_SLOWER, {GLFW_KEY_LEFT_BRACKET, 0}, 0},
    {NULL, "Backspace", "back to real time", VIEW_DO_NORMAL_SPEED, {GLFW_KEY_BACKSPACE, 0}, 0},
    {NULL, "R", "restart", VIEW_DO_RESTART, {GLFW_KEY_R, 0}, 0},
    {NULL, "N, Page Down", "next scene", VIEW_DO_NEXT_SCENE, {GLFW_KEY_N, GLFW_KEY_PAGE_DOWN}, 0},
    {NULL,
     "P, Page Up",
     "previous scene",
     VIEW_DO_PREVIOUS_SCENE,
     {GLFW_KEY_P, GLFW_KEY_PAGE_UP},
     0},
    {"Interact", "Right click, Ctrl + left click", "throw a ball, or use the tool chosen below",
     .key = {0}},
    {NULL,
     "Shift + right click, B",
     "drop a ball at the mouse",
     VIEW_DO_DROP_BALL,
     {GLFW_KEY_B, 0},
     0},
    {NULL, "1", "tool: throw balls", VIEW_DO_TOOL_BALL, {GLFW_KEY_1, 0}, 0},
    {NULL, "2", "tool: blow grains away while held", VIEW_DO_TOOL_BLOW, {GLFW_KEY_2, 0}, 0},
    {NULL, "3", "tool: pull grains while held", VIEW_DO_TOOL_PULL, {GLFW_KEY_3, 0}, 0},
    {NULL, "Right drag on a wall or body", "move it, if its motion is 'user'", .key = {0}},
    {NULL, "G", "drive it with arrows, Page Up, Page Down", VIEW_DO_DRIVE, {GLFW_KEY_G, 0}, 0},
    {"Show", "C", "colour by next quantity", VIEW_DO_COLOUR, {GLFW_KEY_C, 0}, 0},
    {NULL, "F", "force chains", VIEW_DO_CHAINS, {GLFW_KEY_F, 0}, 0},
    {NULL, "X", "cut open along y, x, z; off", VIEW_DO_CUT, {GLFW_KEY_X, 0}, 0},
    {NULL, "J and K", "move the cut deeper, back", VIEW_DO_CUT_DEEPER, {GLFW_KEY_J, 0}, 0},
    {NULL, "Tab", "sliders", VIEW_DO_PANEL, {GLFW_KEY_TAB, 0}, 0},
    {NULL, "U", "statistics on the left", VIEW_DO_HUD, {GLFW_KEY_U, 0}, 0},
    {NULL, "H, F1", "this help", VIEW_DO_HELP, {GLFW_KEY_H, GLFW_KEY_F1}, 0},
    {"Files", "F12", "screenshot", VIEW_DO_SCREENSHOT, {GLFW_KEY_F12, 0}, 0},
    {NULL, "V", "start, stop recording a film", VIEW_DO_RECORD, {GLFW_KEY_V, 0}, 0},
    {NULL,
     "Ctrl + S",
     "save the state to a result folder",
     VIEW_DO_SAVE,
     {GLFW_KEY_S, 0},
     GLFW_MOD_CONTROL},
    {NULL, "Esc, Ctrl + Q", "close", VIEW_DO_CLOSE, {GLFW_KEY_ESCAPE, 0}, 0},
    {0},
};

// Second keys of rows that name two actions, and aliases.
static const struct {
    int         key, mods;
    view_action action;
} MORE[] = {
    {GLFW_KEY_RIGHT_BRACKET, 0, VIEW_DO_FASTER},
    {GLFW_KEY_K, 0, VIEW_DO_CUT_LESS},
    {GLFW_KEY_Q, GLFW_MOD_CONTROL, VIEW_DO_CLOSE},
    {GLFW_KEY_PRINT_SCREEN, 0, VIEW_DO_SCREENSHOT},
};

enum { MODS = GLFW_MOD_CONTROL | GLFW_MOD_ALT };

view_action view_keys_action(int key, int mods)
{
    for (const view_key_row *row = VIEW_KEYS; row->keys; row++)
        for (int k = 0; k < 2; k++)
            if (row->key[k] && row->key[k] == key && row->mods == (mods & MODS)) return row->action;
    for (size_t i = 0; i < sizeof MORE / sizeof *MORE; i++)
        if (MORE[i].key == key && MORE[i].mods == (mods & MODS)) return MORE[i].action;
    return VIEW_DO_NOTHING;
}

// ---- Names -------------------------------------------------------------------------------------
static const struct {
    const char *name;
    int         key;
} NAMES[] = {
    {"space", GLFW_KEY_SPACE},
    {"escape", GLFW_KEY_ESCAPE},
    {"esc", GLFW_KEY_ESCAPE},
    {"enter", GLFW_KEY_ENTER},
    {"tab", GLFW_KEY_TAB},
    {"backspace", GLFW_KEY_BACKSPACE},
    {"left", GLFW_KEY_LEFT},
    {"right", GLFW_KEY_RIGHT},
    {"up", GLFW_KEY_UP},
    {"down", GLFW_KEY_DOWN},
    {"pageup", GLFW_KEY_PAGE_UP},
    {"pagedown", GLFW_KEY_PAGE_DOWN},
    {"home", GLFW_KEY_HOME},
    {"end", GLFW_KEY_END},
    {"plus", GLFW_KEY_EQUAL},
    {"minus", GLFW_KEY_MINUS},
    {"comma", GLFW_KEY_COMMA},
    {"period", GLFW_KEY_PERIOD},
    {"print", GLFW_KEY_PRINT_SCREEN},
};

static int key_by_name(const char *name)
{
    if (name[0] && !name[1]) { // GLFW codes of characters are ASCII, letters in upper case
        int c = toupper((unsigned char)name[0]);
        if (isalnum(c) || strchr(",.-=[]/;'", c)) return c;
        if (c == '+') return GLFW_KEY_EQUAL;
    }
    int number = 0, used = 0;
    if (tolower((unsigned char)name[0]) == 'f' && sscanf(name + 1, "%d%n", &number, &used) == 1 &&
        !name[1 + used] && number >= 1 && number <= 12)
        return GLFW_KEY_F1 + number - 1;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        const char *a = name, *b = NAMES[i].name;
        while (*a && tolower((unsigned char)*a) == *b) a++, b++;
        if (!*a && !*b) return NAMES[i].key;
    }
    return 0;
}

int view_keys_code(const char *name, int *mods)
{
    static const struct {
        const char *prefix;
        int         mod;
    } prefixes[] = {
        {"shift+", GLFW_MOD_SHIFT}, {"ctrl+", GLFW_MOD_CONTROL}, {"alt+", GLFW_MOD_ALT}};
    *mods = 0;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t length = strlen(prefixes[i].prefix);
        if (strncmp(name, prefixes[i].prefix, length) != 0) continue;
        *mods |= prefixes[i].mod;
        name += length;
        i = (size_t)-1; // restart: prefixes may come in any order
    }
    return key_by_name(name);
}
