// The columns of a terrain at the moments of a run: one file per snapshot, with the blocks that
// changed since the one before (io/column_blocks.h).
#ifndef ERGI_COLUMN_SERIES_H
#define ERGI_COLUMN_SERIES_H

#include "io/column_blocks.h"

typedef struct ergi_column_series {
    erg_terrain_grid grid;
    size_t           blocks[2];
    uint64_t        *content; // of each block in the last file, or as defined; 0: unknown
    uint64_t        *stamp;   // of each block then, in the world; UINT64_MAX: unknown
    bool             follows; // there is a file before the next one
} ergi_column_series;

// A world without terrain is fine. `defined`: the world is as its scene defines it; otherwise the
// first file will hold all blocks.
erg_status ergi_column_series_begin(ergi_column_series *s, const erg_world *world, bool defined,
                                    erg_error *err);
// After a resume: takes the files of frames 0 .. frames - 1 of the folder into account.
erg_status ergi_column_series_continue(ergi_column_series *s, const char *folder, size_t frames,
                                       erg_error *err);
erg_status ergi_column_series_take(ergi_column_series *s, const erg_world *world, const char *path,
                                   erg_error *err);
void       ergi_column_series_free(ergi_column_series *s);

#endif
