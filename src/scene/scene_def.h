// A scene as read by the schema: definitions of the public API, in file order, and the settings of
// a run.
#ifndef ERGI_SCENE_DEF_H
#define ERGI_SCENE_DEF_H

#include "erg/scene.h"
#include "erg/terrain.h"
#include "erg/upsample.h"
#include "scene/schema.h"

// Which key gave the size of a grain kind.
typedef enum ergi_size_key {
    ERGI_SIZE_NONE,
    ERGI_SIZE_RADIUS,
    ERGI_SIZE_SCALE,
    ERGI_SIZE_LAW
} ergi_size_key;

typedef struct ergi_scene_grain {
    erg_grain_def def;
    ergi_size_key size_key;
    size_t        weight_count; // number of weights; def.sizes.count is the number of sizes
} ergi_scene_grain;

// A keyframe; its rotation is written as axis and angle.
typedef struct ergi_scene_key {
    erg_keyframe def;
    erg_vec3     axis;
    double       angle; // [rad]
} ergi_scene_key;

typedef struct ergi_scene_motion {
    erg_motion_def        def;
    const ergi_scene_key *keys;
    int                   key_count;
    const char           *joint_keys[2]; // of the window
    bool                  has_joint_keys;
} ergi_scene_motion;

typedef struct ergi_scene_turn {
    erg_vec3 axis;
    double   angle; // [rad]
    erg_quat rotation;
} ergi_scene_turn;

// A mesh from a file. Position and rotation are used only for walls.
typedef struct ergi_scene_mesh {
    const char     *file; // relative to the scene's folder
    double          scale;
    double          merge; // distance below which vertices are merged, after scaling [m]
    uint64_t        fill_holes;
    erg_vec3        position; // [m]
    ergi_scene_turn turn;
} ergi_scene_mesh;

typedef struct ergi_scene_wall {
    erg_wall_def             def;
    ergi_scene_mesh          mesh;
    const ergi_scene_motion *motions;
    size_t                   motion_count;
} ergi_scene_wall;

// Shapes of a body: those of erg_primitive_kind, and
enum { ERGI_BODY_OF_MESH = ERG_PRIMITIVE_BUCKET + 1 };

// Words that may replace a list of motions.
typedef enum ergi_motion_word {
    ERGI_MOTION_LISTED,
    ERGI_MOTION_FIXED,
    ERGI_MOTION_BY_USER
} ergi_motion_word;

// Copies of a body in rows, columns and layers.
typedef struct ergi_scene_grid {
    int32_t  count[3];
    erg_vec3 spacing; // [m]
    double   shift;   // largest random displacement [m]
    double   turn;    // largest random rotation, about a random axis [rad]
} ergi_scene_grid;

typedef struct ergi_scene_body {
    erg_body_def             def;
    int                      shape; // an erg_primitive_kind or ERGI_BODY_OF_MESH
    erg_primitive            primitive;
    ergi_scene_mesh          mesh;
    ergi_scene_turn          turn;
    bool                     driven;     // by a list of motions or a word
    bool                     axes_given; // `free` is present
    ergi_motion_word         motion_word;
    const ergi_scene_motion *motions;
    size_t                   motion_count;
    ergi_scene_grid          grid;
} ergi_scene_body;

typedef struct ergi_scene_terrain {
    erg_terrain_def def;
    double          bounds[2][2]; // [m]
    bool            height_given;
    const char     *file;      // of heights
    double          low, high; // [m]
    bool            low_given, high_given;
    uint64_t        columns[2];
    bool            columns_given;
} ergi_scene_terrain;

// The look as read; ergi_view_finish replaces words by the API's numbers.
typedef struct ergi_scene_view {
    erg_look look;
    double   speed; // of videos
    bool     caption;
} ergi_scene_view;

typedef struct ergi_scene_def {
    erg_world_def      world;
    erg_scene_settings settings;
    erg_vec3           bounds[2]; // [m]
    bool               bounded;
    unsigned           periodic; // bits 1: x, 2: y
    ergi_scene_view    view;

    const erg_material_def   *materials;
    size_t                    material_count;
    const erg_pair_def       *pairs;
    size_t                    pair_count;
    const ergi_scene_grain   *grains;
    size_t                    grain_count;
    const erg_fill_def       *fills;
    size_t                    fill_count;
    const erg_emitter_def    *emitters;
    size_t                    emitter_count;
    const erg_sink_def       *sinks;
    size_t                    sink_count;
    const ergi_scene_wall    *walls;
    size_t                    wall_count;
    const ergi_scene_body    *bodies;
    size_t                    body_count;
    const ergi_scene_terrain *terrain;  // NULL: none
    const erg_upsample_def   *upsample; // NULL: none
} ergi_scene_def;

struct erg_scene {
    ergi_arena         arena;
    ergi_scene_def     def;
    const char        *file; // name used in messages
    const char *const *sets; // the overrides, for the locations of later messages
    size_t             set_count;
    const ergi_node   *root;
    const char        *text;
};

// The schema tables, by topic: scene_matter.c, scene_grains.c, scene_motion.c, scene_mesh.c,
// scene_walls.c, scene_bodies.c, scene_attach.c, scene_terrain.c, scene_probes.c, scene_view.c,
// scene_root.c.
extern const ergi_schema ergi_scene_schema; // the whole scene, for ergi_scene_def
extern const ergi_schema ergi_material_schema, ergi_pair_schema, ergi_contact_schema;
extern const ergi_schema ergi_region_schema, ergi_grain_schema, ergi_fill_schema;
extern const ergi_schema ergi_emitter_schema, ergi_sink_schema;
extern const ergi_schema ergi_turn_schema, ergi_motion_schema;
extern const ergi_schema ergi_wall_mesh_schema, ergi_body_mesh_schema; // for ergi_scene_mesh
extern const ergi_schema ergi_primitive_schemas[ERGI_BODY_OF_MESH];    // for erg_primitive
extern const ergi_schema ergi_wall_schema, ergi_body_schema, ergi_probe_schema, ergi_view_schema;
extern const ergi_schema ergi_terrain_schema, ergi_upsample_schema;
extern const ergi_word   ergi_never_word, ergi_auto_word; // never: infinity; auto: 0

// Number of bodies in a grid; 1 without a grid.
size_t ergi_scene_copies(const ergi_scene_grid *grid);

// Checks the parts of a motion, each and together. `schema` is that of `map`.
void ergi_scene_check_motions(ergi_reader *reader, const ergi_schema *schema, const ergi_node *map,
                              const ergi_scene_motion *motions, size_t count);

// Checks what walls and bodies are attached to, and replaces the numbers of entries by those of the
// world, which also counts the copies in grids.
void ergi_scene_number_attachments(ergi_reader *reader, const ergi_node *map,
                                   const ergi_scene_def *scene);

// The number in the world, from 1, of the first copy of a body.
erg_id ergi_scene_body_id(const ergi_scene_def *scene, size_t body);

void ergi_view_finish(ergi_scene_view *view);

ergi_scene_mesh ergi_scene_mesh_default(void);

// The tree as YAML that reads back as the same tree. NULL if out of memory.
const char *ergi_scene_write(const ergi_node *root, ergi_arena *arena);

#endif
