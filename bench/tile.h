// A tile: grains on a floor, periodic to the sides, dropped from a loose lattice. Copies of it side
// by side make a bed of any size.
#ifndef ERG_BENCH_TILE_H
#define ERG_BENCH_TILE_H

#include "bench.h"

#include "erg/world.h"

typedef struct tile_kind {
    const char *name;
    erg_shape   shape;
    size_t      grains;        // of a whole one
    size_t      layers;        // of the lattice
    double      spacing;       // of the lattice [m]
    double      jitter, twist; // of grains on it, either way [m], [rad]
    double      friction;      // of the first stage
    uint64_t    drag;          // steps with drag, in each of two stages
    uint64_t    rest;          // steps that it may take to come to rest then
    uint64_t    alone;         // steps without a brake that prove it
} tile_kind;

// The period of a tile with so many grains. [m]
double tile_period(const tile_kind *kind, size_t count);

// From the cache, or dropped now and put there. The caller destroys it, also after an error.
erg_status tile_get(const tile_kind *kind, size_t count, const char *cache, erg_world **tile,
                    erg_error *err);

#endif
