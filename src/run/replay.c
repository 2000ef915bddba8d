#include "erg/replay.h"

#include "base/error.h"
#include "base/memory.h"
#include "io/bodies_file.h"
#include "io/snapshot.h"
#include "run/folder.h"
#include "run/replay_columns.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

typedef struct entry {
    uint64_t    frame;
    const char *ending;
    double      time; // [s]
} entry;

struct erg_replay {
    ergi_path      folder; // of the snapshots
    ergi_path      file;   // a single snapshot; empty: use the folder
    entry         *entries;
    size_t         count, room;
    ergi_snapshot  shown;
    ergi_snapshot  fine;   // of the same moment
    erg_body_pose *bodies; // of the snapshot shown
    size_t         body_count;
    size_t         shown_index; // SIZE_MAX: none

    ergi_replay_columns columns;
};

static const char *const ENDINGS[] = {"vtp", "hdf", "ply"};

static erg_status path_of(const erg_replay *r, uint64_t frame, const char *ending, ergi_path *path,
                          erg_error *err)
{
    if (*r->file.text) {
        *path = r->file;
        return ERG_OK;
    }
    return ergi_path_join(path, r->folder.text,
                          ergi_frame_name_of(ERGI_PART_SPHERES, frame, ending).text, err);
}

// Frames are numbered without gaps, but a resumed run may have changed the format.
static erg_status list(erg_replay *r, erg_error *err)
{
    for (uint64_t frame = 0;; frame++) {
        ergi_path   path;
        const char *ending = NULL;
        for (size_t k = 0; k < sizeof ENDINGS / sizeof *ENDINGS && !ending; k++) {
            erg_status status = path_of(r, frame, ENDINGS[k], &path, err);
            if (status != ERG_OK) return status;
            if (ergi_path_exists(path.text)) ending = ENDINGS[k];
        }
        if (!ending) return ERG_OK;
        erg_status status = ergi_memory_grow(&r->entries, &r->room, r->count + 1,
                                             sizeof *r->entries, "the list of snapshots", err);
        entry      e = {.frame = frame, .ending = ending};
        if (status == ERG_OK) status = ergi_snapshot_time(path.text, &e.time, err);
        if (status != ERG_OK) return status;
        r->entries[r->count++] = e;
    }
}

// `folder` is a result folder, which has the snapshots in a subfolder, or that subfolder.
static erg_status list_folder(erg_replay *r, const char *folder, erg_error *err)
{
    erg_status status = ergi_path_join(&r->folder, folder, ERGI_SNAPSHOTS, err);
    if (status == ERG_OK && !ergi_path_exists(r->folder.text))
        status = ergi_path_join(&r->folder, folder, ".", err);
    return status == ERG_OK ? list(r, err) : status;
}

static erg_status list_file(erg_replay *r, const char *file, erg_error *err)
{
    entry      e = {.ending = ""};
    erg_status status = ergi_snapshot_time(file, &e.time, err);
    if (status == ERG_OK)
        status = ergi_memory_grow(&r->entries, &r->room, 1, sizeof *r->entries,
                                  "the list of snapshots", err);
    if (status != ERG_OK) return status;
    if (snprintf(r->file.text, sizeof r->file.text, "%s", file) >= (int)sizeof r->file.text)
        return ergi_fail(err, ERG_BAD_INPUT, "the name '%.60s...' is too long", file);
    r->entries[r->count++] = e;
    return ERG_OK;
}

erg_status erg_replay_open(const char *folder, erg_replay **replay, erg_error *err)
{
    if (!folder || !replay) return ergi_fail_null(err, __func__);
    struct stat info;
    *replay = NULL;
    if (stat(folder, &info) != 0)
        return ergi_fail_code(err, ERG_ERROR_NO_FILE, "there is no result folder '%s'", folder);
    erg_replay *r = ergi_memory_new(1, sizeof *r, "a replay", err);
    if (!r) return ERG_NO_MEMORY;
    r->shown_index = SIZE_MAX;
    erg_status status =
        S_ISDIR(info.st_mode) ? list_folder(r, folder, err) : list_file(r, folder, err);
    if (status == ERG_OK)
        *replay = r;
    else
        erg_replay_close(r);
    return status;
}

static void free_frame(erg_replay *r)
{
    ergi_snapshot_free(&r->shown);
    ergi_snapshot_free(&r->fine);
    ergi_memory_free(r->bodies);
    r->bodies = NULL;
    r->body_count = 0;
    r->shown_index = SIZE_MAX;
}

void erg_replay_close(erg_replay *r)
{
    if (!r) return;
    free_frame(r);
    ergi_replay_columns_free(&r->columns);
    ergi_memory_free(r->entries);
    ergi_memory_free(r);
}

size_t erg_replay_count(const erg_replay *r)
{
    if (!r) return 0;
    return r->count;
}

double erg_replay_time(const erg_replay *r, size_t index)
{
    if (!r) return 0;
    return index < r->count ? r->entries[index].time : (double)NAN;
}

size_t erg_replay_nearest(const erg_replay *r, double time)
{
    if (!r) return 0;
    size_t best = 0;
    for (size_t i = 1; i < r->count; i++)
        if (fabs(r->entries[i].time - time) < fabs(r->entries[best].time - time)) best = i;
    return best;
}

// Bodies are in a separate file next to the grains, if the scene has any.
static erg_status read_bodies(erg_replay *r, uint64_t frame, erg_error *err)
{
    ergi_path path;
    if (*r->file.text) return ERG_OK; // a single file has no bodies
    erg_status status = ergi_path_join(
        &path, r->folder.text, ergi_frame_name_of(ERGI_PART_BODIES, frame, "vtp").text, err);
    if (status != ERG_OK || !ergi_path_exists(path.text)) return status;
    return ergi_bodies_read(path.text, &r->bodies, &r->body_count, err);
}

// So do fine particles, where there was upsampling.
static erg_status read_fine(erg_replay *r, const entry *e, erg_error *err)
{
    ergi_path path;
    if (*r->file.text) return ERG_OK;
    erg_status status = ergi_path_join(
        &path, r->folder.text, ergi_frame_name_of(ERGI_PART_FINE, e->frame, e->ending).text, err);
    if (status != ERG_OK || !ergi_path_exists(path.text)) return status;
    return ergi_snapshot_read(path.text, &r->fine, err);
}

erg_status erg_replay_terrain(erg_replay *r, const erg_world *defined, erg_error *err)
{
    if (!r || !defined) return ergi_fail_null(err, __func__);
    if (*r->file.text || r->count == 0) return ERG_OK; // a single file has no columns
    return ergi_replay_columns_begin(&r->columns, defined, &r->folder, r->count, err);
}

static erg_status read_frame(erg_replay *r, size_t index, erg_error *err)
{
    ergi_path    path;
    const entry *e = &r->entries[index];
    free_frame(r);
    erg_status status = path_of(r, e->frame, e->ending, &path, err);
    if (status == ERG_OK) status = ergi_snapshot_read(path.text, &r->shown, err);
    if (status == ERG_OK) status = read_bodies(r, e->frame, err);
    if (status == ERG_OK) status = read_fine(r, e, err);
    if (status == ERG_OK) status = ergi_replay_columns_seek(&r->columns, e->frame, err);
    if (status == ERG_OK)
        r->shown_index = index;
    else
        free_frame(r);
    return status;
}

// Spheres of a grain are consecutive.
static size_t count_grains(const ergi_snapshot *s)
{
    size_t grains = 0;
    for (size_t i = 0; i < s->count; i++) grains += i == 0 || s->grain[i] != s->grain[i - 1];
    return grains;
}

erg_status erg_replay_read(erg_replay *r, size_t index, erg_moment *moment, erg_error *err)
{
    if (!r || !moment) return ergi_fail_null(err, __func__);
    if (index >= r->count)
        return ergi_fail_code(err, ERG_ERROR_UNKNOWN,
                              "there is no snapshot %zu, the result has %zu", index, r->count);
    erg_status status = index == r->shown_index ? ERG_OK : read_frame(r, index, err);
    if (status != ERG_OK) return status;
    *moment = (erg_moment){.time = r->shown.time,
                           .grains = count_grains(&r->shown),
                           .spheres = {.count = r->shown.count,
                                       .position = r->shown.position,
                                       .velocity = r->shown.velocity,
                                       .radius = r->shown.radius,
                                       .grain = r->shown.grain,
                                       .material = r->shown.material},
                           .fine = {.count = r->fine.count,
                                    .position = r->fine.position,
                                    .velocity = r->fine.velocity,
                                    .radius = r->fine.radius,
                                    .grain = r->fine.grain,
                                    .material = r->fine.material},
                           .bodies = r->bodies,
                           .body_count = r->body_count,
                           .columns = ergi_replay_columns_shown(&r->columns)};
    return ERG_OK;
}
