// Ctrl-C and SIGTERM ask a run to stop; they do not end it by themselves. A second Ctrl-C does.
#ifndef ERG_CLI_SIGNALS_H
#define ERG_CLI_SIGNALS_H

#include <stdbool.h>

void cli_signals_catch(void);
bool cli_signals_asked(void);

#endif
