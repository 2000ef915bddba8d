// The landscape tier: sand as a grid of columns. Columns cost nothing while nothing touches them.
// Bodies and moving walls press them down and push the sand aside; slopes steeper than the sand can
// stand flow until they can. Where a kind of grains is given, columns that are disturbed deeply or
// fast turn into grains, and grains that have come to rest turn back into columns.
//
//     erg_terrain_def def = erg_terrain_def_default();
//     def.material = sand;
//     def.lower[0] = def.lower[1] = -1;
//     def.upper[0] = def.upper[1] = 1;
//     def.spacing = 0.02;
//     def.height = 0.3;
//     erg_world_set_terrain(world, &def, &err);
//
// Grains of a terrain are in one of two states: *awake*, which are the grains of the world, and
// *frozen*, which are at rest, are touched by grains like walls and cost next to nothing. Deeper
// ones are merged into the columns. Mass is conserved: grains, frozen grains and columns together.
#ifndef ERG_TERRAIN_H
#define ERG_TERRAIN_H

#include "erg/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum erg_relief {
    ERG_RELIEF_FLAT,
    ERG_RELIEF_SLOPE,  // slope
    ERG_RELIEF_DUNES,  // amplitude, wavelength, direction: crests across the direction, the steep
                       // side downwind
    ERG_RELIEF_NOISE,  // amplitude, wavelength, seed
    ERG_RELIEF_HEIGHTS // heights, columns
} erg_relief;

typedef struct erg_terrain_def {
    erg_id material; // of the sand: density, friction
    erg_id grain;    // kind of grains that columns turn into; single spheres, the largest at most
                     // ten times as large as the smallest; 0 (default): columns stay columns
    double lower[2], upper[2]; // corners in plan; enlarged to whole columns [m]
    double spacing;            // of the columns; 0.3 to 30 diameters of the grains, 0.6 to 2 are
                               // recommended [m]
    double floor; // z of the hard ground below, which bodies rest on; where the relief is lower
                  // there is no sand, but `heights` below it are refused; default 0 [m]

    erg_relief   relief;                // initial shape of the surface; default flat
    double       height;                // z of the surface, or of its mean; above floor [m]
    double       slope[2];              // rise per metre along x and y
    double       amplitude, wavelength; // [m]
    double       direction;             // of the wind, from x towards y [rad]
    uint64_t     seed;                  // of the noise; 0: the world's
    const float *heights; // added to `height`; row by row along x, the first row at lower; owned
                          // by the caller, copied; erg_heights_read_png() gets them from a file [m]
    size_t columns[2];    // of `heights`; interpolated if the grid has other numbers

    // Slopes flow where they exceed angle_start, until they are below angle_stop [rad].
    double angle_start, angle_stop; // default 0.66 (38 degrees) and 0.59 (34 degrees)
    double compression; // share of pressed-down sand that goes to the ring around a body; the rest
                        // is compressed and gone. 1 (default): nothing is lost
    double resistance;  // factor of the resistive force; 1 (default): generic dry sand. `erg bench
                        // landscape --calibrate` measures it
} erg_terrain_def;

ERG_API erg_terrain_def erg_terrain_def_default(void);

// Can be called once, before the first step, after materials and kinds of grains are defined.
// Gravity must point along -z. Adds two walls, for the surface and the floor.
ERG_API erg_status erg_world_set_terrain(erg_world *world, const erg_terrain_def *def,
                                         erg_error *err);

ERG_API bool erg_world_has_terrain(const erg_world *world); // whether it was set

// ---- Heights from files ------------------------------------------------------------------------
// For the members `heights` and `columns` of a definition. A raw file holds 32-bit floats, little
// endian, row by row along x, the first row at the lower y. A PNG is a map seen from above, x to
// the right and y up, in 16-bit grey; its values 0 and 65535 stand for two heights, which erg also
// writes into the file as the texts "erg:low" and "erg:high" [m].
typedef struct erg_heights {
    size_t columns[2]; // along x and y
    float *z;          // row by row along x, the first row at the lower y [m]
} erg_heights;

// The file must have exactly one number per column.
ERG_API erg_status erg_heights_read_raw(const char *path, const size_t columns[2],
                                        erg_heights *heights, erg_error *err);

// `low` and `high`: heights of the values 0 and 65535; NULL: those that the file states [m].
// Refuses other kinds of PNG, files that are cut off, and claims that the file cannot hold, before
// it asks for memory. ERG_NOT_BUILT in a build without libpng.
ERG_API erg_status erg_heights_read_png(const char *path, const double *low, const double *high,
                                        erg_heights *heights, erg_error *err);

ERG_API void erg_heights_free(erg_heights *heights);

// ---- Reading -----------------------------------------------------------------------------------
// Heights are those of the sand in the columns. The surface that grains touch may lag behind them
// next to grains, since it does not rise into these.
//
// Columns i = 0 .. count[0]-1 along x, j = 0 .. count[1]-1 along y; the centre of a column is at
// lower + (i + 1/2, j + 1/2) spacing.
typedef struct erg_terrain_grid {
    double lower[2]; // [m]
    double spacing;  // [m]
    double floor;    // [m]
    size_t count[2];
    size_t block;    // columns along the side of a block
    erg_id material; // of the sand, or of the grains that columns turn into
    double radius;   // mean radius of these grains; 0: columns stay columns [m]
} erg_terrain_grid;
ERG_API erg_status erg_world_terrain_grid(const erg_world *world, erg_terrain_grid *grid,
                                          erg_error *err);

// z of the surface at columns i0, i0 + stride, ... (ni of them) by j0, ... (nj), row by row along
// x [m]. `stride` is at least 1 where there is more than one.
ERG_API erg_status erg_world_terrain_read(const erg_world *world, size_t i0, size_t j0, size_t ni,
                                          size_t nj, size_t stride, float *z, erg_error *err);

// A block of columns at a moment, for example from a snapshot: the height of each is
// low + (high - low) part / 65535.
typedef struct erg_column_block {
    uint64_t        content;   // hash: blocks with the same one are equal
    float           low, high; // [m]
    const uint16_t *part;      // row by row along x, of `block` columns each; beyond the border of
                               // the grid the last columns are repeated; NULL: all are at `low`
} erg_column_block;

// Number that changes whenever a column of the block (bi, bj) changes.
ERG_API uint32_t erg_world_terrain_stamp(const erg_world *world, size_t bi, size_t bj);

// z of the surface at a point, interpolated; columns outside count as the nearest one inside. NAN
// without a terrain, or for a point that is not a number [m].
ERG_API double erg_world_terrain_height(const erg_world *world, double x, double y);

// Read-only view of the frozen grains, valid until the next call that steps or changes the world.
typedef struct erg_frozen_view {
    size_t         count;
    const erg_gid *id;
    const double  *sphere; // x y z radius [m]
    uint64_t       stamp;  // changes when any of them changes
} erg_frozen_view;
ERG_API erg_status erg_world_view_frozen(const erg_world *world, erg_frozen_view *view,
                                         erg_error *err);

typedef struct erg_terrain_stats {
    uint64_t columns;       // of the grid
    uint64_t awake, frozen; // grains
    double   column_mass;   // [kg]
    double   frozen_mass;   // [kg]
    double   compressed;    // mass that was compressed away, see `compression` [kg]
    uint64_t woken, slept;  // grains that left the columns or were awakened; that fell asleep
    uint64_t batches;       // exchanges between grains and columns
    uint64_t active_blocks; // blocks of columns that are flowing
    double   bytes;         // of memory
    double   tick_s;        // wall-clock time in pressing, flowing and resistance [s]
    double   exchange_s;    // wall-clock time in exchanges [s]
} erg_terrain_stats;
ERG_API erg_status erg_world_terrain_stats(const erg_world *world, erg_terrain_stats *stats,
                                           erg_error *err);

#ifdef __cplusplus
}
#endif
#endif
