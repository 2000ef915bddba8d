#include "erg/run.h"
#include "api/save.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "base/times.h"
#include "io/hdf5_buffer.h"
#include "run/folder.h"
#include "run/lock.h"
#include "run/pace.h"
#include "run/result.h"
#include "run/series.h"
#include "run/state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double ASK_EVERY = 0.1; // wall time between two calls of progress [s]

typedef struct run {
    const erg_run_def        *def;
    const erg_scene_settings *settings;
    erg_run_result           *result;
    double                    end; // [s]
    erg_world                *world;
    erg_probes               *probes;
    ergi_container           *container; // the checkpoint to resume; NULL: none
    ergi_run_state            state;
    ergi_series               series;
    ergi_snapshots            snapshots;
    ergi_fields               fields;
    ergi_schedule             pictures; // not part of the state: a resumed run starts a new video

    ergi_path resume;      // path of the checkpoint to resume; empty: none
    ergi_path own;         // the folder of that checkpoint
    ergi_path out;         // empty: nothing is written
    ergi_lock lock;        // of `out`
    bool      in_place;    // `out` is the folder of the resumed checkpoint
    bool      checkpoints; // this build can write them

    ergi_pace pace;
    double asked, saved;  // wall time of the last progress call and checkpoint, since the start [s]
    uint64_t steps_saved; // step of the newest checkpoint in `out`
    bool     has_saved;
    bool     stop, save_now;
    uint64_t first_step;
    double   sphere_steps, grain_steps;
} run;

erg_run_def erg_run_def_default(void)
{
    return (erg_run_def){.time = (double)NAN};
}

static void say(const run *r, erg_log_level level, const char *text)
{
    if (r->def->log) r->def->log(r->def->user, level, text);
}

static bool writes(const run *r)
{
    return r->out.text[0] != '\0';
}

// ---- Before anything is built ------------------------------------------------------------------
static erg_status check_times(run *r, erg_error *err)
{
    const erg_scene_settings *s = r->settings;
    r->end = isnan(r->def->time) ? s->time : r->def->time;
    if (!isfinite(r->end) || r->end < 0.0)
        return ergi_fail_at(err, "time", ergi_code_of(r->end),
                            "the end time of the run must be at least 0 s, got %g", r->end);
    const double every[] = {s->series_every, ergi_snapshots_are_asked(s) ? s->snapshot_every : 0.0,
                            r->def->frame ? s->frame : 0.0};
    for (size_t i = 0; i < sizeof every / sizeof *every; i++)
        if (!ergi_schedule_counts(every[i], r->end))
            return ergi_fail_at(err, "time", ERG_ERROR_TOO_MANY,
                                "a run to t = %g s with an output every %g s has more outputs than "
                                "can be counted: end it earlier, or give a longer period",
                                r->end, every[i]);
    for (size_t i = 0; i < s->probe_count; i++) {
        const erg_probe_def *p = &s->probes[i];
        if (p->kind == ERG_PROBE_FIELD && !ergi_schedule_counts(p->every / p->samples, r->end))
            return ergi_fail_at(err, "time", ERG_ERROR_TOO_MANY,
                                "a run to t = %g s with a sample of the field '%s' every %g s has "
                                "more samples than can be counted: end it earlier, or give a "
                                "longer period",
                                r->end, p->name, p->every / p->samples);
    }
    return ERG_OK;
}

// If the time step is lost in rounding when added to the end time, the run would never end.
static erg_status check_end(const run *r, erg_error *err)
{
    double dt = erg_world_dt(r->world);
    if (r->end <= erg_world_time(r->world) || r->end + dt > r->end) return ERG_OK;
    return ergi_fail_at(err, "time", ERG_ERROR_OUT_OF_RANGE,
                        "a step of %.3g s is too short to advance the clock at t = %g s, so the "
                        "run would never end: choose an earlier end time",
                        dt, r->end);
}

static erg_status name_folders(run *r, erg_error *err)
{
    const erg_run_def *def = r->def;
    erg_status         status = ERG_OK;
    if (def->resume) status = ergi_folder_checkpoint(&r->resume, def->resume, err);
    if (status == ERG_OK && def->resume) status = ergi_path_folder(&r->own, r->resume.text, err);
    if (def->no_output || (!def->out && !def->resume)) return status;
    if (status == ERG_OK)
        status = ergi_path_join(&r->out, def->out ? def->out : r->own.text, "", err);
    if (status != ERG_OK) return status;
    for (size_t n = strlen(r->out.text); n > 1 && r->out.text[n - 1] == '/'; n--)
        r->out.text[n - 1] = '\0';
    r->in_place = def->resume && ergi_path_same(r->out.text, r->own.text);
    r->checkpoints = ergi_hdf5_buffer_built(NULL) == ERG_OK;
    return ERG_OK;
}

static erg_status check_free(const run *r, erg_error *err)
{
    bool replaces = r->in_place || r->def->force;
    return replaces ? ERG_OK : ergi_folder_check_free(r->out.text, err);
}

// Locks before the checkpoint is read, because another run could replace it. A folder that does not
// exist yet is locked when it is created, so that a scene that cannot be built leaves no folder.
static erg_status choose_folder(run *r, erg_error *err)
{
    erg_status status = name_folders(r, err);
    if (status != ERG_OK || !writes(r)) return status;
    if (ergi_path_exists(r->out.text) && access(r->out.text, W_OK) == 0)
        status = ergi_lock_acquire(&r->lock, r->out.text, err);
    if (status == ERG_OK) status = check_free(r, err);
    return status == ERG_OK ? ergi_snapshots_check(r->settings, err) : status;
}

static erg_status stored_scene(const ergi_container *container, const char *const *sets,
                               size_t set_count, erg_scene **scene, char *name, size_t room,
                               erg_error *err)
{
    size_t      length = 0, name_length = 0;
    const char *text =
        ergi_container_get(container, "scene/text", ERGI_CONTAINER_U8, 1, &length, err);
    if (!text) return ERG_BAD_INPUT;
    const char *stored =
        ergi_container_get(container, "run/name", ERGI_CONTAINER_U8, 1, &name_length, err);
    if (!stored) return ERG_BAD_INPUT;
    ergi_path path = {"checkpoint"};
    if (name_length >= sizeof path.text) name_length = sizeof path.text - 1;
    if (name_length) snprintf(path.text, sizeof path.text, "%.*s", (int)name_length, stored);
    if (name && room) snprintf(name, room, "%s", path.text);
    return erg_scene_load_text(text, length, path.text, sets, set_count, scene, err);
}

erg_status erg_run_stored_scene(const char *checkpoint, const char *const *sets, size_t set_count,
                                erg_scene **scene, char *name, size_t room, erg_error *err)
{
    if (!checkpoint || !scene || (!sets && set_count > 0)) return ergi_fail_null(err, __func__);
    ergi_container *container = NULL;
    ergi_path       path;
    erg_status      status = ergi_folder_checkpoint(&path, checkpoint, err);
    if (status == ERG_OK) status = ergi_container_open(path.text, &container, err);
    if (status == ERG_OK) status = stored_scene(container, sets, set_count, scene, name, room, err);
    ergi_container_close(container);
    return status;
}

static erg_status open_checkpoint(run *r, erg_error *err)
{
    if (!r->def->resume) return ERG_OK;
    erg_status status = ergi_container_open(r->resume.text, &r->container, err);
    erg_scene *stored = NULL;
    if (status == ERG_OK) status = stored_scene(r->container, NULL, 0, &stored, NULL, 0, err);
    char key[256];
    if (status == ERG_OK && erg_scene_differs(stored, r->def->scene, key, sizeof key))
        status = ergi_fail_at(err, "scene", ERG_ERROR_OTHER_WORLD,
                              "cannot resume '%s': the scene differs from the scene of the "
                              "checkpoint in '%s'; only time, output, view and threads may change",
                              r->resume.text, key);
    erg_scene_destroy(stored);
    return status;
}

// ---- Building ----------------------------------------------------------------------------------
static void adjust(void *user, erg_world_def *def)
{
    run *r = user;
    if (r->def->threads > 0) def->threads = r->def->threads;
    def->backend = r->def->backend;
    r->result->threads = def->threads > 0 ? def->threads : ergi_threads_default_count();
    def->log = r->def->log;
    def->log_user = r->def->user;
    def->keep_going = r->def->keep_going;
    def->keep_going_user = r->def->user;
}

static erg_status build(run *r, erg_error *err)
{
    erg_status status = erg_scene_build(r->def->scene, adjust, r, &r->world, err);
    if (status == ERG_OK && writes(r))
        status = ergi_snapshots_begin(&r->snapshots, r->settings, r->world, err);
    if (status == ERG_OK && r->container)
        status = ergi_world_load_with(r->world, r->container, err);
    // Fine particles that exist from the start are seeded before the first outputs are taken.
    if (status == ERG_OK && erg_world_steps(r->world) == 0)
        status = erg_world_step(r->world, 0, err);
    if (status == ERG_OK)
        status = erg_probes_create(r->settings->probes, r->settings->probe_count, r->world,
                                   &r->probes, err);
    if (status == ERG_OK) status = ergi_fields_make(&r->fields, r->settings, r->world, err);
    if (status != ERG_OK) return status;

    double time = erg_world_time(r->world);
    r->state = ergi_run_state_begin(r->settings);
    r->pictures = (ergi_schedule){.every = r->settings->frame};
    r->first_step = erg_world_steps(r->world);
    r->result->start_time = time;
    if (r->container) {
        status =
            ergi_run_state_restore(&r->state, &r->snapshots, r->settings, time, r->container, err);
        if (status == ERG_OK) status = ergi_probes_restore(r->probes, time, r->container, err);
        if (status == ERG_OK) status = ergi_fields_restore(&r->fields, time, r->container, err);
        ergi_container_close(r->container);
        r->container = NULL;
    }
    // A finished run may be up to a step past its end time; resuming it to the same end is no
    // error.
    if (status == ERG_OK && r->end < time - 1.5 * erg_world_dt(r->world))
        return ergi_fail_at(
            err, "time", ERG_ERROR_OUT_OF_RANGE,
            "the checkpoint '%s' is at t = %g s, after the requested end time of %g s",
            r->resume.text, time, r->end);
    return status == ERG_OK ? check_end(r, err) : status;
}

static erg_status open_series(run *r, erg_error *err)
{
    ergi_path  path;
    erg_status status = ergi_path_join(&path, r->out.text, ERGI_SERIES, err);
    if (status != ERG_OK) return status;
    if (r->state.series_bytes && !ergi_path_exists(path.text)) {
        say(r, ERG_LOG_WARNING,
            "there is no series.csv next to the checkpoint: a new one begins at the time of the "
            "checkpoint");
        r->state.series_bytes = 0;
        r->state.row_count = 0;
    }
    return ergi_series_open(&r->series, path.text, r->world, r->probes, r->state.series_bytes, err);
}

// A second checkpoint of the same step replaces the first, so that the previous one stays an older
// step.
static erg_status save_state(run *r, erg_error *err)
{
    bool rotate = !(r->has_saved && r->steps_saved == erg_world_steps(r->world));
    return ergi_run_state_save(&r->state, &r->snapshots, r->probes, &r->fields, r->world,
                               r->def->scene, r->def->name ? r->def->name : "", r->out.text, rotate,
                               err);
}

static erg_status open_folder(run *r, erg_error *err)
{
    if (!writes(r)) return ERG_OK;
    erg_status status = ergi_folder_prepare(r->out.text, err);
    if (status == ERG_OK) status = ergi_lock_acquire(&r->lock, r->out.text, err);
    if (status == ERG_OK)
        status = check_free(r, err); // another run may have used the folder meanwhile
    if (status != ERG_OK) return status;
    if (r->in_place) {
        // Resuming an older checkpoint truncates the series, so the newest checkpoint must be
        // replaced.
        ergi_path newest;
        status = ergi_path_join(&newest, r->out.text, ERGI_CHECKPOINT, err);
        if (status == ERG_OK && !ergi_path_same(newest.text, r->resume.text))
            status = save_state(r, err);
        if (status == ERG_OK) status = open_series(r, err);
        if (status == ERG_OK) status = ergi_folder_cut(r->out.text, r->snapshots.count, err);
        r->has_saved = status == ERG_OK;
        r->steps_saved = r->first_step;
    } else {
        status = ergi_folder_clear(r->out.text, err);
        if (status == ERG_OK && r->def->resume)
            status = ergi_folder_copy(r->own.text, r->out.text, r->state.series_bytes,
                                      r->snapshots.count, err);
        if (status == ERG_OK) status = open_series(r, err);
    }
    if (status == ERG_OK)
        status = ergi_snapshots_open(&r->snapshots, r->out.text, r->settings, r->world, err);
    if (status == ERG_OK) {
        bool elsewhere = r->def->resume && !r->in_place;
        status = ergi_fields_open(&r->fields, r->out.text, elsewhere ? r->own.text : NULL, err);
    }
    if (status == ERG_OK && !r->checkpoints)
        say(r, ERG_LOG_WARNING,
            "this build has no HDF5: the run writes no checkpoint and cannot be resumed");
    return status;
}

// ---- Stepping ----------------------------------------------------------------------------------
static erg_status save(run *r, erg_error *err)
{
    if (!writes(r) || !r->checkpoints) return ERG_OK;
    r->state.series_bytes = ergi_csv_bytes(r->series.csv);
    erg_status status = ergi_csv_sync(r->series.csv, err);
    if (status == ERG_OK) status = save_state(r, err);
    if (status != ERG_OK) return status;
    r->saved = ergi_pace_wall(&r->pace);
    r->has_saved = true;
    r->steps_saved = erg_world_steps(r->world);
    return ERG_OK;
}

// Calls the progress callback and schedules a checkpoint when the wall clock says so. False: stop
// stepping.
static bool ask(run *r, const erg_world *world)
{
    double wall = ergi_pace_wall(&r->pace), time = erg_world_time(world);
    if (writes(r) && r->checkpoints && wall - r->saved >= r->settings->checkpoint_every)
        r->save_now = true;
    if (wall - r->asked >= ASK_EVERY || r->asked < 0.0) {
        r->asked = wall;
        ergi_pace_update(&r->pace, time);
        if (r->def->progress) {
            erg_run_progress p = {
                .time = time,
                .end = r->end,
                .steps = erg_world_steps(world),
                .grains = erg_world_grain_count(world),
                .contacts = erg_world_touching_count(world),
                .dt = erg_world_dt(world),
                .wall = wall,
                .eta = ergi_pace_eta(&r->pace, time, r->end),
                .real_time_factor = ergi_pace_factor(&r->pace),
            };
            if (!r->def->progress(r->def->user, &p)) r->stop = true;
        }
    }
    return !r->stop && !r->save_now;
}

static bool ask_world(void *user, const erg_world *world)
{
    return ask(user, world);
}

// Takes all outputs that are due at this step boundary.
static erg_status observe(run *r, erg_error *err)
{
    double     time = erg_world_time(r->world);
    erg_status status = ERG_OK;
    if (!writes(r)) return ERG_OK;
    if (time >= ergi_probes_next_sample(r->probes))
        status = erg_probes_watch(r->probes, r->world, err);
    if (status == ERG_OK && ergi_schedule_due(&r->state.rows, time)) {
        status = ergi_series_row(&r->series, r->world, r->probes, err);
        if (status == ERG_OK) {
            ergi_schedule_advance(&r->state.rows, time);
            r->state.row_count++;
        }
    }
    if (status == ERG_OK) status = ergi_fields_sample(&r->fields, r->world, err);
    if (status == ERG_OK && r->def->frame && ergi_schedule_due(&r->pictures, time)) {
        r->def->frame(r->def->user, r->world);
        ergi_schedule_advance(&r->pictures, time);
    }
    if (status == ERG_OK && ergi_schedule_due(&r->state.frames, time)) {
        status = ergi_snapshots_take(&r->snapshots, r->world, err);
        if (status == ERG_OK) ergi_schedule_advance(&r->state.frames, time);
    }
    return status;
}

static erg_status advance(run *r, erg_error *err)
{
    double until = r->end;
    if (writes(r)) {
        until = fmin(until, ergi_probes_next_sample(r->probes));
        until = fmin(until, ergi_schedule_time(&r->state.rows));
        until = fmin(until, ergi_schedule_time(&r->state.frames));
        until = fmin(until, ergi_fields_next(&r->fields));
        if (r->def->frame) until = fmin(until, ergi_schedule_time(&r->pictures));
    }

    uint64_t before = erg_world_steps(r->world);
    // An output is due at every step.
    bool       every_step = ergi_time_reached(erg_world_time(r->world), until);
    erg_status status = every_step ? erg_world_step(r->world, 1, err)
                                   : erg_world_run(r->world, until, ask_world, r, err);
    double     steps = (double)(erg_world_steps(r->world) - before);
    r->sphere_steps += steps * (double)erg_world_sphere_count(r->world);
    r->grain_steps += steps * (double)erg_world_grain_count(r->world);
    if (status == ERG_CANCELLED && !r->save_now) r->stop = true; // by keep_going
    return status == ERG_CANCELLED ? ERG_OK : status;
}

// Checkpoints are taken after all outputs that are due, so none falls between outputs of the same
// time.
static erg_status loop(run *r, erg_error *err)
{
    r->asked = -1.0;
    for (;;) {
        erg_status status = observe(r, err);
        if (status != ERG_OK || ergi_time_reached(erg_world_time(r->world), r->end)) return status;
        if (!ask(r, r->world) && r->save_now) {
            r->save_now = false;
            status = save(r, err);
        }
        if (status == ERG_OK && r->stop)
            return ergi_fail(err, ERG_CANCELLED, "stopped at t = %g s, step %llu",
                             erg_world_time(r->world),
                             (unsigned long long)erg_world_steps(r->world));
        if (status == ERG_OK) status = advance(r, err);
        if (status != ERG_OK) return status;
    }
}

// ---- Finishing ---------------------------------------------------------------------------------
static erg_status write_summary(run *r, erg_status outcome, const char *problem, erg_error *err)
{
    double *values =
        ergi_memory_new(erg_probes_columns(r->probes) + 1, sizeof *values, "the summary", err);
    if (!values) return ERG_NO_MEMORY;
    ergi_path  path;
    erg_status status = ergi_path_join(&path, r->out.text, ERGI_SUMMARY, err);
    // The state is already saved: this last reading of the probes is not part of it.
    if (status == ERG_OK) status = erg_probes_read(r->probes, r->world, values, err);
    if (status == ERG_OK)
        status = ergi_run_summary(path.text, r->result, r->settings->title, outcome, problem,
                                  r->world, r->probes, values, err);
    ergi_memory_free(values);
    return status;
}

static void fill_result(run *r)
{
    erg_run_result *result = r->result;
    ergi_run_result_fill(result, r->world, NULL);
    result->wall_s = ergi_pace_wall(&r->pace);
    if (result->wall_s > 0.0) {
        result->sphere_steps_per_s = r->sphere_steps / result->wall_s;
        result->grain_steps_per_s = r->grain_steps / result->wall_s;
    }
    result->rows = r->state.row_count;
    result->frames = r->snapshots.count;
}

// Saves the state of a run that ended, was stopped or failed numerically. After a disk error the
// previous checkpoint is safer.
static erg_status finish(run *r, erg_status outcome, erg_error *err)
{
    erg_error  own;
    erg_status status = outcome;
    bool       failed = outcome != ERG_OK && outcome != ERG_CANCELLED;
    bool       keep = outcome == ERG_OK || outcome == ERG_CANCELLED || outcome == ERG_BAD_PHYSICS;
    bool       kept = r->has_saved && r->steps_saved == erg_world_steps(r->world);
    if (writes(r) && keep && !(kept && outcome == ERG_OK)) {
        erg_status saved = save(r, &own);
        if (saved != ERG_OK && !failed) status = ergi_fail_as(err, &own, "%s", own.text);
    }
    if (r->has_saved) {
        snprintf(r->result->checkpoint, sizeof r->result->checkpoint, "%s/%s", r->out.text,
                 ERGI_CHECKPOINT);
        r->result->checkpoint_steps = r->steps_saved;
    }
    if (status == ERG_OK) {
        r->asked = -1.0;
        ask(r, r->world); // so that the caller is informed of the end, too
    }
    fill_result(r);
    char warning[320];
    if (ergi_run_overlap_warning(r->result, warning, sizeof warning))
        say(r, ERG_LOG_WARNING, warning);
    if (writes(r)) {
        const char *problem = status == ERG_OK ? NULL : err ? err->text : "failed";
        erg_status  written = write_summary(r, status, problem, &own);
        erg_status  closed = written == ERG_OK ? ergi_series_close(&r->series, &own) : written;
        if (closed == ERG_OK) closed = ergi_snapshots_finish(&r->snapshots, &own);
        if (closed != ERG_OK && (status == ERG_OK || status == ERG_CANCELLED))
            status = ergi_fail_as(err, &own, "%s", own.text);
    }
    return status;
}

erg_status erg_run(const erg_run_def *def, erg_run_result *result, erg_error *err)
{
    if (!def || !def->scene || !result)
        return ergi_fail_code(err, ERG_ERROR_MISSING,
                              "a run needs a definition with a scene, and a result");
    *result = (erg_run_result){0};
    run r = {.def = def, .settings = erg_scene_get_settings(def->scene), .result = result};
    erg_run_scene_name(def->name ? def->name : "", result->scene, sizeof result->scene);
    ergi_run_result_method(result, r.settings->solver, def->backend); // until the world is built

    r.lock = ergi_lock_none();
    erg_status status = check_times(&r, err);
    if (status == ERG_OK) status = choose_folder(&r, err);
    if (status == ERG_OK) status = open_checkpoint(&r, err);
    if (status == ERG_OK) status = build(&r, err);
    if (status == ERG_OK) {
        result->started = true;
        snprintf(result->out, sizeof result->out, "%s", r.out.text);
        if (def->start) def->start(def->user, r.world);
        status = open_folder(&r, err);
    }
    if (status == ERG_OK) {
        r.pace = ergi_pace_begin(erg_world_time(r.world));
        status = loop(&r, err);
        status = finish(&r, status, err);
    }
    ergi_container_close(r.container);
    ergi_series_close(&r.series, NULL);
    ergi_snapshots_close(&r.snapshots);
    if (result->started && def->end) def->end(def->user);
    ergi_lock_release(&r.lock);
    ergi_fields_free(&r.fields);
    erg_probes_destroy(r.probes);
    erg_world_destroy(r.world);
    return status;
}
