// What a world holds of the machine's memory.
#ifndef ERGI_API_MEMORY_H
#define ERGI_API_MEMORY_H

#include "world/world.h"

// All of it, meshes included, which other worlds may hold too.
size_t ergi_world_bytes(const erg_world *world);

#endif
