// Progress of a run on stderr: a bar on a terminal, otherwise a line every few seconds.
#ifndef ERG_CLI_PROGRESS_H
#define ERG_CLI_PROGRESS_H

#include "erg/erg.h"

typedef struct cli_progress {
    bool   quiet, terminal;
    double shown; // wall time of the last line [s]
    bool   open;  // the bar's line is not terminated yet
} cli_progress;

cli_progress cli_progress_begin(bool quiet);
void         cli_progress_show(cli_progress *progress, const erg_run_progress *p);
// For other long tasks: elapsed wall time [s], completed fraction, remaining time [s] (both NAN
// while unknown), and a description.
void cli_progress_tell(cli_progress *progress, double wall, double share, double eta,
                       const char *text);
void cli_progress_end(cli_progress *progress); // ends the bar's line

// Prints a log message of the library on its own line; only warnings when quiet.
void cli_progress_log(cli_progress *progress, erg_log_level level, const char *text);

// "7 s", "3 min 20 s", "2 h 5 min", "3 d 4 h"
const char *cli_duration(double seconds, char text[32]);

#endif
