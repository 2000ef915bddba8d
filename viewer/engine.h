// What a window can show: something with a clock that can be advanced and drawn. engine_scene.c
// simulates a scene, engine_result.c plays the snapshots of a result folder, engine_mesh.c the
// spreading of samples over a mesh. An engine is used by one thread at a time, that of sim.h.
#ifndef ERG_VIEW_ENGINE_H
#define ERG_VIEW_ENGINE_H

#include "erg/erg.h"

enum { VIEW_WALLS = 64, VIEW_JOINTS = 16, VIEW_TICKS = 200 };

// A wall or body that the user can move.
typedef struct view_wall {
    erg_id   id;
    char     name[64];
    erg_vec3 position; // displacement since t = 0 [m]
} view_wall;

// A joint with keys of its own.
typedef struct view_joint {
    erg_id   wall;
    char     name[64];
    bool     hinge;
    erg_vec3 along;
    double   speed;            // [rad/s] or [m/s]
    char     key_up, key_down; // lower-case letters or digits
} view_joint;

// Current state of an engine.
typedef struct view_facts {
    double    time, dt; // [s]
    uint64_t  steps, grains, spheres, contacts, commands;
    erg_vec3  gravity;  // [m/s^2]
    double    friction; // between grains
    size_t    emitters;
    double    pouring;      // total rate of the emitters [1/s]
    erg_id    material;     // of the grains
    double    density;      // of that material [kg/m^3]
    double    stiffness;    // effective modulus of two such grains, E* of Hertz' law [Pa]
    erg_vec3  lower, upper; // of the domain [m]
    view_wall wall[VIEW_WALLS];
    size_t    walls;
    size_t    walls_left_out; // movable, but beyond VIEW_WALLS
    // There are keys for less than VIEW_JOINTS.
    view_joint joint[VIEW_JOINTS];
    size_t     joints;

    // For results, and for meshes, which are played like results.
    bool   is_result, is_mesh;
    double begin, end;       // [s]
    size_t index, count;     // of the current moment
    double tick[VIEW_TICKS]; // times of all moments [s]
    size_t ticks;            // 0: too many to distinguish
    bool   no_contacts;      // force chains and forces cannot be shown
} view_facts;

typedef struct view_engine view_engine;

struct view_engine {
    // Prepares the engine at its initial state; also restarts it. Before it has succeeded only
    // time, moment, tell, save without a folder, and destroy may be called.
    erg_status (*open)(view_engine *engine, erg_error *err);
    // Advances to `time` [s] within `budget` seconds of wall time, but by at least one step.
    erg_status (*advance)(view_engine *engine, double time, double budget, erg_error *err);
    erg_status (*step)(view_engine *engine, int steps, erg_error *err); // negative: back
    erg_status (*seek)(view_engine *engine, double time, erg_error *err);
    // An emitter rate with id 0 is the total: it is distributed in the proportions of the scene.
    erg_status (*command)(view_engine *engine, const erg_command *command, erg_error *err);
    erg_status (*take)(view_engine *engine, const erg_look *look, erg_picture *picture,
                       erg_error *err);
    double (*time)(const view_engine *engine);
    uint64_t (*moment)(const view_engine *engine); // changes when the picture changes
    void (*tell)(view_engine *engine, view_facts *facts);
    // Saves into a result folder; with folder NULL only fills result.state_hash.
    erg_status (*save)(view_engine *engine, const char *folder, erg_run_result *result,
                       erg_error *err);
    void (*destroy)(view_engine *engine);
    bool (*stopped)(void); // whether the program was asked to end; cancels opening; may be NULL
};

// `name` is the path of the scene. `scene` must outlive the engine, unless it is also given as
// `own` (may be NULL), which the engine takes over even on failure.
erg_status view_engine_scene(const erg_scene *scene, erg_scene *own, const char *name, int threads,
                             erg_backend backend, view_engine **engine, erg_error *err);
erg_status view_engine_result(const erg_scene *scene, const char *folder, view_engine **engine,
                              erg_error *err);

// Spreads samples over the mesh by `def`; with radius 0 the mesh is shown alone. The mesh must
// outlive the engine.
erg_status view_engine_mesh(const erg_mesh *mesh, const erg_sample_def *def, view_engine **engine,
                            erg_error *err);

// The commands applied to the scene so far, oldest first, as from erg_world_command_log.
size_t view_engine_scene_log(const view_engine *engine, erg_command *commands, size_t count);

#endif
