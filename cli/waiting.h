// Sets how long idle threads spin before they sleep: 30 microseconds, enough to bridge the gaps
// within a step. OpenMP runtimes spin far longer by default, and on a busy machine a spinning
// thread takes the CPU from the thread it waits for, so that a run takes several times as long. The
// runtimes read this setting from the environment before main starts, so the program sets it and
// executes itself again; a setting made by the user is kept.
#ifndef ERG_CLI_WAITING_H
#define ERG_CLI_WAITING_H

void cli_set_spin_time(char **argv);

#endif
