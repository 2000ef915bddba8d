// Error reports: a message on stderr, and with --json also an object on stdout.
#ifndef ERG_CLI_PROBLEM_H
#define ERG_CLI_PROBLEM_H

#include <stdbool.h>

// Notes whether --json is among the arguments, even if these turn out to be invalid.
void cli_problem_listen(int argc, char **argv);

// Sets the current scene, by path or name, for the object.
void cli_problem_scene(const char *path);

// Prints "erg: " and the text to stderr. Omits "erg: " when the text starts with its location:
// `file` (may be NULL) and a colon, file:line:column, or "--set PATH:".
void cli_problem(const char *text, const char *file);

// Call when the command has printed its own object.
void cli_problem_answered(void);

bool cli_problem_wants_json(void); // --json was given

// Prints {"scene":...,"error":...} to stdout when --json was given and no object was printed yet.
void cli_problem_print_json(void);

#endif
