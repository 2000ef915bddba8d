// Runs another program in a folder and collects its output in a file there.
#ifndef ERG_BENCH_COMMAND_H
#define ERG_BENCH_COMMAND_H

enum { COMMAND_MISSING = 127 };

// Returns the exit code; COMMAND_MISSING if there is no such program, -1 if it was killed or could
// not be started. argv ends with NULL.
int command_run(const char *folder, const char *output, const char *const *argv);

#endif
