// series.csv: a row of energies, counts, terrain, probes and bodies at each output time.
#ifndef ERGI_SERIES_H
#define ERGI_SERIES_H

#include "erg/probe.h"
#include "io/csv.h"

typedef struct ergi_series {
    ergi_csv *csv;
    double   *values; // of one row
    erg_id   *body;   // bodies with a name
    size_t    bodies;
    size_t    first_probe; // the first column of the probes
    size_t    first_body;  // that of the bodies
} ergi_series;

// Starts a new file if `keep` is 0, else continues after the first `keep` bytes.
erg_status ergi_series_open(ergi_series *series, const char *path, const erg_world *world,
                            const erg_probes *probes, uint64_t keep, erg_error *err);
erg_status ergi_series_row(ergi_series *series, const erg_world *world, erg_probes *probes,
                           erg_error *err);
erg_status ergi_series_close(ergi_series *series, erg_error *err);

#endif
