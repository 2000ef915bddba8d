// Writes a result folder for a world that the caller has stepped, e.g. the viewer.
#include "base/error.h"
#include "base/memory.h"
#include "erg/run.h"
#include "io/hdf5_buffer.h"
#include "run/folder.h"
#include "run/lock.h"
#include "run/result.h"
#include "run/series.h"
#include "run/state.h"

#include <stdio.h>

typedef struct keeper {
    const erg_run_def        *def;
    const erg_scene_settings *settings;
    const erg_world          *world;
    erg_probes               *probes;
    ergi_run_state            state;
    ergi_series               series;
    ergi_snapshots            snapshots;
    ergi_lock                 lock;
    ergi_fields               fields;
} keeper;

// Writes one row for the current state; a resumed run continues after it.
static erg_status write_series(keeper *k, erg_error *err)
{
    ergi_path  path;
    erg_status status = ergi_path_join(&path, k->def->out, ERGI_SERIES, err);
    if (status == ERG_OK)
        status = ergi_series_open(&k->series, path.text, k->world, k->probes, 0, err);
    if (status == ERG_OK) status = erg_probes_watch(k->probes, k->world, err);
    if (status == ERG_OK) status = ergi_series_row(&k->series, k->world, k->probes, err);
    if (status != ERG_OK) return status;
    ergi_schedule_advance(&k->state.rows, erg_world_time(k->world));
    k->state.row_count = 1;
    k->state.series_bytes = ergi_csv_bytes(k->series.csv);
    return ergi_csv_sync(k->series.csv, err);
}

static erg_status write_snapshot(keeper *k, erg_error *err)
{
    erg_status status = ergi_snapshots_open(&k->snapshots, k->def->out, k->settings, k->world, err);
    if (status != ERG_OK || !ergi_snapshots_are_asked(k->settings)) return status;
    ergi_schedule_advance(&k->state.frames, erg_world_time(k->world));
    status = ergi_snapshots_take(&k->snapshots, k->world, err);
    return status == ERG_OK ? ergi_snapshots_finish(&k->snapshots, err) : status;
}

static erg_status write_checkpoint(keeper *k, erg_run_result *result, erg_error *err)
{
    if (ergi_hdf5_buffer_built(NULL) != ERG_OK) return ERG_OK; // no HDF5: no checkpoint
    erg_status status = ergi_run_state_save(
        &k->state, &k->snapshots, k->probes, &k->fields, k->world, k->def->scene,
        k->def->name ? k->def->name : "", k->def->out, false, err);
    if (status != ERG_OK) return status;
    snprintf(result->checkpoint, sizeof result->checkpoint, "%s/%s", k->def->out, ERGI_CHECKPOINT);
    result->checkpoint_steps = erg_world_steps(k->world);
    return ERG_OK;
}

static erg_status write_summary(keeper *k, erg_run_result *result, erg_error *err)
{
    double *values =
        ergi_memory_new(erg_probes_columns(k->probes) + 1, sizeof *values, "the summary", err);
    if (!values) return ERG_NO_MEMORY;
    ergi_path  path;
    erg_status status = ergi_path_join(&path, k->def->out, ERGI_SUMMARY, err);
    if (status == ERG_OK) status = erg_probes_read(k->probes, k->world, values, err);
    if (status == ERG_OK)
        status = ergi_run_summary(path.text, result, k->settings->title, ERG_OK, NULL, k->world,
                                  k->probes, values, err);
    ergi_memory_free(values);
    return status;
}

static erg_status keep(keeper *k, erg_run_result *result, erg_error *err)
{
    const erg_run_def *def = k->def;
    erg_status         status = ergi_snapshots_check(k->settings, err);
    if (status == ERG_OK)
        status = erg_probes_create(k->settings->probes, k->settings->probe_count, k->world,
                                   &k->probes, err);
    if (status == ERG_OK) status = ergi_fields_make(&k->fields, k->settings, k->world, err);
    if (status == ERG_OK) status = ergi_run_result_fill(result, k->world, err);
    if (status == ERG_OK) status = ergi_folder_prepare(def->out, err);
    if (status == ERG_OK) status = ergi_lock_acquire(&k->lock, def->out, err);
    if (status == ERG_OK && !def->force) status = ergi_folder_check_free(def->out, err);
    if (status == ERG_OK) status = ergi_folder_clear(def->out, err);
    if (status != ERG_OK) return status;
    snprintf(result->out, sizeof result->out, "%s", def->out);
    status = write_series(k, err);
    if (status == ERG_OK) status = write_snapshot(k, err);
    if (status == ERG_OK) status = ergi_fields_open(&k->fields, def->out, NULL, err);
    if (status == ERG_OK) status = ergi_fields_write_now(&k->fields, k->world, err);
    if (status == ERG_OK) status = write_checkpoint(k, result, err);
    result->rows = k->state.row_count;
    result->frames = k->snapshots.count;
    return status == ERG_OK ? write_summary(k, result, err) : status;
}

erg_status erg_run_keep(const erg_run_def *def, const erg_world *world, erg_run_result *result,
                        erg_error *err)
{
    if (!def || !def->scene || !def->out || !world || !result)
        return ergi_fail(err, ERG_BAD_INPUT,
                         "saving a world needs its scene, a folder and a result");
    keeper k = {.def = def, .settings = erg_scene_get_settings(def->scene), .world = world};
    k.lock = ergi_lock_none();
    k.state = ergi_run_state_begin(k.settings);
    *result = (erg_run_result){.started = true, .threads = def->threads};
    erg_run_scene_name(def->name ? def->name : "", result->scene, sizeof result->scene);
    ergi_run_result_method(result, k.settings->solver, def->backend);
    erg_status status = keep(&k, result, err);
    erg_status closed = ergi_series_close(&k.series, status == ERG_OK ? err : NULL);
    ergi_snapshots_close(&k.snapshots);
    ergi_lock_release(&k.lock);
    ergi_fields_free(&k.fields);
    erg_probes_destroy(k.probes);
    return status == ERG_OK ? closed : status;
}
