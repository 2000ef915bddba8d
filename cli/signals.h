// Ctrl-C and SIGTERM ask a run to stop; they do not end it by themselves. A second one does, unless
// it comes within a second of the first.
#ifndef ERG_CLI_SIGNALS_H
#define ERG_CLI_SIGNALS_H

#include <stdbool.h>

void cli_signals_catch(bool quiet); // quiet: the first signal is not answered on stderr
bool cli_signals_asked(void);

#endif
