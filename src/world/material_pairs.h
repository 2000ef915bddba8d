// The contact parameters of every pair of materials, from both materials and the pair overrides.
#ifndef ERGI_MATERIAL_PAIRS_H
#define ERGI_MATERIAL_PAIRS_H

#include "world/world.h"

// Fills world->pair. Friction is as defined, without changes by commands.
erg_status ergi_material_pairs_make(erg_world *world, erg_error *err);

#endif
