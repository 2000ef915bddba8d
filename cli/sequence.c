#include "sequence.h"

#include "fail.h"
#include "options.h"
#include "scene_args.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_WIDTH = 9 }; // largest width of a number [digits]

static const char *file_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Length of the conversion `%d`, `%4d` or `%04d` at this position; 0: none.
static size_t conversion(const char *at, int *width, bool *zeros)
{
    size_t n = 1;
    *zeros = at[n] == '0';
    n += *zeros;
    *width = 0;
    if (at[n] >= '1' && at[n] <= '0' + MAX_WIDTH) *width = at[n++] - '0';
    return at[n] == 'd' ? n + 1 : 0;
}

static void folder_of(const char *path, char folder[CLI_PATH])
{
    snprintf(folder, CLI_PATH, "%.*s", (int)(file_of(path) - path), path);
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool cli_sequence_read(const char *path, bool *numbered)
{
    const char *file = file_of(path);
    char        folder[CLI_PATH];
    int         width, found = 0;
    bool        zeros;
    folder_of(path, folder);
    // An existing folder is taken literally, such as '50%done'.
    for (const char *at = strchr(folder, '%'); at && !is_folder(folder); at = strchr(at + 1, '%'))
        if (conversion(at, &width, &zeros)) {
            cli_error_usage(
                "--out '%s' has the frame number in the name of a folder that does not exist; "
                "put it into the file name, as in 'frames/%%04d.png'",
                path);
            return false;
        }
    for (const char *at = strchr(file, '%'); at; at = strchr(at, '%')) {
        size_t n = conversion(at, &width, &zeros);
        if (n == 0 && at[1] != '%') {
            cli_error_usage(
                "--out '%s': '%.4s' is not a frame number; write %%d, or %%04d for leading "
                "zeros (at most %%09d), and %%%% for a percent sign",
                path, at);
            return false;
        }
        found += n > 0;
        at += n ? n : 2;
    }
    if (found > 1) {
        cli_error_usage(
            "--out '%s' has %d frame numbers; give exactly one, as in 'frames/%%04d.png'", path,
            found);
        return false;
    }
    *numbered = found == 1;
    return true;
}

bool cli_sequence_name(const char *path, size_t number, char *name, size_t room)
{
    size_t head = (size_t)(file_of(path) - path), used = head;
    if (head >= room) return false;
    memcpy(name, path, head);
    for (const char *at = path + head; *at;) {
        int    width, wrote = 1;
        bool   zeros;
        size_t n = *at == '%' ? conversion(at, &width, &zeros) : 0;
        if (n) {
            wrote = snprintf(name + used, room - used, zeros ? "%0*zu" : "%*zu", width, number);
            at += n;
        } else {
            name[used] = *at;
            at += at[0] == '%' ? 2 : 1;
        }
        used += (size_t)wrote;
        if (used >= room) return false;
    }
    name[used] = '\0';
    return true;
}

erg_status cli_sequence_folder(const char *path, erg_error *err)
{
    char folder[CLI_PATH];
    folder_of(path, folder);
    for (char *at = folder; *at && (at = strchr(at + 1, '/'));) {
        *at = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST)
            return cli_fail(err, ERG_BAD_INPUT, "cannot create the folder '%s' for pictures: %s",
                            folder, strerror(errno));
        *at = '/';
    }
    if (*folder && !is_folder(folder))
        return cli_fail(err, ERG_BAD_INPUT, "cannot write pictures to '%s': it is not a folder",
                        folder);
    return ERG_OK;
}
