// What went wrong: a sentence on stderr, and with --json an object on stdout as well.
#ifndef ERG_CLI_PROBLEM_H
#define ERG_CLI_PROBLEM_H

#include <stdbool.h>

// Remembers whether --json stands among the arguments, also those that turn out to be wrong.
void cli_problem_listen(int argc, char **argv);

// The scene that is being worked on, by path or name, for the object.
void cli_problem_scene(const char *path);

// "erg: " and the text on stderr; without "erg: " when the text says itself where it belongs: it
// begins with `file` (may be NULL) and a colon, with file:line:column, or with "--set PATH:".
void cli_problem(const char *text, const char *file);

// The command has printed its object.
void cli_problem_answered(void);

bool cli_problem_wants_json(void); // --json was given

// {"scene":...,"error":...} on stdout when --json was given and no object has been printed.
void cli_problem_answer(void);

#endif
