// The columns of a terrain at the moments of a result, read from the files of a column series
// (run/column_series.h).
#ifndef ERGI_REPLAY_COLUMNS_H
#define ERGI_REPLAY_COLUMNS_H

#include "io/column_blocks.h"
#include "run/path.h"

// The blocks that a file has.
typedef struct ergi_column_list {
    bool      read, follows;
    size_t    count;
    uint32_t *number;
} ergi_column_list;

typedef struct ergi_replay_columns {
    ergi_path         folder;
    size_t            blocks[2]; // 0: there is no terrain
    erg_column_block *defined, *block;
    uint64_t *source;       // of each block, in `block`: 1 + the number of its file, 0: as defined
    uint64_t *wanted;       // scratch
    ergi_column_list *list; // by frame
    size_t            lists;
    bool              shown; // the last frame had a file
} ergi_replay_columns;

// `defined`: the world as its scene defines it, with or without a terrain.
erg_status ergi_replay_columns_begin(ergi_replay_columns *c, const erg_world *defined,
                                     const ergi_path *folder, size_t frames, erg_error *err);
erg_status ergi_replay_columns_seek(ergi_replay_columns *c, uint64_t frame, erg_error *err);
void       ergi_replay_columns_free(ergi_replay_columns *c);

// The blocks at the last frame sought; NULL if it has no file: results of earlier versions.
static inline const erg_column_block *ergi_replay_columns_shown(const ergi_replay_columns *c)
{
    return c->shown ? c->block : NULL;
}

#endif
