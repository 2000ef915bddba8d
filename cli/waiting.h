// How long idle threads spin before they sleep: 30 microseconds, which bridges the gaps within a
// step. OpenMP runtimes spin for far longer by default. On a busy machine a spinning thread takes
// the processor from the thread it waits for, and a run takes several times as long. The runtimes
// read this setting from the environment before main begins, so the program sets it and executes
// itself again; a setting made by the user is kept.
#ifndef ERG_CLI_WAITING_H
#define ERG_CLI_WAITING_H

void cli_settle_waiting(char **argv);

#endif
