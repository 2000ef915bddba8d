// Probes: what a run measures. They only read: a probe changes no bit of the world.
#ifndef ERG_PROBE_H
#define ERG_PROBE_H

#include "erg/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum erg_probe_kind {
    ERG_PROBE_FLOW,     // mass and grains through a plane, or through a disc on it (orifice)
    ERG_PROBE_FORCE,    // force and torque on a wall or body
    ERG_PROBE_REGION,   // grains and mass inside a region
    ERG_PROBE_CENTRE,   // centre of mass of all grains (or of those in the region)
    ERG_PROBE_REPOSE,   // angle of repose of a heap: robust fit of its flank [degrees]
    ERG_PROBE_HEIGHT,   // bed height in a region: the level below which `share` of the grains lie
    ERG_PROBE_CONTACTS, // contact count, mean coordination, mean and largest normal force
    ERG_PROBE_FIELD     // density, velocity and stress on a grid, as .vti files; it has no columns
} erg_probe_kind;

// How a grain's mass is spread around its centre; Goldhirsch, Granular Matter 12 (2010) 239.
typedef enum erg_kernel {
    ERG_KERNEL_LUCY,  // 1 - 6 q^2 + 8 q^3 - 3 q^4 of q = distance / width, 0 beyond the width
    ERG_KERNEL_GAUSS, // standard deviation `width`, cut off at three of them
    ERG_KERNEL_CELL   // all of it in the cell that contains the centre: plain averages
} erg_kernel;

typedef struct erg_probe_def {
    const char    *name; // unique; columns of series.csv are named after it
    erg_probe_kind kind;
    erg_vec3       point, normal; // flow: plane, counted along the normal; repose: axis of the heap
    double         radius;        // flow: of the orifice; 0: the whole plane [m]
    erg_id         wall;          // force: a wall or body
    bool           has_region;
    erg_region     region; // region, centre, height; repose: where the heap is
    double         share;  // height: default 0.99
    double every; // flow: sampling period [s]; 0: short enough to miss no crossing; field: period
                  // of its files [s]
    // Field. Along an axis with one cell the field is the mean over that axis, and the kernel does
    // not act along it.
    erg_vec3   bounds[2]; // corners of the grid [m]
    int32_t    cells[3];  // along x, y and z; all 0: from `spacing`
    double     spacing;   // largest edge of a cell [m]
    erg_kernel kernel;
    double     width;   // of the kernel [m]; 0: twice the largest edge of a cell (Gauss: once)
    uint32_t   samples; // each file is the mean of this many, evenly spaced since the last file
} erg_probe_def;

ERG_API erg_probe_def erg_probe_def_default(void);

// A set of probes over one world. Each value has a column; column names never change and live as
// long as the set. Definitions are copied.
typedef struct erg_probes erg_probes;
ERG_API erg_status        erg_probes_create(const erg_probe_def *defs, size_t count,
                                            const erg_world *world, erg_probes **probes, erg_error *err);
ERG_API void              erg_probes_destroy(erg_probes *probes); // NULL is fine
ERG_API size_t            erg_probes_columns(const erg_probes *probes);
ERG_API const char       *erg_probes_column_name(const erg_probes *probes,
                                                 size_t column); // "outlet.mass"; NULL: no such column
// The longest simulated time allowed between two calls of erg_probes_watch [s]. It depends on the
// speed of the grains, so query it again after each call. INFINITY if there is no flow probe.
ERG_API double erg_probes_period(const erg_probes *probes);
// Samples the flow probes.
ERG_API erg_status erg_probes_watch(erg_probes *probes, const erg_world *world, erg_error *err);
// Samples the flow probes and measures all probes now. `values` receives erg_probes_columns
// numbers; NAN where there is nothing to measure. A flow rate is the mean since the previous
// reading.
ERG_API erg_status erg_probes_read(erg_probes *probes, const erg_world *world, double *values,
                                   erg_error *err);

// Writes the field of a field probe for the current state of the world; `path` must end in .vti.
// docs/results.md lists its arrays. erg_run writes the field probes of a scene, averaged over time.
ERG_API erg_status erg_probe_write_field(const erg_probe_def *def, const erg_world *world,
                                         const char *path, erg_error *err);

#ifdef __cplusplus
}
#endif
#endif
