#include "run/state.h"

#include "api/save.h"
#include "base/error.h"
#include "run/folder.h"

#include <math.h>
#include <string.h>

enum { COUNTS = 4, RUN_ITEMS = 5 };

ergi_run_state ergi_run_state_begin(const erg_scene_settings *settings)
{
    return (ergi_run_state){
        .rows = {.every = settings->series_every},
        .frames = {.every = ergi_snapshots_are_asked(settings) ? settings->snapshot_every : 0.0},
    };
}

// A schedule with a new period starts at the current time, not at 0.
static ergi_schedule continue_schedule(double every, double stored_every, uint64_t stored_next,
                                       double time)
{
    ergi_schedule s = {every, stored_next};
    if (every != stored_every) {
        s.next = 0;
        ergi_schedule_advance(&s, time);
    }
    return s;
}

// Whether `next` can be the next output after `time`.
static bool schedule_fits(double every, uint64_t next, double time)
{
    if (!(every >= 0.0 && isfinite(every))) return false;
    return every > 0.0 ? (double)next <= time / every + 2.0 : next == 0;
}

static bool state_fits(const uint64_t counts[COUNTS], const double every[2], const double *frames,
                       const uint64_t *spheres, size_t frame_count, double time)
{
    bool fits = schedule_fits(every[0], counts[0], time) &&
                schedule_fits(every[1], counts[1], time) && counts[2] < (uint64_t)1 << 53 &&
                counts[3] < (uint64_t)1 << 53;
    for (size_t k = 0; k < frame_count && fits; k++)
        fits = frames[k] >= (k > 0 ? frames[k - 1] : 0.0) && frames[k] <= time &&
               spheres[k] <= INT32_MAX;
    return fits;
}

erg_status ergi_run_state_restore(ergi_run_state *state, ergi_snapshots *snapshots,
                                  const erg_scene_settings *settings, double time,
                                  const ergi_container *container, erg_error *err)
{
    size_t          rows[4];
    const uint64_t *counts =
        ergi_container_get(container, "run/counts", ERGI_CONTAINER_U64, COUNTS, &rows[0], err);
    const double *every =
        counts ? ergi_container_get(container, "run/every", ERGI_CONTAINER_F64, 2, &rows[1], err)
               : NULL;
    const double *frames =
        every ? ergi_container_get(container, "run/frames", ERGI_CONTAINER_F64, 1, &rows[2], err)
              : NULL;
    const uint64_t *spheres =
        frames ? ergi_container_get(container, "run/spheres", ERGI_CONTAINER_U64, 1, &rows[3], err)
               : NULL;
    if (!spheres) return ERG_BAD_INPUT;
    if (rows[0] != 1 || rows[1] != 1 || rows[3] != rows[2])
        return ergi_fail_code(err, ERG_ERROR_BAD_FILE, "the checkpoint contains no state of a run");
    if (!state_fits(counts, every, frames, spheres, rows[2], time))
        return ergi_fail_code(err, ERG_ERROR_BAD_FILE,
                              "the checkpoint is inconsistent: rows and snapshots cannot have been "
                              "written at the stated times; it was not written by this erg");
    erg_status status = ergi_snapshots_reserve(snapshots, rows[2] + 1, err);
    if (status != ERG_OK) return status;

    ergi_run_state asked = ergi_run_state_begin(settings);
    state->rows = continue_schedule(asked.rows.every, every[0], counts[0], time);
    state->frames = continue_schedule(asked.frames.every, every[1], counts[1], time);
    state->row_count = counts[2];
    state->series_bytes = counts[3];
    snapshots->count = rows[2];
    memcpy(snapshots->time, frames, rows[2] * sizeof *frames);
    memcpy(snapshots->spheres, spheres, rows[2] * sizeof *spheres);
    return ERG_OK;
}

erg_status ergi_run_state_save(const ergi_run_state *state, const ergi_snapshots *snapshots,
                               erg_probes *probes, ergi_fields *fields, const erg_world *world,
                               const erg_scene *scene, const char *name, const char *folder,
                               bool rotate, erg_error *err)
{
    ergi_path  path, previous;
    erg_status status = ergi_path_join(&path, folder, ERGI_CHECKPOINT, err);
    if (status == ERG_OK) status = ergi_path_join(&previous, folder, ERGI_CHECKPOINT_PREVIOUS, err);
    if (status != ERG_OK) return status;

    uint64_t            counts[COUNTS] = {state->rows.next, state->frames.next, state->row_count,
                                          state->series_bytes};
    double              every[2] = {state->rows.every, state->frames.every};
    ergi_container_item items[RUN_ITEMS + ERGI_PROBE_ITEMS + ERGI_FIELD_ITEMS] = {
        {"run/counts", ERGI_CONTAINER_U64, COUNTS, 1, counts},
        {"run/every", ERGI_CONTAINER_F64, 2, 1, every},
        {"run/frames", ERGI_CONTAINER_F64, 1, snapshots->count, snapshots->time},
        {"run/spheres", ERGI_CONTAINER_U64, 1, snapshots->count, snapshots->spheres},
        {"run/name", ERGI_CONTAINER_U8, 1, strlen(name), name},
    };
    size_t count = RUN_ITEMS + ergi_probes_items(probes, items + RUN_ITEMS);
    count += ergi_fields_items(fields, items + count);
    return ergi_world_save_with(world, path.text, rotate ? previous.text : NULL,
                                erg_scene_text(scene), items, count, err);
}
