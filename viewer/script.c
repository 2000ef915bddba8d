#include "script.h"

#include "base/error.h"
#include "keys.h"

#include <GLFW/glfw3.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 10, LINE = 1024 };
static const double DRAG = 0.3; // [s]

typedef struct reader {
    const char  *path;
    int          line;
    view_script *script;
    erg_error   *err;
    char        *word[WORDS];
    int          words;
    double       time; // of the line [s]
} reader;

static erg_status fail_line(const reader *r, const char *what, const char *got, const char *wanted)
{
    return ergi_fail(r->err, ERG_BAD_INPUT, "%s:%d: %s '%s'; expected %s", r->path, r->line, what,
                     got, wanted);
}

static erg_status fail_usage(const reader *r, const char *wanted)
{
    return ergi_fail(r->err, ERG_BAD_INPUT,
                     "%s:%d: '%s' has too few or too many arguments; expected `%s`", r->path,
                     r->line, r->word[1], wanted);
}

static erg_status add(reader *r, view_event event)
{
    view_script *s = r->script;
    if (s->count == s->room) {
        size_t      room = s->room ? 2 * s->room : 64;
        view_event *more = realloc(s->event, room * sizeof *more);
        if (!more) return ergi_fail_memory(r->err, room * sizeof *more, "the script");
        s->event = more;
        s->room = room;
    }
    event.order = s->count;
    s->event[s->count++] = event;
    return ERG_OK;
}

// ---- Words -------------------------------------------------------------------------------------
static bool number(const char *text, double *value)
{
    char *end;
    if (!*text || strspn(text, "0123456789+-.eE") != strlen(text)) return false;
    *value = strtod(text, &end);
    return !*end && isfinite(*value);
}

static erg_status numbers(const reader *r, int first, int count, double *values)
{
    for (int i = 0; i < count; i++)
        if (!number(r->word[first + i], &values[i]))
            return fail_line(r, "not a number:", r->word[first + i],
                             "a number, as in `1.5 scroll 3`");
    return ERG_OK;
}

static int button_of(const char *name)
{
    static const char *const names[] = {"left", "right", "middle"}; // in GLFW's order
    for (int i = 0; i < 3; i++)
        if (strcmp(name, names[i]) == 0) return i;
    return -1;
}

// "shift+right"
static erg_status read_button(const reader *r, const char *word, int *button, int *mods)
{
    const char *name = word;
    *mods = 0;
    if (strncmp(name, "shift+", 6) == 0) {
        *mods = GLFW_MOD_SHIFT;
        name += 6;
    } else if (strncmp(name, "ctrl+", 5) == 0) {
        *mods = GLFW_MOD_CONTROL;
        name += 5;
    }
    *button = button_of(name);
    return *button >= 0
               ? ERG_OK
               : fail_line(r, "unknown button", word,
                           "left, middle or right, optionally with shift+ or ctrl+ before it");
}

// ---- Commands ----------------------------------------------------------------------------------
static erg_status read_key(reader *r)
{
    static const char form[] = "TIME key [down|up] KEY";
    bool              down = r->words == 4 && strcmp(r->word[2], "down") == 0;
    bool              up = r->words == 4 && strcmp(r->word[2], "up") == 0;
    if (r->words != 3 && !down && !up) return fail_usage(r, form);
    view_event e = {.time = r->time, .kind = VIEW_EVENT_KEY, .down = true};
    e.code = view_keys_code(r->word[r->words - 1], &e.mods);
    if (!e.code)
        return fail_line(
            r, "unknown key", r->word[r->words - 1],
            "a letter, a digit, a sign, f1 to f12, or one of space, tab, enter, escape, "
            "backspace, left, right, up, down, home, end, pageup, pagedown");
    e.down = !up;
    erg_status status = add(r, e);
    if (status != ERG_OK || down || up) return status;
    e.time += VIEW_FRAME;
    e.down = false;
    return add(r, e);
}

static erg_status read_mouse(reader *r)
{
    static const char form[] = "TIME mouse [down|up] BUTTON X Y` or `TIME mouse move X Y";
    bool              move = r->words == 5 && strcmp(r->word[2], "move") == 0;
    bool              down = r->words == 6 && strcmp(r->word[2], "down") == 0;
    bool              up = r->words == 6 && strcmp(r->word[2], "up") == 0;
    if (r->words != 5 && !down && !up) return fail_usage(r, form);
    view_event e = {.time = r->time, .kind = VIEW_EVENT_MOVE};
    double     at[2];
    erg_status status = numbers(r, r->words - 2, 2, at);
    if (status != ERG_OK) return status;
    e.x = at[0];
    e.y = at[1];
    status = add(r, e);
    if (status != ERG_OK || move) return status;
    e.kind = VIEW_EVENT_BUTTON;
    status = read_button(r, r->word[r->words - 3], &e.code, &e.mods);
    e.down = !up;
    if (status == ERG_OK) status = add(r, e);
    if (status != ERG_OK || down || up) return status;
    e.time += VIEW_FRAME;
    e.down = false;
    return add(r, e);
}

static erg_status read_drag(reader *r)
{
    static const char form[] = "TIME drag [BUTTON] X Y X2 Y2 [SECONDS]";
    double            probe, v[5] = {0, 0, 0, 0, DRAG};
    bool              named = r->words > 2 && !number(r->word[2], &probe);
    int               first = named ? 3 : 2, count = r->words - first;
    view_event        e = {.time = r->time, .kind = VIEW_EVENT_MOVE};
    erg_status        status = ERG_OK;
    if (count != 4 && count != 5) return fail_usage(r, form);
    if (named) status = read_button(r, r->word[2], &e.code, &e.mods);
    if (status == ERG_OK) status = numbers(r, first, count, v);
    if (status == ERG_OK && !(v[4] > 0 && v[4] < 1e4))
        status = fail_line(r, "bad duration of a drag", r->word[r->words - 1],
                           "seconds above 0 and below 10000");
    if (status != ERG_OK) return status;
    int moves = (int)ceil(v[4] / VIEW_FRAME - 1e-9);
    for (int i = 0; i <= moves && status == ERG_OK; i++) {
        double share = (double)i / moves;
        e.time = r->time + i * VIEW_FRAME;
        e.x = v[0] + share * (v[2] - v[0]);
        e.y = v[1] + share * (v[3] - v[1]);
        e.kind = VIEW_EVENT_MOVE;
        status = add(r, e);
        if (status != ERG_OK || (i != 0 && i != moves)) continue;
        e.kind = VIEW_EVENT_BUTTON;
        e.down = i == 0;
        status = add(r, e);
    }
    return status;
}

static erg_status read_scroll(reader *r)
{
    if (r->words != 3) return fail_usage(r, "TIME scroll STEPS");
    view_event e = {.time = r->time, .kind = VIEW_EVENT_SCROLL};
    erg_status status = numbers(r, 2, 1, &e.y);
    return status == ERG_OK ? add(r, e) : status;
}

static erg_status read_resize(reader *r)
{
    double v[2];
    if (r->words != 4) return fail_usage(r, "TIME resize WIDTH HEIGHT");
    erg_status status = numbers(r, 2, 2, v);
    if (status != ERG_OK) return status;
    for (int i = 0; i < 2; i++)
        if (!(v[i] >= 64 && v[i] <= 8192 && v[i] == floor(v[i])))
            return fail_line(r, "bad window size", r->word[2 + i],
                             "whole numbers of pixels from 64 to 8192");
    return add(r, (view_event){.time = r->time,
                               .kind = VIEW_EVENT_RESIZE,
                               .width = (int)v[0],
                               .height = (int)v[1]});
}

static erg_status read_screenshot(reader *r)
{
    if (r->words != 3) return fail_usage(r, "TIME screenshot FILE.png");
    const char *name = r->word[2];
    size_t      length = strlen(name);
    view_event  e = {.time = r->time, .kind = VIEW_EVENT_SCREENSHOT};
    if (length < 5 || strcmp(name + length - 4, ".png") != 0 || length >= sizeof e.file)
        return fail_line(r, "not a picture:", name, "a name that ends in .png");
    snprintf(e.file, sizeof e.file, "%s", name);
    return add(r, e);
}

static erg_status read_quit(reader *r)
{
    if (r->words != 2) return fail_usage(r, "TIME quit");
    return add(r, (view_event){.time = r->time, .kind = VIEW_EVENT_QUIT});
}

static const struct {
    const char *name;
    erg_status (*read)(reader *r);
} COMMANDS[] = {{"key", read_key},       {"mouse", read_mouse},   {"drag", read_drag},
                {"scroll", read_scroll}, {"resize", read_resize}, {"screenshot", read_screenshot},
                {"quit", read_quit}};

// ---- Lines -------------------------------------------------------------------------------------
static erg_status read_line(reader *r, char *text)
{
    char *rest = NULL;
    r->words = 0;
    for (char *word = strtok_r(text, " \t\r\n", &rest); word && *word != '#';
         word = strtok_r(NULL, " \t\r\n", &rest)) {
        if (r->words == WORDS)
            return ergi_fail(r->err, ERG_BAD_INPUT,
                             "%s:%d: more than %d words; expected `TIME "
                             "COMMAND ARGUMENTS`",
                             r->path, r->line, WORDS);
        r->word[r->words++] = word;
    }
    if (r->words == 0) return ERG_OK;
    double before = r->time;
    if (!number(r->word[0], &r->time) || r->time < 0)
        return fail_line(r, "not a time:", r->word[0],
                         "seconds since the start, as in `1.5 key space`");
    if (r->time > 1e5) return fail_line(r, "too late:", r->word[0], "a time of at most 100000 s");
    if (r->time < before)
        return fail_line(r, "earlier than the line before:", r->word[0], "lines in order of time");
    if (r->words < 2)
        return ergi_fail(r->err, ERG_BAD_INPUT,
                         "%s:%d: no command after the time; expected key, mouse, drag, scroll, "
                         "resize, screenshot or quit",
                         r->path, r->line);
    for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++)
        if (strcmp(COMMANDS[i].name, r->word[1]) == 0) return COMMANDS[i].read(r);
    return fail_line(r, "unknown command", r->word[1],
                     "key, mouse, drag, scroll, resize, screenshot or quit");
}

static int by_time(const void *a, const void *b)
{
    const view_event *p = a, *q = b;
    if (p->time != q->time) return p->time < q->time ? -1 : 1;
    return p->order < q->order ? -1 : p->order > q->order;
}

erg_status view_script_read(const char *path, view_script *script, erg_error *err)
{
    *script = (view_script){0};
    FILE *file = fopen(path, "r");
    if (!file)
        return ergi_fail(err, ERG_BAD_INPUT, "cannot read the script '%s': %s", path,
                         strerror(errno));
    reader     r = {.path = path, .script = script, .err = err};
    erg_status status = ERG_OK;
    char       text[LINE];
    while (status == ERG_OK && fgets(text, sizeof text, file)) {
        r.line++;
        if (strlen(text) == sizeof text - 1)
            status = ergi_fail(err, ERG_BAD_INPUT,
                               "%s:%d: a line of more than %d bytes; is this a script?", path,
                               r.line, LINE - 2);
        else
            status = read_line(&r, text);
    }
    if (status == ERG_OK && ferror(file))
        status =
            ergi_fail(err, ERG_BAD_INPUT, "cannot read the script '%s': %s", path, strerror(errno));
    fclose(file);
    if (status != ERG_OK)
        view_script_free(script);
    else if (script->count)
        qsort(script->event, script->count, sizeof *script->event, by_time);
    return status;
}

void view_script_free(view_script *script)
{
    free(script->event);
    *script = (view_script){0};
}
