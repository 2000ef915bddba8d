#include "run/path.h"

#include "base/error.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static erg_status too_long(const char *path, erg_error *err)
{
    return ergi_fail(err, ERG_BAD_INPUT, "the file name '%.60s...' is longer than %d bytes", path,
                     ERGI_PATH - 1);
}

erg_status ergi_path_join(ergi_path *path, const char *folder, const char *name, erg_error *err)
{
    size_t length = strlen(folder);
    bool   slash = length && folder[length - 1] != '/';
    int    n = snprintf(path->text, sizeof path->text, "%s%s%s", folder, slash ? "/" : "", name);
    return n >= 0 && (size_t)n < sizeof path->text ? ERG_OK : too_long(folder, err);
}

erg_status ergi_path_folder(ergi_path *folder, const char *path, erg_error *err)
{
    const char *slash = strrchr(path, '/');
    size_t      length = !slash ? 0 : slash == path ? 1 : (size_t)(slash - path);
    if (length >= sizeof folder->text) return too_long(path, err);
    memcpy(folder->text, path, length);
    memcpy(folder->text + length, length ? "" : ".", length ? 1 : 2);
    return ERG_OK;
}

bool ergi_path_same(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool ergi_path_exists(const char *path)
{
    struct stat x;
    return stat(path, &x) == 0;
}
