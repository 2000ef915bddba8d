#include "signals.h"

#include "commands.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t asked;

static void on_signal(int number)
{
    if (asked && number == SIGINT) _exit(CLI_STOPPED);
    asked = 1;
}

void cli_signals_catch(void)
{
    struct sigaction stop = {.sa_handler = on_signal, .sa_flags = SA_RESTART},
                     ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&stop.sa_mask);
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGINT, &stop, NULL);
    sigaction(SIGTERM, &stop, NULL);
    struct sigaction before;
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &stop, NULL);
    sigaction(SIGXFSZ, &ignore, NULL); // a file over the limit is an error of the write
    sigaction(SIGPIPE, &ignore, NULL); // a reader who left must not end a day of work
}

bool cli_signals_asked(void)
{
    return asked != 0;
}
