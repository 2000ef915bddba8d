#include "run/fields.h"

#include "base/error.h"
#include "base/memory.h"
#include "erg/snapshot.h"
#include "io/file.h"
#include "run/folder.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// ---- Making ------------------------------------------------------------------------------------
static erg_status add(ergi_fields *f, const erg_probe_def *def, const erg_world *world,
                      erg_error *err)
{
    ergi_field_run *own = &f->field[f->count];
    erg_status      status = ergi_coarse_check(def, err);
    if (status == ERG_OK) status = ergi_coarse_make(def, world, &own->coarse, err);
    if (status != ERG_OK) return status;
    own->def = def;
    own->sampling = (ergi_schedule){.every = def->every / def->samples};
    f->cells += own->coarse.count;
    f->count++;
    return ERG_OK;
}

erg_status ergi_fields_make(ergi_fields *f, const erg_scene_settings *settings,
                            const erg_world *world, erg_error *err)
{
    *f = (ergi_fields){0};
    bool       pending = false; // a checkpoint may fall between the samples of one file
    size_t     room = settings->probe_count;
    erg_status status = ERG_OK;
    f->field = ergi_memory_new(room, sizeof *f->field, "fields", err);
    f->counts = ergi_memory_new(2 * room, sizeof *f->counts, "fields", err);
    if (!f->field || !f->counts) status = ERG_NO_MEMORY;
    for (size_t i = 0; i < room && status == ERG_OK; i++)
        if (settings->probes[i].kind == ERG_PROBE_FIELD) {
            status = add(f, &settings->probes[i], world, err);
            pending = pending || settings->probes[i].samples > 1;
        }
    if (status == ERG_OK && pending) {
        f->sums = ergi_memory_new(f->cells * ERGI_COARSE_SUMS, sizeof *f->sums, "fields", err);
        if (!f->sums) status = ERG_NO_MEMORY;
    }
    return status;
}

void ergi_fields_free(ergi_fields *f)
{
    for (size_t i = 0; i < f->count; i++) ergi_coarse_free(&f->field[i].coarse);
    ergi_memory_free(f->field);
    ergi_memory_free(f->counts);
    ergi_memory_free(f->sums);
    ergi_memory_free(f->log);
    *f = (ergi_fields){0};
}

// ---- Files -------------------------------------------------------------------------------------
static size_t files_of(const ergi_fields *f, size_t field)
{
    size_t count = 0;
    for (size_t i = 0; i < f->files; i++) count += f->log[2 * i] == (double)field;
    return count;
}

static erg_status path_of(const ergi_fields *f, size_t field, size_t file, ergi_path *path,
                          erg_error *err)
{
    return ergi_path_join(path, f->folder.text,
                          ergi_frame_name_of(f->field[field].def->name, file, "vti").text, err);
}

static erg_status write_list(const ergi_fields *f, size_t field, erg_error *err)
{
    size_t              count = files_of(f, field), n = 0;
    const char         *name = f->field[field].def->name;
    char                list[112];
    ergi_path           path;
    erg_snapshot_entry *entries = ergi_memory_new(count, sizeof *entries, "fields", err);
    ergi_frame_name    *names = ergi_memory_new(count, sizeof *names, "fields", err);
    erg_status          status = entries && names ? ERG_OK : ERG_NO_MEMORY;
    snprintf(list, sizeof list, "%s.pvd", name);
    if (status == ERG_OK) status = ergi_path_join(&path, f->folder.text, list, err);
    for (size_t i = 0; i < f->files && status == ERG_OK; i++) {
        if (f->log[2 * i] != (double)field) continue;
        names[n] = ergi_frame_name_of(name, n, "vti");
        entries[n] = (erg_snapshot_entry){names[n].text, f->log[2 * i + 1]};
        n++;
    }
    if (status == ERG_OK) status = erg_snapshot_list(path.text, entries, n, err);
    ergi_memory_free(entries);
    ergi_memory_free(names);
    return status;
}

static erg_status write_file(ergi_fields *f, size_t field, double time, erg_error *err)
{
    ergi_path  path;
    erg_status status =
        ergi_memory_grow(&f->log, &f->log_room, 2 * (f->files + 1), sizeof *f->log, "fields", err);
    if (status == ERG_OK) status = path_of(f, field, files_of(f, field), &path, err);
    if (status == ERG_OK) status = ergi_coarse_write(&f->field[field].coarse, time, path.text, err);
    if (status != ERG_OK) return status;
    f->log[2 * f->files] = (double)field;
    f->log[2 * f->files++ + 1] = time;
    ergi_coarse_clear(&f->field[field].coarse);
    return write_list(f, field, err);
}

// Removes files of later times, left by a run that stopped after its last checkpoint.
static erg_status cut(const ergi_fields *f, size_t field, erg_error *err)
{
    for (size_t i = files_of(f, field);; i++) {
        ergi_path  path;
        erg_status status = path_of(f, field, i, &path, err);
        if (status != ERG_OK || !ergi_path_exists(path.text)) return status;
        if (unlink(path.text) != 0)
            return ergi_fail(err, ERG_IO, "cannot remove '%s': %s", path.text, strerror(errno));
    }
}

static erg_status take_over(const ergi_fields *f, size_t field, const char *from, erg_error *err)
{
    ergi_path  old;
    erg_status status = ergi_path_join(&old, from, ERGI_FIELDS_FOLDER, err);
    for (size_t i = files_of(f, field); i-- > 0 && status == ERG_OK;)
        status = ergi_folder_copy_file(old.text, f->folder.text,
                                       ergi_frame_name_of(f->field[field].def->name, i, "vti").text,
                                       UINT64_MAX, err);
    return status;
}

erg_status ergi_fields_open(ergi_fields *f, const char *result_folder, const char *from,
                            erg_error *err)
{
    if (!f->count) return ERG_OK;
    erg_status status = ergi_path_join(&f->folder, result_folder, ERGI_FIELDS_FOLDER, err);
    if (status == ERG_OK) status = ergi_folder_make(f->folder.text, err);
    for (size_t i = 0; i < f->count && status == ERG_OK; i++) {
        if (from) status = take_over(f, i, from, err);
        if (status == ERG_OK) status = cut(f, i, err);
        if (status == ERG_OK && files_of(f, i)) status = write_list(f, i, err);
    }
    return status;
}

// ---- Sampling ----------------------------------------------------------------------------------
double ergi_fields_next(const ergi_fields *f)
{
    double next = (double)INFINITY;
    for (size_t i = 0; i < f->count; i++)
        next = fmin(next, ergi_schedule_time(&f->field[i].sampling));
    return next;
}

erg_status ergi_fields_sample(ergi_fields *f, const erg_world *world, erg_error *err)
{
    double     time = erg_world_time(world);
    erg_status status = ERG_OK;
    for (size_t i = 0; i < f->count && status == ERG_OK; i++) {
        ergi_field_run *own = &f->field[i];
        if (!ergi_schedule_due(&own->sampling, time)) continue;
        status = ergi_coarse_add(&own->coarse, world, err);
        if (status != ERG_OK) break;
        uint64_t samples = own->def->samples, first = own->sampling.next;
        ergi_schedule_advance(&own->sampling, time);
        // Samples closer together than a step are taken once, so check whether any of them
        // completed a file.
        if ((own->sampling.next - 1) / samples * samples >= first)
            status = write_file(f, i, time, err);
    }
    return status;
}

erg_status ergi_fields_write_now(ergi_fields *f, const erg_world *world, erg_error *err)
{
    double     time = erg_world_time(world);
    erg_status status = ERG_OK;
    for (size_t i = 0; i < f->count && status == ERG_OK; i++) {
        status = ergi_coarse_add(&f->field[i].coarse, world, err);
        ergi_schedule_advance(&f->field[i].sampling, time);
        if (status == ERG_OK) status = write_file(f, i, time, err);
    }
    return status;
}

// ---- Checkpoints -------------------------------------------------------------------------------
size_t ergi_fields_items(ergi_fields *f, ergi_container_item *items)
{
    if (!f->count) return 0;
    size_t row = 0;
    for (size_t i = 0; i < f->count; i++) {
        const ergi_coarse *c = &f->field[i].coarse;
        f->counts[2 * i] = f->field[i].sampling.next;
        f->counts[2 * i + 1] = c->samples;
        if (f->sums)
            memcpy(f->sums + row * ERGI_COARSE_SUMS, c->sum,
                   c->count * ERGI_COARSE_SUMS * sizeof *c->sum);
        row += c->count;
    }
    items[0] = (ergi_container_item){"fields/counts", ERGI_CONTAINER_U64, 2, f->count, f->counts};
    items[1] = (ergi_container_item){"fields/log", ERGI_CONTAINER_F64, 2, f->files, f->log};
    items[2] = (ergi_container_item){"fields/sums", ERGI_CONTAINER_F64, ERGI_COARSE_SUMS,
                                     f->sums ? row : 0, f->sums};
    return 3;
}

// Times must not decrease, nor exceed the time of the world.
static bool log_fits(const double *log, size_t files, size_t fields, double time)
{
    double last = 0;
    for (size_t i = 0; i < files; i++) {
        double field = log[2 * i], when = log[2 * i + 1];
        if (!(field >= 0 && field < (double)fields) || field != floor(field)) return false;
        if (!(when >= last && when <= time)) return false;
        last = when;
    }
    return true;
}

static bool counts_fit(const ergi_fields *f, const uint64_t *counts, double time)
{
    for (size_t i = 0; i < f->count; i++) {
        ergi_schedule last = {f->field[i].sampling.every, counts[2 * i] - 1};
        if (counts[2 * i] > 0 && !(ergi_schedule_time(&last) <= time)) return false;
        if (counts[2 * i + 1] > f->field[i].def->samples) return false;
    }
    return true;
}

static bool all_finite(const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(numbers[i])) return false;
    return true;
}

erg_status ergi_fields_restore(ergi_fields *f, double time, const ergi_container *container,
                               erg_error *err)
{
    if (!f->count) return ERG_OK;
    size_t          rows[3];
    const uint64_t *counts =
        ergi_container_get(container, "fields/counts", ERGI_CONTAINER_U64, 2, &rows[0], err);
    const double *log =
        counts ? ergi_container_get(container, "fields/log", ERGI_CONTAINER_F64, 2, &rows[1], err)
               : NULL;
    const double *sums = log ? ergi_container_get(container, "fields/sums", ERGI_CONTAINER_F64,
                                                  ERGI_COARSE_SUMS, &rows[2], err)
                             : NULL;
    if (!sums) return ERG_BAD_INPUT;
    if (rows[0] != f->count || rows[2] != (f->sums ? f->cells : 0))
        return ergi_fail_code(err, ERG_ERROR_OTHER_WORLD,
                              "the checkpoint was written with other field probes");
    if (!counts_fit(f, counts, time) || !log_fits(log, rows[1], f->count, time) ||
        !all_finite(sums, rows[2] * ERGI_COARSE_SUMS))
        return ergi_fail_code(err, ERG_ERROR_BAD_FILE,
                              "the checkpoint is inconsistent: its fields cannot have been written "
                              "at the stated time; it was not written by this erg");
    erg_status status =
        ergi_memory_grow(&f->log, &f->log_room, 2 * rows[1] + 1, sizeof *f->log, "fields", err);
    if (status != ERG_OK) return status;
    memcpy(f->log, log, 2 * rows[1] * sizeof *log);
    f->files = rows[1];
    size_t row = 0;
    for (size_t i = 0; i < f->count; i++) {
        ergi_coarse *c = &f->field[i].coarse;
        f->field[i].sampling.next = counts[2 * i];
        c->samples = counts[2 * i + 1];
        if (f->sums)
            memcpy(c->sum, sums + row * ERGI_COARSE_SUMS,
                   c->count * ERGI_COARSE_SUMS * sizeof *c->sum);
        row += c->count;
    }
    return ERG_OK;
}
