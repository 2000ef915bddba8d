// Commands that are listed, with help, but are not in this build.
#include "commands.h"
#include "options.h"

#include <string.h>

static int fail_absent(const cli_command *command, int argc, char **argv)
{
    // Other arguments are not checked, but --help works.
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return cli_help(command);
    return cli_error_usage("'erg %s' is not in this build", command->name);
}

int erg_cli_validate(int argc, char **argv)
{
    static const cli_option options[] = {
        {"quick", NULL, "run only the cases that take seconds", false},
        {"out", "DIR", "folder for the report", false},
        {"json", NULL, "print one JSON object on the last line", false},
        {0},
    };
    static const cli_command command = {
        "validate",
        "[CASE...|all]",
        "Compares erg with experiments and analytical solutions; exits with 1 if a case fails.",
        options,
        0,
        CLI_MANY,
        true,
    };
    return fail_absent(&command, argc, argv);
}
