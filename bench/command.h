// Running another program in a folder, its words collected in a file there.
#ifndef ERG_BENCH_COMMAND_H
#define ERG_BENCH_COMMAND_H

enum { COMMAND_MISSING = 127 };

// Returns the exit code; COMMAND_MISSING when there is no such program, -1 when it was killed or
// could not be started. argv ends with NULL.
int command_run(const char *folder, const char *output, const char *const *argv);

#endif
