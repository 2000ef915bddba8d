#include "world/registry.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

static ergi_state_item *add(ergi_registry *registry, const char *name)
{
    bool fits = registry->count < ERGI_STATE_MOST && ergi_registry_find(registry, name) < 0;
    if (!fits && !registry->refused) registry->refused = name;
    ergi_state_item *item = &registry->item[fits ? registry->count++ : ERGI_STATE_MOST];
    *item = (ergi_state_item){.name = name, .key = -1};
    return item;
}

erg_status ergi_registry_check(const ergi_registry *registry, erg_error *err)
{
    const char *name = registry->refused;
    if (!name) return ERG_OK;
    if (ergi_registry_find(registry, name) >= 0)
        return ergi_fail_code(err, ERG_ERROR_NAME_TAKEN, "two parts of the state are named '%s'",
                              name);
    return ergi_fail_code(err, ERG_ERROR_TOO_MANY,
                          "the state of a world has at most %d parts, '%s' is one too many",
                          ERGI_STATE_MOST, name);
}

void ergi_registry_cut(ergi_registry *registry, int count)
{
    registry->count = count;
    registry->refused = NULL;
}

static ergi_state_item *add_table(ergi_registry *registry, ergi_table *table, int key,
                                  unsigned flags)
{
    ergi_state_item *item = add(registry, table->name);
    item->table = table;
    item->key = key;
    item->flags = flags;
    return item;
}

void ergi_registry_table(ergi_registry *registry, ergi_table *table, int key, unsigned flags)
{
    add_table(registry, table, key, flags);
}

void ergi_registry_tiled(ergi_registry *registry, ergi_table *table, int key, ergi_tiles *tiles,
                         unsigned flags)
{
    add_table(registry, table, key, flags | ERGI_STATE_TILED)->tiles = tiles;
    tiles->all = true;
}

void ergi_registry_unhashed(ergi_registry *registry, int column)
{
    registry->item[registry->count - 1].unhashed |= 1u << column;
}

void ergi_registry_plain(ergi_registry *registry, const char *name, void *data, size_t size)
{
    ergi_state_item *item = add(registry, name);
    item->data = data;
    item->size = size;
}

void ergi_registry_array(ergi_registry *registry, const char *name, void **array, size_t size,
                         const size_t *count)
{
    ergi_state_item *item = add(registry, name);
    item->array = array;
    item->size = size;
    item->count = count;
}

int ergi_registry_find(const ergi_registry *registry, const char *name)
{
    for (int k = 0; k < registry->count; k++)
        if (strcmp(registry->item[k].name, name) == 0) return k;
    return -1;
}

// ---- Rows of grains ----------------------------------------------------------------------------
erg_status ergi_registry_resize(const ergi_registry *registry, size_t old, size_t grains,
                                erg_error *err)
{
    erg_status status = ERG_OK, ignored = ERG_OK;
    int        k = 0;
    for (; k < registry->count && status == ERG_OK; k++)
        if (registry->item[k].flags & ERGI_STATE_BY_GRAIN)
            status = ergi_table_resize(registry->item[k].table, grains, err);
    while (status != ERG_OK && k-- > 0) // shrinking does not fail
        if (registry->item[k].flags & ERGI_STATE_BY_GRAIN && registry->item[k].table->rows > old)
            ignored = ergi_table_resize(registry->item[k].table, old, NULL);
    (void)ignored;
    return status;
}

void ergi_registry_reorder(const ergi_registry *registry, const uint32_t *order, size_t grains,
                           uint64_t *scratch)
{
    for (int k = 0; k < registry->count; k++)
        if (registry->item[k].flags & ERGI_STATE_BY_GRAIN)
            ergi_table_reorder(registry->item[k].table, order, grains, scratch);
}

// ---- Tiles -------------------------------------------------------------------------------------
void ergi_tiles_mark(ergi_tiles *tiles, size_t begin, size_t end)
{
    if (tiles->all || begin >= end) return;
    size_t last = (end - 1) / ERGI_TILE_ROWS;
    if (last >= tiles->room) { // beyond the last copy
        tiles->all = true;
        return;
    }
    memset(tiles->changed + begin / ERGI_TILE_ROWS, 1, last - begin / ERGI_TILE_ROWS + 1);
}

void ergi_tiles_free(ergi_tiles *tiles)
{
    ergi_memory_free(tiles->changed);
    *tiles = (ergi_tiles){.all = true};
}

// ---- Loaded ------------------------------------------------------------------------------------
static int item_of(const ergi_loaded *loaded, const char *name)
{
    int k = ergi_registry_find(loaded->registry, name);
    assert(k >= 0);
    return k;
}

const ergi_table *ergi_loaded_table(const ergi_loaded *loaded, const char *name)
{
    return &loaded->table[item_of(loaded, name)];
}

const void *ergi_loaded_plain(const ergi_loaded *loaded, const char *name)
{
    return loaded->plain[item_of(loaded, name)];
}

erg_status ergi_load_misfit(erg_error *err, const char *format, ...)
{
    char    what[320];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return ergi_fail_code(err, ERG_ERROR_BAD_FILE,
                          "the checkpoint is inconsistent: %s; it was not written by this erg",
                          what);
}
