// From a scene to a world. What only the world can find out (a fill that does not fit, a time step
// that is too long) is reported at the key that is to blame.
#include "base/error.h"
#include "scene/scene_things.h"

#include <stdio.h>
#include <string.h>

typedef struct builder {
    const erg_scene *scene;
    erg_world       *world;
    ergi_mesh_shelf  shelf;
    erg_error       *err;
    erg_continue_fn  keep_going;
    void            *keep_going_user;
} builder;

// ---- Whose fault it was ------------------------------------------------------------------------
static const ergi_node *nth(const ergi_node *list, size_t index)
{
    const ergi_node *entry = list ? list->first : NULL;
    while (entry && index-- > 0) entry = entry->next;
    return entry;
}

// Puts the place and path of `node` before the world's sentence.
static erg_status blame(const builder *b, erg_status status, const ergi_node *node,
                        const char *path)
{
    if (status != ERG_BAD_INPUT) return status;
    ergi_report report;
    ergi_report_begin(&report, b->scene->file, b->scene->sets, b->scene->set_count);
    ergi_report_add(&report, node ? node->where : (ergi_where){0}, "%s%s%s", path,
                    *path ? ": " : "", b->err->text);
    ergi_report_end(&report, b->err);
    return status;
}

// Of entry `index` of the list or map `key`; at the entry's `inner` key where it has one.
static erg_status blame_entry(const builder *b, erg_status status, const char *key, size_t index,
                              const char *inner)
{
    if (status == ERG_OK) return status;
    const ergi_node *entry = nth(ergi_node_find(b->scene->root, key), index);
    const ergi_node *at = inner ? ergi_node_find(entry, inner) : NULL;
    const ergi_node *name = ergi_node_find(entry, "name");
    char             path[128], number[24];
    snprintf(number, sizeof number, "%zu", index);
    const char *which = entry && entry->key                     ? entry->key
                        : name && name->kind == ERGI_NODE_VALUE ? name->text
                                                                : number;
    snprintf(path, sizeof path, "%s.%.80s", key, which);
    return blame(b, status, at ? at : entry, path);
}

// The entry of a body that a sentence begins with, by its name or its number among walls and
// bodies; a grid is one entry of many. False: it begins with something else.
static bool body_to_blame(const ergi_scene_def *def, const char *text, size_t *entry)
{
    char   name[64];
    size_t number, bodies = def->wall_count;
    bool   named = sscanf(text, "body '%63[^']", name) == 1;
    if (!named && sscanf(text, "body number %zu", &number) != 1) return false;
    for (size_t i = 0; i < def->body_count; i++) {
        const ergi_scene_body *body = &def->bodies[i];
        bodies += ergi_scene_copies(&body->grid);
        *entry = i;
        if (named ? body->def.name && strcmp(body->def.name, name) == 0 : number <= bodies)
            return true;
    }
    return false;
}

// The key that determines dt: the first of these that the scene has, else NULL.
static const ergi_node *behind_dt(const ergi_node *root, const char **path)
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
    return NULL;
}

// The world as a whole: the sentence begins with what it is about.
static erg_status blame_whole(const builder *b, erg_status status)
{
    size_t entry;
    if (status == ERG_OK) return status;
    if (body_to_blame(&b->scene->def, b->err->text, &entry))
        return blame_entry(b, status, "bodies", entry, NULL);
    const ergi_node *root = b->scene->root, *node = NULL;
    const char      *path;
    if (strncmp(b->err->text, "dt ", 3) == 0)
        node = behind_dt(root, &path);
    else if (strncmp(b->err->text, "the domain", 10) == 0)
        node = ergi_node_find(root, "domain");
    return blame(b, status, node, "");
}

// ---- The end -----------------------------------------------------------------------------------
// A run whose time step is lost in rounding when added to the end time would never end.
static erg_status check_end(const builder *b)
{
    double end = b->scene->def.settings.time, dt = erg_world_dt(b->world);
    if (end == 0 || end + dt > end) return ERG_OK;
    const char      *path;
    const ergi_node *node = behind_dt(b->scene->root, &path);
    if (!node) {
        const ergi_node *run = ergi_node_find(b->scene->root, "run");
        node = run ? ergi_node_find(run, "time") : NULL;
        path = "run.time";
    }
    erg_status status =
        ergi_fail(b->err, ERG_BAD_INPUT,
                  "a step of %.3g s (%s) does not move the clock at the end, %g s: the run "
                  "would not end; give a longer step or a shorter run",
                  dt, erg_world_dt_reason(b->world), end);
    return blame(b, status, node, path);
}

// ---- Building ----------------------------------------------------------------------------------
// False after a failure or when the caller asked to stop; called before each item that may take
// long.
static bool go_on(const builder *b, erg_status *status)
{
    if (*status == ERG_OK && b->keep_going && !b->keep_going(b->keep_going_user))
        *status = ergi_fail(b->err, ERG_CANCELLED, "building the scene was cancelled");
    return *status == ERG_OK;
}

static erg_status add_matter(const builder *b)
{
    const ergi_scene_def *def = &b->scene->def;
    erg_status            status = ERG_OK;
    for (size_t i = 0; i < def->material_count && status == ERG_OK; i++)
        status = blame_entry(b, erg_world_add_material(b->world, &def->materials[i], NULL, b->err),
                             "materials", i, NULL);
    for (size_t i = 0; i < def->pair_count && status == ERG_OK; i++)
        status =
            blame_entry(b, erg_world_set_pair(b->world, &def->pairs[i], b->err), "pairs", i, NULL);
    for (size_t i = 0; i < def->grain_count && status == ERG_OK; i++)
        status =
            blame_entry(b, erg_world_add_grain_kind(b->world, &def->grains[i].def, NULL, b->err),
                        "grains", i, NULL);
    return status;
}

// Walls and bodies before fills: grains are placed clear of them.
static erg_status add_things(builder *b)
{
    const ergi_scene_def *def = &b->scene->def;
    erg_status            status = ERG_OK;
    for (size_t i = 0; i < def->wall_count && go_on(b, &status); i++)
        status = blame_entry(b, ergi_scene_add_wall(&b->shelf, b->world, &def->walls[i], b->err),
                             "walls", i, "mesh");
    for (size_t i = 0; i < def->body_count && go_on(b, &status); i++)
        status =
            blame_entry(b, ergi_scene_add_body(&b->shelf, b->world, &def->bodies[i], i, b->err),
                        "bodies", i, "mesh");
    for (size_t i = 0; i < def->emitter_count && status == ERG_OK; i++)
        status = blame_entry(b, erg_world_add_emitter(b->world, &def->emitters[i], NULL, b->err),
                             "emitters", i, NULL);
    for (size_t i = 0; i < def->sink_count && status == ERG_OK; i++)
        status = blame_entry(b, erg_world_add_sink(b->world, &def->sinks[i], NULL, b->err), "sinks",
                             i, NULL);
    for (size_t i = 0; i < def->fill_count && go_on(b, &status); i++)
        status = blame_entry(b, erg_world_fill(b->world, &def->fills[i], NULL, b->err), "fill", i,
                             "count");
    return status;
}

erg_status erg_scene_build(const erg_scene *scene, void (*adjust)(void *user, erg_world_def *),
                           void *user, erg_world **world, erg_error *err)
{
    if (!scene || !world)
        return ergi_fail(err, ERG_BAD_INPUT, "a world is built from a scene, to a place to go");
    erg_error     own; // sentences are needed to tell whose fault it was
    builder       b = {.scene = scene, .err = err ? err : &own};
    erg_world_def def = scene->def.world;
    if (adjust) adjust(user, &def);
    b.shelf =
        (ergi_mesh_shelf){.scene_file = scene->file, .log = def.log, .log_user = def.log_user};
    b.keep_going = def.keep_going;
    b.keep_going_user = def.keep_going_user;
    erg_status status = blame_whole(&b, erg_world_create(&def, &b.world, b.err));
    if (status == ERG_OK) status = add_matter(&b);
    if (status == ERG_OK) status = add_things(&b);
    if (go_on(&b, &status)) status = blame_whole(&b, erg_world_prepare(b.world, b.err));
    if (status == ERG_OK) status = check_end(&b);
    ergi_mesh_shelf_free(&b.shelf);
    if (status == ERG_OK)
        *world = b.world;
    else
        erg_world_destroy(b.world);
    return status;
}
