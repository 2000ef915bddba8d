// What run and check have in common: a scene, and options that change it.
#ifndef ERG_CLI_SCENE_ARGS_H
#define ERG_CLI_SCENE_ARGS_H

#include "erg/erg.h"
#include "options.h"

// For lists of cli_option: these mean the same wherever a scene is given.
#define CLI_SCENE_OPTIONS                                                                          \
    {"set", "PATH=VALUE", "change the scene, e.g. fill.0.count=5000; may be repeated", true},      \
        {"solver", "dem|pbd", "method; only dem is in this build (default: the scene's)", false},  \
        {"backend", "cpu|cuda", "hardware; only cpu is in this build", false},                     \
    {                                                                                              \
        "threads", "N",                                                                            \
            "most threads (default: all processors); erg uses fewer where that is faster", false   \
    }

enum { CLI_PATH = 4096 };

typedef struct cli_scene_args {
    const char **sets; // for erg_scene_load
    size_t       set_count;
    int          threads; // 0: not given
} cli_scene_args;

// False when an option is wrong; stderr says so.
bool cli_scene_args_read(const cli_args *args, cli_scene_args *scene_args);
void cli_scene_args_free(cli_scene_args *scene_args);

// Finds and reads the scene. On failure stderr says why, and the exit code is returned.
int cli_scene_load(const char *name, const cli_scene_args *scene_args, char path[CLI_PATH],
                   erg_scene **scene, erg_error *err);

// The exit code that belongs to a status.
int cli_exit_code(erg_status status);

#endif
