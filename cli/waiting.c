#include "waiting.h"

#include <stdlib.h>
#include <unistd.h>

void cli_settle_waiting(char **argv)
{
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT") || getenv("KMP_BLOCKTIME")) return;
    if (setenv("GOMP_SPINCOUNT", "20000", 0) != 0 || setenv("KMP_BLOCKTIME", "0", 0) != 0) return;
    execv("/proc/self/exe", argv); // when this fails, erg goes on as it is
}
