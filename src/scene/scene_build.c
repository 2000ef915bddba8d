// Builds a world from a scene. Errors that only the world can detect (a fill that does not fit, a
// time step that is too long) are reported at the key that caused them.
#include "scene/scene_build.h"

#include "api/create.h"
#include "base/error.h"
#include "scene/scene_things.h"
#include "scene/scene_unused.h"
#include "world/walls.h"

#include <stdio.h>
#include <string.h>

typedef struct builder {
    const erg_scene *scene;
    erg_world       *world;
    ergi_mesh_cache  shelf;
    erg_error       *err;
    erg_continue_fn  keep_going;
    void            *keep_going_user;
} builder;

// ---- Error locations ---------------------------------------------------------------------------
// Prepends the location, and the name of the entry if any, to the world's message; `field` becomes
// the path in the scene.
static erg_status blame(const builder *b, erg_status status, ergi_where where, const char *entry,
                        const char *keys)
{
    if (status != ERG_BAD_INPUT) return status;
    ergi_diagnostics report;
    ergi_diagnostics_begin(&report, b->scene->file, b->scene->sets, b->scene->set_count);
    report.code = b->err->code;
    ergi_diagnostics_add_at(&report, where, keys, "%s%s%s", entry, *entry ? ": " : "",
                            b->err->text);
    return ergi_diagnostics_end(&report, b->err);
}

static const ergi_node *nth(const ergi_node *list, size_t index)
{
    const ergi_node *entry = list ? list->first : NULL;
    while (entry && index-- > 0) entry = entry->next;
    return entry;
}

// The schema of the entries of a list or map of the scene.
static const ergi_schema *schema_of(const char *key)
{
    const ergi_field *field = ergi_scene_schema.fields;
    while (strcmp(field->key, key) != 0) field++;
    return field->schema;
}

// An error of entry `index` of the list or map `key`, at the key that set `field`.
static erg_status blame_entry(const builder *b, erg_status status, const char *key, size_t index,
                              const char *field)
{
    if (status != ERG_BAD_INPUT) return status;
    const ergi_node *entry = nth(ergi_node_find(b->scene->root, key), index);
    if (!entry) return blame(b, status, (ergi_where){0}, key, key);
    const ergi_node *name = ergi_node_find(entry, "name");
    char             number[24], path[ERGI_KEYS], keys[ERGI_KEYS], inner[ERGI_KEYS];
    snprintf(number, sizeof number, "%zu", index);
    bool        named = name && name->kind == ERGI_NODE_VALUE;
    const char *which = entry->key ? entry->key : named ? name->text : number;
    snprintf(path, sizeof path, "%s.%.80s", key, which);
    const ergi_node *at = ergi_schema_find(schema_of(key), entry, field, inner);
    snprintf(keys, sizeof keys, "%s.%s%s%s", key, entry->key ? entry->key : number,
             *inner ? "." : "", inner);
    bool by_key = at == entry && entry->key && strcmp(field, "name") == 0;
    return blame(b, status, by_key ? entry->key_where : at->where, path, keys);
}

// An error of a wall of the world. The world numbers walls first, then bodies, and every body of a
// grid.
static erg_status blame_wall(const builder *b, erg_status status, size_t number, const char *field)
{
    const ergi_scene_def *def = &b->scene->def;
    size_t                end = def->wall_count, entry = 0;
    if (def->terrain && erg_world_has_terrain(b->world) &&
        number + 1 == erg_world_wall_count(b->world)) // the last one
        return blame(b, status, ergi_node_find(b->scene->root, "terrain")->where, "", "terrain");
    if (number < end) return blame_entry(b, status, "walls", number, field);
    while (entry + 1 < def->body_count &&
           number >= (end += ergi_scene_copies(&def->bodies[entry].grid)))
        entry++;
    return blame_entry(b, status, "bodies", entry, field);
}

// The key that determines dt: the first of these that the scene has, else NULL.
static const ergi_node *find_dt_key(const ergi_node *root, const char **path)
{
    static const char *const keys[][3] = {{"run", "dt", "run.dt"},
                                          {"contact", "contact_time", "contact.contact_time"},
                                          {"run", "speed", "run.speed"}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const ergi_node *block = ergi_node_find(root, keys[i][0]);
        const ergi_node *node = block ? ergi_node_find(block, keys[i][1]) : NULL;
        *path = keys[i][2];
        if (node) return node;
    }
    *path = "";
    return NULL;
}

// An error of the world as a whole.
static erg_status blame_world(const builder *b, erg_status status)
{
    if (status != ERG_BAD_INPUT) return status;
    const ergi_node *root = b->scene->root, *node;
    char             keys[ERGI_KEYS];
    const char      *path = keys, *field = b->err->field;
    size_t           wall;
    int              length = 0;
    if (sscanf(field, "walls[%zu]%n", &wall, &length) == 1 && length > 0)
        return blame_wall(b, status, wall, field + length + (field[length] == '.'));
    if (strcmp(field, "dt") == 0)
        node = find_dt_key(root, &path);
    else
        node = ergi_schema_find(&ergi_scene_schema, root, field, keys);
    return blame(b, status, node && node != root ? node->where : (ergi_where){0}, "", path);
}

// ---- End time ----------------------------------------------------------------------------------
// If the time step is lost in rounding when added to the end time, the run would never end.
static erg_status check_end(const builder *b)
{
    double end = b->scene->def.settings.time, dt = erg_world_dt(b->world);
    if (end == 0 || end + dt > end) return ERG_OK;
    const char      *path;
    const ergi_node *node = find_dt_key(b->scene->root, &path);
    if (!node) {
        const ergi_node *run = ergi_node_find(b->scene->root, "run");
        node = run ? ergi_node_find(run, "time") : NULL;
        path = "run.time";
    }
    erg_status status =
        ergi_fail_code(b->err, ERG_ERROR_OUT_OF_RANGE,
                       "a step of %.3g s (%s) is too short to advance the clock at the end, %g s, "
                       "so the run would never end: give a longer step or a shorter run",
                       dt, erg_world_dt_reason(b->world), end);
    return blame(b, status, node ? node->where : (ergi_where){0}, path, path);
}

// ---- Building ----------------------------------------------------------------------------------
// False after a failure or if the caller asked to stop; called before each item that may take long.
static bool may_continue(const builder *b, erg_status *status)
{
    if (*status == ERG_OK && b->keep_going && !b->keep_going(b->keep_going_user))
        *status = ergi_fail(b->err, ERG_CANCELLED, "building the scene was cancelled");
    return *status == ERG_OK;
}

// An error of the definition of an entry.
static erg_status added(const builder *b, erg_status status, const char *key, size_t index)
{
    return blame_entry(b, status, key, index, b->err->field);
}

static erg_status add_matter(const builder *b)
{
    const ergi_scene_def *def = &b->scene->def;
    erg_status            status = ERG_OK;
    for (size_t i = 0; i < def->material_count && status == ERG_OK; i++)
        status = added(b, erg_world_add_material(b->world, &def->materials[i], NULL, b->err),
                       "materials", i);
    for (size_t i = 0; i < def->pair_count && status == ERG_OK; i++)
        status = added(b, erg_world_set_pair(b->world, &def->pairs[i], b->err), "pairs", i);
    for (size_t i = 0; i < def->grain_count && status == ERG_OK; i++)
        status = added(b, erg_world_add_grain_kind(b->world, &def->grains[i].def, NULL, b->err),
                       "grains", i);
    return status;
}

// Attaches those walls and bodies that were added before their carriers.
static erg_status attach_rest(const builder *b)
{
    const ergi_scene_def *def = &b->scene->def;
    erg_status            status = ERG_OK;
    for (size_t i = 0; i < def->wall_count && status == ERG_OK; i++)
        if (def->walls[i].def.attach > i)
            status = added(
                b, ergi_world_attach(b->world, (erg_id)(i + 1), def->walls[i].def.attach, b->err),
                "walls", i);
    for (size_t i = 0; i < def->body_count; i++) {
        erg_id first = ergi_scene_body_id(def, i), carrier = def->bodies[i].def.attach;
        size_t copies = carrier >= first ? ergi_scene_copies(&def->bodies[i].grid) : 0;
        for (size_t k = 0; k < copies && status == ERG_OK; k++)
            status = added(b, ergi_world_attach(b->world, (erg_id)(first + k), carrier, b->err),
                           "bodies", i);
    }
    return status;
}

// Walls, bodies and terrain before fills, because grains are placed clear of them.
static erg_status add_things(builder *b)
{
    const ergi_scene_def *def = &b->scene->def;
    erg_status            status = ERG_OK;
    for (size_t i = 0; i < def->wall_count && may_continue(b, &status); i++)
        status =
            added(b, ergi_scene_add_wall(&b->shelf, b->world, &def->walls[i], b->err), "walls", i);
    for (size_t i = 0; i < def->body_count && may_continue(b, &status); i++)
        status = added(b, ergi_scene_add_body(&b->shelf, b->world, &def->bodies[i], i, b->err),
                       "bodies", i);
    if (status == ERG_OK) status = attach_rest(b);
    if (def->terrain && may_continue(b, &status))
        status = blame_world(b, ergi_fail_within(b->err,
                                                 ergi_scene_add_terrain(b->scene->file, b->world,
                                                                        def->terrain, b->err),
                                                 "terrain"));
    for (size_t i = 0; i < def->emitter_count && status == ERG_OK; i++)
        status = added(b, erg_world_add_emitter(b->world, &def->emitters[i], NULL, b->err),
                       "emitters", i);
    for (size_t i = 0; i < def->sink_count && status == ERG_OK; i++)
        status = added(b, erg_world_add_sink(b->world, &def->sinks[i], NULL, b->err), "sinks", i);
    for (size_t i = 0; i < def->fill_count && may_continue(b, &status); i++)
        status = added(b, erg_world_fill(b->world, &def->fills[i], NULL, b->err), "fill", i);
    return status;
}

erg_status ergi_scene_build_with(const erg_scene *scene, const struct ergi_solver  *solver,
                                 void (*adjust)(void *user, erg_world_def *), void *user,
                                 erg_world **world, erg_error *err)
{
    erg_error     own; // its field locates the error
    builder       b = {.scene = scene, .err = err ? err : &own};
    erg_world_def def = scene->def.world;
    if (adjust) adjust(user, &def);
    ergi_scene_note_unused(scene, &def);
    b.shelf =
        (ergi_mesh_cache){.scene_file = scene->file, .log = def.log, .log_user = def.log_user};
    b.keep_going = def.keep_going;
    b.keep_going_user = def.keep_going_user;
    erg_status status = solver ? ergi_world_create_with(&def, solver, &b.world, b.err)
                               : erg_world_create(&def, &b.world, b.err);
    status = blame_world(&b, status);
    if (status == ERG_OK) status = add_matter(&b);
    if (status == ERG_OK) status = add_things(&b);
    if (status == ERG_OK && scene->def.upsample) {
        erg_upsample_def upsample = *scene->def.upsample;
        upsample.until = scene->def.settings.time;
        status = blame_world(
            &b,
            ergi_fail_within(b.err, erg_world_set_upsample(b.world, &upsample, b.err), "upsample"));
    }
    if (may_continue(&b, &status)) status = blame_world(&b, erg_world_prepare(b.world, b.err));
    if (status == ERG_OK) status = check_end(&b);
    ergi_mesh_cache_free(&b.shelf);
    if (status == ERG_OK)
        *world = b.world;
    else
        erg_world_destroy(b.world);
    return status;
}

erg_status erg_scene_build(const erg_scene *scene, void (*adjust)(void *user, erg_world_def *),
                           void *user, erg_world **world, erg_error *err)
{
    if (!scene || !world)
        return ergi_fail_code(err, ERG_ERROR_MISSING,
                              "building a world needs a scene and a pointer for the result");
    return ergi_scene_build_with(scene, NULL, adjust, user, world, err);
}
