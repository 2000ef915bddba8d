// erg view: opens the interactive window, which is implemented in viewer/.
#include "commands.h"
#include "json.h"
#include "mesh_args.h"
#include "problem.h"
#include "scene_args.h"
#include "shelf.h"
#include "signals.h"

#if ERG_WITH_VIEW
#include "view.h"
#endif

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const cli_option OPTIONS[] = {
    {"script", "FILE", "read input from a file, one `time command args` per line", false},
    {"out", "DIR", "output folder (default: results/<scene>-view, or the result folder)", false},
    {"radius", "R", "mesh only: radius of the samples that spread over it [m]", false},
    {"offset", "X", "mesh only: outward offset of the surface [radii] (default: 0)", false},
    CLI_SCENE_OPTIONS,
    {"json", NULL, "print one JSON object on the last line", false},
    {0},
};

static const cli_command COMMAND = {
    "view",
    "SCENE|RESULT_DIR|SNAPSHOT|MESH",
    "Opens a window to watch a scene as it is simulated, rotate it, cut it open and throw balls\n"
    "into it; or to play back the snapshots of a result folder; or to watch samples spread over a\n"
    "mesh (.obj, .stl, .ply) and see its distance field. Press H for all keys. See docs/view.md.\n"
    "On closing, erg offers to save the state as a result folder; erg run --resume continues it.\n"
    "A script (commands: key, mouse, drag, scroll, resize, screenshot FILE, quit) replaces "
    "keyboard\n"
    "and mouse and has its own clock: the same script gives the same run on any machine.",
    OPTIONS,
    1,
    1,
    !ERG_WITH_VIEW,
};

#if ERG_WITH_VIEW
static const char *const COLOURS[] = {"material", "speed", "force", "size", "id", "height"};

static void print_vector(const char *name, erg_vec3 v)
{
    printf(",\"%s\":[%.9g,%.9g,%.9g]", name, v.x, v.y, v.z);
}

static void print_json(const view_result *r)
{
    char name[256];
    erg_run_scene_name(r->scene, name, sizeof name);
    printf("{\"scene\":");
    cli_json_string(stdout, name);
    printf(",\"grains\":%" PRIu64 ",\"steps\":%" PRIu64 ",\"sim_time\":%.17g,\"contacts\":%" PRIu64
           ",\"commands\":%" PRIu64 ",\"state_hash\":\"%016" PRIx64 "\",\"pictures\":%" PRIu64
           ",\"wall_s\":%.6g,\"first_picture_s\":%.6g,\"longest_pause_s\":%.6g,\"width\":%d,"
           "\"height\":%d,\"paused\":%s,\"speed\":%.9g,\"colour\":\"%s\",\"cut\":%s,\"chains\":%s",
           r->grains, r->steps, r->sim_time, r->contacts, r->commands, r->state_hash, r->pictures,
           r->wall_s, r->first_picture_s, r->most_pause_s, r->width, r->height,
           r->paused ? "true" : "false", r->speed, COLOURS[r->colour], r->cut ? "true" : "false",
           r->chains ? "true" : "false");
    print_vector("eye", r->eye.position);
    print_vector("target", r->eye.target);
    printf(",\"out\":");
    if (*r->kept)
        cli_json_string(stdout, r->kept);
    else
        printf("null");
    printf("}\n");
}

static int load(const char *word, const cli_scene_args *scene_args, char path[CLI_PATH],
                bool is_result, erg_scene **scene, erg_error *err)
{
    if (cli_is_bare(word)) {
        snprintf(path, CLI_PATH, "%s", word);
        return cli_scene_bare(scene_args, scene, err);
    }
    return is_result ? cli_scene_stored(word, scene_args, path, scene, err)
                     : cli_scene_load(word, scene_args, path, scene, err);
}

static int view_mesh(const cli_args *args, const cli_scene_args *scene_args)
{
    static const char *const scenes_only[] = {"set", "solver", "backend", NULL};
    char                     name[256], folder[CLI_PATH];
    const char              *path = args->words[0], *out = cli_value(args, "out");
    erg_mesh                *mesh = NULL;
    erg_error                err = {0};
    cli_mesh_args            wanted;
    view_result              result = {0};
    if (!cli_mesh_refuse(args, scenes_only) || !cli_mesh_args_read(args, &wanted))
        return CLI_BAD_USAGE;
    wanted.sample.threads = scene_args->threads;
    erg_run_scene_name(path, name, sizeof name);
    snprintf(folder, sizeof folder, "results/%s-view", name);
    cli_signals_catch(true);
    erg_status status = cli_mesh_read(path, &mesh, &err);
    if (status != ERG_OK) cli_problem(err.text, path);
    if (status == ERG_OK) {
        status = view_open(&(view_def){.mesh = mesh,
                                       .samples = wanted.sample,
                                       .path = path,
                                       .script = cli_value(args, "script"),
                                       .out = out ? out : folder,
                                       .stopped = cli_signals_asked},
                           &result, &err);
        if (status != ERG_OK) cli_problem(err.text, cli_value(args, "script"));
    }
    if (status == ERG_OK && cli_has(args, "json")) print_json(&result);
    erg_mesh_destroy(mesh);
    return cli_exit_code(status);
}

static int view(const cli_args *args, const cli_scene_args *scene_args, const char *program)
{
    char        path[CLI_PATH] = "", name[256], folder[CLI_PATH];
    erg_error   err = {0};
    erg_scene  *scene = NULL;
    view_result result;
    const char *word = args->words[0], *out = cli_value(args, "out");
    bool        is_result = cli_is_folder(word) || cli_is_bare(word);
    if (out && !*out) return cli_error_usage("--out needs a folder name");
    if (cli_is_mesh(word)) return view_mesh(args, scene_args);
    for (int i = 0; CLI_MESH_ONLY[i]; i++)
        if (cli_has(args, CLI_MESH_ONLY[i]))
            return cli_error_usage("--%s applies to meshes (.obj, .stl, .ply), but '%s' is not one",
                                   CLI_MESH_ONLY[i], word);
    int exit_code = load(word, scene_args, path, is_result, &scene, &err);
    if (exit_code != CLI_DONE) return exit_code;
    cli_problem_scene(path);
    erg_run_scene_name(path, name, sizeof name);
    snprintf(folder, sizeof folder, "results/%s-view", name);
    cli_shelf shelf;
    if (cli_shelf_open(&shelf, &err) != ERG_OK) shelf = (cli_shelf){0}; // then without other scenes
    cli_signals_catch(true);
    erg_status status = view_open(&(view_def){.scene = scene,
                                              .path = is_result ? word : path,
                                              .is_result = is_result,
                                              .threads = scene_args->threads,
                                              .backend = scene_args->backend,
                                              .script = cli_value(args, "script"),
                                              .out = out                   ? out
                                                     : cli_is_folder(word) ? word
                                                                           : folder,
                                              .shelf = (const char *const *)shelf.path,
                                              .shelf_count = shelf.count,
                                              .stopped = cli_signals_asked},
                                  &result, &err);
    if (status != ERG_OK) cli_scene_problem(word, scene_args, &err, cli_value(args, "script"));
    if (*result.kept)
        fprintf(stderr, "the state is saved; to resume:\n    %s run --resume %s\n", program,
                result.kept);
    if (status == ERG_OK && cli_has(args, "json")) print_json(&result);
    cli_shelf_close(&shelf);
    erg_scene_destroy(scene);
    return cli_exit_code(status);
}
#else
static int view(const cli_args *args, const cli_scene_args *scene_args, const char *program)
{
    (void)args, (void)scene_args, (void)program;
    return cli_error_usage("this build of erg has no viewer: install libglfw3-dev, libepoxy-dev, "
                           "libegl-dev and libpng-dev (`tools/deps picture window` does this) and "
                           "rebuild erg; erg render makes pictures without a window");
}
#endif

int erg_cli_view(int argc, char **argv)
{
    return cli_scene_main(&COMMAND, argc, argv, view);
}
