#include "scene/scene_things.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "geom/vec3.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { STREAM_BODIES = 0x626f6479 }; // random stream, different from those of the world

// ---- Meshes ------------------------------------------------------------------------------------
static bool same_file(const ergi_scene_mesh *a, const ergi_scene_mesh *b)
{
    return strcmp(a->file, b->file) == 0 && a->scale == b->scale && a->merge == b->merge &&
           a->fill_holes == b->fill_holes;
}

static bool same_shape(const erg_primitive *a, const erg_primitive *b)
{
    return a->kind == b->kind && ergi_distance(a->size, b->size) == 0.0 && a->radius == b->radius &&
           a->height == b->height && a->thickness == b->thickness && a->taper == b->taper &&
           a->segments == b->segments;
}

static bool is_made_of(const ergi_made_mesh *m, const ergi_scene_mesh *file,
                       const erg_primitive *shape)
{
    if (m->from_file != (file != NULL)) return false;
    return file ? same_file(&m->file, file) : same_shape(&m->primitive, shape);
}

char *ergi_scene_path(const char *scene_file, const char *file, erg_error *err)
{
    const char *slash = strrchr(scene_file, '/');
    size_t      folder = slash && *file != '/' ? (size_t)(slash - scene_file) + 1 : 0;
    char       *path = ergi_memory_new(folder + strlen(file) + 1, 1, "the name of a file", err);
    if (!path) return NULL;
    memcpy(path, scene_file, folder);
    strcpy(path + folder, file);
    return path;
}

static erg_status read_mesh(const ergi_mesh_cache *shelf, const ergi_scene_mesh *file,
                            erg_mesh **out, erg_error *err)
{
    char *path = ergi_scene_path(shelf->scene_file, file->file, err);
    if (!path) return ERG_NO_MEMORY;
    erg_mesh_def def = erg_mesh_def_default();
    erg_status   status;
    def.log = shelf->log;
    def.log_user = shelf->log_user;
    if (access(path, F_OK) != 0) {
        status =
            ergi_fail_code(err, ERG_ERROR_NO_FILE,
                           "there is no mesh '%s'; its path is relative to the folder of the scene "
                           "file",
                           path);
    } else {
        def.scale = file->scale;
        def.merge = file->merge;
        def.fill_holes = (size_t)file->fill_holes;
        status = erg_mesh_read(path, &def, out, err);
    }
    ergi_memory_free(path);
    // Errors inside the file are reported at the key `file`.
    if (status == ERG_BAD_INPUT && err && !*err->field) ergi_fail_within(err, status, "file");
    return status;
}

// From a file, or if `file` is NULL from a primitive.
static erg_status find_mesh(ergi_mesh_cache *shelf, const ergi_scene_mesh *file,
                            const erg_primitive *shape, const erg_mesh **out, erg_error *err)
{
    for (size_t i = 0; i < shelf->count; i++)
        if (is_made_of(&shelf->made[i], file, shape)) {
            *out = shelf->made[i].mesh;
            return ERG_OK;
        }
    ergi_made_mesh made = {.from_file = file != NULL};
    if (file) made.file = *file;
    if (!file) made.primitive = *shape;
    erg_status status = ergi_memory_resize(&shelf->made, shelf->count, shelf->count + 1,
                                           sizeof *shelf->made, "meshes", err);
    if (status == ERG_OK)
        status = file ? read_mesh(shelf, file, &made.mesh, err)
                      : erg_mesh_primitive(shape, &made.mesh, err);
    if (status != ERG_OK) return ergi_fail_within(err, status, "%s", file ? "mesh" : "primitive");
    shelf->made[shelf->count++] = made;
    *out = made.mesh;
    return ERG_OK;
}

void ergi_mesh_cache_free(ergi_mesh_cache *shelf)
{
    for (size_t i = 0; i < shelf->count; i++) erg_mesh_destroy(shelf->made[i].mesh);
    ergi_memory_free(shelf->made);
    *shelf = (ergi_mesh_cache){0};
}

// ---- Motions -----------------------------------------------------------------------------------
// Keyframes of the motions, in the form of the API.
typedef struct keys {
    erg_keyframe *of[ERG_WALL_MOTIONS];
} keys;

static void free_keys(keys *k)
{
    for (size_t i = 0; i < ERG_WALL_MOTIONS; i++) ergi_memory_free(k->of[i]);
}

static erg_status take_motions(const ergi_scene_motion *motions, size_t count, keys *k,
                               erg_motion_def *out, erg_error *err)
{
    for (size_t i = 0; i < count; i++) {
        const ergi_scene_motion *motion = &motions[i];
        out[i] = motion->def;
        out[i].key_count = motion->key_count;
        if (motion->key_count == 0) continue;
        k->of[i] = ergi_memory_new((size_t)motion->key_count, sizeof *k->of[i], "keyframes", err);
        if (!k->of[i]) return ERG_NO_MEMORY;
        for (int n = 0; n < motion->key_count; n++) k->of[i][n] = motion->keys[n].def;
        out[i].keys = k->of[i];
    }
    return ERG_OK;
}

// ---- Walls -------------------------------------------------------------------------------------
erg_status ergi_scene_add_wall(ergi_mesh_cache *shelf, erg_world *world,
                               const ergi_scene_wall *wall, erg_error *err)
{
    erg_wall_def def = wall->def;
    keys         k = {{NULL}};
    erg_status   status = take_motions(wall->motions, wall->motion_count, &k, def.motion, err);
    if (status == ERG_OK && def.shape == ERG_WALL_MESH) {
        def.mesh.position = wall->mesh.position;
        def.mesh.rotation = wall->mesh.turn.rotation;
        status = find_mesh(shelf, &wall->mesh, NULL, &def.mesh.mesh, err);
    }
    if (def.attach > erg_world_wall_count(world)) def.attach = 0; // the carrier is added later
    if (status == ERG_OK) status = erg_world_add_wall(world, &def, NULL, err);
    free_keys(&k);
    return status;
}

// ---- Bodies ------------------------------------------------------------------------------------
// The copy at (x, y, z) of the grid, displaced and rotated by its own random numbers.
static erg_body_def copy_at(const ergi_scene_grid *grid, const erg_body_def *first, erg_vec3 at,
                            ergi_random random)
{
    erg_body_def copy = *first;
    erg_vec3     offset = {at.x * grid->spacing.x, at.y * grid->spacing.y, at.z * grid->spacing.z};
    offset = ergi_madd(offset, grid->shift, ergi_random_in_ball(&random));
    copy.position = ergi_add(first->position, offset);
    copy.pivot = ergi_add(first->pivot, offset);
    // A random axis and a uniformly distributed angle.
    erg_vec3 axis = ergi_quat_rotate(ergi_random_rotation(&random), ergi_vec3(0, 0, 1));
    double   angle = grid->turn * ergi_random_uniform(&random);
    if (grid->turn > 0)
        copy.rotation = ergi_quat_normalize(
            ergi_quat_mul(ergi_quat_from_axis_angle(axis, angle), copy.rotation));
    return copy;
}

static erg_status add_grid(erg_world *world, const ergi_scene_grid *grid, erg_body_def *first,
                           size_t entry, erg_error *err)
{
    const int32_t *n = grid->count;
    erg_status     status = ERG_OK;
    erg_world_def  def = erg_world_get_def(world);
    uint64_t       number = 0;
    if ((int64_t)n[0] * n[1] * n[2] > 1) first->name = NULL; // names must be unique
    for (int32_t z = 0; z < n[2]; z++)
        for (int32_t y = 0; y < n[1]; y++)
            for (int32_t x = 0; x < n[0] && status == ERG_OK; x++) {
                ergi_random  random = {.seed = def.seed,
                                       .stream = STREAM_BODIES,
                                       .id = (uint64_t)entry << 32 | number++};
                erg_body_def copy = copy_at(grid, first, ergi_vec3(x, y, z), random);
                status = def.keep_going && !def.keep_going(def.keep_going_user)
                             ? ergi_fail(err, ERG_CANCELLED, "adding bodies was cancelled")
                             : erg_world_add_body(world, &copy, NULL, err);
            }
    return status;
}

erg_status ergi_scene_add_body(ergi_mesh_cache *shelf, erg_world *world,
                               const ergi_scene_body *body, size_t entry, erg_error *err)
{
    erg_body_def def = body->def;
    keys         k = {{NULL}};
    bool         of_mesh = body->shape == ERGI_BODY_OF_MESH;
    erg_status   status = take_motions(body->motions, body->motion_count, &k, def.motion, err);
    def.motion_count = (int)body->motion_count;
    if (def.attach > erg_world_wall_count(world)) def.attach = 0; // the carrier is added later
    if (body->motion_word == ERGI_MOTION_BY_USER) {
        def.motion[0] = erg_motion_def_default(ERG_MOTION_USER);
        def.motion_count = 1;
    }
    if (status == ERG_OK)
        status = find_mesh(shelf, of_mesh ? &body->mesh : NULL, &body->primitive, &def.mesh, err);
    if (status == ERG_OK) status = add_grid(world, &body->grid, &def, entry, err);
    free_keys(&k);
    return status;
}
