// The field probes of a run: fields/NAME-000000.vti and the lists fields/NAME.pvd.
#ifndef ERGI_FIELDS_H
#define ERGI_FIELDS_H

#include "erg/scene.h"
#include "io/container.h"
#include "run/coarse.h"
#include "run/path.h"
#include "run/schedule.h"

enum { ERGI_FIELD_ITEMS = 3 }; // items of a checkpoint

typedef struct ergi_field_run {
    const erg_probe_def *def; // belongs to the scene
    ergi_coarse          coarse;
    ergi_schedule        sampling; // one sample each
} ergi_field_run;

typedef struct ergi_fields {
    ergi_path       folder; // empty: nothing is written
    ergi_field_run *field;
    size_t          count;
    double         *log; // 2 per file: index of the field, time [s]
    size_t          files, log_room;
    uint64_t       *counts; // 2 per field, filled by ergi_fields_items for the checkpoint
    double         *sums;   // of all fields, filled likewise
    size_t          cells;  // total of all fields
} ergi_fields;

// Selects the field probes among the probes of the scene; `world` is the one they will measure.
erg_status ergi_fields_make(ergi_fields *fields, const erg_scene_settings *settings,
                            const erg_world *world, erg_error *err);
void       ergi_fields_free(ergi_fields *fields);

// Creates the folder if there are fields, and removes files later than those in the log. `from`
// (may be NULL): result folder from which the earlier files are copied.
erg_status ergi_fields_open(ergi_fields *fields, const char *result_folder, const char *from,
                            erg_error *err);

// Time of the next sample. INFINITY: never.
double ergi_fields_next(const ergi_fields *fields); // [s]

// Takes the samples that are due, and writes the files that are complete.
erg_status ergi_fields_sample(ergi_fields *fields, const erg_world *world, erg_error *err);
// Takes one sample and writes one file of every field now.
erg_status ergi_fields_write_now(ergi_fields *fields, const erg_world *world, erg_error *err);

// What a checkpoint must hold for the fields to continue, as in probe.h.
size_t ergi_fields_items(ergi_fields *fields, ergi_container_item *items);
// `time`: of the world.
erg_status ergi_fields_restore(ergi_fields *fields, double time, const ergi_container *container,
                               erg_error *err);

#endif
