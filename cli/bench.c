// erg bench: how fast, on this machine.
#include "commands.h"
#include "options.h"

static const cli_option OPTIONS[] = {
    {"n", "N", "about how many particles", false},
    {"threads", "N", "threads to run on (default: all processors)", false},
    {"json", NULL, "print one JSON object on the last line", false},
    {0},
};

static const cli_command COMMAND = {
    "bench", "[NAME...|all]", "Measures speed.", OPTIONS, 0, CLI_MANY,
};

int erg_cli_bench(int argc, char **argv)
{
    cli_args args;
    int      exit_code;
    if (!cli_parse(&COMMAND, argc, argv, &args, &exit_code)) return exit_code;
    cli_args_free(&args);
    return cli_complain("'erg bench' is not in this build");
}
