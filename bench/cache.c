// Folder in which settled states are cached.
#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROOM = 4096 };

// The build folder, if the program is in one.
static bool build_folder(char folder[ROOM])
{
    char    path[ROOM + 32];
    ssize_t length = readlink("/proc/self/exe", folder, ROOM - 1);
    if (length <= 0) return false;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (!slash) return false;
    *slash = '\0';
    snprintf(path, sizeof path, "%s/CMakeCache.txt", folder);
    return access(path, F_OK) == 0;
}

// Like mkdir -p.
static bool make_folder(char *path)
{
    for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        bool good = mkdir(path, 0777) == 0 || errno == EEXIST;
        *slash = '/';
        if (!good) return false;
    }
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

erg_status bench_cache_folder(char folder[ROOM], erg_error *err)
{
    char        build[ROOM];
    const char *named = getenv("ERG_BENCH_CACHE"), *cache = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    int length;
    if (named && *named)
        length = snprintf(folder, ROOM, "%s", named);
    else if (build_folder(build))
        length = snprintf(folder, ROOM, "%s/bench-cache", build);
    else if (cache && *cache)
        length = snprintf(folder, ROOM, "%s/erg-bench", cache);
    else
        length = snprintf(folder, ROOM, "%s/.cache/erg-bench", home ? home : ".");
    // Leave space for file names.
    if (length >= ROOM - 256)
        return bench_fail(err, ERG_BAD_INPUT, "the name of the benchmark cache folder is too long");
    if (!make_folder(folder))
        return bench_fail(err, ERG_IO,
                          "cannot create the folder '%s': %s; set ERG_BENCH_CACHE to use another",
                          folder, strerror(errno));
    return ERG_OK;
}
