// Scenes that ship with erg, by bare name, wherever the program stands.
#include "base/error.h"
#include "erg/scene.h"
#include "erg_config.h"
#include "scene/report.h"

#include <dirent.h>
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

// The folder the program lies in; false where the system does not tell.
static bool program_folder(char folder[ROOM])
{
    ssize_t length = readlink("/proc/self/exe", folder, ROOM - 1);
    if (length <= 0) return false;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash) *slash = '\0';
    return slash != NULL;
}

// $ERG_SCENES, the installed scenes, then those of the build tree: beside the program or one above.
static bool find_folder(char folder[ROOM])
{
    static const char *const places[] = {ERG_CONFIG_SCENES, "scenes", "../scenes"};
    const char              *named = getenv("ERG_SCENES");
    if (named && is_folder(named) && snprintf(folder, ROOM, "%s", named) < ROOM) return true;
    char program[ROOM];
    if (!program_folder(program)) return false;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (snprintf(folder, ROOM, "%s/%s", program, places[i]) < ROOM && is_folder(folder))
            return true;
    return false;
}

static erg_status give(const char *found, char *path, size_t room, erg_error *err)
{
    size_t length = strlen(found);
    if (length >= room)
        return ergi_fail(err, ERG_BAD_INPUT, "no room for the %zu bytes of the scene's path",
                         length);
    memcpy(path, found, length + 1);
    return ERG_OK;
}

static erg_status not_found(const char *name, const char *folder, erg_error *err)
{
    if (strchr(name, '/') || is_scene_name(name) || !folder)
        return ergi_fail(err, ERG_BAD_INPUT, "there is no scene file '%s'", name);

    // Names live only as long as the folder is being read: keep the best so far.
    char       best[256] = "";
    ergi_guess guess = {.word = name};
    DIR       *directory = opendir(folder);
    for (struct dirent *e; directory && (e = readdir(directory));) {
        char bare[256];
        if (!is_scene_name(e->d_name)) continue;
        snprintf(bare, sizeof bare, "%.*s", (int)(strlen(e->d_name) - 5), e->d_name);
        ergi_guess_offer(&guess, bare);
        if (guess.best == bare) {
            memcpy(best, bare, sizeof best);
            guess.best = best;
        }
    }
    if (directory) closedir(directory);
    char hint[ERGI_HINT];
    return ergi_fail(err, ERG_BAD_INPUT,
                     "there is no scene file '%s' and no scene of that name ships with erg%s", name,
                     ergi_guess_hint(hint, &guess));
}

erg_status erg_scene_find(const char *name, char *path, size_t room, erg_error *err)
{
    char folder[ROOM], shipped[ROOM];
    bool has_folder = find_folder(folder);
    if (!name || !path) return ergi_fail(err, ERG_BAD_INPUT, "a scene is found by its name");
    if (!*name)
        return has_folder ? give(folder, path, room, err)
                          : ergi_fail(err, ERG_BAD_INPUT,
                                      "the scenes that ship with erg are not where this "
                                      "program looks for them; set ERG_SCENES");
    if (is_file(name)) return give(name, path, room, err);
    if (has_folder && !strchr(name, '/')) {
        int n =
            snprintf(shipped, ROOM, "%s/%s%s", folder, name, is_scene_name(name) ? "" : ".yaml");
        if (n < ROOM && is_file(shipped)) return give(shipped, path, room, err);
    }
    return not_found(name, has_folder ? folder : NULL, err);
}
