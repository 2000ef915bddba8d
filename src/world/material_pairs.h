// The numbers of every pair of materials, from what the two are and what was said of the pair.
#ifndef ERGI_MATERIAL_PAIRS_H
#define ERGI_MATERIAL_PAIRS_H

#include "world/world.h"

// Fills world->pair. Friction is as defined, whatever commands have changed.
erg_status ergi_material_pairs_make(erg_world *world, erg_error *err);

#endif
