// Ctrl-C, SIGTERM and SIGHUP. As long as nothing has been written, a signal ends the program at
// once, even while it is loading, placing grains or sampling a mesh. Once there is something to
// save, the first signal only requests a stop; a second one ends the program, unless it comes
// within a second of the first.
#ifndef ERG_CLI_SIGNALS_H
#define ERG_CLI_SIGNALS_H

#include <stdbool.h>

void cli_signals_end(void);         // from now on a signal ends the program, exit code 130
void cli_signals_catch(bool quiet); // from now on a signal requests a stop; quiet: without a
                                    // message on stderr
bool cli_signals_asked(void);

#endif
