// The erg program: dispatches to the command.
#include "commands.h"
#include "erg_config.h"
#include "options.h"
#include "problem.h"
#include "suggest.h"
#include "waiting.h"

#include <stdio.h>
#include <string.h>

static const cli_entry ENTRIES[] = {
    {"run", "run a scene and write a result folder", erg_cli_run},
    {"check", "validate a scene and print its contents without running it", erg_cli_check},
    {"scenes", "list the scenes that ship with erg", erg_cli_scenes},
#if ERG_WITH_VIEW
    {"view", "watch and interact with a scene, or play back a result, in a window", erg_cli_view},
#else
    {"view",
     "watch and interact with a scene, or play back a result, in a window (not in this build)",
     erg_cli_view},
#endif
#if ERG_WITH_DRAW
    {"render", "make a picture or a film", erg_cli_render},
#else
    {"render", "make a picture or a film (not in this build)", erg_cli_render},
#endif
    {"sample", "cover a mesh with spheres, or fill it", erg_cli_sample},
    {"validate", "compare erg with experiments and analytical solutions (not in this build)",
     erg_cli_validate},
    {"bench", "measure speed", erg_cli_bench},
};
enum { ENTRY_COUNT = sizeof ENTRIES / sizeof *ENTRIES };

static void print_help(FILE *to)
{
    fprintf(to,
            "erg %s: an engine for granular matter\n\nusage: erg COMMAND [OPTIONS]\n\ncommands:\n",
            ERG_CONFIG_VERSION);
    for (int i = 0; i < ENTRY_COUNT; i++)
        fprintf(to, "  %-10s %s\n", ENTRIES[i].name, ENTRIES[i].summary);
    fprintf(to,
            "\n  erg COMMAND --help   show the options of a command\n"
            "  erg --version        show the version and the build options\n\n"
            "exit codes: 0 success, 1 the run failed, 2 bad usage or bad input, 130 stopped by a "
            "signal\n");
}

static void print_version(void)
{
    printf("erg %s", ERG_CONFIG_VERSION);
    if (*ERG_CONFIG_GIT) printf(" (%s)", ERG_CONFIG_GIT);
    printf("\n%s, %s, %s\n", ERG_CONFIG_COMPILER, ERG_CONFIG_BUILD_TYPE, ERG_CONFIG_PARTS);
}

static int unknown(const char *word)
{
    cli_guess guess = {.word = word};
    for (int i = 0; i < ENTRY_COUNT; i++) cli_guess_offer(&guess, ENTRIES[i].name);
    bool option = word[0] == '-';
    if (option) {
        cli_guess_offer(&guess, "--help");
        cli_guess_offer(&guess, "--version");
    }
    cli_error_usage("unknown %s '%s'%s%s%s", option ? "option" : "command", word,
                    guess.best ? "; did you mean '" : "", guess.best ? guess.best : "",
                    guess.best ? "'?" : "");
    fprintf(stderr, "erg --help lists the commands\n");
    return CLI_BAD_USAGE;
}

// With --json an object is printed even on failure.
static int finish(int exit_code)
{
    if (exit_code != CLI_DONE) cli_problem_print_json();
    return cli_flush(exit_code);
}

// Touches the stack that a step needs (some 50 KB) while memory is plentiful: a stack that cannot
// grow later ends the program with a signal.
static void reserve_stack(void)
{
    volatile char room[1 << 18];
    for (size_t k = 0; k < sizeof room; k += 4096) room[k] = 0;
}

int main(int argc, char **argv)
{
    reserve_stack();
    cli_set_spin_time(argv);
    cli_problem_listen(argc, argv);
    if (argc < 2) {
        print_help(stderr);
        return CLI_BAD_USAGE;
    }
    const char *word = argv[1];
    for (int i = 0; i < ENTRY_COUNT; i++)
        if (strcmp(word, ENTRIES[i].name) == 0) return finish(ENTRIES[i].run(argc, argv));
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        print_help(stdout);
        return cli_flush(CLI_DONE);
    }
    if (strcmp(word, "--version") == 0) {
        print_version();
        return cli_flush(CLI_DONE);
    }
    return finish(unknown(word));
}
