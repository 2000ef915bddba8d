// erg render: makes a picture or film of a scene or result folder. Needs no window.
#include "commands.h"
#include "mesh_args.h"
#include "problem.h"
#include "progress.h"
#include "render_mesh.h"
#include "render_moments.h"
#include "scene_args.h"
#include "shot_args.h"
#include "signals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const cli_option OPTIONS[] = {
    {"out", "FILE.png|FILE.mp4|'DIR/%04d.png'",
     "picture, film or numbered sequence of pictures to write", false},
    {"at", "S", "time of the picture [s] (default: the end); for a result, the nearest stored time",
     false},
    {"size", "WxH", "width and height in pixels (default: 1280x720)", false},
    {"fps", "N", "frames per second of a film or sequence (default: 30)", false},
    {"speed", "X", "simulated seconds per second of film (default: view.speed of the scene, or 1)",
     false},
    {"camera", "orbit|fixed|follow", "camera motion (default: from the scene)", false},
    {"quality", "fast|fine", "rendering quality (default: fine)", false},
    {"transparent", NULL, "omit background and ground, but keep the shadows on the ground", false},
    {"caption", NULL, "add a caption with title, time and number of grains", false},
    CLI_MESH_OPTIONS,
    CLI_SCENE_OPTIONS,
    {"quiet", NULL, "print errors only", false},
    {0},
};

static const cli_command COMMAND = {
    "render",
    "SCENE|RESULT_DIR|SNAPSHOT|MESH",
    "Renders a picture (.png), a film (.mp4) or a sequence of pictures numbered from 0. No screen\n"
    "is needed.\n"
    "A scene is simulated from t = 0 to --at, or to its end; no other files are written.\n"
    "A result folder is rendered from its snapshots, with its checkpoint as the last moment; an\n"
    "--at that is not near any of them is an error. A snapshot (.vtp, .hdf) or a folder of\n"
    "snapshots is rendered without walls.\n"
    "The scene keys under `view` define the picture; change them with --set:\n"
    "    erg render pile --out pile.png --at 1.5 --set view.colour=speed\n"
    "A mesh (.obj, .stl, .ply) is rendered as triangles, as its distance field, or as the spheres\n"
    "that cover it; a film shows how the spheres spread over the surface.\n"
    "Ctrl-C stops with exit code 130 and leaves no incomplete film. See docs/pictures.md.",
    OPTIONS,
    1,
    1,
    false,
};

typedef struct job {
    cli_progress progress;
    cli_shot     shot;
    erg_scene   *scene;
    erg_world   *world;
    erg_replay  *replay; // of a result folder; NULL: simulate a scene
    const char  *folder; // of the result
    bool         bare;   // snapshots without a checkpoint
    bool         quiet, film;
    double       at; // NAN: the end [s]
    double       speed;
    double       begin, end; // of the picture or film [s]
    double       shown;      // time of the last picture of a result [s]
    double       started;    // wall time [s]
    int          threads;
    erg_backend  backend;
} job;

static double wall_clock(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- Callbacks ---------------------------------------------------------------------------------
static void on_log(void *user, erg_log_level level, const char *text)
{
    job *j = user;
    // Notes, such as repairs of a mesh, are printed by `erg check` and by a new run.
    if (level == ERG_LOG_WARNING) cli_progress_log(&j->progress, level, text);
}

static bool keep_going(void *user)
{
    (void)user;
    return !cli_signals_asked();
}

static void adjust(void *user, erg_world_def *def)
{
    job *j = user;
    def->keep_going = keep_going;
    if (j->threads > 0) def->threads = j->threads;
    def->backend = j->backend;
    def->log = on_log;
    def->log_user = j;
}

static bool show_progress(job *j, double time, size_t grains, size_t contacts)
{
    double wall = wall_clock() - j->started, share = (time - j->begin) / (j->end - j->begin);
    cli_progress_show(&j->progress,
                      &(erg_run_progress){.time = time,
                                          .end = j->end,
                                          .grains = grains,
                                          .contacts = contacts,
                                          .wall = wall,
                                          .eta = share > 0 ? wall * (1 / share - 1) : (double)NAN,
                                          .real_time_factor = (double)NAN});
    return !cli_signals_asked();
}

static bool on_step(void *user, const erg_world *world)
{
    return show_progress(user, erg_world_time(world), erg_world_grain_count(world),
                         erg_world_touching_count(world));
}

// ---- Scene -------------------------------------------------------------------------------------
static erg_status run_to(job *j, double time, erg_error *err)
{
    if (erg_world_time(j->world) > time) return ERG_OK;
    erg_status status = erg_world_run(j->world, time, on_step, j, err);
    return status == ERG_CANCELLED ? cli_shot_stopped(&j->shot, err) : status;
}

// Time of a frame, from its index so that rounding does not accumulate.
static double time_of(const job *j, size_t frame)
{
    return j->begin + (double)frame * j->speed / j->shot.fps;
}

static erg_status shoot_scene(job *j, erg_error *err)
{
    erg_status status = ERG_OK;
    if (!j->film) {
        status = run_to(j, j->end, err);
        return status == ERG_OK ? cli_shot_take(&j->shot, j->world, NULL, err) : status;
    }
    for (size_t frame = 0; status == ERG_OK && time_of(j, frame) <= j->end * (1 + 1e-12); frame++) {
        status = run_to(j, time_of(j, frame), err);
        if (status == ERG_OK) status = cli_shot_take(&j->shot, j->world, NULL, err);
        if (status == ERG_OK && !on_step(j, j->world)) status = cli_shot_stopped(&j->shot, err);
    }
    return status;
}

// ---- Result ------------------------------------------------------------------------------------
// The world is that of the checkpoint, so servo-controlled walls are at their final position.
static erg_status load_checkpoint(job *j, erg_error *err)
{
    char path[CLI_PATH + 32];
    snprintf(path, sizeof path, "%s/checkpoint.h5", j->folder);
    return erg_world_load(j->world, path, err);
}

static erg_status shoot_moment(job *j, const cli_moments *moments, double time, erg_error *err)
{
    erg_moment moment;
    size_t     index = cli_moments_nearest(moments, time);
    j->shown = cli_moments_time(moments, index);
    if (index == erg_replay_count(j->replay)) return cli_shot_take(&j->shot, j->world, NULL, err);
    erg_status status = erg_replay_read(j->replay, index, &moment, err);
    return status == ERG_OK ? cli_shot_take(&j->shot, j->world, &moment, err) : status;
}

static erg_status shoot_result(job *j, erg_error *err)
{
    erg_status status = erg_replay_terrain(j->replay, j->world, err);
    if (status == ERG_OK && !j->bare) status = load_checkpoint(j, err);
    cli_moments moments = {j->folder, j->replay, j->bare ? NULL : j->world};
    if (status != ERG_OK) return status;
    j->begin = cli_moments_begin(&moments);
    j->end = cli_moments_end(&moments);
    if (!j->film) {
        if (isnan(j->at)) j->at = j->end;
        status = cli_moments_check(&moments, j->at, err);
        return status == ERG_OK ? shoot_moment(j, &moments, j->at, err) : status;
    }
    if (erg_replay_count(j->replay) == 0) {
        err->status = ERG_BAD_INPUT;
        snprintf(err->text, sizeof err->text,
                 "'%s' has no snapshots (.vtp, .hdf or .ply) to make a film of: render the "
                 "scene instead, or run it with --set output.snapshots=vtk",
                 j->folder);
        return ERG_BAD_INPUT;
    }
    for (size_t frame = 0; status == ERG_OK && time_of(j, frame) <= j->end * (1 + 1e-12); frame++) {
        status = shoot_moment(j, &moments, time_of(j, frame), err);
        if (status == ERG_OK &&
            !show_progress(j, time_of(j, frame), erg_world_grain_count(j->world), 0))
            status = cli_shot_stopped(&j->shot, err);
    }
    return status;
}

// ---- Arguments --------------------------------------------------------------------------------
// Rejects options that apply to meshes only.
static bool check_mesh_options(const cli_args *args)
{
    for (int i = 0; CLI_MESH_ONLY[i]; i++)
        if (cli_has(args, CLI_MESH_ONLY[i])) {
            cli_error_usage("--%s applies to meshes (.obj, .stl, .ply), but '%s' is not one",
                            CLI_MESH_ONLY[i], args->words[0]);
            return false;
        }
    return true;
}

static bool read_args(const cli_args *args, job *j)
{
    j->at = j->speed = (double)NAN;
    return check_mesh_options(args) && cli_shot_args(args, &j->shot, &j->film) &&
           cli_number(args, "at", 0, &j->at) &&
           cli_number_within(args, "speed", 1e-9, 1e9, &j->speed);
}

static void read_look(const cli_args *args, job *j)
{
    const erg_scene_settings *settings = erg_scene_get_settings(j->scene);
    j->shot.look = *erg_scene_get_look(j->scene);
    cli_shot_look(args, &j->shot.look);
    j->shot.caption = settings->caption || cli_has(args, "caption");
    j->shot.title = settings->title;
    if (isnan(j->speed)) j->speed = settings->film_speed;
    j->end = isnan(j->at) ? settings->time : j->at;
}

// ---- Rendering ---------------------------------------------------------------------------------
static int load(const cli_args *args, const cli_scene_args *scene_args, job *j, char path[CLI_PATH],
                erg_error *err)
{
    const char *word = args->words[0];
    j->bare = cli_is_bare(word);
    if (!j->bare && !cli_is_folder(word))
        return cli_scene_load(word, scene_args, path, &j->scene, err);
    j->folder = word;
    int exit_code = j->bare ? cli_scene_bare(scene_args, &j->scene, err)
                            : cli_scene_stored(word, scene_args, path, &j->scene, err);
    if (exit_code != CLI_DONE) return exit_code;
    erg_status status = erg_replay_open(word, &j->replay, err);
    if (status != ERG_OK) cli_problem(err->text, path);
    return cli_exit_code(status);
}

static void report(const job *j, size_t count)
{
    char   text[32];
    double wall = wall_clock() - j->started;
    if (j->quiet) return;
    if (j->film)
        printf("%s: %zu frames of %dx%d, %.3g s; took %s\n", j->shot.path, count, j->shot.width,
               j->shot.height, (double)count / j->shot.fps, cli_duration(wall, text));
    else if (j->replay)
        printf("%s: %dx%d, t = %g s; took %s\n", j->shot.path, j->shot.width, j->shot.height,
               j->shown, cli_duration(wall, text));
    else
        printf("%s: %dx%d; took %s\n", j->shot.path, j->shot.width, j->shot.height,
               cli_duration(wall, text));
}

static int render(const cli_args *args, const cli_scene_args *scene_args, job *j)
{
    char      path[CLI_PATH] = "";
    erg_error err = {0};
    if (!read_args(args, j)) return CLI_BAD_USAGE;
    cli_signals_end();
    int exit_code = load(args, scene_args, j, path, &err);
    if (exit_code != CLI_DONE) return exit_code;
    cli_problem_scene(path);
    j->quiet = cli_has(args, "quiet");
    j->progress = cli_progress_begin(j->quiet);
    j->threads = scene_args->threads;
    j->backend = scene_args->backend;
    read_look(args, j);
    j->started = wall_clock();

    erg_status status = cli_shot_open(&j->shot, &err); // first, to fail before the simulation
    bool       open = status == ERG_OK;
    if (open) status = erg_scene_build(j->scene, adjust, j, &j->world, &err);
    cli_signals_catch(j->quiet);
    if (status == ERG_OK) status = j->replay ? shoot_result(j, &err) : shoot_scene(j, &err);
    cli_progress_end(&j->progress);
    size_t count = j->shot.count;
    if (status == ERG_OK)
        status = cli_shot_finish(&j->shot, &err);
    else if (open)
        cli_shot_abandon(&j->shot);
    if (status == ERG_OK)
        report(j, count);
    else
        cli_scene_problem(args->words[0], scene_args, &err, path);
    return cli_exit_code(status);
}

static int dispatch(const cli_args *args, const cli_scene_args *scene_args, const char *program)
{
    (void)program;
    if (cli_is_mesh(args->words[0])) return cli_render_mesh(args, scene_args);
    job j = {0};
    int exit_code = render(args, scene_args, &j);
    erg_replay_close(j.replay);
    erg_world_destroy(j.world);
    erg_scene_destroy(j.scene);
    return exit_code;
}

int erg_cli_render(int argc, char **argv)
{
    return cli_scene_main(&COMMAND, argc, argv, dispatch);
}
