// What a run came to, as numbers and as JSON.
#ifndef ERGI_RUN_RESULT_H
#define ERGI_RUN_RESULT_H

#include "erg/run.h"
#include "io/file.h"
#include "io/json.h"

// What the world is worked out by.
void ergi_run_result_method(erg_run_result *result, erg_solver solver, erg_backend backend);

// Everything that the world knows.
erg_status ergi_run_result_fill(erg_run_result *result, const erg_world *world, erg_error *err);

// The keys of `erg run --json`, into an open object.
void ergi_run_result_put(ergi_json *json, const erg_run_result *result);

// Warning, with the remedy, for a run in which grains overlapped more than stiff ones would; false:
// they did not.
bool ergi_run_overlap_warning(const erg_run_result *result, char *text, size_t room);

// Writes summary.json. `outcome` is the status of the run, `problem` its sentence or NULL, `values`
// what the probes say now.
erg_status ergi_run_summary(const char *path, const erg_run_result *result, const char *title,
                            erg_status outcome, const char *problem, const erg_world *world,
                            const erg_probes *probes, const double *values, erg_error *err);

#endif
