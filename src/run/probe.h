// Internals of a set of probes, and the part that a checkpoint stores.
#ifndef ERGI_PROBE_H
#define ERGI_PROBE_H

#include "erg/probe.h"
#include "io/container.h"
#include "run/probe_flow.h"

enum { ERGI_PROBE_NAME = 64, ERGI_PROBE_MAX_COLUMNS = 6, ERGI_PROBE_ITEMS = 5 };

typedef struct ergi_probe {
    erg_probe_def def; // owns its region; name points to `name`
    char          name[ERGI_PROBE_NAME];
    size_t        first_column;
    ergi_flow     flow;
} ergi_probe;

typedef struct ergi_probe_column {
    char name[ERGI_PROBE_NAME + 16];
} ergi_probe_column;

// Positions of all grains at one sample of the flow probes, sorted by id.
typedef struct ergi_past_positions {
    size_t   count, room_id, room_mass, room_position;
    erg_gid *id;
    double  *mass;     // not in the checkpoint: the mass comes from the newer sample [kg]
    double  *position; // 3 each [m]
} ergi_past_positions;

struct erg_probes {
    ergi_probe        *probe;
    size_t             count;
    ergi_probe_column *column;
    size_t             columns;

    bool                any_flow;
    double              sample_time, sample_speed; // of the last sample [s], [m/s]
    double              period;                    // until the next sample [s]
    ergi_past_positions previous, current;

    double  *saved_sums;   // 3 per probe: mass, row_mass, row_time
    int64_t *saved_grains; // both filled by ergi_probes_items for the checkpoint
    double   saved_sample[3];
};

// Time at which flow probes must be sampled next. INFINITY: never.
double ergi_probes_next_sample(const erg_probes *probes); // [s]

// What a checkpoint must hold for the probes to continue: up to ERGI_PROBE_ITEMS items that point
// into `probes` and are valid until the next sample. Returns their number.
size_t ergi_probes_items(erg_probes *probes, ergi_container_item *items);

// Restores the probes of a world at `time` from a checkpoint; on failure nothing has changed.
erg_status ergi_probes_restore(erg_probes *probes, double time, const ergi_container *container,
                               erg_error *err);

#endif
