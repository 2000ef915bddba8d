// Slopes that are too steep flow: sweeps over the active patches of the columns.
//
// Flow starts between two columns where the slope exceeds angle_start. It goes on, in and around
// the columns that moved, until slopes are below angle_stop (flux.h). A sweep gathers from the old
// heights, so the order of columns, blocks and threads leaves no trace. A patch stays active as
// long as sand moves in it, or would if none of its columns were held; activity saves time and
// changes nothing.
//
// Sand does not leave the grid. The end is nowhere more than 9 quanta above angle_stop in what has
// flowed.
#ifndef ERGI_EROSION_H
#define ERGI_EROSION_H

#include "terrain/column_set.h"
#include "terrain/flux.h"

// What one sweep does to one patch.
typedef struct ergi_patch_flux {
    uint32_t patch;                   // block * ERGI_BLOCK_PATCHES + patch of the block
    bool     wants;                   // none moves, but some would if no column were held
    uint64_t moved;                   // columns that gave or took sand, one bit each
    int64_t  largest;                 // change of a column [quanta]
    int64_t  net[ERGI_PATCH_COLUMNS]; // [quanta]
} ergi_patch_flux;

typedef struct ergi_erosion {
    ergi_flux_fn     flux;
    ergi_patch_flux *patch;
    size_t           patch_room;
    uint64_t        *spill; // per block: patches next to active ones that sand may flow into
    uint32_t        *spilt; // blocks with such patches
    size_t           spilt_room, spilts;
} ergi_erosion;

erg_status ergi_erosion_create(ergi_erosion *e, const ergi_columns *c, erg_error *err);
void       ergi_erosion_free(ergi_erosion *e); // a zeroed struct is fine
size_t     ergi_erosion_bytes(const ergi_erosion *e, const ergi_columns *c);

typedef struct ergi_erosion_params {
    double tan_start, tan_stop; // tan_stop at most tan_start
    int    most;                // sweeps; what is left waits
    bool   low;                 // the surface follows downwards only: grains may be above it
    // Columns that neither give nor take; NULL: none.
    const ergi_column_set *held, *covered;
} ergi_erosion_params;

typedef struct ergi_erosion_report {
    double largest; // no column's height changed by more [m]
    int    sweeps;
    size_t patches; // active ones left
    size_t blocks;  // with active patches
} ergi_erosion_report;

// `surface` follows where heights change. On failure, out of memory, some sweeps may be missing,
// but none is half done.
erg_status ergi_erosion_sweeps(ergi_erosion *e, ergi_columns *c, const ergi_erosion_params *params,
                               const ergi_threads *threads, ergi_erosion_report *report,
                               erg_error *err);

// Looks at all columns and activates patches with slopes above angle_start: for a new terrain.
void ergi_erosion_survey(ergi_columns *c, double tan_start, const ergi_threads *threads);

#endif
