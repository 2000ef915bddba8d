// Bringing grains to rest.
#ifndef ERG_BENCH_SETTLE_H
#define ERG_BENCH_SETTLE_H

#include "erg/world.h"

// Steps the world, braking grains now and then, until it stays below `quiet` [J] of kinetic energy
// a grain when left alone, or `most` steps are over. `gravity` points down [m/s^2].
erg_status settle(erg_world *world, double gravity, double quiet, int most, erg_error *err);

#endif
