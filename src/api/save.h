// Checkpoints: the state of a world in a box (io/container.h), with whatever else a run has to
// remember.
#ifndef ERGI_API_SAVE_H
#define ERGI_API_SAVE_H

#include "io/container.h"
#include "world/world.h"

erg_status ergi_world_save_with(const erg_world *world, const char *path, const char *keep_previous,
                                const char *text, const ergi_container_item *extra,
                                size_t extra_count, erg_error *err);

// Into a world that was built by the same calls and has not stepped. Checks everything, then
// changes.
erg_status ergi_world_load_with(erg_world *world, const ergi_container *box, erg_error *err);

#endif
