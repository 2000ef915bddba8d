// The field probes of a run: fields/NAME-000000.vti and the lists fields/NAME.pvd.
#ifndef ERGI_FIELDS_H
#define ERGI_FIELDS_H

#include "erg/scene.h"
#include "io/box.h"
#include "run/coarse.h"
#include "run/path.h"
#include "run/schedule.h"

enum { ERGI_FIELD_ITEMS = 3 }; // of a checkpoint

typedef struct ergi_field_run {
    const erg_probe_def *def; // the scene's
    ergi_coarse          coarse;
    ergi_schedule        looks; // one a sample
} ergi_field_run;

typedef struct ergi_fields {
    ergi_path       folder; // empty: nothing is written
    ergi_field_run *field;
    size_t          count;
    double         *log; // 2 a file: number of the field, time [s]
    size_t          files, log_room;
    uint64_t       *counts; // 2 a field, laid out for the checkpoint by ergi_fields_items
    double         *sums;   // of all fields likewise
    size_t          cells;  // of all fields
} ergi_fields;

// Those among the probes; `world` is the one they will look at.
erg_status ergi_fields_make(ergi_fields *fields, const erg_scene_settings *settings,
                            const erg_world *world, erg_error *err);
void       ergi_fields_free(ergi_fields *fields);

// Makes the folder where there are fields. Files behind those that the log has are removed; `from`
// (may be NULL) is the result folder whose files are taken over.
erg_status ergi_fields_open(ergi_fields *fields, const char *result_folder, const char *from,
                            erg_error *err);

// When the next sample is due. INFINITY: never.
double ergi_fields_next(const ergi_fields *fields); // [s]

// Takes the samples that are due, and writes the files that are full.
erg_status ergi_fields_look(ergi_fields *fields, const erg_world *world, erg_error *err);
// One sample and file of every field, now.
erg_status ergi_fields_take(ergi_fields *fields, const erg_world *world, erg_error *err);

// What a checkpoint must hold for the fields to go on, as in probe.h.
size_t ergi_fields_items(ergi_fields *fields, ergi_box_item *items);
// `time`: of the world.
erg_status ergi_fields_restore(ergi_fields *fields, double time, const ergi_box *box,
                               erg_error *err);

#endif
