#include "options.h"

#include "commands.h"
#include "problem.h"
#include "suggest.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cli_error_usage(const char *format, ...)
{
    char    text[8192];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    cli_problem(text, NULL);
    return CLI_BAD_USAGE;
}

int cli_flush(int exit_code)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return exit_code;
    cli_error_usage("cannot write to standard output: %s", strerror(errno));
    return exit_code == CLI_DONE ? CLI_FAILED : exit_code;
}

// ---- Help --------------------------------------------------------------------------------------
// An option and its help; further lines of the help are indented like the first.
static void print_option(const char *left, const char *help)
{
    printf("  %-26s ", left);
    for (const char *c = help; *c; c++) *c == '\n' ? printf("\n%29s", "") : putchar(*c);
    putchar('\n');
}

int cli_help(const cli_command *c)
{
    if (c->absent) printf("erg %s is not in this build. Its usage:\n\n", c->name);
    printf("usage: erg %s%s%s [OPTIONS]\n\n%s\n\noptions:\n", c->name, *c->words ? " " : "",
           c->words, c->text);
    for (const cli_option *o = c->options; o->name; o++) {
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", o->name, o->value ? " " : "",
                 o->value ? o->value : "");
        print_option(left, o->help);
    }
    print_option("--help", "show this help");
    return CLI_DONE;
}

static int unknown_option(const cli_command *c, const char *name, size_t length)
{
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), name);
    cli_guess guess = {.word = word};
    for (const cli_option *o = c->options; o->name; o++) cli_guess_offer(&guess, o->name);
    cli_guess_offer(&guess, "help");
    if (guess.best)
        return cli_error_usage("unknown option --%s for 'erg %s'; did you mean --%s?", word,
                               c->name, guess.best);
    return cli_error_usage("unknown option --%s for 'erg %s'; erg %s --help lists the options",
                           word, c->name, c->name);
}

// ---- Parsing -----------------------------------------------------------------------------------
static const cli_option *find(const cli_command *c, const char *name, size_t length)
{
    for (const cli_option *o = c->options; o->name; o++)
        if (strlen(o->name) == length && strncmp(o->name, name, length) == 0) return o;
    return NULL;
}

// Parses the option at argv[i] and the value after it. Returns the number of arguments used; 0:
// error.
static int take_option(cli_args *args, int argc, char **argv, int i)
{
    const cli_command *c = args->command;
    const char        *name = argv[i] + 2, *equals = strchr(name, '=');
    size_t             length = equals ? (size_t)(equals - name) : strlen(name);
    const cli_option  *option = find(c, name, length);
    if (!option) return unknown_option(c, name, length), 0;
    if (!option->many && cli_has(args, option->name))
        return cli_error_usage("--%s is given twice", option->name), 0;

    cli_given *given = &args->given[args->given_count++];
    *given = (cli_given){option, NULL};
    if (!option->value) {
        if (equals) return cli_error_usage("--%s takes no value", option->name), 0;
        return 1;
    }
    if (equals) {
        given->value = equals + 1;
        return 1;
    }
    // A value that looks like an option is an error: `--out --force` lacks the folder.
    if (i + 1 >= argc || strncmp(argv[i + 1], "--", 2) == 0)
        return cli_error_usage("--%s needs a value: --%s %s", option->name, option->name,
                               option->value),
               0;
    given->value = argv[i + 1];
    return 2;
}

static bool take_all(cli_args *args, int argc, char **argv, int *exit_code)
{
    const cli_command *c = args->command;
    bool               over = false; // after `--`
    *exit_code = CLI_BAD_USAGE;
    for (int i = 2; i < argc;) {
        const char *arg = argv[i];
        if (over || arg[0] != '-' || !arg[1]) {
            args->words[args->word_count++] = arg;
            i++;
        } else if (strcmp(arg, "--") == 0) {
            over = true;
            i++;
        } else if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0) {
            *exit_code = cli_help(c);
            return false;
        } else if (arg[1] != '-') {
            cli_error_usage("unknown option %s for 'erg %s'; options begin with two dashes", arg,
                            c->name);
            return false;
        } else {
            int used = take_option(args, argc, argv, i);
            if (used == 0) return false;
            i += used;
        }
    }
    if (args->word_count > c->most) {
        cli_error_usage("'erg %s' does not take the argument '%s'; see erg %s --help", c->name,
                        args->words[c->most], c->name);
        return false;
    }
    if (args->word_count < c->least) {
        cli_error_usage("'erg %s' needs %s; see erg %s --help", c->name, c->words, c->name);
        return false;
    }
    return true;
}

bool cli_parse(const cli_command *command, int argc, char **argv, cli_args *args, int *exit_code)
{
    size_t room = (size_t)argc + 1;
    *args = (cli_args){.command = command};
    args->words = calloc(room, sizeof *args->words);
    args->given = calloc(room, sizeof *args->given);
    *exit_code = CLI_FAILED;
    bool good = args->words && args->given;
    if (!good) cli_error_usage("out of memory");
    if (good) good = take_all(args, argc, argv, exit_code);
    if (!good) cli_args_free(args);
    return good;
}

void cli_args_free(cli_args *args)
{
    free(args->words);
    free(args->given);
    *args = (cli_args){0};
}

// ---- Access ------------------------------------------------------------------------------------
static const cli_given *last(const cli_args *args, const char *name)
{
    for (int i = args->given_count - 1; i >= 0; i--)
        if (strcmp(args->given[i].option->name, name) == 0) return &args->given[i];
    return NULL;
}

bool cli_has(const cli_args *args, const char *name)
{
    return last(args, name) != NULL;
}

const char *cli_value(const cli_args *args, const char *name)
{
    const cli_given *given = last(args, name);
    return given ? given->value : NULL;
}

// A plain decimal number only: no spaces, hexadecimal, nan or unit.
static bool is_decimal(const char *text)
{
    return *text && strspn(text, "0123456789+-.eE") == strlen(text);
}

bool cli_number(const cli_args *args, const char *name, double least, double *number)
{
    const char *text = cli_value(args, name);
    if (!text) return true;
    char  *end = NULL;
    double value = is_decimal(text) ? strtod(text, &end) : 0.0;
    if (!end || *end || end == text || !isfinite(value)) {
        cli_error_usage("--%s must be a number, got '%s'", name, text);
        return false;
    }
    if (value < least) {
        cli_error_usage("--%s must be at least %g, got %s", name, least, text);
        return false;
    }
    *number = value;
    return true;
}

bool cli_number_within(const cli_args *args, const char *name, double least, double most,
                       double *number)
{
    double value = least;
    if (!cli_number(args, name, -HUGE_VAL, &value)) return false;
    if (!(value >= least && value <= most)) {
        cli_error_usage("--%s must be from %g to %g, got %s", name, least, most,
                        cli_value(args, name));
        return false;
    }
    if (cli_value(args, name)) *number = value;
    return true;
}

bool cli_count(const cli_args *args, const char *name, long least, long most, long *number)
{
    const char *text = cli_value(args, name);
    if (!text) return true;
    char *end = NULL;
    errno = 0;
    long value = is_decimal(text) ? strtol(text, &end, 10) : 0;
    if (!end || *end || end == text || errno || value < least || value > most) {
        cli_error_usage("--%s must be a whole number from %ld to %ld, got '%s'", name, least, most,
                        text);
        return false;
    }
    *number = value;
    return true;
}

bool cli_choice(const cli_args *args, const char *name, const char *const *choices)
{
    const char *text = cli_value(args, name);
    if (!text) return true;
    cli_guess guess = {.word = text};
    for (const char *const *c = choices; *c; c++) {
        if (strcmp(*c, text) == 0) return true;
        cli_guess_offer(&guess, *c);
    }
    char   list[256] = "";
    size_t used = 0;
    for (const char *const *c = choices; *c && used < sizeof list; c++)
        used += (size_t)snprintf(list + used, sizeof list - used, " %s", *c);
    cli_error_usage("--%s must be one of%s, got '%s'%s%s%s", name, list, text,
                    guess.best ? "; did you mean " : "", guess.best ? guess.best : "",
                    guess.best ? "?" : "");
    return false;
}
