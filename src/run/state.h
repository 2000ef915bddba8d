// What a run remembers beside the world and its probes, and how a checkpoint carries all of it.
#ifndef ERGI_RUN_STATE_H
#define ERGI_RUN_STATE_H

#include "erg/scene.h"
#include "io/container.h"
#include "run/fields.h"
#include "run/probe.h"
#include "run/schedule.h"
#include "run/snapshots.h"

typedef struct ergi_run_state {
    ergi_schedule rows, frames;
    uint64_t      row_count;
    uint64_t      series_bytes; // length of series.csv that belongs to this state
} ergi_run_state;

// What has been asked for from t = 0 on.
ergi_run_state ergi_run_state_begin(const erg_scene_settings *settings);

// Reads it back. Periods that the scene now gives otherwise take effect after `time`.
erg_status ergi_run_state_restore(ergi_run_state *state, ergi_snapshots *snapshots,
                                  const erg_scene_settings *settings, double time,
                                  const ergi_container *box, erg_error *err);

// Writes world, scene text, run state, probes and fields to `folder`. With `rotate` the previous
// checkpoint is kept as checkpoint-prev.h5, else it is replaced.
erg_status ergi_run_state_save(const ergi_run_state *state, const ergi_snapshots *snapshots,
                               erg_probes *probes, ergi_fields *fields, const erg_world *world,
                               const erg_scene *scene, const char *name, const char *folder,
                               bool rotate, erg_error *err);

#endif
