#include "api/save.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/save_form.h"
#include "base/error.h"
#include "base/hash.h"
#include "world/state.h"

#define MAX_ITEMS 160

typedef struct items {
    ergi_box_item item[MAX_ITEMS];
    char          name[MAX_ITEMS][ERGI_SAVE_NAME];
    size_t        count;
} items;

static void put(items *list, const char *name, ergi_box_type type, int columns, size_t rows,
                const void *data)
{
    if (list->count == MAX_ITEMS) return;
    snprintf(list->name[list->count], ERGI_SAVE_NAME, "%s", name);
    list->item[list->count] = (ergi_box_item){list->name[list->count], type, columns, rows, data};
    list->count++;
}

erg_status ergi_world_save_with(const erg_world *world, const char *path, const char *keep_previous,
                                const char *text, const ergi_box_item *extra, size_t extra_count,
                                erg_error *err)
{
    if (world->lists.near.columns == 0)
        return ergi_fail(err, ERG_BAD_INPUT,
                         "a world is saved after it was prepared (erg_world_prepare)");
    items *list = calloc(1, sizeof *list);
    if (!list) return ergi_fail_memory(err, sizeof *list, "a checkpoint");
    ergi_loose loose = ergi_state_get_loose(world);
    uint64_t   definition = ergi_hash_word(ERGI_SAVE_LAYOUT, world->fingerprint);
    put(list, "world/definition", ERGI_BOX_U64, 1, 1, &definition);
    put(list, "world/state", ERGI_BOX_U8, 1, sizeof loose, &loose);
    put(list, "world/walls", ERGI_BOX_U8, 1, world->walls * sizeof *world->wall_state,
        world->wall_state);
    put(list, "world/emitters", ERGI_BOX_U8, 1, world->emitters * sizeof *world->emitter_state,
        world->emitter_state);
    put(list, "world/sinks", ERGI_BOX_U8, 1, world->sinks * sizeof *world->sink_state,
        world->sink_state);
    uint64_t command_bytes = sizeof *world->command;
    put(list, "world/command-bytes", ERGI_BOX_U64, 1, 1, &command_bytes);
    put(list, "world/commands", ERGI_BOX_U8, 1, world->commands * sizeof *world->command,
        world->command);
    if (text) put(list, "scene/text", ERGI_BOX_U8, 1, strlen(text), text);

    ergi_table *tables[ERGI_STATE_TABLES];
    ergi_state_tables((erg_world *)(uintptr_t)world, tables);
    for (int k = 0; k < ERGI_STATE_TABLES; k++)
        for (int c = 0; c < tables[k]->columns && !ergi_state_is_index(k); c++) {
            char   name[ERGI_SAVE_NAME];
            int    columns;
            size_t rows;
            if (!ergi_save_has(tables[k], c)) continue;
            ergi_save_name(tables[k], c, name);
            ergi_save_form(tables[k], c, &columns, &rows);
            put(list, name, ergi_save_type(tables[k]->column[c].type), columns, rows,
                tables[k]->data[c]);
        }
    for (size_t k = 0; k < extra_count; k++)
        put(list, extra[k].name, extra[k].type, extra[k].columns, extra[k].rows, extra[k].data);
    erg_status status = ergi_box_write(path, list->item, list->count, keep_previous, err);
    free(list);
    return status;
}

erg_status erg_world_save(const erg_world *world, const char *path, const char *keep_previous,
                          const char *text, erg_error *err)
{
    if (!world || !path) return ergi_fail_null(err, __func__);
    return ergi_world_save_with(world, path, keep_previous, text, NULL, 0, err);
}
