#include "signals.h"

#include "commands.h"
#include "problem.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 1000 }; // a key held down, or a shell that passes the signal on as well [ms]

static atomic_llong first; // when the first signal came [ms]; 0: none yet
static atomic_bool  ends, silent, terminal;

// Only what is safe in a signal handler.
static void say(const char *text)
{
    ssize_t done = 0;
    if (atomic_load(&terminal)) done += write(STDERR_FILENO, "\n", 1); // below the moving bar
    done += write(STDERR_FILENO, text, strlen(text));
    (void)done; // nobody left to tell
}

// With --json the answer is a JSON object.
static void end_now(void)
{
    static const char answer[] = "{\"error\":\"stopped; nothing was written\"}\n";
    say("erg: stopped; nothing was written\n");
    if (cli_problem_wants_json() && write(STDOUT_FILENO, answer, sizeof answer - 1) < 0)
        _exit(CLI_FAILED);
    _exit(CLI_STOPPED);
}

static void on_signal(int number)
{
    (void)number;
    if (atomic_load(&ends)) end_now();
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    long long now = (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000 + 1, before = 0;
    if (atomic_compare_exchange_strong(&first, &before, now)) {
        if (!atomic_load(&silent))
            say("stopping after this step; interrupt again to abort at once\n");
    } else if (now - before >= PATIENCE) {
        say("erg: aborted; nothing more was saved\n");
        _exit(CLI_STOPPED);
    }
}

static void catch_all(void)
{
    struct sigaction stop = {.sa_handler = on_signal, .sa_flags = SA_RESTART},
                     ignore = {.sa_handler = SIG_IGN};
    sigfillset(&stop.sa_mask);
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGINT, &stop, NULL);
    sigaction(SIGTERM, &stop, NULL);
    struct sigaction before;
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &stop, NULL);
    sigaction(SIGXFSZ, &ignore, NULL); // a file over the limit is an error of the write
    sigaction(SIGPIPE, &ignore, NULL); // a reader who left must not end a day of work
}

void cli_signals_end(void)
{
    atomic_store(&ends, true);
    catch_all();
}

void cli_signals_catch(bool quiet)
{
    atomic_store(&silent, quiet);
    atomic_store(&terminal, !quiet && isatty(STDERR_FILENO) == 1);
    catch_all();
    atomic_store(&ends, false);
}

bool cli_signals_asked(void)
{
    return atomic_load(&first) != 0;
}
