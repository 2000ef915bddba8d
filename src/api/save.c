#include "api/save.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/save_form.h"
#include "base/error.h"

// Arrays in addition to the registry: layout, definition, size of a command, commands, scene.
enum { OTHER_ITEMS = 5 };

typedef struct items {
    ergi_container_item *item;
    char (*name)[ERGI_SAVE_NAME];
    size_t count, room;
} items;

// False: out of memory; `err` is filled.
static bool make_room(items *list, size_t registered, size_t extra, erg_error *err)
{
    size_t room = OTHER_ITEMS + registered * ERGI_TABLE_COLUMNS + extra;
    *list = (items){.item = calloc(room, sizeof *list->item),
                    .name = calloc(room, sizeof *list->name),
                    .room = room};
    if (list->item && list->name) return true;
    ergi_fail_memory(err, room * (sizeof *list->item + sizeof *list->name), "a checkpoint");
    free(list->item);
    free(list->name);
    return false;
}

static void put(items *list, const char *name, ergi_container_type type, int columns, size_t rows,
                const void *data)
{
    assert(list->count < list->room);
    snprintf(list->name[list->count], ERGI_SAVE_NAME, "%s", name);
    list->item[list->count] =
        (ergi_container_item){list->name[list->count], type, columns, rows, data};
    list->count++;
}

static void put_item(items *list, const ergi_state_item *item)
{
    const ergi_table *t = item->table;
    if (item->flags & ERGI_STATE_DERIVED) return;
    if (!t)
        put(list, item->name, ERGI_CONTAINER_U8, 1, ergi_state_bytes(item), ergi_state_data(item));
    for (int c = 0; t && c < t->columns; c++) {
        char   name[ERGI_SAVE_NAME];
        int    columns;
        size_t rows;
        if (!ergi_save_has(t, c)) continue;
        ergi_save_name(t, c, name);
        ergi_save_form(t, c, &columns, &rows);
        put(list, name, ergi_save_type(t->column[c].type), columns, rows, t->data[c]);
    }
}

erg_status ergi_world_save_with(const erg_world *world, const char *path, const char *keep_previous,
                                const char *text, const ergi_container_item *extra,
                                size_t extra_count, erg_error *err)
{
    if (!world->was_prepared)
        return ergi_fail(err, ERG_BAD_INPUT,
                         "a world must be prepared before it is saved (erg_world_prepare)");
    items list;
    if (!make_room(&list, (size_t)world->registry.count, extra_count, err)) return ERG_NO_MEMORY;
    uint64_t layout = ERGI_SAVE_LAYOUT;
    put(&list, "world/layout", ERGI_CONTAINER_U64, 1, 1, &layout);
    put(&list, "world/definition", ERGI_CONTAINER_U64, 1, 1, &world->fingerprint);
    uint64_t command_bytes = sizeof *world->command;
    put(&list, "world/command-bytes", ERGI_CONTAINER_U64, 1, 1, &command_bytes);
    put(&list, "world/commands", ERGI_CONTAINER_U8, 1, world->commands * sizeof *world->command,
        world->command);
    if (text) put(&list, "scene/text", ERGI_CONTAINER_U8, 1, strlen(text), text);

    for (int k = 0; k < world->registry.count; k++) put_item(&list, &world->registry.item[k]);
    for (size_t k = 0; k < extra_count; k++)
        put(&list, extra[k].name, extra[k].type, extra[k].columns, extra[k].rows, extra[k].data);
    erg_status status = ergi_container_write(path, list.item, list.count, keep_previous, err);
    free(list.item);
    free(list.name);
    return status;
}

erg_status erg_world_save(const erg_world *world, const char *path, const char *keep_previous,
                          const char *text, erg_error *err)
{
    if (!world || !path) return ergi_fail_null(err, __func__);
    return ergi_world_save_with(world, path, keep_previous, text, NULL, 0, err);
}
