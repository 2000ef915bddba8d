#include "problem.h"

#include "erg/erg.h"
#include "json.h"

#include <stdio.h>
#include <string.h>

static struct {
    bool json, answered;
    char scene[256];
    char text[sizeof((erg_error *)0)->text];
} state;

void cli_problem_listen(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--json") == 0) state.json = true;
}

bool cli_problem_wants_json(void)
{
    return state.json;
}

void cli_problem_scene(const char *path)
{
    erg_run_scene_name(path, state.scene, sizeof state.scene);
}

// Finds ":12:3:" in the first line.
static bool has_line_and_column(const char *text)
{
    for (const char *c = text; *c && *c != '\n'; c++) {
        int line, column, length = 0;
        if (*c == ':' && sscanf(c, ":%d:%d:%n", &line, &column, &length) == 2 && length)
            return true;
    }
    return false;
}

static bool has_location(const char *text, const char *file)
{
    size_t length = file ? strlen(file) : 0;
    if (length && strncmp(text, file, length) == 0 && text[length] == ':') return true;
    if (strncmp(text, "--set ", 6) == 0 && text[6 + strcspn(text + 6, " :")] == ':') return true;
    return has_line_and_column(text);
}

void cli_problem(const char *text, const char *file)
{
    fprintf(stderr, "%s%s\n", has_location(text, file) ? "" : "erg: ", text);
    if (!*state.text) snprintf(state.text, sizeof state.text, "%s", text);
}

void cli_problem_answered(void)
{
    state.answered = true;
}

void cli_problem_print_json(void)
{
    if (!state.json || state.answered) return;
    putchar('{');
    if (*state.scene) {
        printf("\"scene\":");
        cli_json_string(stdout, state.scene);
        putchar(',');
    }
    printf("\"error\":");
    cli_json_string(stdout, *state.text ? state.text : "bad usage");
    printf("}\n");
}
