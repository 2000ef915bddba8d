// Finds the scenes that ship with erg by bare name, wherever the program is installed.
#define _GNU_SOURCE // dladdr

#include "base/error.h"
#include "erg/scene.h"
#include "erg_config.h"
#include "scene/diagnostics.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROOM = 4096 };

static bool is_file(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && !S_ISDIR(s.st_mode);
}

static bool is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static bool is_scene_name(const char *name)
{
    size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".yaml") == 0;
}

static bool cut_to_folder(char path[ROOM])
{
    char *slash = strrchr(path, '/');
    if (slash) *slash = '\0';
    return slash != NULL;
}

// The folder of the program; false if the system does not provide it.
static bool program_folder(char folder[ROOM])
{
    ssize_t length = readlink("/proc/self/exe", folder, ROOM - 1);
    if (length <= 0) return false;
    folder[length] = '\0';
    return cut_to_folder(folder);
}

// The folder of liberg.so, for programs that are installed elsewhere.
static bool library_folder(char folder[ROOM])
{
    static const char here = 0;
    Dl_info           info;
    if (!dladdr(&here, &info) || !info.dli_fname) return false;
    return snprintf(folder, ROOM, "%s", info.dli_fname) < ROOM && cut_to_folder(folder);
}

// The installed scenes, then those of the build tree, next to the program or one level above it. A
// library may be installed one folder deeper than a program.
static bool find_near(const char *origin, char folder[ROOM])
{
    static const char *const candidates[] = {ERG_CONFIG_SCENES, ("../" ERG_CONFIG_SCENES), "scenes",
                                             "../scenes"};
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++)
        if (snprintf(folder, ROOM, "%s/%s", origin, candidates[i]) < ROOM && is_folder(folder))
            return true;
    return false;
}

// $ERG_SCENES, then near the program, then near the library.
static bool find_folder(char folder[ROOM])
{
    const char *named = getenv("ERG_SCENES");
    char        origin[ROOM];
    if (named && is_folder(named) && snprintf(folder, ROOM, "%s", named) < ROOM) return true;
    if (program_folder(origin) && find_near(origin, folder)) return true;
    return library_folder(origin) && find_near(origin, folder);
}

static erg_status give(const char *found, char *path, size_t room, erg_error *err)
{
    size_t length = strlen(found);
    if (length >= room)
        return ergi_fail_code(err, ERG_ERROR_NO_FIT,
                              "no room for the %zu bytes of the scene's path", length);
    memcpy(path, found, length + 1);
    return ERG_OK;
}

static int is_scene_entry(const struct dirent *entry)
{
    return is_scene_name(entry->d_name);
}

static erg_status not_found(const char *name, const char *folder, erg_error *err)
{
    if (strchr(name, '/') || is_scene_name(name))
        return ergi_fail_code(err, ERG_ERROR_NO_FILE, "there is no scene file '%s'", name);
    if (!folder)
        return ergi_fail_code(
            err, ERG_ERROR_NO_FILE,
            "there is no scene file '%s', and the scenes that ship with erg were not "
            "found: set ERG_SCENES to their folder",
            name);

    struct dirent **entries = NULL;
    ergi_guess      guess = {.word = name};
    char            list[2048] = "", hint[ERGI_HINT];
    size_t          used = 0;
    int             count = scandir(folder, &entries, is_scene_entry, alphasort);
    for (int i = 0; i < count; i++) {
        char *bare = entries[i]->d_name;
        bare[strlen(bare) - strlen(".yaml")] = '\0';
        ergi_guess_offer(&guess, bare);
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", bare);
    }
    erg_status status =
        ergi_fail_code(err, ERG_ERROR_NO_FILE,
                       "there is no scene file '%s' and no scene of that name ships with erg%s\n"
                       "scenes in %s: %s (set ERG_SCENES to use another folder)",
                       name, ergi_guess_hint(hint, &guess), folder, count > 0 ? list : "none");
    for (int i = 0; i < count; i++) free(entries[i]);
    free(entries);
    return status;
}

erg_status erg_scene_find(const char *name, char *path, size_t room, erg_error *err)
{
    char folder[ROOM], shipped[ROOM];
    bool has_folder = find_folder(folder);
    if (!name || !path) return ergi_fail_code(err, ERG_ERROR_MISSING, "a scene name is required");
    if (!*name)
        return has_folder ? give(folder, path, room, err)
                          : ergi_fail_code(err, ERG_ERROR_NO_FILE,
                                           "the scenes that ship with erg were not found: set "
                                           "ERG_SCENES to their folder");
    if (is_file(name)) return give(name, path, room, err);
    if (has_folder && !strchr(name, '/')) {
        int n =
            snprintf(shipped, ROOM, "%s/%s%s", folder, name, is_scene_name(name) ? "" : ".yaml");
        if (n < ROOM && is_file(shipped)) return give(shipped, path, room, err);
    }
    return not_found(name, has_folder ? folder : NULL, err);
}
