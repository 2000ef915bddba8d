#include "waiting.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const double SPIN = 30e-6; // [s]

enum { ROUNDS = 5, LOOKS = 500, FEWEST = 200, MOST = 20000 };

static double seconds(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// libgomp counts iterations of its spin loop, each with a pause instruction that takes 5 to 50 ns
// depending on the processor. The fastest round is taken, as it was not interrupted.
static int looks_within(double time)
{
    double fastest = 1;
    for (int round = 0; round < ROUNDS; round++) {
        double start = seconds();
        for (volatile int i = 0; i < LOOKS; i++) {
#if defined(__x86_64__) || defined(__i386__)
            __builtin_ia32_pause();
#endif
        }
        double taken = seconds() - start;
        if (taken < fastest) fastest = taken;
    }
    double looks = time / (fastest / LOOKS + 1e-12);
    return looks < FEWEST ? FEWEST : looks > MOST ? MOST : (int)looks;
}

void cli_settle_waiting(char **argv)
{
    char looks[16];
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT") || getenv("KMP_BLOCKTIME")) return;
    snprintf(looks, sizeof looks, "%d", looks_within(SPIN));
    if (setenv("GOMP_SPINCOUNT", looks, 0) != 0 || setenv("KMP_BLOCKTIME", "0", 0) != 0) return;
    execv("/proc/self/exe", argv); // when this fails, erg goes on as it is
}
