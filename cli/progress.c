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

void cli_progress_tell(cli_progress *progress, double wall, double share, double eta,
                       const char *text)
{
    if (progress->quiet) return;
    if (!progress->terminal && wall - progress->shown < LINE_EVERY) return;
    progress->shown = wall;
    bool known = !isnan(share);
    if (progress->terminal) {
        char bar[BAR + 1] = "";
        memset(bar, '.', BAR);
        if (known) memset(bar, '#', (size_t)(fmin(share, 1.0) * BAR));
        fprintf(stderr, "\r[%s] ", bar);
    }
    char left[32];
    if (known) fprintf(stderr, "%3.0f %%  ", floor(100.0 * fmin(share, 1.0)));
    fputs(text, stderr);
    if (known) fprintf(stderr, "  ETA %s", cli_duration(eta, left));
    fputs(progress->terminal ? "\033[K" : "\n", stderr);
    fflush(stderr);
    progress->open = progress->terminal;
}

void cli_progress_show(cli_progress *progress, const erg_run_progress *p)
{
    char text[160], pace[48] = "";
    if (!isnan(p->real_time_factor))
        snprintf(pace, sizeof pace, "  %.3g x real time", p->real_time_factor);
    snprintf(text, sizeof text, "t %.4g of %.4g s  %" PRIu64 " grains  %" PRIu64 " contacts%s",
             p->time, p->end, p->grains, p->contacts, pace);
    cli_progress_tell(progress, p->wall, p->end > 0.0 ? p->time / p->end : 1.0, p->eta, text);
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
    fprintf(stderr, "%s%s\n", level == ERG_LOG_WARNING ? "warning: " : "note: ", text);
}
