// Brings grains to rest.
#ifndef ERG_BENCH_SETTLE_H
#define ERG_BENCH_SETTLE_H

#include "erg/world.h"

// Steps the world with drag on all grains.
erg_status settle_drag(erg_world *world, uint64_t steps, erg_error *err);

// Steps the world until its energy stays well below MATTER_QUIET for `alone` steps without braking,
// or for `most` steps.
//
// Plain drag never reaches rest: a sphere held by two others rotates about the line through both
// contacts until it finds a third, driven by a tiny torque, and drag slows it down for ever. So
// grains that gain speed are left free, and those that lose it, because they oscillate or climb,
// are braked.
erg_status settle_rest(erg_world *world, uint64_t most, uint64_t alone, erg_error *err);

#endif
