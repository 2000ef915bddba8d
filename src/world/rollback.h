// Rollback: a copy of a world's state in memory, restored when a step fails. Repeating the steps
// from there gives the same bits, so the last good step can always be reached.
#ifndef ERGI_ROLLBACK_H
#define ERGI_ROLLBACK_H

#include "world/world.h"

erg_status ergi_rollback_take(erg_world *world, erg_error *err);
bool       ergi_rollback_valid(const erg_world *world);
uint64_t   ergi_rollback_step(const erg_world *world); // at which it was taken
void       ergi_rollback_drop(erg_world *world);       // invalidates the copy after outside changes
erg_status ergi_rollback_restore(erg_world *world, erg_error *err);
void       ergi_rollback_free(ergi_rollback *rollback);
size_t     ergi_rollback_bytes(const ergi_rollback *rollback);

#endif
