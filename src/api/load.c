// Loads a checkpoint: everything is read and checked before the world is changed.
#include <string.h>

#include "api/load_check.h"
#include "api/save.h"
#include "api/save_form.h"
#include "base/error.h"
#include "base/memory.h"
#include "solver/command.h"
#include "solver/loop.h"
#include "solver/solver.h"
#include "terrain/terrain.h"
#include "world/rollback.h"

static const void *get_bytes(const ergi_container *container, const char *name, size_t size,
                             erg_error *err)
{
    size_t      rows = 0;
    const void *data = ergi_container_get(container, name, ERGI_CONTAINER_U8, 1, &rows, err);
    if (data && rows != size) {
        ergi_fail_code(
            err, ERG_ERROR_OTHER_BUILD,
            "the checkpoint's %s has %zu bytes, expected %zu: it is from another build of erg",
            name, rows, size);
        return NULL;
    }
    return data;
}

// Fills `table` (same columns as `like`) from the container. All columns must have the same number
// of rows. A derived table stays empty.
static erg_status load_table(ergi_table *table, const ergi_table *like, bool derived,
                             const ergi_container *container, erg_error *err)
{
    *table = *like;
    memset(table->data, 0, sizeof table->data);
    table->rows = table->room = 0;
    bool first = true;
    for (int c = 0; c < like->columns && !derived; c++) {
        if (!ergi_save_has(like, c)) continue;
        char   name[ERGI_SAVE_NAME];
        int    columns;
        size_t rows, stored = 0, width = (size_t)like->column[c].width;
        ergi_save_name(like, c, name);
        ergi_save_form(like, c, &columns, &rows);
        const void *data = ergi_container_get(container, name, ergi_save_type(like->column[c].type),
                                              columns, &stored, err);
        if (!data) return ERG_BAD_INPUT;
        if (columns == 1 && width > 1) {
            if (stored % width)
                return ergi_fail_code(
                    err, ERG_ERROR_BAD_FILE,
                    "the checkpoint's %s has %zu numbers, expected %zu for each row", name, stored,
                    width);
            stored /= width;
        }
        if (first) {
            erg_status status = ergi_table_resize(table, stored, err);
            if (status != ERG_OK) return status;
            first = false;
        }
        if (stored != table->rows)
            return ergi_fail_code(err, ERG_ERROR_BAD_FILE,
                                  "the checkpoint's %s has %zu rows, expected %zu", name, stored,
                                  table->rows);
        if (stored) memcpy(table->data[c], data, stored * like->row_bytes[c]);
    }
    return ERG_OK;
}

// Plain data first: the columns of some tables depend on it.
static erg_status load_plain(ergi_loaded *loaded, const ergi_container *container, erg_error *err)
{
    for (int k = 0; k < loaded->registry->count; k++) {
        const ergi_state_item *item = &loaded->registry->item[k];
        if (item->table || item->flags & ERGI_STATE_DERIVED) continue;
        loaded->plain[k] = get_bytes(container, item->name, ergi_state_bytes(item), err);
        if (!loaded->plain[k]) return ERG_BAD_INPUT;
    }
    return ERG_OK;
}

static erg_status load_tables(ergi_loaded *loaded, const erg_world *world,
                              const ergi_container *container, erg_error *err)
{
    erg_status status = ERG_OK;
    for (int k = 0; k < loaded->registry->count && status == ERG_OK; k++) {
        const ergi_state_item *item = &loaded->registry->item[k];
        if (!item->table) continue;
        ergi_table like = *item->table;
        if (world->solver->describe) world->solver->describe(world, loaded, item->name, &like);
        status =
            load_table(&loaded->table[k], &like, item->flags & ERGI_STATE_DERIVED, container, err);
    }
    return status;
}

static erg_status load_commands(ergi_loaded *loaded, const ergi_container *container,
                                erg_error *err)
{
    size_t      bytes = 0, size = sizeof *loaded->command;
    const void *data =
        ergi_container_get(container, "world/commands", ERGI_CONTAINER_U8, 1, &bytes, err);
    if (!data) return ERG_BAD_INPUT;
    loaded->commands = bytes / size;
    size_t          one = 0;
    const uint64_t *stored = bytes ? ergi_container_get(container, "world/command-bytes",
                                                        ERGI_CONTAINER_U64, 1, &one, err)
                                   : NULL;
    if (bytes && !stored) return ERG_BAD_INPUT;
    if (bytes % size || (stored && (one != 1 || *stored != size)))
        return ergi_fail_code(err, ERG_ERROR_OTHER_BUILD,
                              "the checkpoint's commands are from another build of erg");
    loaded->command = ergi_memory_new(loaded->commands + 1, size, "commands", err);
    if (!loaded->command) return ERG_NO_MEMORY;
    if (bytes) memcpy(loaded->command, data, bytes);
    return ERG_OK;
}

static erg_status load_all(ergi_loaded *loaded, erg_world *world, const ergi_container *container,
                           erg_error *err)
{
    erg_status status = load_plain(loaded, container, err);
    if (status == ERG_OK) status = load_commands(loaded, container, err);
    if (status == ERG_OK) status = ergi_load_check_commands(world, loaded, err);
    if (status != ERG_OK) return status;
    // Some grains may be of kinds that these commands create.
    const ergi_clock *clock = ergi_loaded_plain(loaded, "world/clock");
    status = ergi_command_restore_kinds(world, loaded->command, clock->commands_done, err);
    if (status == ERG_OK) status = load_tables(loaded, world, container, err);
    return status == ERG_OK ? ergi_load_check(world, loaded, err) : status;
}

static void take_over(erg_world *world, const ergi_loaded *loaded)
{
    for (int k = 0; k < world->registry.count; k++) {
        const ergi_state_item *item = &world->registry.item[k];
        size_t                 bytes = ergi_state_bytes(item);
        if (item->table) {
            ergi_table_free(item->table);
            *item->table = loaded->table[k];
        }
        if (item->tiles) item->tiles->all = true;
        if (bytes) memcpy(ergi_state_data(item), loaded->plain[k], bytes);
    }
    ergi_memory_free(world->command);
    world->command = loaded->command;
    world->commands = loaded->commands;
    world->command_room = loaded->commands + 1;
    ergi_rollback_drop(world);
}

// Files of layouts below 14 do not store it.
static erg_status check_layout(const ergi_container *container, erg_error *err)
{
    const char *name = "world/layout";
    size_t      rows = 0;
    if (!ergi_container_has(container, name))
        return ergi_fail_code(
            err, ERG_ERROR_OTHER_BUILD,
            "the checkpoint has a layout older than 14, this erg reads layout %d: "
            "resume it with the erg that wrote it",
            ERGI_SAVE_LAYOUT);
    const uint64_t *layout = ergi_container_get(container, name, ERGI_CONTAINER_U64, 1, &rows, err);
    if (!layout) return ERG_BAD_INPUT;
    if (rows != 1 || *layout != ERGI_SAVE_LAYOUT)
        return ergi_fail_code(err, ERG_ERROR_OTHER_BUILD,
                              "the checkpoint has layout %llu, this erg reads layout %d: resume it "
                              "with the erg that wrote it",
                              rows ? (unsigned long long)*layout : 0, ERGI_SAVE_LAYOUT);
    return ERG_OK;
}

erg_status ergi_world_load_with(erg_world *world, const ergi_container *container, erg_error *err)
{
    if (world->clock.steps > 0)
        return ergi_fail_code(
            err, ERG_ERROR_TOO_LATE,
            "a checkpoint can only be loaded into a world that has not stepped yet");
    erg_status status = check_layout(container, err);
    if (status == ERG_OK) status = ergi_loop_prepare(world, err);
    if (status != ERG_OK) return status;
    size_t          rows = 0;
    const uint64_t *definition =
        ergi_container_get(container, "world/definition", ERGI_CONTAINER_U64, 1, &rows, err);
    if (!definition) return ERG_BAD_INPUT;
    if (rows != 1 || *definition != world->fingerprint)
        return ergi_fail_code(err, ERG_ERROR_OTHER_WORLD,
                              "the checkpoint belongs to a world with another definition");
    ergi_loaded loaded;
    memset(&loaded, 0, sizeof loaded);
    loaded.registry = &world->registry;
    status = load_all(&loaded, world, container, err);
    if (status != ERG_OK) {
        for (int k = 0; k < ERGI_STATE_MOST; k++) ergi_table_free(&loaded.table[k]);
        ergi_memory_free(loaded.command);
        (void)ergi_command_restore_kinds(world, world->command, (size_t)world->clock.commands_done,
                                         NULL);
        return status;
    }
    take_over(world, &loaded);
    status = ergi_command_restore_laws(world, err);
    if (status == ERG_OK) status = ergi_terrain_restored(world, err);
    if (status == ERG_OK) status = ergi_solver_changed(world, ERGI_CHANGED_LOADED, err);
    if (world->clock.steps == 0)
        world->prepared = false; // as in a running world: dt may still change
    return status;
}

erg_status erg_world_load(erg_world *world, const char *path, erg_error *err)
{
    if (!world || !path) return ergi_fail_null(err, __func__);
    ergi_container *container = NULL;
    erg_status      status = ergi_container_open(path, &container, err);
    if (status == ERG_OK) status = ergi_world_load_with(world, container, err);
    ergi_container_close(container);
    return status;
}
