// Sand of the landscape bench, as grains alone or as columns that wake: the same bed, tools and
// heaps for both, and the height of its surface.
//
// Lengths are in diameters d of the mean grain.
#ifndef ERG_BENCH_LANDSCAPE_SAND_H
#define ERG_BENCH_LANDSCAPE_SAND_H

#include "erg/terrain.h"
#include "erg/world.h"

#define SAND_DIAMETER 0.01 // mean of the grains, which differ by 10 % either way [m]
#define SAND_DENSITY 2500.0
#define SAND_SPACING 2.0 // of the columns [d]

typedef enum sand_kind {
    SAND_GRAINS, // all of it grains: the reference
    SAND_HYBRID  // columns that wake, grains that sleep
} sand_kind;

typedef struct sand_def {
    sand_kind   kind;
    erg_solver  solver;
    int         threads;
    uint64_t    seed;
    double      speed; // fastest impact [m/s]
    int         width; // of the tile a bed is made of; the bed is twice as wide [d]
    int         depth; // of the bed [d]
    const char *cache; // folder for settled tiles
} sand_def;

// A plate, with a spout above it that pours `count` grains at `rate` [1/s]. In the hybrid world the
// columns are empty at first.
erg_status sand_plate(const sand_def *def, uint64_t count, double rate, erg_world **world,
                      erg_error *err);

// A bed around the origin; *surface: its height [m]. Grains and columns are equally high. The bed
// of grains is periodic, so that it is at rest; that of columns is in a box, since a terrain is
// not.
erg_status sand_bed(const sand_def *def, erg_world **world, double *surface, erg_error *err);

// A free ball just above the surface that falls at `speed` [m/s].
erg_status sand_add_ball(erg_world *world, double surface, double radius, double density,
                         double speed, erg_id *ball, erg_error *err);

// A driven ball of 2 d radius whose lowest point is `depth` below the surface. It moves on a circle
// of 4 d radius.
erg_status sand_add_tool(erg_world *world, double surface, double depth, double speed,
                         erg_error *err);

// ---- The surface -------------------------------------------------------------------------------
enum { SAND_RINGS = 48 };

// Mean height of the surface in rings around the origin, one diameter wide [m]. A cell of the plan,
// one diameter wide, is as high as the highest grain above it, awake or frozen, or its column.
typedef struct sand_profile {
    double height[SAND_RINGS];
    int    rings; // that the world is wide
} sand_profile;

erg_status sand_measure(const erg_world *world, double half_width, sand_profile *profile,
                        erg_error *err);

// Slope of the flank: a straight line through what is between 25 % and 75 % of the height
// [degrees].
double sand_angle(const sand_profile *profile);

#endif
