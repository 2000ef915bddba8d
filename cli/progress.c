#include "progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double LINE_EVERY = 5.0; // [s]
enum { BAR = 24 };

cli_progress cli_progress_begin(bool quiet)
{
    return (cli_progress){.quiet = quiet, .terminal = isatty(STDERR_FILENO) == 1};
}

const char *cli_duration(double seconds, char text[32])
{
    if (!(seconds < 1e9)) return memcpy(text, "?", 2);
    long s = lround(seconds);
    if (seconds < 9.95)
        snprintf(text, 32, "%.1f s", seconds);
    else if (s < 60)
        snprintf(text, 32, "%ld s", s);
    else if (s < 3600)
        snprintf(text, 32, "%ld min %ld s", s / 60, s % 60);
    else if (s < 86400)
        snprintf(text, 32, "%ld h %ld min", s / 3600, s % 3600 / 60);
    else
        snprintf(text, 32, "%ld d %ld h", s / 86400, s % 86400 / 3600);
    return text;
}

void cli_progress_show(cli_progress *progress, const erg_run_progress *p)
{
    if (progress->quiet) return;
    if (!progress->terminal && p->wall - progress->shown < LINE_EVERY) return;
    progress->shown = p->wall;

    double share = p->end > 0.0 ? fmin(p->time / p->end, 1.0) : 1.0;
    char   eta[32], rest[160];
    snprintf(rest, sizeof rest,
             "%3.0f %%  t %.4g of %.4g s  %" PRIu64 " grains  %" PRIu64 " contacts",
             floor(100.0 * share), p->time, p->end, p->grains, p->contacts);
    if (progress->terminal) {
        char bar[BAR + 1] = "";
        memset(bar, '.', BAR);
        memset(bar, '#', (size_t)(share * BAR));
        fprintf(stderr, "\r[%s] %s", bar, rest);
    } else {
        fputs(rest, stderr);
    }
    if (!isnan(p->real_time_factor)) fprintf(stderr, "  %.3g x real time", p->real_time_factor);
    fprintf(stderr, "  ETA %s", cli_duration(p->eta, eta));
    fputs(progress->terminal ? "\033[K" : "\n", stderr);
    fflush(stderr);
    progress->open = progress->terminal;
}

void cli_progress_end(cli_progress *progress)
{
    if (progress->open) fputc('\n', stderr);
    progress->open = false;
}

void cli_progress_log(cli_progress *p, erg_log_level level, const char *text)
{
    if (p->quiet && level != ERG_LOG_WARNING) return;
    cli_progress_end(p);
    fprintf(stderr, "%s%s\n", level == ERG_LOG_WARNING ? "warning: " : "", text);
}
