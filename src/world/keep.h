// A copy of a world's state in memory, to go back to when a step turns out bad. Stepping again from
// there gives the same bits, so the last good step can always be reached.
#ifndef ERGI_KEEP_H
#define ERGI_KEEP_H

#include "world/world.h"

erg_status ergi_keep_take(erg_world *world, erg_error *err);
bool       ergi_keep_valid(const erg_world *world);
uint64_t   ergi_keep_step(const erg_world *world); // at which it was taken
void       ergi_keep_drop(erg_world *world);       // the world was changed from outside
erg_status ergi_keep_restore(erg_world *world, erg_error *err);
void       ergi_keep_free(ergi_keep *keep);
size_t     ergi_keep_bytes(const ergi_keep *keep);

#endif
