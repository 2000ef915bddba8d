// Bringing grains to rest.
#ifndef ERG_BENCH_SETTLE_H
#define ERG_BENCH_SETTLE_H

#include "erg/world.h"

// Steps the world with a drag on all grains.
erg_status settle_drag(erg_world *world, uint64_t steps, erg_error *err);

// Steps the world until it stays below MATTER_QUIET when left alone for `alone` steps, or `most`
// steps are over.
//
// A plain drag never gets there: a sphere held by two others turns about the line through both
// contacts until it finds a third, pulled by next to nothing, and drag holds it back for ever. So
// grains that gather speed are left free, and those that lose it, because they swing or climb, are
// stopped.
erg_status settle_rest(erg_world *world, uint64_t most, uint64_t alone, erg_error *err);

#endif
