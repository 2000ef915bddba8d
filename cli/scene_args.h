// What run and check have in common: a scene, and options that change it.
#ifndef ERG_CLI_SCENE_ARGS_H
#define ERG_CLI_SCENE_ARGS_H

#include "erg/erg.h"
#include "options.h"

// For lists of cli_option: these mean the same wherever a scene is given.
#define CLI_SCENE_OPTIONS                                                                          \
    {"set", "PATH=VALUE", "change the scene, e.g. fill.0.count=5000; may be repeated", true},      \
        {"solver", "dem|pbd", "method: dem the reference, pbd real time (default: the scene's)",   \
         false},                                                                                   \
        {"backend", "cpu|cuda", "hardware; only cpu is in this build", false},                     \
    {                                                                                              \
        "threads", "N",                                                                            \
            "most threads (default: all processors); erg uses fewer where that is faster", false   \
    }

enum { CLI_PATH = 4096 };

typedef struct cli_scene_args {
    const char **sets; // for erg_scene_load
    size_t       set_count;
    char         solver[32]; // the override that --solver stands for, one of the sets
    erg_backend  backend;
    int          threads; // 0: not given
} cli_scene_args;

// Reads the arguments of a command that takes a scene, and lets `act` do the rest unless they are
// wrong: stderr says so then. Returns the exit code.
typedef int (*cli_scene_command)(const cli_args *args, const cli_scene_args *scene_args,
                                 const char *program);
int cli_scene_main(const cli_command *command, int argc, char **argv, cli_scene_command act);

// Finds and reads the scene. On failure stderr says why, and the exit code is returned.
int cli_scene_load(const char *name, const cli_scene_args *scene_args, char path[CLI_PATH],
                   erg_scene **scene, erg_error *err);

// The scene of a checkpoint or result folder, with its own path or name; else as above.
int cli_scene_stored(const char *checkpoint, const cli_scene_args *scene_args, char path[CLI_PATH],
                     erg_scene **scene, erg_error *err);

// Whether the name is that of a snapshot (.vtp, .hdf), or of a folder that holds snapshots but no
// checkpoint: there is no scene to them.
bool cli_is_bare(const char *word);

// A scene without anything in it, for these.
int cli_scene_bare(const cli_scene_args *scene_args, erg_scene **scene, erg_error *err);

// Whether there is a folder of that name.
bool cli_is_folder(const char *path);

// The exit code that belongs to a status.
int cli_exit_code(erg_status status);

#endif
