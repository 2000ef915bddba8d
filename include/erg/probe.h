// Probes: what a run measures. They look and never touch: a probe changes no bit of the world.
#ifndef ERG_PROBE_H
#define ERG_PROBE_H

#include "erg/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum erg_probe_kind {
    ERG_PROBE_FLOW,     // mass and grains through a plane, or through a disc on it (orifice)
    ERG_PROBE_FORCE,    // force and torque on a wall
    ERG_PROBE_REGION,   // grains and mass inside a region
    ERG_PROBE_CENTRE,   // centre of mass of all grains (or of those in the region)
    ERG_PROBE_REPOSE,   // angle of repose of a heap: robust fit of its flank [degrees]
    ERG_PROBE_HEIGHT,   // bed height in a region: the level below which `share` of the grains lie [m]
    ERG_PROBE_CONTACTS  // contact count, mean coordination, mean and largest normal force
} erg_probe_kind;

typedef struct erg_probe_def {
    const char    *name; // unique; columns of series.csv are named after it
    erg_probe_kind kind;
    erg_vec3       point, normal; // flow: plane, counted along the normal; repose: axis of the heap through point
    double         radius;        // flow: of the orifice; 0: the whole plane [m]
    erg_id         wall;          // force
    bool           has_region;
    erg_region     region;        // region, centre, height; repose: where the heap is
    double         share;         // height: default 0.99
    double         every;         // flow: sampling period [s]; 0: chosen so that no grain crosses unseen
} erg_probe_def;

ERG_API erg_probe_def erg_probe_def_default(void);

// A set of probes over one world. Values come in columns; their names do not change.
typedef struct erg_probes erg_probes;
ERG_API erg_status  erg_probes_create(const erg_probe_def *, size_t count, const erg_world *, erg_probes **, erg_error *);
ERG_API void        erg_probes_destroy(erg_probes *);
ERG_API size_t      erg_probes_columns(const erg_probes *);
ERG_API const char *erg_probes_column_name(const erg_probes *, size_t column); // e.g. "outlet.mass"
// The longest time between two looks; the caller steps no farther than this between calls of watch.
ERG_API double      erg_probes_period(const erg_probes *);
ERG_API erg_status  erg_probes_watch(erg_probes *, const erg_world *, erg_error *);
ERG_API erg_status  erg_probes_read(erg_probes *, const erg_world *, double *values, erg_error *);

#ifdef __cplusplus
}
#endif
#endif
