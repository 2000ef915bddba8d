// Adds walls, bodies and the terrain to the world of a scene. Each mesh is read or made only once.
#ifndef ERGI_SCENE_THINGS_H
#define ERGI_SCENE_THINGS_H

#include "scene/scene_def.h"

// A mesh and its source.
typedef struct ergi_made_mesh {
    bool            from_file;
    ergi_scene_mesh file; // its position and rotation are ignored
    erg_primitive   primitive;
    erg_mesh       *mesh;
} ergi_made_mesh;

typedef struct ergi_mesh_cache {
    const char     *scene_file; // relative paths start at its folder
    erg_log_fn      log;        // of the world
    void           *log_user;
    ergi_made_mesh *made;
    size_t          count;
} ergi_mesh_cache;

// The path relative to the working folder; relative paths in a scene start at the scene's folder.
// The caller frees it (ergi_memory_free); NULL: no memory.
char *ergi_scene_path(const char *scene_file, const char *file, erg_error *err);

void ergi_mesh_cache_free(ergi_mesh_cache *shelf);

erg_status ergi_scene_add_wall(ergi_mesh_cache *shelf, erg_world *world,
                               const ergi_scene_wall *wall, erg_error *err);
// Adds all bodies of the grid. `entry` is the index in the scene and seeds the random numbers.
erg_status ergi_scene_add_body(ergi_mesh_cache *shelf, erg_world *world,
                               const ergi_scene_body *body, size_t entry, erg_error *err);

// After walls and bodies, whose numbers are those of the scene.
erg_status ergi_scene_add_terrain(const char *scene_file, erg_world *world,
                                  const ergi_scene_terrain *terrain, erg_error *err);

#endif
