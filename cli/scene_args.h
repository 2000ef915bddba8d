// Shared by all commands that take a scene: the scene, and options that change it.
#ifndef ERG_CLI_SCENE_ARGS_H
#define ERG_CLI_SCENE_ARGS_H

#include "erg/erg.h"
#include "options.h"

// For lists of cli_option: these options are the same for all such commands.
#define CLI_SCENE_OPTIONS                                                                          \
    {"set", "PATH=VALUE", "override a value of the scene, e.g. fill.0.count=5000; repeatable",     \
     true},                                                                                        \
        {"solver", "dem|pbd",                                                                      \
         "simulation method: dem (reference) or pbd (real time); default: from the scene", false}, \
        {"backend", "cpu|cuda", "hardware to run on; this build has cpu only", false},             \
    {                                                                                              \
        "threads", "N",                                                                            \
            "maximum number of threads (default: all); erg uses fewer where that is faster", false \
    }

enum { CLI_PATH = 4096 };

typedef struct cli_scene_args {
    const char **sets; // for erg_scene_load
    size_t       set_count;
    char         solver[32]; // override made from --solver, one of the sets
    erg_backend  backend;
    int          threads; // 0: not given
} cli_scene_args;

// Parses the arguments of a command that takes a scene and calls `act`, or prints an error when
// they are invalid. Returns the exit code.
typedef int (*cli_scene_command)(const cli_args *args, const cli_scene_args *scene_args,
                                 const char *program);
int cli_scene_main(const cli_command *command, int argc, char **argv, cli_scene_command act);

// Finds and loads the scene. Returns the exit code; on failure the error has been printed.
int cli_scene_load(const char *name, const cli_scene_args *scene_args, char path[CLI_PATH],
                   erg_scene **scene, erg_error *err);

// Same for the scene stored in a checkpoint or result folder; `path` receives its path or name.
int cli_scene_stored(const char *checkpoint, const cli_scene_args *scene_args, char path[CLI_PATH],
                     erg_scene **scene, erg_error *err);

// Prints the error of an opened scene or result folder; tells that --set cannot change the latter.
void cli_scene_problem(const char *word, const cli_scene_args *scene_args, const erg_error *err,
                       const char *file);

// True for a snapshot (.vtp, .hdf), or a folder with snapshots but no checkpoint: these have no
// scene.
bool cli_is_bare(const char *word);

// An empty scene for these.
int cli_scene_bare(const cli_scene_args *scene_args, erg_scene **scene, erg_error *err);

// True when the folder exists.
bool cli_is_folder(const char *path);

int cli_exit_code(erg_status status);

#endif
