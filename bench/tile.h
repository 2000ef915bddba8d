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
} tile_kind;

typedef struct tile {
    size_t    count;
    double    period;      // [m]
    erg_vec3 *position;    // within one period [m]
    erg_quat *orientation; //
} tile;

// The period of a tile with so many grains.
double tile_period(const tile_kind *kind, size_t count);

// From the cache, or dropped now and put there.
erg_status tile_get(const tile_kind *kind, size_t count, const char *cache, tile *t,
                    erg_error *err);

// Room for so many grains; nothing is in it yet.
erg_status tile_allocate(tile *t, size_t count, erg_error *err);
void       tile_free(tile *t);

#endif
