// The terrain's part of snapshots.
#ifndef ERGI_SNAPSHOT_TERRAIN_H
#define ERGI_SNAPSHOT_TERRAIN_H

#include "erg/world.h"

// The surface of the columns, as .png, .vti or .ply.
erg_status ergi_snapshot_terrain(const erg_world *world, const char *path, erg_error *err);

// Frozen grains, in order of their ids, after the `n` spheres that are already in these arrays,
// which have room for them: at rest, without forces or contacts.
erg_status ergi_snapshot_frozen(const erg_world *world, const erg_sphere_view *spheres, size_t n,
                                uint32_t *frozen, erg_error *err);

#endif
