// Blocks of columns of a terrain in a file: those that changed between two moments.
//
//     "ergcols1"
//     u64  0: the other blocks are as the scene defines them; 1: as in the previous file
//     u32  blocks along x, along y
//     u64  number of blocks that follow
//     for each: u32 number, u32 whether it has parts, f32 low, f32 high, u64 content
//     (erg/terrain.h) for each that has parts: 4096 u16 u64  hash of all bytes before
//
// Little endian.
#ifndef ERGI_COLUMN_BLOCKS_H
#define ERGI_COLUMN_BLOCKS_H

#include "erg/terrain.h"

enum { ERGI_COLUMN_SIDE = 64, ERGI_COLUMN_PARTS = ERGI_COLUMN_SIDE * ERGI_COLUMN_SIDE };

// z of the columns of a block of the world, row by row along x. Beyond the border of the grid the
// last columns are repeated [m].
erg_status ergi_column_heights(const erg_world *world, const erg_terrain_grid *grid, size_t bi,
                               size_t bj, float z[ERGI_COLUMN_PARTS], erg_error *err);
void       ergi_column_block_heights(const erg_column_block *block, float z[ERGI_COLUMN_PARTS]);

// Reads a block of the world. `part` is filled unless all heights are equal, and the block refers
// to it.
erg_status ergi_column_block_read(const erg_world *world, const erg_terrain_grid *grid, size_t bi,
                                  size_t bj, uint16_t part[ERGI_COLUMN_PARTS],
                                  erg_column_block *block, erg_error *err);

typedef struct ergi_column_blocks {
    bool              follows; // the previous file
    size_t            blocks[2];
    size_t            count;
    uint32_t         *number; // of each
    erg_column_block *block;
    uint16_t         *part; // ERGI_COLUMN_PARTS of each; of equal heights not used
} ergi_column_blocks;

erg_status ergi_column_blocks_write(const char *path, const ergi_column_blocks *b, erg_error *err);
// Damaged files and those of a terrain with other blocks are rejected.
erg_status ergi_column_blocks_read(const char *path, const size_t blocks[2], ergi_column_blocks *b,
                                   erg_error *err);
// Room for that many blocks.
erg_status ergi_column_blocks_make(ergi_column_blocks *b, size_t count, erg_error *err);
void       ergi_column_blocks_free(ergi_column_blocks *b);

#endif
