// The field probes of a run: fields/NAME-000000.vti and the lists fields/NAME.pvd.
#ifndef ERGI_FIELDS_H
#define ERGI_FIELDS_H

#include "erg/scene.h"
#include "io/container.h"
#include "run/coarse.h"
#include "run/path.h"
#include "run/schedule.h"

enum { ERGI_FIELD_ITEMS = 3 }; // of a checkpoint

typedef struct ergi_field_run {
    const erg_probe_def *def; // the scene's
    ergi_coarse          coarse;
    ergi_schedule        looks; // one per sample
} ergi_field_run;

typedef struct ergi_fields {
    ergi_path       folder; // empty: nothing is written
    ergi_field_run *field;
    size_t          count;
    double         *log; // 2 per file: number of the field, time [s]
    size_t          files, log_room;
    uint64_t       *counts; // 2 per field, laid out for the checkpoint by ergi_fields_items
    double         *sums;   // of all fields likewise
    size_t          cells;  // of all fields
} ergi_fields;

// Finds the field probes among the probes; `world` is the one they will measure.
erg_status ergi_fields_make(ergi_fields *fields, const erg_scene_settings *settings,
                            const erg_world *world, erg_error *err);
void       ergi_fields_free(ergi_fields *fields);

// Creates the folder if there are fields. Files later than those in the log are removed; `from`
// (may be NULL) is the result folder whose files are copied.
erg_status ergi_fields_open(ergi_fields *fields, const char *result_folder, const char *from,
                            erg_error *err);

// When the next sample is due. INFINITY: never.
double ergi_fields_next(const ergi_fields *fields); // [s]

// Takes the samples that are due, and writes the files that are complete.
erg_status ergi_fields_look(ergi_fields *fields, const erg_world *world, erg_error *err);
// Takes one sample and writes one file of every field now.
erg_status ergi_fields_take(ergi_fields *fields, const erg_world *world, erg_error *err);

// What a checkpoint must hold for the fields to go on, as in probe.h.
size_t ergi_fields_items(ergi_fields *fields, ergi_container_item *items);
// `time`: of the world.
erg_status ergi_fields_restore(ergi_fields *fields, double time, const ergi_container *box,
                               erg_error *err);

#endif
