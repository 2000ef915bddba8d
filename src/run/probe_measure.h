// Measurements of the probes without state. They share copies of the world's data, read when first
// needed.
#ifndef ERGI_PROBE_MEASURE_H
#define ERGI_PROBE_MEASURE_H

#include "erg/probe.h"

typedef struct ergi_probe_cache {
    const erg_world *world;
    bool             has_grains, has_spheres, has_contacts;
    size_t           grains, spheres, contacts;
    double          *position, *mass; // of grains: 3 each [m], 1 each [kg]
    double          *centre, *radius; // of spheres: 3 each, 1 each [m]
    double          *scratch;         // 4 per sphere
    erg_contact     *contact;
} ergi_probe_cache;

void ergi_probe_cache_free(ergi_probe_cache *cache);

// Fills the columns of one probe; NAN if there is nothing to measure.
erg_status ergi_measure(const erg_probe_def *def, ergi_probe_cache *cache, double *values,
                        erg_error *err);

#endif
