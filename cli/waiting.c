#include "waiting.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const double SPIN = 30e-6; // [s]

enum { ROUNDS = 5, SPINS = 500, MIN_SPINS = 200, MAX_SPINS = 20000 };

static double seconds(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// libgomp counts iterations of its spin loop, each with a pause instruction that takes 5 to 50 ns
// depending on the CPU. The fastest round counts, since it was not interrupted.
static int spins_within(double time)
{
    double fastest = 1;
    for (int round = 0; round < ROUNDS; round++) {
        double start = seconds();
        for (volatile int i = 0; i < SPINS; i++) {
#if defined(__x86_64__) || defined(__i386__)
            __builtin_ia32_pause();
#endif
        }
        double taken = seconds() - start;
        if (taken < fastest) fastest = taken;
    }
    double spins = time / (fastest / SPINS + 1e-12);
    return spins < MIN_SPINS ? MIN_SPINS : spins > MAX_SPINS ? MAX_SPINS : (int)spins;
}

void cli_set_spin_time(char **argv)
{
    char spins[16];
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT") || getenv("KMP_BLOCKTIME")) return;
    snprintf(spins, sizeof spins, "%d", spins_within(SPIN));
    if (setenv("GOMP_SPINCOUNT", spins, 0) != 0 || setenv("KMP_BLOCKTIME", "0", 0) != 0) return;
    execv("/proc/self/exe", argv); // if this fails, erg continues with the default
}
