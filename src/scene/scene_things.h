// Walls and bodies of a scene that is being built: their meshes, each read or made once.
#ifndef ERGI_SCENE_THINGS_H
#define ERGI_SCENE_THINGS_H

#include "scene/scene_def.h"

// A mesh, and what it was made from.
typedef struct ergi_made_mesh {
    bool            from_file;
    ergi_scene_mesh file; // where it stands does not count
    erg_primitive   primitive;
    erg_mesh       *mesh;
} ergi_made_mesh;

typedef struct ergi_mesh_shelf {
    const char     *scene_file; // its folder is where paths begin
    erg_log_fn      log;        // of the world
    void           *log_user;
    ergi_made_mesh *made;
    size_t          count;
} ergi_mesh_shelf;

void ergi_mesh_shelf_free(ergi_mesh_shelf *shelf);

erg_status ergi_scene_add_wall(ergi_mesh_shelf *shelf, erg_world *world,
                               const ergi_scene_wall *wall, erg_error *err);
// All of its grid. `entry` is its number in the scene: random numbers differ by it.
erg_status ergi_scene_add_body(ergi_mesh_shelf *shelf, erg_world *world,
                               const ergi_scene_body *body, size_t entry, erg_error *err);

#endif
