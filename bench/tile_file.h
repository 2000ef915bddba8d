// Tiles on disk: one line of text, then positions and orientations as raw doubles of this machine.
#ifndef ERG_BENCH_TILE_FILE_H
#define ERG_BENCH_TILE_FILE_H

#include "tile.h"

// False when there is no such file, or not a whole one of this count: then the tile is made anew.
bool       tile_read(const char *path, size_t count, tile *t);
erg_status tile_write(const char *path, const tile *t, erg_error *err);

#endif
