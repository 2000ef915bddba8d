#include "world/keep.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "world/world.h"

struct ergi_keep {
    bool       valid;
    uint64_t   step;
    ergi_table table[ERGI_STATE_MOST];
    void      *plain[ERGI_STATE_MOST];
    size_t     plain_room[ERGI_STATE_MOST];
};

static erg_status make_room(erg_world *world, erg_error *err)
{
    if (world->keep) return ERG_OK;
    world->keep = calloc(1, sizeof *world->keep);
    return world->keep ? ERG_OK : ergi_fail_memory(err, sizeof *world->keep, "the last good state");
}

// ---- Tiles -------------------------------------------------------------------------------------
// Copies the tiles marked as changed from one table to another of the same form and length.
static void copy_tiles(ergi_table *to, const ergi_table *from, const ergi_tiles *tiles)
{
    for (size_t t = 0; t < tiles->room; t++) {
        if (!tiles->changed[t]) continue;
        size_t begin = t * ERGI_TILE_ROWS, end = begin + ERGI_TILE_ROWS;
        if (end > from->rows) end = from->rows;
        for (int c = 0; c < from->columns; c++) {
            size_t row = from->row_bytes[c];
            if (row && !from->column[c].derived)
                memcpy((char *)to->data[c] + begin * row, (const char *)from->data[c] + begin * row,
                       (end - begin) * row);
        }
    }
}

static erg_status forget_changes(ergi_tiles *tiles, size_t rows, erg_error *err)
{
    size_t     count = (rows + ERGI_TILE_ROWS - 1) / ERGI_TILE_ROWS;
    erg_status status = ERG_OK;
    if (count != tiles->room)
        status = ergi_memory_resize(&tiles->changed, 0, count + 1, 1, "tiles", err);
    if (status != ERG_OK) {
        tiles->room = 0;
        tiles->all = true;
        return status;
    }
    tiles->room = count;
    memset(tiles->changed, 0, count + 1);
    tiles->all = false;
    return ERG_OK;
}

// `to` is as `from` was when the changes were last forgotten.
static erg_status copy_table(ergi_table *to, const ergi_table *from, ergi_tiles *tiles, bool bare,
                             erg_error *err)
{
    if (!tiles || tiles->all || to->rows != from->rows) {
        erg_status status = ergi_table_copy(to, from, bare, err);
        return status == ERG_OK && tiles ? forget_changes(tiles, from->rows, err) : status;
    }
    copy_tiles(to, from, tiles);
    return forget_changes(tiles, from->rows, err);
}

// ---- The copy ----------------------------------------------------------------------------------
static erg_status take_item(ergi_keep *keep, int k, const ergi_state_item *item, erg_error *err)
{
    if (item->flags & ERGI_STATE_DERIVED) return ERG_OK;
    if (item->table) return copy_table(&keep->table[k], item->table, item->tiles, true, err);
    size_t     bytes = ergi_state_bytes(item);
    erg_status status = ergi_memory_grow(&keep->plain[k], &keep->plain_room[k], bytes, 1,
                                         "the last good state", err);
    if (status == ERG_OK && bytes) memcpy(keep->plain[k], ergi_state_data(item), bytes);
    return status;
}

erg_status ergi_keep_take(erg_world *world, erg_error *err)
{
    erg_status status = make_room(world, err);
    if (status != ERG_OK) return status;
    ergi_keep *keep = world->keep;
    keep->valid = false;
    for (int k = 0; k < world->registry.count && status == ERG_OK; k++)
        status = take_item(keep, k, &world->registry.item[k], err);
    keep->step = world->clock.steps;
    keep->valid = status == ERG_OK;
    return status;
}

static erg_status restore_item(const ergi_keep *keep, int k, const ergi_state_item *item,
                               erg_error *err)
{
    if (item->flags & ERGI_STATE_DERIVED) return ERG_OK;
    if (item->table) return copy_table(item->table, &keep->table[k], item->tiles, false, err);
    size_t bytes = ergi_state_bytes(item);
    if (bytes) memcpy(ergi_state_data(item), keep->plain[k], bytes);
    return ERG_OK;
}

erg_status ergi_keep_restore(erg_world *world, erg_error *err)
{
    erg_status status = ERG_OK;
    for (int k = 0; k < world->registry.count && status == ERG_OK; k++)
        status = restore_item(world->keep, k, &world->registry.item[k], err);
    return status;
}

bool ergi_keep_valid(const erg_world *world)
{
    return world->keep && world->keep->valid;
}

uint64_t ergi_keep_step(const erg_world *world)
{
    return world->keep->step;
}

void ergi_keep_drop(erg_world *world)
{
    if (world->keep) world->keep->valid = false;
}

void ergi_keep_free(ergi_keep *keep)
{
    if (!keep) return;
    for (int k = 0; k < ERGI_STATE_MOST; k++) {
        ergi_table_free(&keep->table[k]);
        ergi_memory_free(keep->plain[k]);
    }
    free(keep);
}

size_t ergi_keep_bytes(const ergi_keep *keep)
{
    size_t bytes = 0;
    for (int k = 0; keep && k < ERGI_STATE_MOST; k++)
        bytes += ergi_table_bytes(&keep->table[k]) + keep->plain_room[k];
    return bytes;
}
