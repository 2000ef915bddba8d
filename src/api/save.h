// Checkpoints: the state of a world in a container (io/container.h), with any further arrays of a
// run.
#ifndef ERGI_API_SAVE_H
#define ERGI_API_SAVE_H

#include "io/container.h"
#include "world/world.h"

erg_status ergi_world_save_with(const erg_world *world, const char *path, const char *keep_previous,
                                const char *text, const ergi_container_item *extra,
                                size_t extra_count, erg_error *err);

// The world must have been built by the same calls and must not have stepped. Everything is checked
// before the world is changed.
erg_status ergi_world_load_with(erg_world *world, const ergi_container *container, erg_error *err);

#endif
