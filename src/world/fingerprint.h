// A hash of all definitions, field by field: a checkpoint loads only into a world with the same
// one.
#ifndef ERGI_FINGERPRINT_H
#define ERGI_FINGERPRINT_H

#include "erg/grain.h"
#include "erg/material.h"
#include "erg/terrain.h"
#include "erg/upsample.h"
#include "erg/wall.h"
#include "erg/world.h"

// Each adds one definition to `hash`. Names, threads, callbacks and pointers are not included.
uint64_t ergi_fingerprint_world(uint64_t hash, const erg_world_def *def);
uint64_t ergi_fingerprint_material(uint64_t hash, const erg_material_def *def);
uint64_t ergi_fingerprint_pair(uint64_t hash, const erg_pair_def *def);
uint64_t ergi_fingerprint_grain(uint64_t hash, const erg_grain_def *def);
uint64_t ergi_fingerprint_wall(uint64_t hash, const erg_wall_def *def);
uint64_t ergi_fingerprint_attach(uint64_t hash, erg_id child, erg_id carrier);
uint64_t ergi_fingerprint_body(uint64_t hash, const erg_body_def *def);
uint64_t ergi_fingerprint_emitter(uint64_t hash, const erg_emitter_def *def);
uint64_t ergi_fingerprint_sink(uint64_t hash, const erg_sink_def *def);
uint64_t ergi_fingerprint_terrain(uint64_t hash, const erg_terrain_def *def);
uint64_t ergi_fingerprint_upsample(uint64_t hash, const erg_upsample_def *def);

#endif
