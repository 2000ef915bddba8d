// How a run is going, on stderr: a bar that moves on a terminal, a line now and then elsewhere.
#ifndef ERG_CLI_PROGRESS_H
#define ERG_CLI_PROGRESS_H

#include "erg/erg.h"

typedef struct cli_progress {
    bool   quiet, terminal;
    double shown; // wall time of the last line [s]
    bool   open;  // the bar's line has no end yet
} cli_progress;

cli_progress cli_progress_begin(bool quiet);
void         cli_progress_show(cli_progress *progress, const erg_run_progress *p);
// Anything else that takes its time: since when [s], how much of it is done and how long it still
// takes [s] (both NAN while that is not known), and what it is busy with.
void cli_progress_tell(cli_progress *progress, double wall, double share, double eta,
                       const char *text);
void cli_progress_end(cli_progress *progress); // so that the next text has its own line

// What the library says, on a line of its own; of a quiet one only warnings.
void cli_progress_log(cli_progress *progress, erg_log_level level, const char *text);

// "7 s", "3 min 20 s", "2 h 5 min", "3 d 4 h"
const char *cli_duration(double seconds, char text[32]);

#endif
