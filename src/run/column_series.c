#include "run/column_series.h"

#include "base/memory.h"
#include "run/folder.h"
#include "run/path.h"

#include <string.h>

// No stamps of a world, which have 32 bits.
static const uint64_t UNKNOWN = UINT64_MAX, FROM_FILE = UINT64_MAX - 1;

static size_t block_count(const ergi_column_series *s)
{
    return s->blocks[0] * s->blocks[1];
}

static erg_status read_all(ergi_column_series *s, const erg_world *world, erg_error *err)
{
    uint16_t         part[ERGI_COLUMN_PARTS];
    erg_column_block block;
    erg_status       status = ERG_OK;
    for (size_t i = 0; i < block_count(s) && status == ERG_OK; i++) {
        status = ergi_column_block_read(world, &s->grid, i % s->blocks[0], i / s->blocks[0], part,
                                        &block, err);
        s->content[i] = block.content;
        s->stamp[i] = erg_world_terrain_stamp(world, i % s->blocks[0], i / s->blocks[0]);
    }
    return status;
}

erg_status ergi_column_series_begin(ergi_column_series *s, const erg_world *world, bool defined,
                                    erg_error *err)
{
    static const char what[] = "the columns of the snapshots";

    if (!erg_world_has_terrain(world)) return ERG_OK;
    erg_status status = erg_world_terrain_grid(world, &s->grid, err);
    if (status != ERG_OK) return status;
    for (int k = 0; k < 2; k++)
        s->blocks[k] = (s->grid.count[k] + ERGI_COLUMN_SIDE - 1) / ERGI_COLUMN_SIDE;
    s->content = ergi_memory_new(block_count(s), sizeof *s->content, what, err);
    s->stamp = ergi_memory_new(block_count(s), sizeof *s->stamp, what, err);
    if (!s->content || !s->stamp) return ERG_NO_MEMORY;
    return defined ? read_all(s, world, err) : ERG_OK;
}

// Of two files that have a block, the later one counts.
static void look_back(ergi_column_series *s, const ergi_column_blocks *b)
{
    for (size_t i = 0; i < b->count; i++) {
        uint32_t at = b->number[i];
        if (s->stamp[at] == FROM_FILE) continue;
        s->content[at] = b->block[i].content;
        s->stamp[at] = FROM_FILE;
    }
}

// If a file is missing, the next one will hold all blocks.
erg_status ergi_column_series_continue(ergi_column_series *s, const char *folder, size_t frames,
                                       erg_error *err)
{
    for (size_t i = 0; i < block_count(s); i++) s->stamp[i] = UNKNOWN;
    for (size_t frame = frames; frame-- > 0;) {
        ergi_column_blocks b;
        ergi_path          path;
        erg_status         status = ergi_path_join(
                    &path, folder, ergi_frame_name_of(ERGI_PART_COLUMNS, frame, "bin").text, err);
        if (status == ERG_OK && !ergi_path_exists(path.text)) break;
        if (status == ERG_OK) status = ergi_column_blocks_read(path.text, s->blocks, &b, err);
        if (status != ERG_OK) return status;
        look_back(s, &b);
        s->follows = !b.follows;
        ergi_column_blocks_free(&b);
        if (s->follows) return ERG_OK;
    }
    if (frames > 0) memset(s->content, 0, block_count(s) * sizeof *s->content);
    return ERG_OK;
}

static bool may_differ(const ergi_column_series *s, const erg_world *world, size_t i)
{
    return s->content[i] == 0 ||
           s->stamp[i] != erg_world_terrain_stamp(world, i % s->blocks[0], i / s->blocks[0]);
}

// Appends the blocks that differ; `b` has room for them.
static erg_status collect(ergi_column_series *s, const erg_world *world, ergi_column_blocks *b,
                          erg_error *err)
{
    erg_status status = ERG_OK;
    for (size_t i = 0; i < block_count(s) && status == ERG_OK; i++) {
        if (!may_differ(s, world, i)) continue;
        size_t bi = i % s->blocks[0], bj = i / s->blocks[0];
        status =
            ergi_column_block_read(world, &s->grid, bi, bj, b->part + b->count * ERGI_COLUMN_PARTS,
                                   &b->block[b->count], err);
        if (status != ERG_OK || b->block[b->count].content == s->content[i]) continue;
        b->number[b->count++] = (uint32_t)i;
    }
    return status;
}

erg_status ergi_column_series_take(ergi_column_series *s, const erg_world *world, const char *path,
                                   erg_error *err)
{
    ergi_column_blocks b = {.follows = s->follows, .blocks = {s->blocks[0], s->blocks[1]}};
    size_t             most = 0;
    for (size_t i = 0; i < block_count(s); i++) most += may_differ(s, world, i);
    erg_status status = ergi_column_blocks_make(&b, most, err);
    if (status == ERG_OK) status = collect(s, world, &b, err);
    if (status == ERG_OK) status = ergi_column_blocks_write(path, &b, err);
    if (status == ERG_OK) {
        for (size_t i = 0; i < b.count; i++) s->content[b.number[i]] = b.block[i].content;
        for (size_t i = 0; i < block_count(s); i++)
            s->stamp[i] = erg_world_terrain_stamp(world, i % s->blocks[0], i / s->blocks[0]);
        s->follows = true;
    }
    ergi_column_blocks_free(&b);
    return status;
}

void ergi_column_series_free(ergi_column_series *s)
{
    ergi_memory_free(s->content);
    ergi_memory_free(s->stamp);
    *s = (ergi_column_series){0};
}
