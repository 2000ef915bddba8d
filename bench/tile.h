// A tile: grains on a floor, periodic sideways, dropped from a loose lattice. Copies of it side by
// side form a bed of any size.
#ifndef ERG_BENCH_TILE_H
#define ERG_BENCH_TILE_H

#include "bench.h"

#include "erg/world.h"

typedef struct tile_kind {
    const char *name;
    erg_shape   shape;
    size_t      grains;        // of a full tile
    size_t      layers;        // of the lattice
    double      spacing;       // of the lattice [m]
    double      jitter, twist; // largest random displacement, rotation [m], [rad]
    double      friction;      // in the first stage
    uint64_t    drag;          // steps with drag, in each of two stages
    uint64_t    rest;          // maximum number of steps to come to rest afterwards
    uint64_t    alone;         // steps without braking that confirm it
} tile_kind;

// The period of a tile with this number of grains [m].
double tile_period(const tile_kind *kind, size_t count);

// From the cache, or made now and cached. The caller destroys it, even after an error.
erg_status tile_get(const tile_kind *kind, size_t count, const char *cache, erg_world **tile,
                    erg_error *err);

#endif
