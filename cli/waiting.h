// How long idle threads spin before they sleep: 30 microseconds, which bridges the gaps within a
// step. OpenMP runtimes spin for far longer by default. On a machine with other work to do a thread
// that spins takes the processor from the one it waits for, and a run takes several times as long.
// The runtimes read this from the environment before main begins, so the program starts itself once
// more with it; a setting of the user's own stays.
#ifndef ERG_CLI_WAITING_H
#define ERG_CLI_WAITING_H

void cli_settle_waiting(char **argv);

#endif
