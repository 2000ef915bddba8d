#include "scene_args.h"

#include "commands.h"
#include "problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_NAMES = 8 };

// Looks up the value of an option among `names`; `built`: available in this build. `number` is
// unchanged when the option is absent.
static bool take_built(const cli_args *args, const char *option, const char *const *names,
                       const bool *built, int *number)
{
    const char *value = cli_value(args, option);
    if (!cli_choice(args, option, names)) return false;
    for (int i = 0; value && names[i]; i++)
        if (strcmp(value, names[i]) == 0) *number = i;
    if (!value || built[*number]) return true;
    cli_error_usage("--%s %s is not in this build", option, value);
    return false;
}

static bool take_solver(const cli_args *args, cli_scene_args *s)
{
    const char *names[MAX_NAMES + 1] = {NULL};
    bool        built[MAX_NAMES];
    int         solver = 0;
    for (int i = 0; i < MAX_NAMES && (names[i] = erg_solver_name((erg_solver)i)); i++)
        built[i] = erg_solver_built((erg_solver)i);
    if (!take_built(args, "solver", names, built, &solver)) return false;
    snprintf(s->solver, sizeof s->solver, "solver=%s", names[solver]);
    return true;
}

static bool take_backend(const cli_args *args, cli_scene_args *s)
{
    const char *names[MAX_NAMES + 1] = {NULL};
    bool        built[MAX_NAMES];
    int         backend = 0;
    for (int i = 0; i < MAX_NAMES && (names[i] = erg_backend_name((erg_backend)i)); i++)
        built[i] = erg_backend_built((erg_backend)i);
    if (!take_built(args, "backend", names, built, &backend)) return false;
    s->backend = (erg_backend)backend;
    return true;
}

// Only the path is checked here; the scene checks the value.
static bool check_sets(const cli_args *args)
{
    for (int i = 0; i < args->given_count; i++) {
        const char *value = args->given[i].value;
        if (strcmp(args->given[i].option->name, "set") != 0 || (*value && *value != '=')) continue;
        cli_error_usage("--set needs a path before '=', as in fill.0.count=5000, got '%s'", value);
        return false;
    }
    return true;
}

static bool read_args(const cli_args *args, cli_scene_args *s)
{
    long threads = 0;
    *s = (cli_scene_args){0};
    if (args->word_count) cli_problem_scene(args->words[0]);
    if (!take_solver(args, s) || !take_backend(args, s)) return false;
    if (!check_sets(args) || !cli_count(args, "threads", 1, 1024, &threads)) return false;

    s->threads = (int)threads;
    s->sets = calloc((size_t)args->given_count + 1, sizeof *s->sets);
    if (!s->sets) {
        cli_error_usage("out of memory");
        return false;
    }
    for (int i = 0; i < args->given_count; i++)
        if (strcmp(args->given[i].option->name, "set") == 0)
            s->sets[s->set_count++] = args->given[i].value;
    if (cli_has(args, "solver")) s->sets[s->set_count++] = s->solver;
    return true;
}

int cli_scene_main(const cli_command *command, int argc, char **argv, cli_scene_command act)
{
    cli_args       args;
    cli_scene_args scene_args;
    int            exit_code;
    if (!cli_parse(command, argc, argv, &args, &exit_code)) return exit_code;
    exit_code = CLI_BAD_USAGE;
    if (read_args(&args, &scene_args)) exit_code = act(&args, &scene_args, argv[0]);
    free(scene_args.sets);
    cli_args_free(&args);
    return exit_code;
}

int cli_exit_code(erg_status status)
{
    switch (status) {
    case ERG_OK: return CLI_DONE;
    case ERG_BAD_INPUT:
    case ERG_NOT_BUILT: return CLI_BAD_USAGE;
    case ERG_CANCELLED: return CLI_STOPPED;
    case ERG_NO_MEMORY:
    case ERG_IO:
    case ERG_BAD_PHYSICS: break;
    }
    return CLI_FAILED;
}

int cli_scene_load(const char *name, const cli_scene_args *s, char path[CLI_PATH],
                   erg_scene **scene, erg_error *err)
{
    if (!*name) {
        snprintf(err->text, sizeof err->text,
                 "the scene name is empty; erg scenes lists the scenes that ship with erg");
        return cli_error_usage("%s", err->text);
    }
    if (erg_scene_find(name, path, CLI_PATH, err) != ERG_OK)
        return cli_error_usage("%s", err->text);
    erg_status status = erg_scene_load(path, s->sets, s->set_count, scene, err);
    if (status == ERG_OK) return CLI_DONE;
    cli_problem(err->text, path);
    return status == ERG_NO_MEMORY ? CLI_FAILED : CLI_BAD_USAGE;
}

int cli_scene_stored(const char *checkpoint, const cli_scene_args *s, char path[CLI_PATH],
                     erg_scene **scene, erg_error *err)
{
    erg_status status =
        erg_run_stored_scene(checkpoint, s->sets, s->set_count, scene, path, CLI_PATH, err);
    if (status == ERG_OK) return CLI_DONE;
    cli_problem(err->text, path);
    return status == ERG_NO_MEMORY ? CLI_FAILED : CLI_BAD_USAGE;
}

void cli_scene_problem(const char *word, const cli_scene_args *s, const erg_error *err,
                       const char *file)
{
    cli_problem(err->text, file);
    if (err->code == ERG_ERROR_OTHER_WORLD && s->set_count > 0 && cli_is_folder(word))
        fprintf(stderr,
                "'%s' is a folder with results, whose grains and walls --set and --solver cannot "
                "change; for the scene of that name give its file, such as scenes/%s.yaml\n",
                word, word);
}

bool cli_is_bare(const char *word)
{
    char        path[CLI_PATH + 32];
    const char *dot = strrchr(word, '.');
    if (!cli_is_folder(word)) return dot && (strcmp(dot, ".vtp") == 0 || strcmp(dot, ".hdf") == 0);
    snprintf(path, sizeof path, "%s/checkpoint.h5", word);
    if (access(path, F_OK) == 0) return false;
    erg_replay *replay = NULL;
    bool        some = erg_replay_open(word, &replay, NULL) == ERG_OK && erg_replay_count(replay);
    erg_replay_close(replay);
    return some;
}

int cli_scene_bare(const cli_scene_args *s, erg_scene **scene, erg_error *err)
{
    static const char text[] = "materials:\n  sand: {density: 2500, young: 1e7}\nrun: {time: 1}\n";
    erg_status        status =
        erg_scene_load_text(text, sizeof text - 1, "snapshot", s->sets, s->set_count, scene, err);
    if (status != ERG_OK) cli_problem(err->text, "snapshot");
    return cli_exit_code(status);
}

bool cli_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}
