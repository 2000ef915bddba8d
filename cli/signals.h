// Ctrl-C, SIGTERM and SIGHUP. As long as nothing has been written they end the program at once,
// whatever it is busy with: reading, placing grains, sampling a mesh. Once there is something to
// save they ask to stop and do not end it by themselves; a second one does, unless it comes within
// a second of the first.
#ifndef ERG_CLI_SIGNALS_H
#define ERG_CLI_SIGNALS_H

#include <stdbool.h>

void cli_signals_end(void);         // from here on a signal ends the program, exit 130
void cli_signals_catch(bool quiet); // from here on it asks; quiet: it is not answered on stderr
bool cli_signals_asked(void);

#endif
