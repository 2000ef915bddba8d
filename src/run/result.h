// The result of a run, as numbers and as JSON.
#ifndef ERGI_RUN_RESULT_H
#define ERGI_RUN_RESULT_H

#include "erg/run.h"
#include "io/file.h"
#include "io/json.h"

// Sets the names of solver and backend.
void ergi_run_result_method(erg_run_result *result, erg_solver solver, erg_backend backend);

// Fills everything that can be read from the world.
erg_status ergi_run_result_fill(erg_run_result *result, const erg_world *world, erg_error *err);

// Puts the keys of `erg run --json` into an open object.
void ergi_run_result_put(ergi_json *json, const erg_run_result *result);

// Writes a warning with its remedy if grains overlapped more than they should in a valid
// simulation; false: they did not.
bool ergi_run_overlap_warning(const erg_run_result *result, char *text, size_t room);

// Writes summary.json. `outcome` is the status of the run, `problem` its message or NULL, `values`
// the current values of the probes.
erg_status ergi_run_summary(const char *path, const erg_run_result *result, const char *title,
                            erg_status outcome, const char *problem, const erg_world *world,
                            const erg_probes *probes, const double *values, erg_error *err);

#endif
