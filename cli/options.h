// Strict argument parsing: options and words in any order, `--` ends the options. An unknown or
// repeated option, a missing value or an extra word is bad usage. Every command has --help.
//
//     static const cli_option  options[] = {{"threads", "N", "number of threads", false}, {0}};
//     static const cli_command command = {
//         "bench", "[NAME...|all]", "Measures speed.", options, 0, CLI_MANY};
//     if (!cli_parse(&command, argc, argv, &args, &exit_code)) return exit_code;
//     const char *threads = cli_value(&args, "threads"); // NULL: not given
//     ...
//     cli_args_free(&args);
#ifndef ERG_CLI_OPTIONS_H
#define ERG_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum { CLI_MANY = 1 << 20 };

typedef struct cli_option {
    const char *name;  // without the dashes; NULL ends the list
    const char *value; // placeholder of its value in the help; NULL: takes none
    const char *help;
    bool        many; // may be given more than once
} cli_option;

typedef struct cli_command {
    const char       *name;
    const char       *words; // positional arguments, for the usage line
    const char       *text;  // what the command does
    const cli_option *options;
    int               least, most; // number of words
    bool              absent;      // only the help is in this build
} cli_command;

typedef struct cli_given {
    const cli_option *option;
    const char       *value;
} cli_given;

typedef struct cli_args {
    const cli_command *command;
    const char       **words;
    int                word_count;
    cli_given         *given; // in command-line order
    int                given_count;
} cli_args;

// False when the command is finished: the help was printed, or the arguments were invalid and the
// error was printed.
bool cli_parse(const cli_command *command, int argc, char **argv, cli_args *args, int *exit_code);
void cli_args_free(cli_args *args);

// Prints the help of a command. Returns the exit code for success.
int cli_help(const cli_command *command);

bool        cli_has(const cli_args *args, const char *name);
const char *cli_value(const cli_args *args, const char *name); // NULL: not given

// The whole text must be one finite number in the given range; else an error is printed. An absent
// option leaves `number` unchanged.
bool cli_number(const cli_args *args, const char *name, double least, double *number);
bool cli_number_within(const cli_args *args, const char *name, double least, double most,
                       double *number);
bool cli_count(const cli_args *args, const char *name, long least, long most, long *number);

// The value must be one of the choices; NULL ends the list.
bool cli_choice(const cli_args *args, const char *name, const char *const *choices);

// Reports a message with cli_problem. Returns the exit code for bad usage.
int cli_error_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Returns the exit code, or that of failure when writing to standard output failed.
int cli_flush(int exit_code);

#endif
