// What a window can show: something with a clock that can be told to go on and asked how it looks.
// engine_scene.c simulates a scene, engine_result.c plays the snapshots of a result folder,
// engine_mesh.c the spreading of samples over a mesh. An
// engine is used by one thread at a time; sim.h is that thread.
#ifndef ERG_VIEW_ENGINE_H
#define ERG_VIEW_ENGINE_H

#include "erg/erg.h"

enum { VIEW_WALLS = 64, VIEW_TICKS = 200 };

// A wall that a hand can move.
typedef struct view_wall {
    erg_id   id;
    char     name[64];
    erg_vec3 position; // displacement from its place at t = 0 [m]
} view_wall;

// How things stand.
typedef struct view_facts {
    double    time, dt; // [s]
    uint64_t  steps, grains, spheres, contacts, commands;
    erg_vec3  gravity;  // [m/s^2]
    double    friction; // of grains among themselves
    size_t    emitters;
    double    pouring;      // rate of all of them [1/s]
    erg_id    material;     // that grains are made of
    double    density;      // of that [kg/m^3]
    double    stiffness;    // of two such grains, E* of Hertz' law [Pa]
    erg_vec3  lower, upper; // of the domain [m]
    view_wall wall[VIEW_WALLS];
    size_t    walls;
    size_t    walls_left_out; // that could be moved, but are too many

    // Of a result, or of a mesh, which is played like one.
    bool   is_result, is_mesh;
    double begin, end;       // [s]
    size_t index, count;     // of the moment shown
    double tick[VIEW_TICKS]; // times of all moments [s]
    size_t ticks;            // 0: more than can be told apart
    bool   no_contacts;      // chains and forces cannot be shown
} view_facts;

typedef struct view_engine view_engine;

struct view_engine {
    // Makes it ready, at its beginning; also to begin again. Nothing is called before, or after it
    // failed, but time, tell, keep without a folder, and destroy.
    erg_status (*open)(view_engine *engine, erg_error *err);
    // Goes on until `time` [s], for at most `budget` of wall time, but by one step at least.
    erg_status (*advance)(view_engine *engine, double time, double budget, erg_error *err);
    erg_status (*step)(view_engine *engine, int steps, erg_error *err); // negative: back
    erg_status (*seek)(view_engine *engine, double time, erg_error *err);
    // An emitter's rate with id 0 is that of all together: each pours its share, as in the scene.
    erg_status (*command)(view_engine *engine, const erg_command *command, erg_error *err);
    erg_status (*take)(view_engine *engine, const erg_look *look, erg_picture *picture,
                       erg_error *err);
    double (*time)(const view_engine *engine);
    uint64_t (*moment)(const view_engine *engine); // another number, another picture
    void (*tell)(view_engine *engine, view_facts *facts);
    // Into a result folder; result.state_hash is filled also without one (folder NULL).
    erg_status (*save)(view_engine *engine, const char *folder, erg_run_result *result,
                       erg_error *err);
    void (*destroy)(view_engine *engine);
    bool (*stopped)(void); // whether the program was asked to end; cancels opening; may be NULL
};

// `name` is the path of the scene, which must outlive the engine, unless it is `own` as well (may
// be NULL): the engine takes that, whatever happens.
erg_status view_engine_scene(const erg_scene *scene, erg_scene *own, const char *name, int threads,
                             erg_backend backend, view_engine **engine, erg_error *err);
erg_status view_engine_result(const erg_scene *scene, const char *folder, view_engine **engine,
                              erg_error *err);

// Samples by `def`, whose radius is above 0, spread over the mesh; else it is shown alone. The mesh
// must outlive the engine.
erg_status view_engine_mesh(const erg_mesh *mesh, const erg_sample_def *def, view_engine **engine,
                            erg_error *err);

// The commands that were applied to a scene, oldest first, as erg_world_command_log gives them.
size_t view_engine_scene_log(const view_engine *engine, erg_command *commands, size_t count);

#endif
