#include "signals.h"

#include "commands.h"
#include "problem.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// Repeats within this time are ignored: a held key, or a shell that forwards the signal [ms].
enum { REPEAT_MS = 1000 };

static atomic_llong first; // time of the first signal [ms]; 0: none yet
static atomic_bool  ends_at_once, silent, terminal;

// Async-signal-safe calls only.
static void print_message(const char *text)
{
    ssize_t done = 0;
    if (atomic_load(&terminal)) done += write(STDERR_FILENO, "\n", 1); // below the progress bar
    done += write(STDERR_FILENO, text, strlen(text));
    (void)done; // a failed write cannot be reported
}

// With --json also prints a JSON object.
static void end_now(void)
{
    static const char answer[] = "{\"error\":\"stopped; nothing was written\"}\n";
    print_message("erg: stopped; nothing was written\n");
    if (cli_problem_wants_json() && write(STDOUT_FILENO, answer, sizeof answer - 1) < 0)
        _exit(CLI_FAILED);
    _exit(CLI_STOPPED);
}

static void on_signal(int number)
{
    (void)number;
    if (atomic_load(&ends_at_once)) end_now();
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    long long now = (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000 + 1, before = 0;
    if (atomic_compare_exchange_strong(&first, &before, now)) {
        if (!atomic_load(&silent))
            print_message("stopping after this step; interrupt again to abort at once\n");
    } else if (now - before >= REPEAT_MS) {
        print_message("erg: aborted; nothing more was saved\n");
        _exit(CLI_STOPPED);
    }
}

static void install_handlers(void)
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
    sigaction(SIGXFSZ, &ignore, NULL); // a file over the size limit then fails in write
    sigaction(SIGPIPE, &ignore, NULL); // a closed pipe must not end a long run
}

void cli_signals_end(void)
{
    atomic_store(&ends_at_once, true);
    install_handlers();
}

void cli_signals_catch(bool quiet)
{
    atomic_store(&silent, quiet);
    atomic_store(&terminal, !quiet && isatty(STDERR_FILENO) == 1);
    install_handlers();
    atomic_store(&ends_at_once, false);
}

bool cli_signals_asked(void)
{
    return atomic_load(&first) != 0;
}
