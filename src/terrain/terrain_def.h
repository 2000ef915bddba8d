// The definition of a terrain without a world: its checks, and the size of its grid.
#ifndef ERGI_TERRAIN_DEF_H
#define ERGI_TERRAIN_DEF_H

#include "erg/terrain.h"

// Share of the volume of columns that is solid: that of sand poured with a friction of 0.5, so that
// columns that turn into grains of the packing (geom/packing.h) keep their height.
#define ERGI_SAND_FRACTION 0.585

// Largest number of columns: their numbers fit in 32 bits.
#define ERGI_MOST_COLUMNS 2e9

// Everything but material, kind of grains and the world they are in. Allocates nothing. The
// heights of a file are checked if there are any.
erg_status ergi_terrain_def_check(const erg_terrain_def *def, erg_error *err);

// Columns along x (axis 0) or y: as many as cover the terrain.
double ergi_terrain_def_count(const erg_terrain_def *def, int axis);
// Memory for the columns, and for the copy to roll back to.
double ergi_terrain_def_bytes(const erg_terrain_def *def);

#endif
