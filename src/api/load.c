// Loads a checkpoint: everything is read and checked before the world is changed.
#include <string.h>

#include "api/command.h"
#include "api/load_check.h"
#include "api/save.h"
#include "api/save_form.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "dem/step.h"
#include "world/bodies.h"
#include "world/keep.h"

static const void *get_bytes(const ergi_box *box, const char *name, size_t size, erg_error *err)
{
    size_t      rows = 0;
    const void *data = ergi_box_get(box, name, ERGI_BOX_U8, 1, &rows, err);
    if (data && rows != size) {
        ergi_fail_code(
            err, ERG_ERROR_OTHER_BUILD,
            "the checkpoint's %s has %zu bytes, expected %zu: it is from another build of erg",
            name, rows, size);
        return NULL;
    }
    return data;
}

// Fills `table` (same columns as `like`) from the box, unless it is an index, which stays empty.
// All columns must have the same rows.
static erg_status load_table(ergi_table *table, const ergi_table *like, bool index,
                             const ergi_box *box, erg_error *err)
{
    *table = *like;
    memset(table->data, 0, sizeof table->data);
    table->rows = table->room = 0;
    bool first = true;
    for (int c = 0; c < like->columns && !index; c++) {
        if (!ergi_save_has(like, c)) continue;
        char   name[ERGI_SAVE_NAME];
        int    columns;
        size_t rows, stored = 0, width = (size_t)like->column[c].width;
        ergi_save_name(like, c, name);
        ergi_save_form(like, c, &columns, &rows);
        const void *data =
            ergi_box_get(box, name, ergi_save_type(like->column[c].type), columns, &stored, err);
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

// The form of some columns depends on the state.
static erg_status load_tables(ergi_loaded *loaded, const erg_world *world, const ergi_box *box,
                              erg_error *err)
{
    const ergi_loose *loose = &loaded->loose;
    ergi_table        like_spheres = {0};
    ergi_lists        like_lists;
    ergi_world_describe_spheres(world, loose->single != 0, &like_spheres);
    ergi_lists_init(&like_lists, world->memory_width, world->wall_slots,
                    loose->class_per_material != 0, ergi_world_real(world));
    const ergi_table *like[ERGI_STATE_TABLES];
    ergi_table       *lists[ERGI_LIST_TABLES];
    ergi_state_list_tables(&like_lists, lists);
    like[ERGI_STATE_BODIES] = &world->bodies;
    like[ERGI_STATE_SPHERES] = &like_spheres;
    for (int k = 0; k < ERGI_LIST_TABLES; k++) like[ERGI_STATE_LISTS + k] = lists[k];
    like[ERGI_STATE_TOUCH] = &world->rigid_touch;
    erg_status status = ERG_OK;
    for (int k = 0; k < ERGI_STATE_TABLES && status == ERG_OK; k++)
        status = load_table(&loaded->table[k], like[k], ergi_state_is_index(k), box, err);
    return status;
}

// Recomputes the tables that are not stored from those that are.
static erg_status index_lists(ergi_loaded *loaded, erg_error *err)
{
    ergi_lists  lists = {.spheres = (erg_index)loaded->loose.list_spheres};
    ergi_table *part[ERGI_LIST_TABLES];
    ergi_state_list_tables(&lists, part);
    for (int k = 0; k < ERGI_LIST_TABLES; k++) *part[k] = loaded->table[ERGI_STATE_LISTS + k];
    erg_status status = ergi_lists_index(&lists, err);
    for (int k = 0; k < ERGI_LIST_TABLES; k++) loaded->table[ERGI_STATE_LISTS + k] = *part[k];
    return status;
}

static erg_status load_commands(ergi_loaded *loaded, const ergi_box *box, erg_error *err)
{
    size_t      bytes = 0, size = sizeof *loaded->command;
    const void *data = ergi_box_get(box, "world/commands", ERGI_BOX_U8, 1, &bytes, err);
    if (!data) return ERG_BAD_INPUT;
    loaded->commands = bytes / size;
    size_t          one = 0;
    const uint64_t *stored =
        bytes ? ergi_box_get(box, "world/command-bytes", ERGI_BOX_U64, 1, &one, err) : NULL;
    if (bytes && !stored) return ERG_BAD_INPUT;
    if (bytes % size || (stored && (one != 1 || *stored != size)))
        return ergi_fail_code(err, ERG_ERROR_OTHER_BUILD,
                              "the checkpoint's commands are from another build of erg");
    loaded->command = ergi_memory_new(loaded->commands + 1, size, "commands", err);
    if (!loaded->command) return ERG_NO_MEMORY;
    if (bytes) memcpy(loaded->command, data, bytes);
    return ERG_OK;
}

// Everything that is not a table: structs as plain bytes.
static erg_status load_structs(ergi_loaded *loaded, const erg_world *world, const ergi_box *box,
                               erg_error *err)
{
    const void *loose = get_bytes(box, "world/state", sizeof loaded->loose, err);
    loaded->wall =
        loose ? get_bytes(box, "world/walls", world->walls * sizeof *loaded->wall, err) : NULL;
    loaded->emitter = loaded->wall ? get_bytes(box, "world/emitters",
                                               world->emitters * sizeof *loaded->emitter, err)
                                   : NULL;
    loaded->sink = loaded->emitter
                       ? get_bytes(box, "world/sinks", world->sinks * sizeof *loaded->sink, err)
                       : NULL;
    if (!loaded->sink) return ERG_BAD_INPUT;
    memcpy(&loaded->loose, loose, sizeof loaded->loose);
    return load_commands(loaded, box, err);
}

static erg_status load_all(ergi_loaded *loaded, erg_world *world, const ergi_box *box,
                           erg_error *err)
{
    erg_status status = load_structs(loaded, world, box, err);
    if (status == ERG_OK) status = ergi_load_check_commands(world, loaded, err);
    // Some grains may be balls that these commands added.
    if (status == ERG_OK)
        status =
            ergi_command_restore_kinds(world, loaded->command, loaded->loose.commands_done, err);
    if (status == ERG_OK) status = load_tables(loaded, world, box, err);
    if (status == ERG_OK) status = ergi_load_check(world, loaded, err);
    if (status == ERG_OK) status = ergi_load_check_lists(world, loaded, err);
    return status == ERG_OK ? index_lists(loaded, err) : status;
}

static void take_over(erg_world *world, const ergi_loaded *loaded)
{
    ergi_table *own[ERGI_STATE_TABLES];
    ergi_state_tables(world, own);
    for (int k = 0; k < ERGI_STATE_TABLES; k++) {
        ergi_table_free(own[k]);
        *own[k] = loaded->table[k];
    }
    ergi_memory_free(world->command);
    world->command = loaded->command;
    world->commands = loaded->commands;
    world->command_room = loaded->commands + 1;
    ergi_state_set_loose(world, &loaded->loose);
    if (world->walls)
        memcpy(world->wall_state, loaded->wall, world->walls * sizeof *world->wall_state);
    if (world->emitters)
        memcpy(world->emitter_state, loaded->emitter,
               world->emitters * sizeof *world->emitter_state);
    if (world->sinks)
        memcpy(world->sink_state, loaded->sink, world->sinks * sizeof *world->sink_state);
    ergi_keep_drop(world);
    world->margins_known = world->ways_known = false;
    ergi_dem_cap_viscosity(world);
    if (world->clock.steps == 0)
        world->prepared = false; // as in a world that goes on: dt may still change
}

erg_status ergi_world_load_with(erg_world *world, const ergi_box *box, erg_error *err)
{
    if (world->clock.steps > 0)
        return ergi_fail_code(err, ERG_ERROR_TOO_LATE,
                              "a checkpoint is loaded into a world that has not stepped yet");
    erg_status status = ergi_dem_prepare(world, err);
    if (status != ERG_OK) return status;
    size_t          rows = 0;
    const uint64_t *definition = ergi_box_get(box, "world/definition", ERGI_BOX_U64, 1, &rows, err);
    if (!definition) return ERG_BAD_INPUT;
    if (rows != 1 || *definition != ergi_hash_word(ERGI_SAVE_LAYOUT, world->fingerprint))
        return ergi_fail_code(err, ERG_ERROR_OTHER_WORLD,
                              "the checkpoint belongs to a world that was defined otherwise");
    ergi_loaded loaded;
    memset(&loaded, 0, sizeof loaded);
    status = load_all(&loaded, world, box, err);
    if (status != ERG_OK) {
        for (int k = 0; k < ERGI_STATE_TABLES; k++) ergi_table_free(&loaded.table[k]);
        ergi_memory_free(loaded.command);
        (void)ergi_command_restore_kinds(world, world->command, world->commands_done, NULL);
        return status;
    }
    take_over(world, &loaded);
    status = ergi_command_restore_laws(world, err);
    if (status == ERG_OK) status = ergi_dem_reserve(world, err);
    if (status != ERG_OK) return status;
    ergi_dem_advance(world, ERGI_PLACE_SPHERES);
    if (!world->dirty)
        ergi_dem_coefs(world); // recomputed from spheres and laws instead of trusting the file
    return ERG_OK;
}

erg_status erg_world_load(erg_world *world, const char *path, erg_error *err)
{
    if (!world || !path) return ergi_fail_null(err, __func__);
    ergi_box  *box = NULL;
    erg_status status = ergi_box_open(path, &box, err);
    if (status == ERG_OK) status = ergi_world_load_with(world, box, err);
    ergi_box_close(box);
    return status;
}
