#include "run/replay_columns.h"

#include "base/error.h"
#include "base/memory.h"
#include "run/folder.h"

#include <inttypes.h>
#include <string.h>

static const char   WHAT[] = "the columns of a result";
static const size_t PART_BYTES = ERGI_COLUMN_PARTS * sizeof(uint16_t);

static size_t block_count(const ergi_replay_columns *c)
{
    return c->blocks[0] * c->blocks[1];
}

// Replaces one block by a copy of another; its parts are its own.
static erg_status put(erg_column_block *to, const erg_column_block *from, erg_error *err)
{
    uint16_t *part = NULL;
    if (from->part) {
        part = ergi_memory_new(1, PART_BYTES, WHAT, err);
        if (!part) return ERG_NO_MEMORY;
        memcpy(part, from->part, PART_BYTES);
    }
    *to = *from;
    to->part = part;
    return ERG_OK;
}

static void drop(ergi_replay_columns *c, size_t at)
{
    if (c->source[at] > 0) ergi_memory_free((void *)(uintptr_t)c->block[at].part);
    c->block[at] = c->defined[at];
    c->source[at] = 0;
}

erg_status ergi_replay_columns_begin(ergi_replay_columns *c, const erg_world *world,
                                     const ergi_path *folder, size_t frames, erg_error *err)
{
    erg_terrain_grid grid;
    ergi_replay_columns_free(c);
    if (!erg_world_has_terrain(world)) return ERG_OK;
    erg_status status = erg_world_terrain_grid(world, &grid, err);
    if (status != ERG_OK) return status;
    c->folder = *folder;
    for (int k = 0; k < 2; k++)
        c->blocks[k] = (grid.count[k] + ERGI_COLUMN_SIDE - 1) / ERGI_COLUMN_SIDE;
    c->defined = ergi_memory_new(block_count(c), sizeof *c->defined, WHAT, err);
    c->block = ergi_memory_new(block_count(c), sizeof *c->block, WHAT, err);
    c->source = ergi_memory_new(block_count(c), sizeof *c->source, WHAT, err);
    c->wanted = ergi_memory_new(block_count(c), sizeof *c->wanted, WHAT, err);
    c->list = ergi_memory_new(frames, sizeof *c->list, WHAT, err);
    c->lists = frames;
    if (!c->defined || !c->block || !c->source || !c->wanted || !c->list) status = ERG_NO_MEMORY;
    for (size_t i = 0; i < block_count(c) && status == ERG_OK; i++) {
        uint16_t         part[ERGI_COLUMN_PARTS];
        erg_column_block one;
        status = ergi_column_block_read(world, &grid, i % c->blocks[0], i / c->blocks[0], part,
                                        &one, err);
        if (status == ERG_OK) status = put(&c->defined[i], &one, err);
        c->block[i] = c->defined[i];
    }
    if (status != ERG_OK) ergi_replay_columns_free(c);
    return status;
}

static erg_status path_of(const ergi_replay_columns *c, uint64_t frame, ergi_path *path,
                          erg_error *err)
{
    return ergi_path_join(path, c->folder.text,
                          ergi_frame_name_of(ERGI_PART_COLUMNS, frame, "bin").text, err);
}

static erg_status read_file(const ergi_replay_columns *c, uint64_t frame, ergi_column_blocks *b,
                            erg_error *err)
{
    ergi_path  path;
    erg_status status = path_of(c, frame, &path, err);
    if (status == ERG_OK && !ergi_path_exists(path.text))
        return ergi_fail_code(err, ERG_ERROR_NO_FILE,
                              "'%s' is missing: later snapshots need its columns", path.text);
    if (status == ERG_OK) status = ergi_column_blocks_read(path.text, c->blocks, b, err);
    if (status != ERG_OK || frame > 0 || !b->follows) return status;
    ergi_column_blocks_free(b);
    return ergi_fail_code(err, ERG_ERROR_BAD_FILE,
                          "'%s' is the first file of columns, but refers to one before it",
                          path.text);
}

static erg_status read_list(const ergi_replay_columns *c, uint64_t frame, ergi_column_list *list,
                            erg_error *err)
{
    ergi_column_blocks b;
    if (list->read) return ERG_OK;
    erg_status status = read_file(c, frame, &b, err);
    if (status != ERG_OK) return status;
    *list = (ergi_column_list){true, b.follows, b.count, b.number};
    b.number = NULL;
    ergi_column_blocks_free(&b);
    return ERG_OK;
}

// Back from the frame to the file that stands on the terrain as defined: the last file that has a
// block counts.
static erg_status find_sources(ergi_replay_columns *c, uint64_t frame, erg_error *err)
{
    memset(c->wanted, 0, block_count(c) * sizeof *c->wanted);
    for (;; frame--) {
        ergi_column_list *list = &c->list[frame];
        erg_status        status = read_list(c, frame, list, err);
        if (status != ERG_OK) return status;
        for (size_t i = 0; i < list->count; i++)
            if (!c->wanted[list->number[i]]) c->wanted[list->number[i]] = frame + 1;
        if (!list->follows) return ERG_OK;
    }
}

// Takes the blocks that are wanted from the file of this frame.
static erg_status take(ergi_replay_columns *c, uint64_t frame, erg_error *err)
{
    ergi_column_blocks b;
    erg_status         status = read_file(c, frame, &b, err);
    if (status != ERG_OK) return status;
    for (size_t i = 0; i < b.count && status == ERG_OK; i++) {
        size_t at = b.number[i];
        if (c->wanted[at] != frame + 1 || c->source[at] == frame + 1) continue;
        drop(c, at);
        status = put(&c->block[at], &b.block[i], err);
        if (status == ERG_OK) c->source[at] = frame + 1;
    }
    ergi_column_blocks_free(&b);
    return status;
}

erg_status ergi_replay_columns_seek(ergi_replay_columns *c, uint64_t frame, erg_error *err)
{
    ergi_path path;
    c->shown = false;
    if (!c->block || frame >= c->lists) return ERG_OK;
    erg_status status = path_of(c, frame, &path, err);
    if (status != ERG_OK || !ergi_path_exists(path.text)) return status;
    status = find_sources(c, frame, err);
    for (size_t i = 0; i < block_count(c) && status == ERG_OK; i++) {
        if (c->wanted[i] == c->source[i]) continue;
        if (c->wanted[i] == 0)
            drop(c, i);
        else
            status = take(c, c->wanted[i] - 1, err);
        if (status == ERG_OK && c->wanted[i] != c->source[i])
            status =
                ergi_fail_code(err, ERG_ERROR_BAD_FILE,
                               "the columns in '%s' changed while they were read", c->folder.text);
    }
    c->shown = status == ERG_OK;
    return status;
}

void ergi_replay_columns_free(ergi_replay_columns *c)
{
    for (size_t i = 0; i < block_count(c) && c->block && c->source; i++) drop(c, i);
    for (size_t i = 0; i < block_count(c) && c->defined; i++)
        ergi_memory_free((void *)(uintptr_t)c->defined[i].part);
    for (size_t i = 0; i < c->lists && c->list; i++) ergi_memory_free(c->list[i].number);
    ergi_memory_free(c->list);
    ergi_memory_free(c->defined);
    ergi_memory_free(c->block);
    ergi_memory_free(c->source);
    ergi_memory_free(c->wanted);
    *c = (ergi_replay_columns){0};
}
