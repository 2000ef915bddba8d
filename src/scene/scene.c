// Reads scenes; scene_build.c builds worlds from them.
#include "base/error.h"
#include "scene/scene_def.h"
#include "scene/set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Reading -----------------------------------------------------------------------------------
static erg_status no_memory(const char *name, erg_error *err)
{
    return ergi_fail(err, ERG_NO_MEMORY, "%s: out of memory while reading the scene", name);
}

// Copies names that messages need during the lifetime of the scene.
static bool copy_names(erg_scene *scene, const char *file, const char *const *sets,
                       size_t set_count)
{
    const char **copies = ergi_arena_alloc_array(&scene->arena, set_count + 1, sizeof *copies);
    scene->file = ergi_arena_copy_text(&scene->arena, file, strlen(file));
    if (!copies || !scene->file) return false;
    for (size_t i = 0; i < set_count; i++) {
        copies[i] = ergi_arena_copy_text(&scene->arena, sets[i], strlen(sets[i]));
        if (!copies[i]) return false;
    }
    scene->sets = copies;
    scene->set_count = set_count;
    return true;
}

// Translates settings that the schema represents differently from the API.
static void finish(ergi_scene_def *def)
{
    const double   none = HUGE_VAL;
    erg_world_def *w = &def->world;
    ergi_view_finish(&def->view);
    def->settings.solver = w->solver;
    def->settings.caption = def->view.caption;
    def->settings.film_speed = def->view.speed;
    if (!(def->settings.frame > 0)) def->settings.frame = def->view.speed / 30; // auto
    w->periodic_x = def->periodic & 1u;
    w->periodic_y = def->periodic & 2u;
    w->lower = (erg_vec3){-none, -none, -none};
    w->upper = (erg_vec3){none, none, none};
    if (!def->bounded) return;
    w->lower = def->bounds[0];
    w->upper = def->bounds[1];
    if (isinf(w->lower.x)) w->lower.x = -none; // `open` is read as +infinity
    if (isinf(w->lower.y)) w->lower.y = -none;
    if (isinf(w->lower.z)) w->lower.z = -none;
}

static erg_status read_tree(erg_scene *scene, ergi_node *root, ergi_diagnostics *report,
                            erg_error *err)
{
    if (root) {
        ergi_set_apply_all(root, &scene->arena, report);
        scene->def.world = erg_world_def_default();
        scene->def.view.look = erg_look_default();
        ergi_schema_read(&ergi_scene_schema, root, &scene->def, &scene->arena, report);
    }
    erg_status status = ergi_diagnostics_end(report, err);
    if (status != ERG_OK) return status;
    finish(&scene->def);
    scene->root = root;
    scene->text = ergi_scene_write(root, &scene->arena);
    return scene->text ? ERG_OK : no_memory(scene->file, err);
}

// Reads the file `name` if `text` is NULL.
static erg_status load(const char *text, size_t length, const char *name, const char *const *sets,
                       size_t set_count, erg_scene **out, erg_error *err)
{
    if (!name || !out || (set_count && !sets))
        return ergi_fail_code(err, ERG_ERROR_MISSING,
                              "a scene needs a name and a pointer for the result");
    for (size_t i = 0; i < set_count; i++)
        if (!sets[i])
            return ergi_fail_code(err, ERG_ERROR_MISSING,
                                  "setting %zu of a scene, sets[%zu], is NULL", i + 1, i);
    erg_scene       *scene = calloc(1, sizeof *scene);
    ergi_diagnostics report;
    erg_status       status = ERG_OK;
    if (!scene || !copy_names(scene, name, sets, set_count)) status = no_memory(name, err);
    if (status == ERG_OK) {
        ergi_diagnostics_begin(&report, scene->file, scene->sets, set_count);
        if (!text) text = ergi_tree_read_file(name, &scene->arena, &report, &length);
        ergi_node *root = text ? ergi_tree_parse(text, length, 0, &scene->arena, &report) : NULL;
        status = read_tree(scene, root, &report, err);
    }
    if (status == ERG_OK)
        *out = scene;
    else
        erg_scene_destroy(scene);
    return status;
}

erg_status erg_scene_load(const char *path, const char *const *sets, size_t set_count,
                          erg_scene **scene, erg_error *err)
{
    if (!path || !scene || (!sets && set_count > 0)) return ergi_fail_null(err, __func__);
    return load(NULL, 0, path, sets, set_count, scene, err);
}

erg_status erg_scene_load_text(const char *text, size_t length, const char *name,
                               const char *const *sets, size_t set_count, erg_scene **scene,
                               erg_error *err)
{
    if (!scene || (!sets && set_count > 0)) return ergi_fail_null(err, __func__);
    if (!text) return ergi_fail_code(err, ERG_ERROR_MISSING, "a scene needs a text");
    return load(text, length, name ? name : "scene", sets, set_count, scene, err);
}

void erg_scene_destroy(erg_scene *scene)
{
    if (!scene) return;
    ergi_arena_free(&scene->arena);
    free(scene);
}

const erg_scene_settings *erg_scene_get_settings(const erg_scene *scene)
{
    if (!scene) return NULL;
    return &scene->def.settings;
}

const erg_look *erg_scene_get_look(const erg_scene *scene)
{
    if (!scene) return NULL;
    return &scene->def.view.look;
}

const char *erg_scene_text(const erg_scene *scene)
{
    if (!scene) return NULL;
    return scene->text;
}
