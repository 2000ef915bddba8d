// State of a run in addition to the world and its probes, and how it is stored in a checkpoint.
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

// The schedules at t = 0.
ergi_run_state ergi_run_state_begin(const erg_scene_settings *settings);

// Reads the state back. If the scene now has other periods, they apply after `time`.
erg_status ergi_run_state_restore(ergi_run_state *state, ergi_snapshots *snapshots,
                                  const erg_scene_settings *settings, double time,
                                  const ergi_container *container, erg_error *err);

// Writes world, scene text, run state, probes and fields to `folder`. With `rotate` the previous
// checkpoint is kept as checkpoint-prev.h5, else it is replaced.
erg_status ergi_run_state_save(const ergi_run_state *state, const ergi_snapshots *snapshots,
                               erg_probes *probes, ergi_fields *fields, const erg_world *world,
                               const erg_scene *scene, const char *name, const char *folder,
                               bool rotate, erg_error *err);

#endif
