// The commands of the erg program. Each gets the whole argument vector (argv[0] is the program,
// argv[1] the command) and returns the exit code.
#ifndef ERG_CLI_COMMANDS_H
#define ERG_CLI_COMMANDS_H

// Exit codes that scripts rely on.
enum {
    CLI_DONE = 0,
    CLI_FAILED = 1,
    CLI_BAD_USAGE = 2, // or bad input
    CLI_STOPPED = 130  // by SIGINT or SIGTERM
};

typedef struct cli_entry {
    const char *name;
    const char *summary; // one line, for `erg --help`
    int (*run)(int argc, char **argv);
} cli_entry;

int erg_cli_run(int argc, char **argv);
int erg_cli_view(int argc, char **argv);
int erg_cli_render(int argc, char **argv);
int erg_cli_check(int argc, char **argv);
int erg_cli_sample(int argc, char **argv);
int erg_cli_validate(int argc, char **argv);
int erg_cli_bench(int argc, char **argv);
int erg_cli_scenes(int argc, char **argv);

#endif
