// erg render of a mesh: its triangles, its distance field, or the spheres that cover it; a film
// shows how these spread.
#include "render_mesh.h"

#include "commands.h"
#include "fail.h"
#include "mesh_args.h"
#include "problem.h"
#include "progress.h"
#include "shot_args.h"
#include "signals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Spheres cover the surface without holes; over a field they are drawn smaller, so that it shows.
static const double DOT = 0.35; // of the radius

typedef struct job {
    cli_mesh_args args;
    cli_shot      shot;
    bool          film;
    erg_mesh     *mesh;
    erg_sdf      *field;
    erg_spread   *spread;
    erg_world    *world;             // empty
    double       *position, *radius; // of the spheres that are shown
    cli_progress  progress;
    double        started; // wall time [s]
    size_t        moves;   // iterations so far
} job;

// ---- Progress ----------------------------------------------------------------------------------
static double wall_clock(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static erg_status check_signals(const job *j, erg_error *err)
{
    return cli_signals_asked() ? cli_shot_stopped(&j->shot, err) : ERG_OK;
}

// The number of iterations is not known in advance.
static bool on_move(void *user, const double *xyz, size_t count)
{
    job *j = user;
    char text[80];
    (void)xyz;
    snprintf(text, sizeof text, "spreading %zu spheres, iteration %zu", count, j->moves++);
    cli_progress_tell(&j->progress, wall_clock() - j->started, (double)NAN, (double)NAN, text);
    return !cli_signals_asked();
}

static void on_picture(job *j, size_t done, size_t count, double begun)
{
    char   text[80];
    double now = wall_clock(), share = (double)done / (double)count;
    snprintf(text, sizeof text, "frame %zu of %zu", done, count);
    cli_progress_tell(&j->progress, now - j->started, share, (now - begun) * (1 / share - 1), text);
}

// ---- Pictures ----------------------------------------------------------------------------------
static erg_status record(job *j, erg_error *err)
{
    erg_sample_def sample = j->args.sample;
    sample.watch = on_move;
    sample.watch_user = j;
    erg_status status = erg_spread_record(j->mesh, &sample, &j->spread, err);
    if (status != ERG_OK) return status == ERG_CANCELLED ? check_signals(j, err) : status;
    size_t most = erg_spread_most(j->spread);
    j->radius = malloc((most + 1) * sizeof *j->radius);
    j->position = malloc((3 * most + 1) * sizeof *j->position);
    if (!j->radius || !j->position) return cli_fail(err, ERG_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < most; i++) j->radius[i] = sample.radius * (j->args.field ? DOT : 1);
    return ERG_OK;
}

static erg_status prepare(job *j, erg_error *err)
{
    erg_status     status = ERG_OK;
    erg_world_def  def = erg_world_def_default();
    erg_sample_def sample = j->args.sample;
    def.threads = sample.threads;
    if (j->args.field) {
        erg_sdf_def field = erg_sdf_def_under(&sample);
        status = erg_sdf_create(j->mesh, &field, &j->field, err);
    }
    if (status == ERG_OK) status = check_signals(j, err);
    if (status == ERG_OK && j->args.samples) status = record(j, err);
    if (status == ERG_OK) status = erg_world_create(&def, &j->world, err);
    return status;
}

// Without a field, the spheres replace the triangles.
static erg_status set_prop(job *j, erg_error *err)
{
    erg_prop     prop = erg_prop_of_mesh(j->mesh);
    erg_sdf_view view;
    prop.shape = 1;
    if (j->field) {
        view = erg_sdf_look(j->field);
        prop.field = &view;
    }
    return erg_picture_set_props(j->shot.picture, &prop, j->spread && !j->field ? 0 : 1, err);
}

static erg_status shoot(job *j, size_t moment, erg_error *err)
{
    size_t     count = 0;
    erg_moment m = {.time = (double)moment};
    if (j->spread) {
        const double *xyz = erg_spread_at(j->spread, moment, &count);
        memcpy(j->position, xyz, 3 * count * sizeof *xyz);
        m.spheres.position = j->position;
        m.spheres.radius = j->radius;
        m.spheres.count = m.grains = count;
    }
    return cli_shot_take(&j->shot, j->world, &m, err);
}

static erg_status shoot_all(job *j, erg_error *err)
{
    size_t     count = j->spread ? erg_spread_count(j->spread) : 1;
    double     begun = wall_clock();
    erg_status status = set_prop(j, err);
    for (size_t i = j->film ? 0 : count - 1; i < count && status == ERG_OK; i++) {
        status = shoot(j, i, err);
        if (status == ERG_OK) status = check_signals(j, err);
        if (j->film && status == ERG_OK) on_picture(j, i + 1, count, begun);
    }
    return status;
}

static bool read_args(const cli_args *args, const cli_scene_args *scene_args, job *j)
{
    static const char *const scenes_only[] = {"at",     "speed",   "caption", "set",
                                              "solver", "backend", NULL};
    if (!cli_mesh_refuse(args, scenes_only) || !cli_mesh_args_read(args, &j->args) ||
        !cli_shot_args(args, &j->shot, &j->film))
        return false;
    if (j->film && !j->args.samples) {
        cli_error_usage(
            "a film of a mesh shows how its samples spread over it: add --samples --radius R");
        return false;
    }
    j->args.sample.threads = scene_args->threads;
    j->shot.look = erg_look_default();
    cli_shot_look(args, &j->shot.look);
    return true;
}

static erg_status render(job *j, const char *path, bool quiet, erg_error *err)
{
    erg_status status = cli_mesh_read(path, &j->mesh, err);
    if (status == ERG_OK) status = cli_shot_open(&j->shot, err); // first, to fail before the work
    if (status != ERG_OK) return status;
    j->progress = cli_progress_begin(quiet);
    j->started = wall_clock();
    status = prepare(j, err);
    cli_signals_catch(quiet);
    if (status == ERG_OK) status = shoot_all(j, err);
    cli_progress_end(&j->progress);
    size_t count = j->shot.count;
    if (status != ERG_OK) {
        cli_shot_abandon(&j->shot);
        return status;
    }
    status = cli_shot_finish(&j->shot, err);
    if (status == ERG_OK && !quiet)
        printf("%s: %zu picture%s of %dx%d\n", j->shot.path, count, count == 1 ? "" : "s",
               j->shot.width, j->shot.height);
    return status;
}

int cli_render_mesh(const cli_args *args, const cli_scene_args *scene_args)
{
    job       j = {0};
    erg_error err = {0};
    if (!read_args(args, scene_args, &j)) return CLI_BAD_USAGE;
    bool quiet = cli_has(args, "quiet");
    cli_signals_end();
    erg_status status = render(&j, args->words[0], quiet, &err);
    if (status != ERG_OK) cli_problem(err.text, args->words[0]);
    free(j.position);
    free(j.radius);
    erg_world_destroy(j.world);
    erg_spread_destroy(j.spread);
    erg_sdf_destroy(j.field);
    erg_mesh_destroy(j.mesh);
    return cli_exit_code(status);
}
