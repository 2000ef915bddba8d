// Bringing grains to rest.
#ifndef ERG_BENCH_SETTLE_H
#define ERG_BENCH_SETTLE_H

#include "erg/world.h"

// Steps the world with a drag on all grains, until it stays below `quiet` [J] of kinetic energy a
// grain when left alone, or `most` steps are over.
erg_status settle(erg_world *world, double quiet, int most, erg_error *err);

#endif
