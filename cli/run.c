// erg run: runs a scene and writes a result folder.
#include "commands.h"
#include "fail.h"
#include "problem.h"
#include "progress.h"
#include "scene_args.h"
#include "shot.h"
#include "signals.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const cli_option OPTIONS[] = {
    {"time", "S", "end time, measured from t = 0 [s] (default: run.time of the scene)", false},
    {"out", "DIR", "result folder (default: results/<scene>)", false},
    {"force", NULL, "replace the results of an earlier run in that folder", false},
    CLI_SCENE_OPTIONS,
    {"resume", "CHECKPOINT|DIR",
     "continue from a checkpoint or result folder; SCENE may then be omitted", false},
    {"no-output", NULL, "write no files", false},
    {"quiet", NULL, "print errors only", false},
    {"json", NULL, "print one JSON object on the last line", false},
    {0},
};

static const cli_command COMMAND = {
    "run",
    "SCENE",
    "Runs a scene and writes summary.json, series.csv, checkpoint.h5 and snapshots to a result "
    "folder.\n"
    "SCENE is a path, or the name of a scene that ships with erg (erg scenes lists them).\n"
    "Ctrl-C (SIGINT) or SIGTERM stops the run after the current step: erg writes a checkpoint,\n"
    "prints how to resume and exits with 130. A second signal within 1 s is ignored; a later one\n"
    "aborts the run at once, also with exit code 130, and only earlier checkpoints are kept.",
    OPTIONS,
    0,
    1,
    false,
};

typedef struct job {
    cli_progress progress;
    bool         quiet, json;
    bool         resumes;
    const char  *program;
    const char  *scene; // path
    const char  *time;  // as given on the command line; NULL: not given

    // Film, if the scene requests one.
    const erg_scene      *loaded_scene;
    const erg_run_result *result;
    cli_shot              shot;
    char                  film[CLI_PATH + 64]; // path, once it has started
    bool                  filming, gave_up;
    erg_error             lost; // why the film failed; ERG_OK: it did not, or none was started
} job;

// ---- Callbacks ---------------------------------------------------------------------------------
static void on_log(void *user, erg_log_level level, const char *text)
{
    job *j = user;
    if (level == ERG_LOG_WARNING || !j->resumes) cli_progress_log(&j->progress, level, text);
}

static void on_start(void *user, const erg_world *world)
{
    const job *j = user;
    cli_signals_catch(j->quiet); // from now on there is a state to save
    if (j->quiet) return;
    fprintf(stderr, "%zu grains (%zu spheres)\n", erg_world_grain_count(world),
            erg_world_sphere_count(world));
    fprintf(stderr, "dt %.4g s: %s\n", erg_world_dt(world), erg_world_dt_reason(world));
    if (erg_world_steps(world) > 0)
        fprintf(stderr, "resumed at t = %.6g s, step %" PRIu64 "\n", erg_world_time(world),
                erg_world_steps(world));
}

static bool keep_going(void *user)
{
    (void)user;
    return !cli_signals_asked();
}

static bool on_progress(void *user, const erg_run_progress *p)
{
    job *j = user;
    cli_progress_show(&j->progress, p);
    return !cli_signals_asked();
}

// ---- Film --------------------------------------------------------------------------------------
// A film that fails does not stop the run; the run continues without it and exits with 1.
static void give_up_film(job *j, const erg_error *why)
{
    cli_progress_end(&j->progress);
    fprintf(stderr, "warning: the run continues without a film: %s\n", why->text);
    if (why->status != ERG_NOT_BUILT)
        cli_fail(&j->lost, why->status, "the run is complete, but the film failed: %s", why->text);
    j->gave_up = true;
    j->filming = false;
}

static bool is_used(const char *film)
{
    char part[CLI_PATH + 80];
    snprintf(part, sizeof part, "%s.part", film);
    return access(film, F_OK) == 0 || access(part, F_OK) == 0;
}

// The first unused name: a resumed run must not touch the earlier film, nor one that the ffmpeg of
// a killed run is still writing.
static void name_film(job *j)
{
    snprintf(j->film, sizeof j->film, "%s/video.mp4", j->result->out);
    for (int i = 2; is_used(j->film); i++)
        snprintf(j->film, sizeof j->film, "%s/video-%d.mp4", j->result->out, i);
}

static void on_frame(void *user, const erg_world *world)
{
    job      *j = user;
    erg_error err;
    if (j->gave_up) return;
    if (!j->filming) {
        const erg_scene_settings *settings = erg_scene_get_settings(j->loaded_scene);
        name_film(j);
        j->shot = (cli_shot){.look = *erg_scene_get_look(j->loaded_scene),
                             .caption = settings->caption,
                             .title = settings->title,
                             .path = j->film,
                             .width = 1280,
                             .height = 720,
                             .fps = settings->film_speed / settings->frame};
        if (cli_shot_open(&j->shot, &err) != ERG_OK) {
            give_up_film(j, &err);
            return;
        }
        j->filming = true;
    }
    if (cli_shot_take(&j->shot, world, NULL, &err) == ERG_OK) return;
    cli_shot_abandon(&j->shot);
    give_up_film(j, &err);
}

static void on_end(void *user)
{
    job      *j = user;
    erg_error err;
    cli_progress_end(&j->progress);
    if (!j->filming || cli_shot_finish(&j->shot, &err) == ERG_OK) return;
    j->filming = false;
    cli_fail(&j->lost, err.status, "the run is complete, but the film failed: %s", err.text);
}

// ---- Report ------------------------------------------------------------------------------------
static void print_summary(const job *j, const erg_run_result *r)
{
    char   wall[32];
    double factor = r->wall_s > 0.0 ? (r->sim_time - r->start_time) / r->wall_s : 0.0;
    printf("%s: t = %.6g s after %" PRIu64 " steps; took %s (%.3g x real time, %d thread%s)\n",
           r->scene, r->sim_time, r->steps, cli_duration(r->wall_s, wall), factor, r->threads,
           r->threads == 1 ? "" : "s");
    printf("  %" PRIu64 " grains (%" PRIu64 " spheres), %" PRIu64 " contacts\n", r->grains,
           r->spheres, r->contacts);
    if (r->upsampled) printf("  %" PRIu64 " fine particles\n", r->fine);
    printf("  %.3g million sphere-steps per second\n", r->sphere_steps_per_s / 1e6);
    printf("  kinetic energy %.4g J, largest overlap %.3g %% of a radius\n", r->kinetic_energy,
           100.0 * r->max_overlap_ratio);
    printf("  state %016" PRIx64 "\n", r->state_hash);
    if (!*r->out) return;
    printf("written to %s:\n  summary.json, series.csv (%" PRIu64 " rows)", r->out, r->rows);
    if (*r->checkpoint) printf(", checkpoint.h5");
    if (r->frames) printf(", snapshots (%" PRIu64 ")", r->frames);
    if (j->filming) printf(", %s", strrchr(j->film, '/') + 1);
    printf("\n");
}

static void print_json(const erg_run_result *result, const char *problem)
{
    size_t length = erg_run_result_json(result, problem, NULL, 0);
    char  *text = malloc(length + 1);
    if (!text) return;
    erg_run_result_json(result, problem, text, length + 1);
    puts(text);
    free(text);
}

// Quoted so that a shell reads it as one word.
static void print_word(FILE *to, const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+=:,@";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, to);
        return;
    }
    fputc('\'', to);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", to);
        else
            fputc(*word, to);
    fputc('\'', to);
}

static void print_how_to_resume(const job *j, const erg_run_result *r)
{
    if (!*r->checkpoint) {
        fprintf(stderr, "nothing was written, so there is nothing to resume\n");
        return;
    }
    fprintf(stderr, "the state is saved; to resume:\n    ");
    print_word(stderr, j->program);
    fprintf(stderr, " run --resume ");
    print_word(stderr, r->checkpoint);
    if (j->time) {
        fprintf(stderr, " --time ");
        print_word(stderr, j->time);
    }
    fputc('\n', stderr);
}

static void print_checkpoint(const erg_run_result *r)
{
    if (!*r->checkpoint) return;
    if (r->checkpoint_steps == r->steps)
        fprintf(stderr, "the state at t = %g s is saved in %s\n", r->sim_time, r->checkpoint);
    else
        fprintf(stderr, "the last good checkpoint (step %" PRIu64 ") is in %s\n",
                r->checkpoint_steps, r->checkpoint);
}

static int report(job *j, erg_status status, const erg_run_result *result, const erg_error *err)
{
    const char *problem = status != ERG_OK ? err->text : NULL;
    int         exit_code = cli_exit_code(status);
    cli_progress_end(&j->progress);
    if (!problem && j->lost.status != ERG_OK) {
        problem = j->lost.text;
        exit_code = CLI_FAILED;
    }
    if (problem) cli_problem(problem, j->scene);
    if (status == ERG_CANCELLED)
        print_how_to_resume(j, result);
    else if (status != ERG_OK)
        print_checkpoint(result);
    if (exit_code == CLI_BAD_USAGE) return exit_code;
    if (status == ERG_OK && !j->quiet && !j->json) print_summary(j, result);
    if (j->json) print_json(result, problem);
    cli_problem_answered();
    return exit_code;
}

// ---- Setup -------------------------------------------------------------------------------------
static int load(const cli_args *args, const cli_scene_args *scene_args, char path[CLI_PATH],
                erg_scene **scene, erg_error *err)
{
    const char *resume = cli_value(args, "resume");
    if (args->word_count) return cli_scene_load(args->words[0], scene_args, path, scene, err);
    if (!resume) return cli_error_usage("'erg run' needs SCENE; see erg run --help");
    return cli_scene_stored(resume, scene_args, path, scene, err);
}

static bool choose_folder(const cli_args *args, const char *path, char folder[CLI_PATH],
                          erg_run_def *def)
{
    def->out = cli_value(args, "out");
    def->no_output = cli_has(args, "no-output");
    def->force = cli_has(args, "force");
    def->resume = cli_value(args, "resume");
    if (def->out && def->no_output) {
        cli_error_usage("--out and --no-output contradict each other");
        return false;
    }
    if (def->out && !*def->out) {
        cli_error_usage("--out needs a folder name");
        return false;
    }
    if (def->out || def->no_output || def->resume) return true;
    char name[256];
    erg_run_scene_name(path, name, sizeof name);
    snprintf(folder, CLI_PATH, "results/%s", name);
    def->out = folder;
    return true;
}

static int run(const cli_args *args, const cli_scene_args *scene_args, const char *program)
{
    char           path[CLI_PATH] = "", folder[CLI_PATH];
    erg_error      err = {0};
    erg_scene     *scene = NULL;
    erg_run_def    def = erg_run_def_default();
    erg_run_result result;
    job            j = {.quiet = cli_has(args, "quiet"),
                        .json = cli_has(args, "json"),
                        .program = program,
                        .time = cli_value(args, "time")};
    if (!cli_number(args, "time", 0.0, &def.time)) return CLI_BAD_USAGE;
    cli_signals_end();
    int exit_code = load(args, scene_args, path, &scene, &err);
    if (exit_code != CLI_DONE) return exit_code;
    cli_problem_scene(path);
    if (!choose_folder(args, path, folder, &def)) {
        erg_scene_destroy(scene);
        return CLI_BAD_USAGE;
    }
    j.progress = cli_progress_begin(j.quiet);
    j.scene = path;
    def.scene = scene;
    def.name = path;
    def.threads = scene_args->threads;
    def.backend = scene_args->backend;
    def.keep_going = keep_going;
    def.log = on_log;
    def.start = on_start;
    def.progress = on_progress;
    def.end = on_end;
    j.loaded_scene = scene;
    j.resumes = def.resume != NULL;
    j.result = &result;
    if (erg_scene_get_settings(scene)->video) def.frame = on_frame;
    def.user = &j;
    erg_status status = erg_run(&def, &result, &err);
    exit_code = report(&j, status, &result, &err);
    erg_scene_destroy(scene);
    return exit_code;
}

int erg_cli_run(int argc, char **argv)
{
    return cli_scene_main(&COMMAND, argc, argv, run);
}
