// How long idle threads spin before they sleep. OpenMP runtimes spin for long by default, which on
// a machine with other work to do costs several times the run itself; some microseconds are enough
// to bridge the gaps within a step. The runtimes read this from the environment before main begins,
// so the program starts itself once more with it; a setting of the user's own stays.
#ifndef ERG_CLI_WAITING_H
#define ERG_CLI_WAITING_H

void cli_settle_waiting(char **argv);

#endif
