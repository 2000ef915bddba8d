// Memory used by a world.
#ifndef ERGI_API_MEMORY_H
#define ERGI_API_MEMORY_H

#include "world/world.h"

// In bytes; includes meshes, which may be shared with other worlds.
size_t ergi_world_bytes(const erg_world *world);

#endif
