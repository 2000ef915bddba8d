#include "bench.h"

#include "erg_config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// The name of the processor as reported by Linux.
static void processor(char name[256])
{
    snprintf(name, 256, "unknown processor");
    FILE *file = fopen("/proc/cpuinfo", "r");
    char  line[512];
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        snprintf(name, 256, "%.*s", (int)strcspn(colon + 1, "\n") - 1, colon + 2);
        break;
    }
    if (file) fclose(file);
}

static const char *widest_vectors(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx512f")) return "AVX-512";
    if (__builtin_cpu_supports("avx2")) return "AVX2";
    return "SSE2";
#else
    return "unknown vectors";
#endif
}

void bench_machine(char text[512])
{
    char name[256];
    processor(name);
    snprintf(text, 512, "%s, %ld processors, %s; erg %s by %s, %s", name,
             sysconf(_SC_NPROCESSORS_ONLN), widest_vectors(), ERG_CONFIG_VERSION,
             ERG_CONFIG_COMPILER, ERG_CONFIG_BUILD_TYPE);
}
