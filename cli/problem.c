#include "problem.h"

#include "erg/erg.h"
#include "json.h"

#include <stdio.h>
#include <string.h>

static struct {
    bool json, answered;
    char scene[256];
    char text[sizeof((erg_error *)0)->text];
} memory;

void cli_problem_listen(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--json") == 0) memory.json = true;
}

bool cli_problem_wants_json(void)
{
    return memory.json;
}

void cli_problem_scene(const char *path)
{
    erg_run_scene_name(path, memory.scene, sizeof memory.scene);
}

// ":12:3: " in the first line
static bool has_line_and_column(const char *text)
{
    for (const char *c = text; *c && *c != '\n'; c++) {
        int line, column, length = 0;
        if (*c == ':' && sscanf(c, ":%d:%d:%n", &line, &column, &length) == 2 && length)
            return true;
    }
    return false;
}

static bool has_place(const char *text, const char *file)
{
    size_t length = file ? strlen(file) : 0;
    if (length && strncmp(text, file, length) == 0 && text[length] == ':') return true;
    if (strncmp(text, "--set ", 6) == 0 && text[6 + strcspn(text + 6, " :")] == ':') return true;
    return has_line_and_column(text);
}

void cli_problem(const char *text, const char *file)
{
    fprintf(stderr, "%s%s\n", has_place(text, file) ? "" : "erg: ", text);
    if (!*memory.text) snprintf(memory.text, sizeof memory.text, "%s", text);
}

void cli_problem_answered(void)
{
    memory.answered = true;
}

void cli_problem_answer(void)
{
    if (!memory.json || memory.answered) return;
    putchar('{');
    if (*memory.scene) {
        printf("\"scene\":");
        cli_json_string(stdout, memory.scene);
        putchar(',');
    }
    printf("\"error\":");
    cli_json_string(stdout, *memory.text ? memory.text : "bad usage");
    printf("}\n");
}
