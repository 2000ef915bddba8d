// A set of probes from the inside, and what of it a checkpoint keeps.
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

// Where each grain was when the flow probes looked last, in order of id.
typedef struct ergi_past_positions {
    size_t   count, room_id, room_mass, room_position;
    erg_gid *id;
    double  *mass;     // not kept: only what is there now can cross [kg]
    double  *position; // 3 each [m]
} ergi_past_positions;

struct erg_probes {
    ergi_probe        *probe;
    size_t             count;
    ergi_probe_column *column;
    size_t             columns;

    bool                any_flow;
    double              look_time, look_speed; // of the last look [s], [m/s]
    double              period;                // [s]
    ergi_past_positions seen, now;

    double  *saved_sums;   // 3 a probe: mass, row_mass, row_time
    int64_t *saved_grains; // laid out for the checkpoint by ergi_probes_items
    double   saved_look[3];
};

// When the next look is due. INFINITY: never.
double ergi_probes_next_look(const erg_probes *probes); // [s]

// What a checkpoint must hold for the probes to go on: up to ERGI_PROBE_ITEMS items that point into
// `probes` and are valid until the next look. Returns their number.
size_t ergi_probes_items(erg_probes *probes, ergi_container_item *items);

// Takes the items back into the probes of a world at `time`; on failure nothing has changed.
erg_status ergi_probes_restore(erg_probes *probes, double time, const ergi_container *box,
                               erg_error *err);

#endif
