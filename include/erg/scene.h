// Scene files: strict YAML in, a world out. docs/scene.md describes every key.
#ifndef ERG_SCENE_H
#define ERG_SCENE_H

#include "erg/look.h"
#include "erg/probe.h"
#include "erg/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct erg_scene erg_scene;

typedef enum erg_snapshot_format {
    ERG_SNAPSHOT_VTP = 1, // VTK XML
    ERG_SNAPSHOT_HDF = 2, // VTKHDF
    ERG_SNAPSHOT_PLY = 4
} erg_snapshot_format;

typedef enum erg_terrain_format {
    ERG_TERRAIN_PNG = 1, // 16-bit greyscale, as a terrain is read
    ERG_TERRAIN_VTI = 2, // VTK XML image
    ERG_TERRAIN_PLY = 4  // mesh
} erg_terrain_format;

// Run and output settings of a scene; the physics is in the world it builds.
typedef struct erg_scene_settings {
    const char          *title;
    erg_solver           solver;           // requested by the scene
    double               time;             // end of the run [s]
    double               frame;            // simulated time between pictures of `video` [s]
    double               film_speed;       // simulated time over playing time of films
    double               series_every;     // period of rows in series.csv [s]
    int                  snapshots;        // erg_snapshot_format bits; 0: none
    int                  terrain;          // erg_terrain_format bits; 0: none
    double               snapshot_every;   // of both [s]
    bool                 contacts;         // snapshots include the contacts
    double               checkpoint_every; // wall time [s]
    bool                 video;            // make a film
    bool                 caption;          // pictures show time and number of grains
    const erg_probe_def *probes;
    size_t               probe_count;
} erg_scene_settings;

// Reads and checks a scene. `sets` are `path=value` overrides as given to --set. On failure
// err.text holds every message found, up to 20, one per line, as `file:line:column: ...`, and
// err.field the key of the first, as --set takes it. `path` is used as given; erg_scene_find finds
// shipped scenes by name.
ERG_API erg_status erg_scene_load(const char *path, const char *const *sets, size_t set_count,
                                  erg_scene **scene, erg_error *err);
// The same from a text in memory; `name` replaces the file name in messages and for relative paths.
ERG_API erg_status erg_scene_load_text(const char *text, size_t length, const char *name,
                                       const char *const *sets, size_t set_count, erg_scene **scene,
                                       erg_error *err);
ERG_API void       erg_scene_destroy(erg_scene *scene); // NULL is fine
// The results of these three belong to the scene and live as long as it does. A world built from
// the scene does not need it.
ERG_API const erg_scene_settings *erg_scene_get_settings(const erg_scene *scene);
// Picture settings, without a caption and in fine quality.
ERG_API const erg_look *erg_scene_get_look(const erg_scene *scene);
// The scene with all overrides applied, as YAML text that loads to the same scene; checkpoints
// store it.
ERG_API const char *erg_scene_text(const erg_scene *scene);
// Writes the first key in which `b` differs from `a` to `key`, ignoring time, output, view and
// threads; for --resume. Returns false if there is no difference.
ERG_API bool erg_scene_differs(const erg_scene *a, const erg_scene *b, char *key, size_t room);

// Builds and prepares the world: materials, walls, grains. `adjust` (may be NULL) can change the
// world definition before creation: threads, log, task hook.
ERG_API erg_status erg_scene_build(const erg_scene *scene,
                                   void (*adjust)(void *user, erg_world_def *def), void *user,
                                   erg_world **world, erg_error *err);

// Writes the path of a scene file to `path`: the given one when such a file exists, else that of
// the scene with this bare name ("pile", "pile.yaml") in the folder of shipped scenes. An empty
// name gives that folder itself. The folder is $ERG_SCENES if that is a folder; otherwise it is
// searched for relative to the running program, which must be installed next to erg or be in its
// build tree. Other programs set ERG_SCENES. ERG_BAD_INPUT when nothing is found or `room` [bytes]
// is too small.
ERG_API erg_status erg_scene_find(const char *path_or_name, char *path, size_t room,
                                  erg_error *err);

#ifdef __cplusplus
}
#endif
#endif
