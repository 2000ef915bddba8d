#include "world/rollback.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "world/world.h"

struct ergi_rollback {
    bool       valid;
    uint64_t   step;
    ergi_table table[ERGI_STATE_MOST];
    void      *plain[ERGI_STATE_MOST];
    size_t     plain_room[ERGI_STATE_MOST];
};

static erg_status create_rollback(erg_world *world, erg_error *err)
{
    if (world->rollback) return ERG_OK;
    world->rollback = calloc(1, sizeof *world->rollback);
    return world->rollback ? ERG_OK
                           : ergi_fail_memory(err, sizeof *world->rollback, "the last good state");
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

static erg_status clear_changes(ergi_tiles *tiles, size_t rows, erg_error *err)
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

// Requires that `to` was equal to `from` at the last clear_changes.
static erg_status copy_table(ergi_table *to, const ergi_table *from, ergi_tiles *tiles, bool bare,
                             erg_error *err)
{
    if (!tiles || tiles->all || to->rows != from->rows) {
        erg_status status = ergi_table_copy(to, from, bare, err);
        return status == ERG_OK && tiles ? clear_changes(tiles, from->rows, err) : status;
    }
    copy_tiles(to, from, tiles);
    return clear_changes(tiles, from->rows, err);
}

// ---- The copy ----------------------------------------------------------------------------------
static erg_status take_item(ergi_rollback *rollback, int k, const ergi_state_item *item,
                            erg_error *err)
{
    if (item->flags & ERGI_STATE_DERIVED) return ERG_OK;
    if (item->table) return copy_table(&rollback->table[k], item->table, item->tiles, true, err);
    size_t     bytes = ergi_state_bytes(item);
    erg_status status = ergi_memory_grow(&rollback->plain[k], &rollback->plain_room[k], bytes, 1,
                                         "the last good state", err);
    if (status == ERG_OK && bytes) memcpy(rollback->plain[k], ergi_state_data(item), bytes);
    return status;
}

erg_status ergi_rollback_take(erg_world *world, erg_error *err)
{
    erg_status status = create_rollback(world, err);
    if (status != ERG_OK) return status;
    ergi_rollback *rollback = world->rollback;
    rollback->valid = false;
    for (int k = 0; k < world->registry.count && status == ERG_OK; k++)
        status = take_item(rollback, k, &world->registry.item[k], err);
    rollback->step = world->clock.steps;
    rollback->valid = status == ERG_OK;
    return status;
}

static erg_status restore_item(const ergi_rollback *rollback, int k, const ergi_state_item *item,
                               erg_error *err)
{
    if (item->flags & ERGI_STATE_DERIVED) return ERG_OK;
    if (item->table) return copy_table(item->table, &rollback->table[k], item->tiles, false, err);
    size_t bytes = ergi_state_bytes(item);
    if (bytes) memcpy(ergi_state_data(item), rollback->plain[k], bytes);
    return ERG_OK;
}

erg_status ergi_rollback_restore(erg_world *world, erg_error *err)
{
    erg_status status = ERG_OK;
    for (int k = 0; k < world->registry.count && status == ERG_OK; k++)
        status = restore_item(world->rollback, k, &world->registry.item[k], err);
    return status;
}

bool ergi_rollback_valid(const erg_world *world)
{
    return world->rollback && world->rollback->valid;
}

uint64_t ergi_rollback_step(const erg_world *world)
{
    return world->rollback->step;
}

void ergi_rollback_drop(erg_world *world)
{
    if (world->rollback) world->rollback->valid = false;
}

void ergi_rollback_free(ergi_rollback *rollback)
{
    if (!rollback) return;
    for (int k = 0; k < ERGI_STATE_MOST; k++) {
        ergi_table_free(&rollback->table[k]);
        ergi_memory_free(rollback->plain[k]);
    }
    free(rollback);
}

size_t ergi_rollback_bytes(const ergi_rollback *rollback)
{
    size_t bytes = 0;
    for (int k = 0; rollback && k < ERGI_STATE_MOST; k++)
        bytes += ergi_table_bytes(&rollback->table[k]) + rollback->plain_room[k];
    return bytes;
}
