#include "api/save.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/command.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "dem/step.h"
#include "world/bodies.h"
#include "world/keep.h"
#include "world/state.h"

#define MAX_ITEMS 160
#define NAME_ROOM 64

// What the stored arrays mean depends on this; raise it when the meaning of any of them changes.
#define LAYOUT 8

typedef struct items {
    ergi_box_item item[MAX_ITEMS];
    char          name[MAX_ITEMS][NAME_ROOM];
    size_t        count;
} items;

static ergi_box_type box_type(ergi_type type)
{
    switch (type) {
    case ERGI_U8: return ERGI_BOX_U8;
    case ERGI_U16: return ERGI_BOX_U16;
    case ERGI_U32: return ERGI_BOX_U32;
    case ERGI_U64: return ERGI_BOX_U64;
    case ERGI_F32: return ERGI_BOX_F32;
    default: return ERGI_BOX_F64;
    }
}

static void put(items *list, const char *name, ergi_box_type type, int columns, size_t rows,
                const void *data)
{
    if (list->count == MAX_ITEMS) return;
    snprintf(list->name[list->count], NAME_ROOM, "%s", name);
    list->item[list->count] = (ergi_box_item){list->name[list->count], type, columns, rows, data};
    list->count++;
}

// A box holds up to 16 numbers a row; wider columns are stored one number a row.
static void column_form(const ergi_table *t, int c, int *columns, size_t *rows)
{
    int width = t->column[c].width;
    *columns = width <= ERGI_BOX_MAX_COLUMNS ? width : 1;
    *rows = width <= ERGI_BOX_MAX_COLUMNS ? t->rows : t->rows * (size_t)width;
}

static void column_name(const ergi_table *t, int c, char name[NAME_ROOM])
{
    snprintf(name, NAME_ROOM, "%s/%s", t->name, t->column[c].name);
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
    uint64_t   definition = ergi_hash_word(LAYOUT, world->fingerprint);
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
            char   name[NAME_ROOM];
            int    columns;
            size_t rows;
            if (tables[k]->row_bytes[c] == 0 || tables[k]->column[c].derived) continue;
            column_name(tables[k], c, name);
            column_form(tables[k], c, &columns, &rows);
            put(list, name, box_type(tables[k]->column[c].type), columns, rows, tables[k]->data[c]);
        }
    for (size_t k = 0; k < extra_count; k++)
        put(list, extra[k].name, extra[k].type, extra[k].columns, extra[k].rows, extra[k].data);
    erg_status status = ergi_box_write(path, list->item, list->count, keep_previous, err);
    free(list);
    return status;
}

// ---- Reading -----------------------------------------------------------------------------------
static const void *get_bytes(const ergi_box *box, const char *name, size_t size, erg_error *err)
{
    size_t      rows = 0;
    const void *data = ergi_box_get(box, name, ERGI_BOX_U8, 1, &rows, err);
    if (data && rows != size) {
        ergi_fail(
            err, ERG_BAD_INPUT,
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
        if (like->row_bytes[c] == 0 || like->column[c].derived) continue;
        char   name[NAME_ROOM];
        int    columns;
        size_t rows, stored = 0, width = (size_t)like->column[c].width;
        column_name(like, c, name);
        column_form(like, c, &columns, &rows);
        const void *data =
            ergi_box_get(box, name, box_type(like->column[c].type), columns, &stored, err);
        if (!data) return ERG_BAD_INPUT;
        if (columns == 1 && width > 1) stored /= width;
        if (first) {
            erg_status status = ergi_table_resize(table, stored, err);
            if (status != ERG_OK) return status;
            first = false;
        }
        if (stored != table->rows)
            return ergi_fail(err, ERG_BAD_INPUT, "the checkpoint's %s has %zu rows, expected %zu",
                             name, stored, table->rows);
        if (stored) memcpy(table->data[c], data, stored * like->row_bytes[c]);
    }
    return ERG_OK;
}

// Every index in the tables must point inside: the box's hash finds damage, this finds our own
// mistakes and forged files.
static bool ascending(const uint32_t *start, size_t count, size_t end)
{
    for (size_t i = 0; i + 1 < count; i++)
        if (start[i] > start[i + 1]) return false;
    return count > 0 && start[0] == 0 && start[count - 1] == end;
}

static bool below(const uint32_t *index, size_t count, size_t limit)
{
    for (size_t i = 0; i < count; i++)
        if (index[i] >= limit) return false;
    return true;
}

static bool rising(const uint32_t *index, size_t count)
{
    for (size_t i = 0; i + 1 < count; i++)
        if (index[i] >= index[i + 1]) return false;
    return true;
}

static bool pairs_consistent(const ergi_table *span, const ergi_table *entry, ergi_side side,
                             size_t spheres)
{
    const uint16_t *owner = entry->data[ERGI_ENTRY_OWNER];
    const void     *other = entry->data[ERGI_ENTRY_OTHER];
    const uint32_t *start = span->data[ERGI_SPAN_START];
    if (span->rows != spheres + 1 || !ascending(start, span->rows, entry->rows)) return false;
    for (size_t i = 0; i < spheres; i++)
        for (uint32_t e = start[i]; e < start[i + 1]; e++) {
            uint32_t j = ergi_partner(other, side, (uint32_t)i, e);
            uint32_t row =
                side == ERGI_INNER ? ((const uint16_t *)other)[e] : ((const uint32_t *)other)[e];
            if (owner[e] != 4 * (i % ERGI_CHUNK) || row % 4 != 0 || j >= spheres ||
                ergi_side_of((uint32_t)i, j) != side)
                return false;
        }
    return true;
}

static bool consistent(const erg_world *world, const ergi_table *t, const ergi_loose *l)
{
    const ergi_table *bodies = &t[0], *spheres = &t[1], *near = &t[9], *wall = &t[10],
                     *touch = &t[11];
    size_t n = spheres->rows;
    if (bodies->rows < l->listed_bodies || l->classes > ERGI_MAX_CLASSES ||
        (size_t)l->list_spheres != n || near->rows < 1 || (l->single && n != l->listed_bodies) ||
        (!l->dirty && bodies->rows != l->listed_bodies))
        return false;
    if (!below(bodies->data[ERGI_BODY_KIND], bodies->rows, world->kinds)) return false;
    size_t classes = l->class_per_material ? world->materials : (size_t)l->classes, sum = 0;
    const uint32_t *kind = bodies->data[ERGI_BODY_KIND], *first = bodies->data[ERGI_BODY_FIRST];
    for (size_t i = 0; i < l->listed_bodies; i++) {
        if (first[i] != sum) return false;
        sum += (size_t)world->kind[kind[i]].shape.count;
    }
    const uint32_t *near_start = near->data[ERGI_NEAR_START];
    return sum == n && below(spheres->data[ERGI_SPHERE_CLASS], n, classes ? classes : 1) &&
           (!spheres->data[ERGI_SPHERE_BODY] ||
            below(spheres->data[ERGI_SPHERE_BODY], n, bodies->rows)) &&
           pairs_consistent(&t[2], &t[3], ERGI_INNER, n) &&
           pairs_consistent(&t[4], &t[5], ERGI_OUTER, n) &&
           below(near->data[ERGI_NEAR_SPHERE], near->rows - 1, n) &&
           rising(near->data[ERGI_NEAR_SPHERE], near->rows - 1) &&
           ascending(near_start, near->rows, wall->rows) &&
           below(wall->data[ERGI_WALL_ENTRY_WALL], wall->rows, world->walls) &&
           below(touch->data[ERGI_TOUCH_WALLS], 2 * touch->rows, world->walls);
}

// Makes what was not stored from what was.
static erg_status index_lists(ergi_table *table, const ergi_loose *l, erg_error *err)
{
    ergi_lists  lists = {.spheres = (erg_index)l->list_spheres};
    ergi_table *part[ERGI_LIST_TABLES];
    ergi_state_list_tables(&lists, part);
    for (int k = 0; k < ERGI_LIST_TABLES; k++) *part[k] = table[2 + k];
    erg_status status = ergi_lists_index(&lists, err);
    for (int k = 0; k < ERGI_LIST_TABLES; k++) table[2 + k] = *part[k];
    return status;
}

static erg_status load_commands(const ergi_box *box, erg_command **command, size_t *count,
                                erg_error *err)
{
    size_t      bytes = 0;
    const void *data = ergi_box_get(box, "world/commands", ERGI_BOX_U8, 1, &bytes, err);
    if (!data) return ERG_BAD_INPUT;
    *count = bytes / sizeof **command;
    size_t          one = 0;
    const uint64_t *size =
        bytes ? ergi_box_get(box, "world/command-bytes", ERGI_BOX_U64, 1, &one, err) : NULL;
    if (bytes && !size) return ERG_BAD_INPUT;
    if (bytes % sizeof **command || (size && (one != 1 || *size != sizeof **command)))
        return ergi_fail(err, ERG_BAD_INPUT,
                         "the checkpoint's commands are from another build of erg");
    *command = ergi_memory_new(*count + 1, sizeof **command, "commands", err);
    if (!*command) return ERG_NO_MEMORY;
    if (*count) memcpy(*command, data, *count * sizeof **command);
    return ERG_OK;
}

erg_status ergi_world_load_with(erg_world *world, const ergi_box *box, erg_error *err)
{
    if (world->clock.steps > 0)
        return ergi_fail(err, ERG_BAD_INPUT,
                         "a checkpoint is loaded into a world that has not stepped yet");
    erg_status status = ergi_dem_prepare(world, err);
    if (status != ERG_OK) return status;
    size_t          rows = 0;
    const uint64_t *definition = ergi_box_get(box, "world/definition", ERGI_BOX_U64, 1, &rows, err);
    if (!definition) return ERG_BAD_INPUT;
    if (rows != 1 || *definition != ergi_hash_word(LAYOUT, world->fingerprint))
        return ergi_fail(err, ERG_BAD_INPUT,
                         "the checkpoint belongs to a world that was defined otherwise");
    const ergi_loose *stored = get_bytes(box, "world/state", sizeof *stored, err);
    const void       *walls =
        stored ? get_bytes(box, "world/walls", world->walls * sizeof *world->wall_state, err)
                     : NULL;
    const void *emitters = walls ? get_bytes(box, "world/emitters",
                                             world->emitters * sizeof *world->emitter_state, err)
                                 : NULL;
    const void *sinks =
        emitters ? get_bytes(box, "world/sinks", world->sinks * sizeof *world->sink_state, err)
                 : NULL;
    if (!sinks) return ERG_BAD_INPUT;
    ergi_loose loose;
    memcpy(&loose, stored, sizeof loose);

    // The form of some columns depends on the state.
    ergi_table like_spheres = {0}, table[ERGI_STATE_TABLES];
    ergi_lists like_lists;
    memset(table, 0, sizeof table);
    ergi_world_describe_spheres(world, loose.single != 0, &like_spheres);
    ergi_lists_init(&like_lists, world->memory_width, world->wall_slots,
                    loose.class_per_material != 0, ergi_world_real(world));
    ergi_table *like[ERGI_STATE_TABLES] = {&world->bodies, &like_spheres};
    ergi_state_list_tables(&like_lists, like + 2);
    like[2 + ERGI_LIST_TABLES] = &world->rigid_touch;
    erg_command *command = NULL;
    size_t       commands = 0;
    for (int k = 0; k < ERGI_STATE_TABLES && status == ERG_OK; k++)
        status = load_table(&table[k], like[k], ergi_state_is_index(k), box, err);
    if (status == ERG_OK) status = load_commands(box, &command, &commands, err);
    if (status == ERG_OK && loose.commands_done <= commands)
        status = ergi_command_restore_kinds(world, command, loose.commands_done, err);
    if (status == ERG_OK && (loose.commands_done > commands || !consistent(world, table, &loose)))
        status = ergi_fail(err, ERG_BAD_INPUT,
                           "the checkpoint does not fit together: it was not written by this erg");
    if (status == ERG_OK) status = index_lists(table, &loose, err);
    if (status != ERG_OK) {
        for (int k = 0; k < ERGI_STATE_TABLES; k++) ergi_table_free(&table[k]);
        ergi_memory_free(command);
        (void)ergi_command_restore_kinds(world, world->command, world->commands_done, NULL);
        return status;
    }

    ergi_table *own[ERGI_STATE_TABLES];
    ergi_state_tables(world, own);
    for (int k = 0; k < ERGI_STATE_TABLES; k++) {
        ergi_table_free(own[k]);
        *own[k] = table[k];
    }
    ergi_memory_free(world->command);
    world->command = command;
    world->commands = commands;
    world->command_room = commands + 1;
    ergi_state_set_loose(world, &loose);
    if (world->walls) memcpy(world->wall_state, walls, world->walls * sizeof *world->wall_state);
    if (world->emitters)
        memcpy(world->emitter_state, emitters, world->emitters * sizeof *world->emitter_state);
    if (world->sinks) memcpy(world->sink_state, sinks, world->sinks * sizeof *world->sink_state);
    ergi_keep_drop(world);
    world->margins_known = world->ways_known = false;
    ergi_dem_cap_viscosity(world);
    if (world->clock.steps == 0)
        world->prepared = false; // as in a world that goes on: dt may still change
    status = ergi_command_restore_laws(world, err);
    if (status == ERG_OK) status = ergi_dem_reserve(world, err);
    if (status == ERG_OK) ergi_dem_advance(world, ERGI_PLACE_SPHERES);
    return status;
}

erg_status erg_world_save(const erg_world *world, const char *path, const char *keep_previous,
                          const char *text, erg_error *err)
{
    return ergi_world_save_with(world, path, keep_previous, text, NULL, 0, err);
}

erg_status erg_world_load(erg_world *world, const char *path, erg_error *err)
{
    ergi_box  *box = NULL;
    erg_status status = ergi_box_open(path, &box, err);
    if (status == ERG_OK) status = ergi_world_load_with(world, box, err);
    ergi_box_close(box);
    return status;
}
